"""Defines a game's declaration of strengths, which ratings are based on."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final, Generic, Literal, TypeVar, get_args

from domain.core.values import value

O = TypeVar("O")  # noqa: E741 -- the options, as in `domain.core.game`

LEAST_BETA: Final = 50.0
MOST_BETA: Final = 5000.0

Level = Literal["random", "easy", "steady", "strong"]
"""The levels of bots, from the weakest to the best."""
BOT_LEVELS: Final[tuple[Level, ...]] = get_args(Level)

BETA: Final = 500.0
"""The luck of a game without its own declaration. It suits matches between players of typical skills."""


USUAL: Final = "usual"
"""The class of usual options, and of all options in a game that rates them together."""


@value
class Figures:
    """The measured figures of a game: its luck, and the strengths of bots by their level.

    `beta` is the standard deviation of a side's performance in one match, in rating points (a new player has 1500 ±
    500). More luck makes it larger. `bots` has the levels with a known, constant strength, in points.
    `lower_places_weight` is the exponent of strengths for the places below the first: 1 if strength counts there as
    much as for the first, less with more luck, 0 for luck only.
    """

    beta: float = BETA
    bots: Mapping[str, int] = field(default_factory=dict)
    lower_places_weight: float = 1.0


def one_class(options: Any, seats: int) -> str:
    """Return an empty name: all options are rated together."""
    return ""


@value
class Strengths(Generic[O]):
    """A game's balance of luck and skill.

    `classes(options, seats)` names the class of options that is rated separately, in lower-case letters and
    underscores; it is empty for usual play. `usual` are the figures of the game, and `apart` those of classes whose
    bots or luck differ. `titles` are names of classes for people if needed, in lower case.
    """

    usual: Figures = field(default_factory=Figures)
    classes: Callable[[O, int], str] = one_class
    apart: Mapping[str, Figures] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def figures(self, name: str) -> Figures:
        """Return the figures of a class of options, by name."""
        return self.apart.get(name, self.usual)
