"""Says who has never come to a match, by what its events are called and the seats that they name."""

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
    """Say whether nobody has ever played in a seat, by the types of events and the seats that they name, in order.

    A bot has it, nobody has taken it back, and every decision that was asked of it before had expired (tournament 6.3).
    """
    kinds = [kind for kind, its in told if its == seat and kind in _NAMES]
    if _HANDED not in kinds or _BACK in kinds:
        return False
    before = kinds[: kinds.index(_HANDED)]
    return before.count(_ASKED) == before.count(_EXPIRED)
