"""Every phase of every game on the page: what axe-core finds, and what a reader of screens is told."""

import json
from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.outline import OUTLINES, all_of, outline
from tests.web.stage import HEIGHTS, WIDTHS, staged

AXE = Path(__file__).parents[1] / "clients/node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
SEEN = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "target-size", "scrollable-region-focusable"]},
    "resultTypes": ["violations"],
}
"""What depends on the width and on the colours; all else is asked once."""
LOOKS = [(width, is_dark) for width in WIDTHS for is_dark in (False, True)]
PLAIN = """(sheet => { sheet.replaceSync('.felt { background: color-mix(in srgb, var(--felt) 93%, white) !important }');
document.adoptedStyleSheets = [sheet] })(new CSSStyleSheet())"""
"""axe-core cannot measure contrast on a gradient: the felt has its lightest colour all over."""
FOUND = """axe.run(document, {}).then(({{violations}}) => violations.flatMap(({{id, nodes}}) =>
nodes.map(({{html, any}}) => `${{id}}: ${{html}} ${{any.map((one) => one.message).join(' ')}}`)))"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with staged(tmp_path_factory.mktemp("stage")) as stage:
        yield stage


def violations(page, options):
    return page.evaluates(FOUND.format(json.dumps(options)))


@pytest.mark.long
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_every_phase_can_be_read_by_everybody(game, stage):
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/clients")
    page, outlines, found = stage.page, {}, []
    page.is_wide(1280)
    page.errors.clear()
    for phase in stage.phases(stage.sits(game)):
        outlines[phase] = outline(page)
        if len(outlines) == 1:
            page.evaluates(AXE.read_text())
            page.evaluates(PLAIN)
        for width, is_dark in LOOKS:
            page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
            wanted = ALL if (width, is_dark) == LOOKS[0] else SEEN
            found += [f"{phase} {width} {'dark' if is_dark else 'light'} {one}" for one in violations(page, wanted)]
        page.is_wide(1280)
    assert found == []
    assert page.errors == []
    assert all_of(outlines) == (OUTLINES / f"{game}.txt").read_text(), "python -m tests.web.outline writes it anew"
