"""Measures the rounds of a Swiss at tables of four: repeated meetings, rotation of seats, and order by strength.

The largest is played from its announcement to its end, by the commands of a tournament, and then judged from its
events. Each entrant has a hidden strength, which decides tables together with luck. The floor cuts the standings into
slices. Times are processor seconds.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean
from typing import Final

from bench.tables import Line, Table
from domain.core.values import with_fields
from domain.tournament.formats.swiss import pair_swiss
from domain.tournament.rounds import Ground, PlayedRound, TableResult, met_of, points_by_entrant, seat_counts
from domain.tournament.tournament_events import EVENTS
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import TournamentPlan
from events.log.codec import canonical, shapes_of
from tests.tournament.evenings import OF, Evening

SEATS: Final = 4
TARGETS: Final = {(16, 4): 0.23, (32, 5): 0.006, (64, 6): 0.001, (256, 7): 0.0}
"""Maximum repeated meetings per table, by entrants and rounds."""

LARGEST: Final = (1000, 9)
ROUND_SECONDS: Final = 1.0
"""Maximum seconds for pairing a round."""

Pair = Callable[[Ground, Random], Sequence[Sequence[int]]]


@dataclass(slots=True)
class SwissFigures:
    """The figures of one tournament: repeats per table, seconds per round, correlation with strength, seats."""

    repeats: float
    seconds: float
    order: float
    seats: float
    """The mean range of seat counts per entrant, above the unavoidable range."""


def measure(*, quick: bool) -> Table:
    """Play tournaments with our pairing and with slices of the standings."""
    table = Table(
        "pairing: meetings that repeat, a table, in a Swiss at tables of four; floor: slices of the standings"
    )
    for (entrants, rounds), most in TARGETS.items():
        count = max(2, (1600 if quick else 6400) // (entrants * rounds))
        ours, floor = (
            [evening(entrants, rounds, Random(n), pair) for n in range(count)] for pair in (searched, sliced)
        )
        repeats = mean(one.repeats for one in ours)
        other = mean(one.repeats for one in floor)
        said = f"{entrants} entrants, {rounds} rounds"
        table.lines.append(Line(said, repeats, "a table", other, None, f"≤ {most:g}", repeats <= most))
        better, worse = mean(one.order for one in ours), mean(one.order for one in floor)
        table.lines.append(Line("  order by strength, 1 is all", better, "", worse, better / worse))
        even = mean(one.seats for one in ours)
        table.lines.append(Line("  seats: most less least, above what must be", even, ""))
        table.lines.append(Line("  a round", mean(one.seconds for one in ours), "s"))
    entrants, rounds = LARGEST
    once = evening(entrants, rounds, Random(1), searched)
    said = f"{entrants:,} entrants, {rounds} rounds: a round"
    table.lines.append(Line(said, once.seconds, "s", None, None, f"≤ {ROUND_SECONDS:g}", once.seconds <= ROUND_SECONDS))
    lived = Evening(TournamentPlan("swiss", SEATS, SEATS, rounds)).begun(entrants)
    began = time.process_time()
    lived.play(Random(1))
    middle = time.process_time()
    table.lines.append(Line("  all results of a round, decided and recorded", (middle - began) / rounds, "s"))
    assert find_tournament_fault(OF, lived.events) is None
    table.lines.append(Line("  its events, judged", time.process_time() - middle, "s"))
    shapes = shapes_of(EVENTS)
    size = sum(len(canonical(shapes[type(event).__name__].data(event))) for event in lived.events)
    table.lines.append(Line("  its events", size / 1000, "kB"))
    return table


def evening(entrants: int, rounds: int, rng: Random, pair: Pair) -> SwissFigures:
    """Play one tournament of players of different strength."""
    strength = [rng.gauss(0, 1) for _ in range(entrants)]
    ground = Ground(TournamentPlan("swiss", SEATS, SEATS, rounds), tuple(range(entrants)), (), {}, {})
    began, spent, tables, seats = 0.0, 0.0, 0, list[float]()
    for _ in range(rounds):
        began = time.process_time()
        paired = pair(ground, rng)
        spent += time.process_time() - began
        tables += len(paired)
        played = tuple(_ended(tuple(table), strength, rng) for table in paired)
        ground = with_fields(ground, rounds=(*ground.rounds, PlayedRound(played, ())))
        seats.append(_uneven(ground))
    repeats = sum(count - 1 for count in met_of(ground.rounds).values())
    return SwissFigures(repeats / tables, spent / rounds, _alike(ground, strength, rng), mean(seats))


def searched(ground: Ground, rng: Random) -> Sequence[Sequence[int]]:
    """Pair as the product does."""
    found = pair_swiss(ground, iter(lambda: rng.getrandbits(32), -1))
    return [[one for one in table if one is not None] for table in found.tables] if found else []


def sliced(ground: Ground, rng: Random) -> Sequence[Sequence[int]]:
    """Pair by slices of the standings; entrants with equal points are in random order."""
    points = points_by_entrant(ground.rounds, SEATS)
    order = sorted(ground.order, key=lambda one: (-points[one], rng.random()))
    return [order[i : i + SEATS] for i in range(0, len(order), SEATS)]


def _ended(seats: tuple[int, ...], strength: Sequence[float], rng: Random) -> TableResult:
    shown = [strength[one] + rng.gauss(0, 1) for one in seats]
    places = tuple(1 + sum(other > one for other in shown) for one in shown)
    return TableResult(seats, places, tuple(int(place == 1) for place in places), 1, 0)


def _uneven(ground: Ground) -> float:
    """Return the mean range of seat counts per entrant, above the unavoidable range."""
    had = seat_counts(ground.rounds)
    must = int(len(ground.rounds) % SEATS > 0)
    of_each = [[had.get((one, seat), 0) for seat in range(SEATS)] for one in ground.order]
    return mean(max(times) - min(times) - must for times in of_each)


def _alike(ground: Ground, strength: Sequence[float], rng: Random) -> float:
    """Return Spearman's correlation of the final order with that of strength."""
    points = points_by_entrant(ground.rounds, SEATS)
    ended = sorted(ground.order, key=lambda one: (-points[one], rng.random()))
    due = {one: i for i, one in enumerate(sorted(ground.order, key=lambda one: -strength[one]))}
    n = len(ended)
    return 1 - 6 * sum((i - due[one]) ** 2 for i, one in enumerate(ended)) / (n * (n * n - 1))
