"""Tests combinations of keywords and effects, as listed in the files under `crosses`."""

import pytest

from tests.games.fivewells.specified import play, read

CROSSES = read("crosses/keywords.yaml") | read("crosses/effects.yaml")


@pytest.mark.parametrize("title", CROSSES)
def test_rules_of_two_sections_combine_as_ruled(title):
    play(CROSSES[title])
