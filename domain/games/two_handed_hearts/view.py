"""Shows a game of Two-Handed Hearts to a seat, or to a spectator."""

from domain.core.cards import BACK, NAMES, Cards, Seat, names
from domain.core.shown import PlayedCardShown, TrickShown
from domain.core.tricks import Trick
from domain.games.two_handed_hearts.events import RevokeFound
from domain.games.two_handed_hearts.options import SEATS, taken
from domain.games.two_handed_hearts.play import phase, taken_by
from domain.games.two_handed_hearts.shown import RevokeShown, TwoHandedHeartsShown
from domain.games.two_handed_hearts.table import NOBODY, State


def view(s: State, seat: Seat | None) -> TwoHandedHeartsShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": someone(s.dealer),
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [None if BACK in hand else names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "stock_count": len(s.stock),
        "drawn": None if s.drawn in (None, BACK) else NAMES[s.drawn or 0],
        "waste": [] if seat is None else names(s.waste[seat]),
        "waste_count": sum(map(len, s.waste)),
        "scores": list(s.scores),
        "points": [taken(s.rules, taken_by(s, i)).card_points for i in SEATS],
        "trick": laid(s.leader, s.trick),
        "trick_no": len(s.tricks) + 1 if s.phase == "playing" else None,
        "last_trick": listed(s.tricks[-1]) if s.tricks else None,
        "tricks": [listed(trick) for trick in s.tricks],
        "leader": someone(s.leader),
        "turn": someone(s.turn),
        "false_claims": list(s.false_claims),
        "claims_passed": [i for i in SEATS if s.passed[i]],
        "revokes": [listed_revoke(found) for found in s.revokes],
    }


def someone(seat: Seat) -> Seat | None:
    """Give the seat, if it is one."""
    return None if seat == NOBODY else seat


def laid(leader: Seat, cards: Cards) -> list[PlayedCardShown]:
    """List the cards of a trick with who played them."""
    return [{"seat": (leader + i) % 2, "card": NAMES[c]} for i, c in enumerate(cards)]


def listed(trick: Trick) -> TrickShown:
    """List a completed trick."""
    return {"leader": trick.leader, "winner": trick.winner, "cards": laid(trick.leader, trick.cards)}


def listed_revoke(found: RevokeFound) -> RevokeShown:
    """List a revoke that was found."""
    card, held = NAMES[found.card], names(found.held)
    return {"seat": found.seat, "trick_no": found.trick_no, "card": card, "held": held}
