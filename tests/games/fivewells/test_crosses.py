"""Keywords and effects do what they say where they meet one another, as the files under `crosses` tell."""

import pytest

from tests.games.fivewells.specified import play, read

CROSSES = read("crosses/keywords.yaml") | read("crosses/effects.yaml")


@pytest.mark.parametrize("title", CROSSES)
def test_intersection_of_sections(title):
    play(CROSSES[title])
