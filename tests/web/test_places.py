"""Tests every place that is not a phase of a game: axe-core's findings, sizes of buttons on a phone, and zoom."""

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.places import PLACES
from tests.web.readable import ALL, asks_axe, beyond, covered, crossed, looks, small_targets, violations
from tests.web.stage import HEIGHTS, WIDTHS

PHONE = WIDTHS[0]
ZOOMED = (320, 640)
"""Widths in pixels: of 1280 at four times and at twice the size (WCAG 1.4.10, 1.4.4)."""


@pytest.mark.long
@pytest.mark.parametrize(("nth", "place"), list(enumerate(PLACES)), ids=list(PLACES))
def test_every_page_passes_the_accessibility_check(nth, place, stage):
    page, found = stage.page, []
    page.is_wide(1280)
    PLACES[place](stage)
    for width in ZOOMED:
        page.is_wide(width, width)
        found += [f"{width} {one}" for one in beyond(page, width)]
    asks_axe(page)
    for width, is_dark in looks(nth):
        page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
        seen = [*violations(page, ALL), *(small_targets(page) if width == PHONE else []), *beyond(page, width)]
        found += [f"{width} {'dark' if is_dark else 'light'} {one}" for one in seen]
    page.is_wide(1280)
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_phone_table_has_large_targets_and_no_overlapping_texts(game, stage):
    stage.page.is_wide(PHONE, HEIGHTS[PHONE])
    phases = stage.phases(stage.sits(game), (1, 2, 3))
    found = [
        f"{phase}: {one}"
        for phase in phases
        for checked in (small_targets, crossed, covered)
        for one in checked(stage.page)
    ]
    assert found == []
