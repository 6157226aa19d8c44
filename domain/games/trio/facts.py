"""Gives what standing orders may ask in Trio."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import Seat, fewest
from domain.core.game import FactKind
from domain.games.trio.play import scores
from domain.games.trio.table import State

KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "turn_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known(s: State, seat: Seat) -> Mapping[str, Any]:
    """Give what the seat knows of the table."""
    return {
        "phase": s.phase,
        "hand_no": s.hand_no,
        "turn_no": s.turn_no,
        "score": scores(s)[seat],
        "fewest_cards": fewest(s.hands, seat),
    }
