"""Computes the expected result of a table, by the model's own formula for the whole table."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.core.cards import Seat
from domain.core.strengths import Figures
from domain.core.values import value
from domain.ratings.plackett_luce import Rating, expected_places, first_chances

NEW: Final = Rating()


@value
class ExpectedSide:
    """A side of a table: its seats, the probability that it comes first, and its mean place, from 1."""

    seats: tuple[Seat, ...]
    first: float
    place: float


@value
class ExpectedResult:
    """The expected result of a table: its sides, and the seats counted as new players."""

    sides: tuple[ExpectedSide, ...]
    new: tuple[Seat, ...]


def expect_result(
    sides: Sequence[int], levels: Sequence[str | None], known: Mapping[Seat, Rating], figures: Figures
) -> ExpectedResult:
    """Return the expected result from the side of each seat, the levels of bots, and the ratings of people.

    A seat without known strength, of a person or a bot, counts as a new player.
    """
    bots = {seat: figures.bots[level] for seat, level in enumerate(levels) if level and level in figures.bots}
    known = {**known, **{seat: Rating(float(points), 0.0) for seat, points in bots.items()}}
    ratings = [known.get(seat, NEW) for seat in range(len(levels))]
    seats = [tuple(seat for seat, other in enumerate(sides) if other == side) for side in dict.fromkeys(sides)]
    table = [[ratings[seat] for seat in side] for side in seats]
    chances, places = (
        first_chances(table, figures.beta),
        expected_places(table, figures.beta, figures.lower_places_weight),
    )
    new = tuple(seat for seat in range(len(levels)) if seat not in known)
    return ExpectedResult(tuple(ExpectedSide(*row) for row in zip(seats, chances, places, strict=True)), new)
