"""Measures how fast poker hands of five and seven cards are ranked; the floor is looking up as many sums."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from bench.rounds import rate, rounds
from bench.tables import Table, compared
from domain.core.cards import PACK
from domain.poker.ranking import KEYS, SUIT_BITS, of_ranks, strength, strengths

SEED = 20261122
HANDS = 100_000
GOAL, LOOKED_UP = 1_000_000, 8_000_000
"""The target is this many hands of seven a second, on a machine that looks up this many keys a second."""


def measure(*, quick: bool) -> Table:
    """Compare hands ranked per second, in batches and one by one, with look-ups per second."""
    table = Table(
        f"poker_ranking: {HANDS:,} random hands on one core; floor: one look-up a hand, of a sum known before"
    )
    for count, least in ((5, None), (7, GOAL / LOOKED_UP)):
        got = rounds(5 if quick else 9, _measured(count, 0.2 if quick else 0.4))
        batch = compared(f"{count} cards, in batches", got["batch"], got["floor"], "/s", least)
        target = f"≥ {GOAL:,} where the floor is {LOOKED_UP:,}" if least else ""
        single = compared(f"{count} cards, one by one", got["single"], got["floor"], "/s")
        table.lines += [replace(batch, target=target), single]
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
