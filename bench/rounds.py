"""Runs the compared work in turns, so that the machine's noise affects all of it equally."""

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Mapping

Rounds = Mapping[str, list[float]]
"""The figures of each measurement, one per round."""


def rounds(count: int, measured: Mapping[str, Callable[[], float]]) -> Rounds:
    """Measure everything once per round, beginning with another one each time."""
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
