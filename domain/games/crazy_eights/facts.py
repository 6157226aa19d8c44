"""Gives what standing orders may ask in Crazy Eights."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import NAMES, SUITS, Seat, fewest, names
from domain.core.game import FactKind
from domain.games.crazy_eights.table import State

KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "suit": FactKind.SUIT,
    "discard_top": FactKind.CARD,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known(s: State, seat: Seat) -> Mapping[str, Any]:
    """Give what the seat knows of the table; `suit` is the suit in force."""
    return {
        "phase": s.phase,
        "hand_no": s.hand_no,
        "score": s.scores[seat],
        "hand": names(s.hands[seat]),
        "suit": None if s.suit is None else SUITS[s.suit],
        "discard_top": NAMES[s.pile[-1]] if s.pile else None,
        "stock_count": len(s.stock),
        "fewest_cards": fewest(s.hands, seat),
    }
