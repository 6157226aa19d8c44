"""The referees find faults that are planted in the rules of the engine."""

from collections import Counter
from pathlib import Path

import pytest

from tests.draws import draws, seeded
from tests.referee.compiled import compile_once, needed
from tests.referee.mutants import MUTANTS, found
from tests.referee.test_followed import run_folder

TRIED = 6
"""The faults of a run, out of those that the referee found in the last full run."""
QUICK = [mutant for mutant in MUTANTS if mutant.found == "disagrees" and mutant.applies]


def test_each_subject_has_twenty_faults() -> None:
    assert set(Counter(mutant.subject for mutant in MUTANTS).values()) == {20}


def test_most_faults_still_change_a_line() -> None:
    """A fault whose line has changed is not planted any more. Replace such faults once there are many."""
    assert sum(mutant.applies for mutant in MUTANTS) > 0.8 * len(MUTANTS)


@pytest.mark.long
def test_referees_find_planted_faults(tmp_path_factory: pytest.TempPathFactory) -> None:
    node, programs = needed(), Path(compile_once(run_folder(tmp_path_factory)))
    drawn = seeded().sample(QUICK, min(draws(TRIED), len(QUICK)))
    assert [mutant for mutant in drawn if found(mutant, node, programs) == "survives"] == []
