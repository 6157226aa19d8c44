"""Makes the four levels of a bot from ways of playing one game."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from domain.core.cards import Seat
from domain.core.game import Choices
from domain.core.monte_carlo import BRIEF, SearchBudget

Way = Callable[[Any, Seat, Random], Any]
"""Chooses a move from the table as the seat knows it, the seat and chance."""

Search = Callable[[Any, Seat, Random, SearchBudget], Any]
"""A way of playing that searches, with a budget."""


class BotPlayer(Protocol):
    """Chooses a move from its level, the table, its seat, what the seat was shown, chance and a search budget."""

    def __call__(
        self, level: str, state: Any, seat: Seat, shown: Sequence[Any], rng: Random, budget: SearchBudget = ...
    ) -> Any: ...


def any_of(legal: Callable[[Any, Seat], Choices]) -> Way:
    """Choose any legal move."""
    return lambda state, seat, rng: rng.choice(legal(state, seat)).sample(rng)


def player(steady: Way, at_random: Way, strong: Search | None = None, easy: Way | None = None) -> BotPlayer:
    """Return the player of all levels.

    `easy` makes a beginner's mistakes; without that way of playing, it plays every other move at random. Without a
    search, `strong` equals `steady`. The player uses only its own table, which has everything that its seat was shown.
    """

    def half(state: Any, seat: Seat, rng: Random) -> Any:
        return (steady if rng.random() < 0.5 else at_random)(state, seat, rng)

    levels: Mapping[str, Way] = {"random": at_random, "easy": easy or half, "steady": steady, "strong": steady}

    def choose(
        level: str, state: Any, seat: Seat, shown: Sequence[Any], rng: Random, budget: SearchBudget = BRIEF
    ) -> Any:
        if level == "strong" and strong is not None:
            return strong(state, seat, rng, budget)
        return levels[level](state, seat, rng)

    return choose
