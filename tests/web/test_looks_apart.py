"""Tests that the layout of a table does not depend on earlier pages.

A document keeps the styles of each game and place that it has shown; they must not change another table.
"""

import json
from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.stage import HEIGHTS, SETTLED

STATIC = Path(__file__).parents[2] / "api/web/static"
LATE = sorted(path for path in STATIC.rglob("*.css") if path.name not in ("docs.css", "embed.css", "table.css"))
"""The styles that a document may load after its start."""
ADDS_STYLES = f"""document.adoptedStyleSheets = {json.dumps([path.read_text() for path in LATE])}.map((text) => {{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}})"""
ROUNDING = 1
"""The maximum difference of a box in pixels."""
REMOVES_STYLES = "document.adoptedStyleSheets = []"
BOXES = """[...document.querySelectorAll("main > .bar *, .felt, .felt *, .actions, .actions *")].map((one) => {
  const {x, y, width, height} = one.getBoundingClientRect();
  return [one.className || one.tagName, x, y + scrollY, width, height];
})"""


def is_alike(one, other):
    """Return whether two boxes have the same class, place and size."""
    return one[0] == other[0] and all(abs(a - b) <= ROUNDING for a, b in zip(one[1:], other[1:], strict=True))


@pytest.mark.long
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_table_is_laid_out_as_in_a_new_document(game, stage):
    page = stage.page
    page.opens("about:blank")
    for phase in stage.phases(stage.sits(game)):
        for width, height in HEIGHTS.items():
            page.is_wide(width, height)
            page.evaluates(REMOVES_STYLES)
            page.evaluates(SETTLED)
            alone = page.evaluates(BOXES)
            page.evaluates(f"void ({ADDS_STYLES})")
            page.evaluates(SETTLED)
            beside = page.evaluates(BOXES)
            moved = [pair for pair in zip(alone, beside, strict=True) if not is_alike(*pair)]
            assert moved == [], (phase, width)
        page.evaluates(REMOVES_STYLES)
