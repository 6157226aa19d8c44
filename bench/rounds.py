"""Runs rounds in which the things compared take turns, so that the machine's noise meets them all alike."""

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Mapping

Rounds = Mapping[str, list[float]]
"""For each thing measured this holds one figure a round."""


def rounds(count: int, measured: Mapping[str, Callable[[], float]]) -> Rounds:
    """Measure everything once in each round, each time beginning with another."""
    figures = defaultdict(list)
    names = list(measured)
    for i in range(count):
        turn = i % len(names)
        for name in names[turn:] + names[:turn]:
            figures[name].append(measured[name]())
    return figures


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Repeat work for this long; return the counted amount per second of this clock."""
    gc.collect()
    done, began = 0, clock()
    until = began + seconds
    while (now := clock()) < until:
        done += work()
    return done / (now - began)
