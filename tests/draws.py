"""Determines how often tests try random draws: a few times in every run, and any number on request.

CI repeats its draws, so more of them would find little there.
"""

import os
import random
import secrets
from collections import Counter
from collections.abc import Iterable
from math import ceil
from random import Random
from typing import Any, Final

import pytest

NAME: Final = "TEST_THOROUGHLY"
"""The environment variable with the factor for random draws; 1 if it is not set."""

SEED: Final = "TEST_SEED"
"""The environment variable with the seed of a failed test, for drawing the same again."""


def factor() -> float:
    """Return the factor for random draws."""
    return float(os.environ.get(NAME, "1"))


def is_thorough() -> bool:
    """Return whether more draws than usual are wanted."""
    return factor() > 1


def draws(usual: float) -> int:
    """Return the number of draws for a test that tries `usual` in a usual run: at least one."""
    return ceil(usual * factor())


def seeded() -> Random:
    """Return a test's random generator, and print its seed, which the report of a failed test shows.

    The seed differs each time, except in CI. If the environment names one, it is used.
    """
    seed = os.environ.get(SEED) or str(secrets.randbits(32))
    print(f"{SEED}={seed}")  # noqa: T201
    return Random(seed)


def first_of(cases: Iterable[Any], number: int = 1) -> list[Any]:
    """Return these cases of a test: the first ones as they are, and the others marked as long, which a short run omits.

    A tuple is a case of several parameters.
    """
    every = list(cases)
    rows = [case if isinstance(case, tuple) else (case,) for case in every[number:]]
    return [*every[:number], *(pytest.param(*row, marks=pytest.mark.long) for row in rows)]


def repeatable(test: str) -> None:
    """Make this process draw the same from now on whenever this test runs: deals, secrets, ids and bots' choices.

    Tests of the same name draw differently: otherwise the second could collide with ids written by the first. `secrets`
    reads the system's randomness through this one name. Processes started by a test draw as always.
    """
    _met[test] += 1
    random._urandom = random.Random(f"{test} {_met[test]}").randbytes  # type: ignore[attr-defined]


_met: Final[Counter[str]] = Counter()
"""How many tests of each name have drawn in this process."""
