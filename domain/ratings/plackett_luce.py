"""Rates the players of a table by its result: the model of Weng and Lin, on that of Plackett and Luce for orders.

The first place is drawn among all sides, the next among those that are left, and so on, each with a chance that grows
with its strength. Ratings are in points of a scale on which a new player has 1500. `beta` is the luck of a game: the
standard deviation of a side's performance in one match, in points. `below` is the exponent to which strengths are
raised for the places below the first (`Figures.lower_places_weight`). If a game ends as soon as a player wins, the
lower places depend less on strength than the first place. Ratings that weighed them equally would be too close together
to predict the winner.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb, exp, sqrt
from typing import Final

from domain.core.cards import Seat
from domain.core.strengths import Figures
from domain.core.values import value

MU: Final = 1500.0
"""The assumed strength of a new player, in points."""

SIGMA: Final = 500.0
"""The standard deviation of that strength, in points. No rating has a larger one."""

SETTLED: Final = SIGMA * sqrt(2 / 3)
"""A rating is provisional while its standard deviation is above this many points.

Below it, a third of the variance is gone: results then tell half as much as the initial assumption.
"""

IDLE: Final = 5.0
"""The uncertainty that a day without a match adds: the standard deviation of the change of strength, in points."""

FEW: Final = 6
"""Maximum number of level sides for which the mean over all their orders is computed exactly.

For more sides, the mean is approximated. In drawn tables of seven to ten, a mean was at most 1.2 points off with β 500,
and 2.7 with β 200, and a deviation 0.05.
"""

_LEAST: Final = 0.0001
"""A match leaves at least this share of the variance."""

_DAY_MS: Final = 24 * 3600 * 1000


@value
class Rating:
    """The known strength of a player: its mean and standard deviation, in points."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> float:
        """Return the displayed strength, which the player almost certainly exceeds; players are ordered by it."""
        return self.mu - 2 * self.sigma

    @property
    def provisional(self) -> bool:
        return self.sigma > SETTLED


def rating_after_idle(rating: Rating, milliseconds: int) -> Rating:
    """Return the rating after this time without a match: its deviation grows."""
    if milliseconds <= 0:
        return rating
    variance = rating.sigma * rating.sigma + IDLE * IDLE * milliseconds / _DAY_MS
    return Rating(rating.mu, min(SIGMA, sqrt(variance)))


Slopes = tuple[list[float], list[float]]
"""For each side, the first derivative, and how fast it falls."""

Side = Sequence[Rating]
"""The players of one side, who win and lose together."""


def first_chances(sides: Sequence[Side], beta: float) -> tuple[float, ...]:
    """Return the probability that each side comes first."""
    strengths, _ = _strengths(sides, beta)
    total = sum(strengths)
    return tuple(strength / total for strength in strengths)


def expected_places(sides: Sequence[Side], beta: float, below: float = 1.0) -> tuple[float, ...]:
    """Return the mean place of each side, from 1; `below` is as for the ratings of the table."""
    strengths, _ = _strengths(sides, beta)
    total = sum(strengths)
    powers = [strength**below for strength in strengths]
    places = [1.0] * len(sides)
    # A side that does not win is behind the winner, and behind the other sides that are drawn before it.
    for winner, strength in enumerate(strengths):
        others = powers[:winner] + powers[winner + 1 :]
        for at, mine in enumerate(powers):
            if at != winner:
                places[at] += strength / total * (0.5 + sum([other / (other + mine) for other in others]))
    return tuple(places)


def rate_sides(sides: Sequence[Side], places: Sequence[int], beta: float, below: float = 1.0) -> list[list[Rating]]:
    """Return the ratings after a match in which the sides came in at these places; level sides share one."""
    strengths, c = _strengths(sides, beta)
    gains, losses = _slopes(strengths, places, below)
    return [
        [_moved(rating, c, gain, loss) for rating in side]
        for side, gain, loss in zip(sides, gains, losses, strict=True)
    ]


def _strengths(sides: Sequence[Side], beta: float) -> tuple[list[float], float]:
    """Return values proportional to the chances of the sides, and the scale of the table."""
    means = [sum([rating.mu for rating in side]) for side in sides]
    c = sqrt(sum([rating.sigma**2 for side in sides for rating in side]) + len(sides) * beta * beta)
    best = max(means)
    return [exp((mean - best) / c) for mean in means], c


