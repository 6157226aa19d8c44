"""Chooses a move by playing on from it in many worlds that fit what a seat was shown.

A game supplies two functions: the first draws a world, the second plays on from it after a move and values the end.
This module shares a budget among the moves and returns the best.
"""

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from random import Random
from typing import Final, Generic, TypeVar

from domain.core.values import value

World = TypeVar("World")
Option = TypeVar("Option")
C = TypeVar("C", bound=int)


def _never() -> bool:
    return False


@value
class SearchBudget:
    """Limits the work for one move.

    `milliseconds` of computing time are turned into a number of playouts by the game's own rate, so that the same
    question gets the same answer. `playouts`, if given, is that number itself. `is_over` ends the search early on a
    machine that is slower than the rate assumes; the worker reads its clock there.
    """

    milliseconds: float
    playouts: int | None = None
    is_over: Callable[[], bool] = _never

    def count(self, rate: float) -> int:
        """Return the number of playouts for a game that makes `rate` of them in a millisecond."""
        return self.playouts if self.playouts is not None else int(self.milliseconds * rate)


BRIEF: Final = SearchBudget(1.0)
"""The budget of a bot that is given none, as in tests and simulations. Workers always give one."""


@value
class SearchPace:
    """The measured speed of a game's search.

    `rate` is the number of playouts in a millisecond, and drawing a world takes as long as `world` of them. In
    games of much luck, the rule-based choice is kept unless another is better by `doubt` standard errors.
    """

    rate: float
    world: float
    doubt: float = 0.0


def best_option(
    options: Sequence[Option],
    draw: Callable[[Random], World | None],
    play_on: Callable[[World, Option, Random], float],
    budget: SearchBudget,
    pace: SearchPace,
    rng: Random,
) -> Option:
    """Return the option with the highest mean value; all options are played in the same worlds.

    The playouts are spent in rounds of equal size, and after each round only the better half of the options stays.
    Without time for a single world, or without one that fits, the first option is returned. So a game lists its
    rule-based choice first.
    """
    left = [Tally(i) for i in range(len(options))]
    if len(left) == 1:
        return options[0]
    rule_based = left[0]
    rounds = ceil(log2(len(left)))
    each = budget.count(pace.rate) / rounds
    for _ in range(rounds):
        for _ in range(max(1, int(each / (len(left) + pace.world)))):
            world = None if budget.is_over() else draw(rng)
            if world is None:
                return options[_best(left, pace).option]
            values = [play_on(world, options[tally.option], rng) for tally in left]
            # Differences within a world vary less than values do.
            base = values[0] if pace.doubt else 0.0
            for tally, found in zip(left, values, strict=True):
                tally.add(found - base)
        left = sorted(left, key=lambda tally: -tally.total)[: ceil(len(left) / 2)]
        if pace.doubt:
            left = [rule_based, *(tally for tally in left if tally is not rule_based)]
    return options[_best(left, pace).option]


class Tally:
    """The values of an option's playouts: their sum and spread."""

    def __init__(self, option: int) -> None:
        self.option = option
        self.count, self.total, self.squares = 0, 0.0, 0.0

    def add(self, found: float) -> None:
        """Add the value of one playout."""
        self.count += 1
        self.total += found
        self.squares += found * found

    def least(self, doubt: float) -> float:
        """Return the mean minus `doubt` standard errors."""
        if not self.count:
            return 0.0
        mean = self.total / self.count
        variance = max(0.0, self.squares / self.count - mean * mean)
        return mean - doubt * sqrt(variance / self.count)


def _best(left: Sequence[Tally], pace: SearchPace) -> Tally:
    return max(left, key=lambda tally: tally.least(pace.doubt))


class HiddenCards(Generic[C]):
    """Deals the cards that a seat does not see to places of limited size.

    `weights(card)` returns, for each place, how likely the card is there; 0 if it cannot be there. Cards that fit few
    places are dealt first.
    """

    def __init__(self, cards: Sequence[C], room: Sequence[int], weights: Callable[[C], Sequence[float]]) -> None:
        self.room = room
        self.rows = [(sum(map(bool, row)), card, row) for card in cards for row in (weights(card),)]

    def deal(self, rng: Random, tries: int = 20) -> list[list[C]] | None:
        """Return the cards of each place; None if no deal fitted in `tries` attempts."""
        random = rng.random
        for _ in range(tries):
            dealt = self._dealt(sorted(self.rows, key=lambda row: row[0] + random()), random)
            if dealt is not None:
                return dealt
        return None

    def _dealt(
        self, rows: Sequence[tuple[int, C, Sequence[float]]], random: Callable[[], float]
    ) -> list[list[C]] | None:
        """Deal the cards once, each to a place in proportion to its room and weight."""
        room, dealt = list(self.room), [list[C]() for _ in self.room]
        for _, card, row in rows:
            chances = [free * weight for free, weight in zip(room, row, strict=False)]
            total = sum(chances)
            if not total:
                return None
            at = random() * total
            place = chances.index(max(chances))
            for i, chance in enumerate(chances):
                at -= chance
                if at < 0:
                    place = i
                    break
            room[place] -= 1
            dealt[place].append(card)
        return dealt
