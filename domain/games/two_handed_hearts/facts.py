"""Gives what standing orders may ask in Two-Handed Hearts."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import BACK, NAMES, Seat, fewest, names
from domain.core.game import FactKind
from domain.core.tricks import so_far
from domain.games.two_handed_hearts.play import phase
from domain.games.two_handed_hearts.table import State

KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "trick_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "led": FactKind.SUIT,
    "winning": FactKind.CARD,
    "drawn": FactKind.CARD,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known(s: State, seat: Seat) -> Mapping[str, Any]:
    """Give what the seat knows of the table; the card drawn is known to the seat that drew it."""
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "trick_no": len(s.tricks) + 1 if s.phase == "playing" else None,
        "score": s.scores[seat],
        "hand": names(s.hands[seat]),
        "drawn": None if s.drawn is None or s.drawn == BACK else NAMES[s.drawn],
        "stock_count": len(s.stock),
        "fewest_cards": fewest(s.hands, seat),
        **so_far(s.trick),
    }
