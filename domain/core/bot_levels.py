"""Makes the four levels of a bot from a sound way and a random way of playing one game."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.game import Choices

Way = Callable[[Any, Seat, Random], Any]
"""A way of playing gets the table as the seat knows it, the seat, and chance; it gives a move."""


def any_of(legal: Callable[[Any, Seat], Choices]) -> Way:
    """Make any legal move."""
    return lambda state, seat, rng: rng.choice(legal(state, seat)).sample(rng)


def player(steady: Way, at_random: Way) -> Callable[[str, Any, Seat, Sequence[Any], Random], Any]:
    """Give the player of all levels: `easy` thinks about every other move, `strong` is as good as `steady`.

    It plays by its own table alone: what it was shown is all in there.
    """

    def easy(state: Any, seat: Seat, rng: Random) -> Any:
        return (steady if rng.random() < 0.5 else at_random)(state, seat, rng)

    levels: Mapping[str, Way] = {"random": at_random, "easy": easy, "steady": steady, "strong": steady}
    return lambda level, state, seat, shown, rng: levels[level](state, seat, rng)