def _moved(rating: Rating, c: float, gain: float, loss: float) -> Rating:
    """Return a rating after the match: mean and variance, to the first order.

    Weng and Lin also reduce the change of the variance by a factor, with which a rating in a game of luck would never
    settle.
    """
    share = rating.sigma**2 / c
    kept = max(1 - share / c * loss, _LEAST)
    return Rating(rating.mu + share * gain, rating.sigma * sqrt(kept))


def _slopes(strengths: Sequence[float], places: Sequence[int], below: float) -> Slopes:
    """Return first and second derivative of the result's chance by each side's strength.

    If sides are level, these are the means over all orders in which they might have finished.
    """
    levels: dict[int, list[int]] = {}
    for at, place in enumerate(places):
        levels.setdefault(place, []).append(at)
    first, *others = [levels[place] for place in sorted(levels)]
    if below == 1:
        return _gradient_with_ties(strengths, [first, *others], [])
    gains, losses = _gradient_with_ties(strengths, [first], [at for level in others for at in level])
    more, further = _gradient_with_ties([strength**below for strength in strengths], others, [])
    for at in range(len(strengths)):
        gains[at] += below * more[at]
        losses[at] += below * below * further[at]
    return gains, losses


def _gradient_with_ties(strengths: Sequence[float], levels: Sequence[Sequence[int]], behind: Sequence[int]) -> Slopes:
    """Return the gradient for each side, given the groups of sides that share a place, best first, then `behind`."""
    gains, losses = [0.0] * len(strengths), [0.0] * len(strengths)
    left = sum([strengths[at] for at in behind])
    draws = []
    for level in reversed(levels):
        draws.append(_draws([strengths[at] for at in level], left))
        left += sum([strengths[at] for at in level])
    once = twice = 0.0
    for level in levels:
        of_each, of_draws = draws.pop()
        for at, (own, squared) in zip(level, of_each, strict=True):
            chance = strengths[at] * (once + own)
            gains[at], losses[at] = 1 - chance, chance - strengths[at] ** 2 * (twice + squared)
        once, twice = once + of_draws[0], twice + of_draws[1]
    for at in behind:
        chance = strengths[at] * once
        gains[at], losses[at] = -chance, chance - strengths[at] ** 2 * twice
    return gains, losses


Sums = tuple[float, float]
"""The sum of 1/S and the sum of 1/S² over some draws, where S is the total undrawn strength."""


def _draws(level: Sequence[float], left: float) -> tuple[list[Sums], Sums]:
    """Return the sums over the draws in which level sides come in, before others of the strength `left`.

    The first result is for the draws in which each of them took part, the second for all. Both are means over the
    orders.
    """
    if len(level) == 1:
        share = 1 / (level[0] + left)
        return [(share, share * share)], (share, share * share)
    return (_by_orders if len(level) <= FEW else _by_means)(level, left)


def _by_orders(level: Sequence[float], left: float) -> tuple[list[Sums], Sums]:
    """Return the exact sums over all orders: before each draw, all subsets of one size are equally likely."""
    n = len(level)
    own, squared = [0.0] * n, [0.0] * n
    once = twice = 0.0
    for size in range(1, n + 1):
        weight = 1 / comb(n, size)
        for among in combinations(range(n), size):
            share = 1 / (left + sum([level[at] for at in among]))
            once, twice = once + weight * share, twice + weight * share * share
            for at in among:
                own[at] += weight * share
                squared[at] += weight * share * share
    return list(zip(own, squared, strict=True)), (once, twice)


def _by_means(level: Sequence[float], left: float) -> tuple[list[Sums], Sums]:
    """Approximate these sums for too many orders: each draw is among sides of the mean strength.

    The docstring of `FEW` gives the resulting error in ratings.
    """
    n, total = len(level), sum(level)
    each = []
    for strength in level:
        others = (total - strength) / (n - 1)
        shares = [1 / (left + strength + (size - 1) * others) for size in range(1, n + 1)]
        taking = [(size / n, share) for size, share in enumerate(shares, 1)]
        each.append((sum([p * share for p, share in taking]), sum([p * share * share for p, share in taking])))
    shares = [1 / (left + size * total / n) for size in range(1, n + 1)]
    return each, (sum(shares), sum([share * share for share in shares]))


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
