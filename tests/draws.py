"""How often tests try what they draw at random.

A little in every run, more with `--all`, and as much as one likes by hand.
"""

import os
import random
from collections import Counter
from collections.abc import Iterable
from math import ceil
from typing import Any, Final

import pytest

NAME: Final = "TEST_THOROUGHLY"
"""The environment variable that multiplies what is drawn; 1 if it is not set."""

OF_ALL: Final = 8
"""What it is in a run of all tests."""


def thoroughly() -> None:
    """Draw as often as a run of all tests does, where the environment does not say how often."""
    os.environ.setdefault(NAME, str(OF_ALL))


def factor() -> float:
    """Give what is multiplied by."""
    return float(os.environ.get(NAME, "1"))


def draws(usual: float) -> int:
    """Give how many draws to try where `usual` are tried in a short run: at least one."""
    return ceil(usual * factor())


def first_of(cases: Iterable[Any], number: int = 1) -> list[Any]:
    """Give these cases of a test: so many as they are, and those after them marked as long, which a short run omits.

    A tuple is a case of several parameters.
    """
    every = list(cases)
    rows = [case if isinstance(case, tuple) else (case,) for case in every[number:]]
    return [*every[:number], *(pytest.param(*row, marks=pytest.mark.long) for row in rows)]


def repeatable(test: str) -> None:
    """Let this process draw the same from now on whenever this test runs: deals, secrets, ids and what bots choose.

    Tests of one name draw differently: what the first has written, with its ids, may lie where the second writes.
    `secrets` reads the system's randomness through this one name. Processes that a test starts draw as they always do.
    """
    _met[test] += 1
    random._urandom = random.Random(f"{test} {_met[test]}").randbytes  # type: ignore[attr-defined]


_met: Final[Counter[str]] = Counter()
"""How many tests of a name have drawn in this process."""
