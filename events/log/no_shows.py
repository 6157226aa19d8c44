"""Finds the players who never showed up to a match, from the names of its events and the seats in them."""

from collections.abc import Sequence
from typing import Any, Final

from domain.match.bot_seats import SeatHandedToBot, SeatTakenBack
from domain.match.clocks import DecisionRequested
from domain.match.time_outs import DecisionTimedOut

_ASKED: Final = DecisionRequested.__name__
_EXPIRED: Final = DecisionTimedOut.__name__
_HANDED: Final = SeatHandedToBot.__name__
_BACK: Final = SeatTakenBack.__name__
KINDS: Final = (DecisionRequested, DecisionTimedOut, SeatHandedToBot, SeatTakenBack)
"""The events that show it."""
_NAMES: Final = frozenset(kind.__name__ for kind in KINDS)


def is_no_show(told: Sequence[tuple[str, Any]], seat: int) -> bool:
    """Return whether no person ever played in a seat, from the types of events and their seats, in order.

    A bot has it, its player has not taken it back, and every decision of the seat before had expired (tournament 6.3).
    """
    kinds = [kind for kind, its in told if its == seat and kind in _NAMES]
    if _HANDED not in kinds or _BACK in kinds:
        return False
    before = kinds[: kinds.index(_HANDED)]
    return before.count(_ASKED) == before.count(_EXPIRED)
