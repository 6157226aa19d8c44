"""Tests every place that is not a phase of a game: axe-core's findings, and the sizes of buttons on a phone."""

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.places import PLACES
from tests.web.readable import ALL, LOOKS, asks_axe, beyond, covered, crossed, small_targets, violations
from tests.web.stage import HEIGHTS

SHORT = {"form": LOOKS[3], "entering": LOOKS[0], "long-names": LOOKS[0]}
"""These are checked in a short run too, each at one width and in one colour scheme."""
CASES = [pytest.param(place, [look], id=place) for place, look in SHORT.items()]
CASES += [pytest.param(place, LOOKS, id=f"{place}, all looks", marks=pytest.mark.long) for place in PLACES]


@pytest.mark.long
@pytest.mark.parametrize(("place", "looks"), CASES)
def test_every_page_passes_the_accessibility_check(place, looks, stage):
    page, found = stage.page, []
    page.is_wide(1280)
    PLACES[place](stage)
    asks_axe(page)
    for width, is_dark in looks:
        page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
        seen = [*violations(page, ALL), *(small_targets(page) if width == LOOKS[0][0] else []), *beyond(page, width)]
        found += [f"{width} {'dark' if is_dark else 'light'} {one}" for one in seen]
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_phone_table_has_large_targets_and_no_overlapping_texts(game, stage):
    width = LOOKS[0][0]
    stage.page.is_wide(width, HEIGHTS[width])
    phases = stage.phases(stage.sits(game), (1, 2, 3))
    found = [
        f"{phase}: {one}"
        for phase in phases
        for checked in (small_targets, crossed, covered)
        for one in checked(stage.page)
    ]
    assert found == []
