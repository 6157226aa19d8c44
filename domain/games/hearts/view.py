"""Shows a game of Hearts to a seat, or to a spectator."""

from domain.core.cards import BACK, NAMES, Card, Cards, Seat, names
from domain.core.shown import PlayedCardShown, TrickShown
from domain.core.tricks import Trick
from domain.games.hearts.options import SEATS
from domain.games.hearts.play import phase, taken_by
from domain.games.hearts.shown import ExchangeShown, HeartsShown
from domain.games.hearts.table import NOBODY, Exchange, State


def view(s: State, seat: Seat | None) -> HeartsShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": someone(s.dealer),
        "pass": s.direction,
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [None if BACK in hand else names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": list(s.scores),
        "points": [s.rules.scoring.points(taken_by(s.tricks, i)) for i in SEATS],
        "trick": laid(s.leader, s.trick),
        "trick_no": len(s.tricks) + 1 if phase(s) == "playing" else None,
        "last_trick": listed(s.tricks[-1]) if s.tricks else None,
        "tricks": [listed(trick) for trick in s.tricks[-s.rules.history :]],
        "leader": someone(s.leader),
        "turn": someone(s.turn),
        "hearts_open": s.hearts_open,
        "two_of_clubs_shown": s.shown,
        **exchanged(s.exchange, seat),
    }


def someone(seat: Seat) -> Seat | None:
    """Give the seat, if it is one."""
    return None if seat == NOBODY else seat


def laid(leader: Seat, cards: Cards) -> list[PlayedCardShown]:
    """List the cards of a trick with who played them."""
    return [{"seat": (leader + i) % 4, "card": NAMES[c]} for i, c in enumerate(cards)]


def listed(trick: Trick) -> TrickShown:
    """List a completed trick."""
    return {"leader": trick.leader, "winner": trick.winner, "cards": laid(trick.leader, trick.cards)}


def exchanged(x: Exchange, seat: Seat | None) -> ExchangeShown:
    """Give the cards that a seat passed, received, gave back and got back; `None` before it did."""
    if seat is None:
        return {"passed": None, "received": None, "returned": None, "regained": None}
    return {
        "passed": several(x.passed[seat]),
        "received": several(x.received[seat]),
        "returned": one(x.returned[seat]),
        "regained": one(x.regained[seat]),
    }


def several(cards: Cards | None) -> list[str] | None:
    """Name cards, if there are any."""
    return None if cards is None else names(cards)


def one(card: Card | None) -> str | None:
    """Name a card, if there is one."""
    return None if card is None else NAMES[card]
