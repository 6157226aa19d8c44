"""Tests that the quick tests of a match detect planted faults."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.match.mutants import MUTANTS

ROOT = Path(__file__).parents[2]
PARTS = 4


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_changes_exactly_one_place(mutant):
    """A fault whose place has changed could not be planted."""
    source = (ROOT / mutant.module.replace(".", "/")).with_suffix(".py").read_text()
    assert source.count(mutant.right) == 1
    assert mutant.right != mutant.wrong


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_is_detected(part):
    command = [sys.executable, "-m", "tests.match.mutants", str(part), str(PARTS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stderr) == (0, "")
