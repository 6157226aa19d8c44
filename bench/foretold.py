"""Measures how well ratings foretell who wins, beside the best forecast by skills that never change."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, sqrt
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple

from bench.tables import Line
from domain.core.strengths import Figures
from domain.ratings import Rating, first_chances, rate_sides

MOST_LOSS: Final = 2.0
"""The target: so much more than that of the best forecast may ours lose, in percent."""
MOST_ERROR: Final = 0.02
"""The target: so far may chances be from the shares of matches that were won with them, in the mean."""
PARTS: Final = 10
"""The number of parts in which chances are taken together, equally many in each."""


class Played(NamedTuple):
    """This is a match: the numbers of the players of each side, and its place, from 1."""

    sides: Sequence[Sequence[int]]
    places: Sequence[int]

    def first(self) -> list[int]:
        """Give the sides that came in first."""
        return [side for side, place in enumerate(self.places) if place == 1]


class Foretold(NamedTuple):
    """Says how well matches were foretold.

    `surprise` is the mean of the negative logarithms of the chances that winners were given, over all matches, `late`
    that over the second half alone. `error` is how far the chances of that half were from shares, in the mean.
    `floor` is what `error` is for chances that are exactly right, with so many matches, by luck alone. `spread` is how
    far the chances lay apart: where they are all nearly alike, a small error says little.
    """

    surprise: float
    late: float
    error: float
    floor: float = 0.0
    spread: float = 0.0


def foretold(matches: Sequence[Played], players: int, figures: Figures, *, redraws: int = 0) -> Foretold:
    """Rate players from the first match on, and foretell each match by the ratings that they have before it.

    The floor is the mean over so many redraws of who won; it is 0 without any.
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
    """Says how a forecast did: its loss in percent, its calibration error, and what luck alone makes of that.

    `spread` is how far its chances lay apart.
    """

    loss: float
    error: float
    floor: float
    spread: float


def scored(matches: Sequence[Played], skills: Sequence[float], figures: Figures, redraws: int) -> Scored:
    """Foretell matches, and compare with the best forecast by these skills, which never change."""
    ours = foretold(matches, len(skills), figures, redraws=redraws)
    return Scored(100 * (ours.late / best_late(matches, skills) - 1), ours.error, ours.floor, ours.spread)


def judged(what: str, found: Scored) -> list[Line]:
    """Give the lines of a forecast, which say whether it is as good as it must be."""
    loss, error, floor, spread = found
    return [
        Line(f"{what}: loss", loss, "%", target=f"≤ {MOST_LOSS:g} %", held=loss <= MOST_LOSS),
        Line(f"{what}: calibration error", error, "", floor, None, f"≤ {MOST_ERROR:g}", error <= MOST_ERROR),
        Line(f"{what}: how far forecasts lie apart", spread, ""),
    ]


def calibration_error(said: Sequence[Sequence[float]], first: Sequence[Sequence[int]]) -> float:
    """Give how far chances of winning are from the shares of matches that were won with them, in the mean.

    `first` are the sides that came in first in each match. Chances are put in their order and taken together by
    tenths of their number: were they taken together by their size, chances that are nearly alike would all lie in one
    part, where those that are too high make up for those that are too low.
    """
    foretold = [
        (chance, (side in winners) / len(winners))
        for chances, winners in zip(said, first, strict=True)
        for side, chance in enumerate(chances)
    ]
    foretold.sort(key=itemgetter(0))
    # Chances that are the same stay together, or it would decide in which order they stand.
    parts: list[float] = []
    for begins, ends in pairwise(sorted({_same(foretold, part * len(foretold) // PARTS) for part in range(PARTS + 1)})):
        parts.append(abs(sum([chance - won for chance, won in foretold[begins:ends]])))
    return sum(parts) / max(1, len(foretold))


def _same(foretold: Sequence[tuple[float, float]], at: int) -> int:
    """Give the first of the chances that are the same as the one that stands there; the end stays the end."""
    return at if at == len(foretold) else bisect_left(foretold, foretold[at][0], key=itemgetter(0))


def spread_of(said: Sequence[Sequence[float]]) -> float:
    """Give how far chances lie apart: their standard deviation from those of sides that are all alike."""
    off = [chance - 1 / len(chances) for chances in said for chance in chances]
    return sqrt(sum([one * one for one in off]) / max(1, len(off)))


def error_by_luck(said: Sequence[Sequence[float]], redraws: int) -> float:
    """Give the mean calibration error of chances that are right: winners are drawn by them, so many times over."""
    rng = Random(len(said))
    drawn = ([rng.choices(range(len(one)), one) for one in said] for _ in range(redraws))
    return sum(calibration_error(said, first) for first in drawn) / redraws


def best_late(matches: Sequence[Played], skills: Sequence[float]) -> float:
    """Give the mean surprise over the second half by skills that never change: logarithms of odds."""
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
