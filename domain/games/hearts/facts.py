"""Gives what standing orders may ask in Hearts."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import Seat, fewest, names
from domain.core.game import FactKind
from domain.core.tricks import so_far
from domain.games.hearts.play import phase
from domain.games.hearts.table import State

KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "trick_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "led": FactKind.SUIT,
    "winning": FactKind.CARD,
    "fewest_cards": FactKind.NUMBER,
}


def known(s: State, seat: Seat) -> Mapping[str, Any]:
    """Give what the seat knows of the table."""
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "trick_no": len(s.tricks) + 1 if phase(s) == "playing" else None,
        "score": s.scores[seat],
        "hand": names(s.hands[seat]),
        "fewest_cards": fewest(s.hands, seat),
        **so_far(s.trick),
    }
