"""Every phase of every game on the page: what axe-core finds, and what a reader of screens is told."""

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.outline import OUTLINES, all_of, outline
from tests.web.readable import ALL, LOOKS, SEEN, asks_axe, violations
from tests.web.stage import HEIGHTS, staged


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with staged(tmp_path_factory.mktemp("stage")) as stage:
        yield stage


@pytest.mark.long
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_every_phase_can_be_read_by_everybody(game, stage):
    page, outlines, found = stage.page, {}, []
    page.is_wide(1280)
    page.errors.clear()
    for phase in stage.phases(stage.sits(game)):
        outlines[phase] = outline(page)
        if len(outlines) == 1:
            asks_axe(page)
        for width, is_dark in LOOKS:
            page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
            wanted = ALL if (width, is_dark) == LOOKS[0] else SEEN
            found += [f"{phase} {width} {'dark' if is_dark else 'light'} {one}" for one in violations(page, wanted)]
        page.is_wide(1280)
    assert found == []
    assert page.errors == []
    assert all_of(outlines) == (OUTLINES / f"{game}.txt").read_text(), "python -m tests.web.outline writes it anew"
