"""Poker hands of five and of seven cards ranked on one core; the floor is one bare look-up a hand, of a sum known before."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import median

from domain.cards import PACK
from domain.poker.rank_tables import KEYS, SUIT_BITS, of_ranks
from domain.poker.ranking import strength, strengths
from tests.bench.rounds import rate, rounds
from tests.bench.tables import Table, beside

SEED = 20261122
HANDS = 100_000
GOAL, GOAL_CARDS = 1_000_000, 7
"""So many hands of so many cards are to be ranked in a second."""


def measure(*, quick: bool) -> Table:
    """Compare hands ranked in a second, in batches and one by one, with what is looked up in one."""
    seconds = 0.2 if quick else 0.5
    table = Table(
        f"poker_ranking: {HANDS:,} random hands on one core; floor: a look-up a hand, and nothing else"
    )
    for count in (5, 7):
        got = rounds(5 if quick else 11, _measured(count, seconds))
        line = beside(f"{count} cards, in batches", got["batch"], got["floor"], "/s")
        if count == GOAL_CARDS:
            line = replace(line, target=f"≥ {GOAL:,}/s", held=median(got["batch"]) >= GOAL)
        table.lines.append(line)
        table.lines.append(beside(f"{count} cards, one by one", got["single"], got["floor"], "/s"))
    return table


def _measured(count: int, seconds: float) -> dict[str, Callable[[], float]]:
    rng, known = Random(SEED), of_ranks()
    hands = [tuple(rng.sample(PACK, count)) for _ in range(HANDS)]
    sums = [sum([KEYS[card] >> SUIT_BITS for card in hand]) for hand in hands]
    return {
        "batch": lambda: rate(lambda: len(strengths(hands)), seconds),
        "single": lambda: rate(lambda: len([strength(hand) for hand in hands]), seconds),
        "floor": lambda: rate(lambda: len([known[key] for key in sums]), seconds / 2),
    }
