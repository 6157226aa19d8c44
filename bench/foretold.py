"""Measures how well ratings foretell who wins, beside the best forecast by skills that never change."""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Final, NamedTuple

from domain.ratings import Rating, first_chances, rated

MOST_LOSS: Final = 2.0
"""The target: so much more than that of the best forecast may ours lose, in percent."""
MOST_ERROR: Final = 0.02
"""The target: so far may chances be from the shares of matches that were won with them, in the mean."""


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
    """

    surprise: float
    late: float
    error: float


def foretold(matches: Sequence[Played], players: int, beta: float) -> Foretold:
    """Rate players from the first match on, and foretell each match by the ratings that they have before it."""
    known = [Rating()] * players
    surprises: list[float] = []
    bins, said = [[0.0, 0.0] for _ in range(10)], 0
    for n, match in enumerate(matches):
        before = [[known[one] for one in side] for side in match.sides]
        chances, first = first_chances(before, beta), match.first()
        surprises.append(-sum(log(chances[side]) for side in first) / len(first))
        if 2 * n >= len(matches):
            said += len(chances)
            for side, chance in enumerate(chances):
                of = bins[min(9, int(10 * chance))]
                of[0] += chance
                of[1] += (side in first) / len(first)
        for one_side, after in zip(match.sides, rated(before, match.places, beta), strict=True):
            for one, rating in zip(one_side, after, strict=True):
                known[one] = rating
    half = surprises[(len(matches) + 1) // 2 :]
    error = sum(abs(chance - share) for chance, share in bins) / max(1, said)
    return Foretold(sum(surprises) / len(surprises), sum(half) / len(half), error)


def best_late(matches: Sequence[Played], skills: Sequence[float]) -> float:
    """Give the mean surprise over the second half by skills that never change: logarithms of odds."""
    total = 0.0
    half = matches[(len(matches) + 1) // 2 :]
    for match in half:
        odds = [sum(skills[one] for one in side) for side in match.sides]
        whole, first = log(sum(map(exp, odds))), match.first()
        total += whole - sum(odds[side] for side in first) / len(first)
    return total / len(half)


def simulated(rng: Random, skills: Sequence[float], seats: int, sides: int, count: int) -> list[Played]:
    """Let players of these skills meet at random; the chance of each order of sides is that of Plackett and Luce."""
    each, matches = seats // sides, []
    for _ in range(count):
        who = rng.sample(range(len(skills)), seats)
        teams = [who[side * each : (side + 1) * each] for side in range(sides)]
        matches.append(Played(teams, drawn(rng, [exp(sum(skills[one] for one in team)) for team in teams])))
    return matches


def drawn(rng: Random, strengths: list[float]) -> list[int]:
    """Draw the places of a table."""
    left, places = list(range(len(strengths))), [0] * len(strengths)
    for place in range(1, len(strengths) + 1):
        first = rng.choices(left, [strengths[one] for one in left])[0]
        places[first] = place
        left.remove(first)
    return places
