"""Defines what a game says of the strengths of its players, from which their ratings follow."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final, Generic, TypeVar

from domain.core.values import value

O = TypeVar("O")  # noqa: E741 -- the options, as in `domain.core.game`

LEAST_BETA: Final = 50.0
MOST_BETA: Final = 5000.0
BOT_LEVELS: Final = ("random", "easy", "steady", "strong")

BETA: Final = 500.0
"""The luck of a game that says nothing of it. It fits matches between players whose skills differ as people's do."""


def one_class(options: Any, seats: int) -> str:
    """Rate all options together."""
    return ""


@value
class Strengths(Generic[O]):
    """Strengths say how much of luck and of skill a game has.

    `beta` is the standard deviation of what a side shows in one match, in points of the ratings, on whose scale a new
    player has 1500 ± 500: the more luck, the larger. `classes(options, seats)` names the class of options that is rated
    apart, of small letters and underscores; it is empty where play is as usual. `bots` gives the strength of bots by
    their level, in points, where it is known and does not change.
    """

    beta: float = BETA
    classes: Callable[[O, int], str] = one_class
    bots: Mapping[str, int] = field(default_factory=dict)
