"""Cards and rules do what the rulebook says where most of them meet, as `scenarios.yaml` tells."""

import pytest

from tests.games.fivewells.specified import play, read

SCENARIOS = read("scenarios.yaml")


@pytest.mark.parametrize("title", SCENARIOS)
def test_scenario(title):
    play(SCENARIOS[title])
