"""Shows a game of Crazy Eights to a seat, or to a spectator."""

from domain.core.cards import BACK, NAMES, SUITS, Seat, names
from domain.games.crazy_eights.shown import CrazyEightsShown
from domain.games.crazy_eights.table import NOBODY, State


def view(s: State, seat: Seat | None) -> CrazyEightsShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": None if s.dealer == NOBODY else s.dealer,
        "turn": None if s.turn == NOBODY else s.turn,
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [None if BACK in hand else names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "stock_count": len(s.stock),
        "discard_top": NAMES[s.pile[-1]] if s.pile else None,
        "pile": names(s.pile),
        "suit": None if s.suit is None else SUITS[s.suit],
        "drawn": s.drawn,
        "passes": s.passes,
        "turns": s.turns,
        "scores": list(s.scores),
        "ledger": {"net": list(s.ledger.net)},
    }
