"""Measures how well ratings predict winners, compared with the best forecast by constant skills."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, sqrt
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple

from bench.tables import Line
from domain.core.strengths import Figures
from domain.ratings.plackett_luce import Rating, first_chances, rate_sides

MOST_LOSS: Final = 2.0
"""Target: the maximum loss compared with the best forecast, in percent."""
MOST_ERROR: Final = 0.02
"""Target: the maximum mean distance between chances and the shares of matches won with them."""
PARTS: Final = 10
"""Number of groups of chances, with equally many in each."""


class Played(NamedTuple):
    """A match: the numbers of the players of each side, and its place, from 1."""

    sides: Sequence[Sequence[int]]
    places: Sequence[int]

    def first(self) -> list[int]:
        """Return the sides in first place."""
        return [side for side, place in enumerate(self.places) if place == 1]


class Foretold(NamedTuple):
    """The quality of predictions.

    `surprise` is the mean negative logarithm of the winners' chances over all matches, `late` over the second half.
    `error` is the mean distance between the chances of that half and the shares won. `floor` is the `error` that luck
    causes for exact chances, with this many matches. `spread` is how much the chances differ: if they are all nearly
    alike, a small error means little.
    """

    surprise: float
    late: float
    error: float
    floor: float = 0.0
    spread: float = 0.0


def foretold(matches: Sequence[Played], players: int, figures: Figures, *, redraws: int = 0) -> Foretold:
    """Rate players from the first match on, and predict each match by the ratings before it.

    The floor is the mean over `redraws` random redraws of the winners; it is 0 without any.
    """
    known = [Rating()] * players
    surprises: list[float] = []
    said: list[Sequence[float]] = []
    for match in matches:
        before = [[known[one] for one in side] for side in match.sides]
        chances, first = first_chances(before, figures.beta), match.first()
        surprises.append(-sum(log(chances[side]) for side in first) / len(first))
        said.append(chances)
        new = rate_sides(before, match.places, figures.beta, figures.lower_places_weight)
        for one_side, after in zip(match.sides, new, strict=True):
            for one, rating in zip(one_side, after, strict=True):
                known[one] = rating
    late = (len(matches) + 1) // 2
    half, said = surprises[late:], said[late:]
    error = calibration_error(said, [match.first() for match in matches[late:]])
    floor = error_by_luck(said, redraws) if redraws else 0.0
    return Foretold(sum(surprises) / len(surprises), sum(half) / len(half), error, floor, spread_of(said))


class Scored(NamedTuple):
    """The quality of a forecast: its loss in percent, its calibration error, and the error that luck causes.

    `spread` is how much its chances differ.
    """

    loss: float
    error: float
    floor: float
    spread: float


def scored(matches: Sequence[Played], skills: Sequence[float], figures: Figures, redraws: int) -> Scored:
    """Predict matches, and compare with the best forecast from these constant skills."""
    ours = foretold(matches, len(skills), figures, redraws=redraws)
    return Scored(100 * (ours.late / best_late(matches, skills) - 1), ours.error, ours.floor, ours.spread)


def judged(what: str, found: Scored) -> list[Line]:
    """Return the lines of a forecast, with its targets."""
    loss, error, floor, spread = found
    return [
        Line(f"{what}: loss", loss, "%", target=f"≤ {MOST_LOSS:g} %", held=loss <= MOST_LOSS),
        Line(f"{what}: calibration error", error, "", floor, None, f"≤ {MOST_ERROR:g}", error <= MOST_ERROR),
        Line(f"{what}: how far forecasts lie apart", spread, ""),
    ]


def calibration_error(said: Sequence[Sequence[float]], first: Sequence[Sequence[int]]) -> float:
    """Return the mean distance of chances of winning from the shares of matches that were won with them.

    `first` are the sides in first place in each match. Chances are sorted and grouped into tenths of their
    number. Grouped by size, nearly equal chances would all be in one part, where high ones hide low ones.
    """
    foretold = [
        (chance, (side in winners) / len(winners))
        for chances, winners in zip(said, first, strict=True)
        for side, chance in enumerate(chances)
    ]
    foretold.sort(key=itemgetter(0))
    # Equal chances stay together; otherwise their order would decide.
    parts: list[float] = []
    for begins, ends in pairwise(sorted({_same(foretold, part * len(foretold) // PARTS) for part in range(PARTS + 1)})):
        parts.append(abs(sum([chance - won for chance, won in foretold[begins:ends]])))
    return sum(parts) / max(1, len(foretold))


def _same(foretold: Sequence[tuple[float, float]], at: int) -> int:
    """Return the position of the first chance equal to the one at a position; the end stays the end."""
    return at if at == len(foretold) else bisect_left(foretold, foretold[at][0], key=itemgetter(0))


def spread_of(said: Sequence[Sequence[float]]) -> float:
    """Return how much chances differ: their standard deviation from those of equal sides."""
    off = [chance - 1 / len(chances) for chances in said for chance in chances]
    return sqrt(sum([one * one for one in off]) / max(1, len(off)))


def error_by_luck(said: Sequence[Sequence[float]], redraws: int) -> float:
    """Return the mean calibration error of exact chances, whose winners are redrawn this many times."""
    rng = Random(len(said))
    drawn = ([rng.choices(range(len(one)), one) for one in said] for _ in range(redraws))
    return sum(calibration_error(said, first) for first in drawn) / redraws


def best_late(matches: Sequence[Played], skills: Sequence[float]) -> float:
    """Return the mean surprise over the second half by constant skills, as logarithms of odds."""
    total = 0.0
    half = matches[(len(matches) + 1) // 2 :]
    for match in half:
        odds = [sum(skills[one] for one in side) for side in match.sides]
        whole, first = log(sum(map(exp, odds))), match.first()
        total += whole - sum(odds[side] for side in first) / len(first)
    return total / len(half)


def simulated(
    rng: Random, skills: Sequence[float], seats: int, sides: int, count: int, *, below: float = 1.0
) -> list[Played]:
    """Let players of these skills meet at random; the chance of each order of sides is that of Plackett and Luce."""
    each, matches = seats // sides, []
    for _ in range(count):
        who = rng.sample(range(len(skills)), seats)
        teams = [who[side * each : (side + 1) * each] for side in range(sides)]
        strengths = [exp(sum(skills[one] for one in team)) for team in teams]
        matches.append(Played(teams, drawn(rng, strengths, below=below)))
    return matches


def drawn(rng: Random, strengths: list[float], *, below: float = 1.0) -> list[int]:
    """Draw the places of a table; for those below the first, strength counts as `below` says."""
    left, places = list(range(len(strengths))), [0] * len(strengths)
    for place in range(1, len(strengths) + 1):
        chances = [strengths[one] for one in left]
        first = rng.choices(left, chances if place == 1 else [chance**below for chance in chances])[0]
        places[first] = place
        left.remove(first)
    return places
