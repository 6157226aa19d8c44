"""Ranks the entrants of a tournament by their points, and breaks ties (tournament 2).

Ties are broken in this order: points, the opponents' rate of points, the entrant's rate of games, the opponents' rate
of games, the result between exactly two tied entrants, the order of the shuffle `seating`. A rate is the share of the
maximum, and at least a third. Rates of opponents are averages over those met, without bots and byes. Nothing is
rounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Final

from domain.core.values import mutable, value
from domain.tournament.rounds import BOT, Ground, PlayedRound, TableResult, best_points, points_of

LEAST: Final = Fraction(1, 3)
"""Minimum value of a rate in tie-breaks."""


BYE_GAMES: Final = 2
"""The games that a bye counts as, all of them won."""


@value
class Standing:
    """The standing of an entrant: the place from 1, the points, and the values that break ties."""

    entrant: int
    place: int
    points: int
    opponents: Fraction
    """The average of the opponents' rates of points."""
    games: Fraction
    """The entrant's rate of games: 3 points for a win, 1 for a game without a winner."""
    opponents_games: Fraction
    """The average of the opponents' rates of games."""
    rounds: int
    """The rounds played, including byes."""
    byes: int


@mutable
class _Tally:
    """An entrant's points and games so far, and their maximum."""

    points: int = 0
    most: int = 0
    game_points: int = 0
    games: int = 0
    rounds: int = 0
    byes: int = 0
    opponents: list[int] = field(default_factory=list)

    def rate(self) -> Fraction:
        return max(LEAST, Fraction(self.points, self.most)) if self.most else LEAST

    def game_rate(self) -> Fraction:
        return max(LEAST, Fraction(self.game_points, 3 * self.games)) if self.games else LEAST


def standings(order: Sequence[int], rounds: Iterable[PlayedRound], seats: int) -> tuple[Standing, ...]:
    """Rank entrants, given in the order of the shuffle `seating`, after these rounds at tables of `seats` seats."""
    played = tuple(rounds)
    tallies = _tallies(played, seats)
    rates = {one: (tally.rate(), tally.game_rate()) for one, tally in tallies.items()}
    rows = [_row(one, tallies.get(one, _Tally()), rates) for one in order]
    rows.sort(key=_key, reverse=True)  # a stable sort: ties keep the order of the shuffle
    ranked: list[Standing] = []
    for _, level in groupby(rows, key=_key):
        tied = list(level)
        if len(tied) == 2 and _direct_comparison(tied[1].entrant, tied[0].entrant, played) > 0:
            tied.reverse()
        ranked += tied
    return tuple(
        Standing(r.entrant, place, r.points, r.opponents, r.games, r.opponents_games, r.rounds, r.byes)
        for place, r in enumerate(ranked, 1)
    )


def _key(row: Standing) -> tuple[int, Fraction, Fraction, Fraction]:
    return row.points, row.opponents, row.games, row.opponents_games


def _row(one: int, own: _Tally, rates: Mapping[int, tuple[Fraction, Fraction]]) -> Standing:
    met = [rates[other] for other in own.opponents]
    return Standing(
        one,
        0,
        own.points,
        _average([rate for rate, _ in met]),
        own.game_rate(),
        _average([rate for _, rate in met]),
        own.rounds,
        own.byes,
    )


def _average(rates: Sequence[Fraction]) -> Fraction:
    """Return the average, added up over one denominator: sums of fractions take most of the time of large standings."""
    if not rates:
        return Fraction(0)
    below = lcm(*(rate.denominator for rate in rates))
    return Fraction(sum(rate.numerator * (below // rate.denominator) for rate in rates), below * len(rates))


def _tallies(rounds: Sequence[PlayedRound], seats: int) -> dict[int, _Tally]:
    tallies: dict[int, _Tally] = {}
    for each in rounds:
        for table in each.tables:
            for seat, entrant in enumerate(table.seats):
                if entrant is not BOT:
                    _count(tallies.setdefault(entrant, _Tally()), table, seat, seats)
        for entrant in each.byes:
            own = tallies.setdefault(entrant, _Tally())
            own.points += best_points(seats)
            own.most += best_points(seats)
            own.game_points += 3 * BYE_GAMES
            own.games += BYE_GAMES
            own.rounds += 1
            own.byes += 1
    return tallies


def _count(own: _Tally, table: TableResult, seat: int, seats: int) -> None:
    own.points += points_of(table, seat, seats)
    own.most += best_points(seats)
    own.game_points += 3 * table.wins[seat] + table.drawn
    own.games += table.games
    own.rounds += 1
    own.opponents += [other for at, other in enumerate(table.seats) if at != seat and other is not BOT]


def _direct_comparison(one: int, other: int, rounds: Sequence[PlayedRound]) -> int:
    """Return at how many more of their shared tables one entrant was ahead of the other than behind."""
    before = 0
    for each in rounds:
        for table in each.tables:
            if one in table.seats and other in table.seats:
                mine, theirs = (table.places[table.seats.index(who)] for who in (one, other))
                before += (mine < theirs) - (mine > theirs)
    return before


def places_by_standing(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant by the standings of all rounds."""
    ranked = standings(ground.order, ground.rounds, ground.plan.seats)
    return {row.entrant: row.place for row in ranked}
