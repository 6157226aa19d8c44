"""Tests that cards and rules work together as the rulebook says, in the scenarios of `scenarios.yaml`."""

import pytest

from tests.games.fivewells.specified import play, read

SCENARIOS = read("scenarios.yaml")


@pytest.mark.parametrize("title", SCENARIOS)
def test_scenario_of_the_rulebook_plays_as_written(title):
    play(SCENARIOS[title])
