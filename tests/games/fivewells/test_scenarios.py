"""Cards and rules work together as the rulebook says, in the scenarios of `scenarios.yaml`."""

import pytest

from tests.games.fivewells.specified import play, read

SCENARIOS = read("scenarios.yaml")


@pytest.mark.parametrize("title", SCENARIOS)
def test_scenario(title):
    play(SCENARIOS[title])
