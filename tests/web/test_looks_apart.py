"""A table looks as it does whatever was looked at before: what is brought for another game or place stays, and is idle.

The looks of what comes late stay in a document until it is left, and from one table to the next it is not.
"""

import json
from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.stage import HEIGHTS, SETTLED

STATIC = Path(__file__).parents[2] / "api/web/static"
LATE = sorted(path for path in STATIC.rglob("*.css") if path.name not in ("docs.css", "table.css"))
"""What a page may bring after its start, in one document."""
BRINGS = f"""document.adoptedStyleSheets = {json.dumps([path.read_text() for path in LATE])}.map((text) => {{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}})"""
AS_MUCH = 1
"""What is rounded may lie a pixel aside."""
FORGETS = "document.adoptedStyleSheets = []"
LIES = """[...document.querySelectorAll("main > .bar *, .felt, .felt *, .actions, .actions *")].map((one) => {
  const {x, y, width, height} = one.getBoundingClientRect();
  return [one.className || one.tagName, x, y + scrollY, width, height];
})"""


def is_there(one, other):
    """Say whether an element lies where it lay, and is as large."""
    return one[0] == other[0] and all(abs(a - b) <= AS_MUCH for a, b in zip(one[1:], other[1:], strict=True))


@pytest.mark.long
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_a_table_lies_as_it_does_in_a_new_document(game, stage):
    page = stage.page
    page.opens("about:blank")
    for phase in stage.phases(stage.sits(game)):
        for width, height in HEIGHTS.items():
            page.is_wide(width, height)
            page.evaluates(FORGETS)
            page.evaluates(SETTLED)
            alone = page.evaluates(LIES)
            page.evaluates(f"void ({BRINGS})")
            page.evaluates(SETTLED)
            beside = page.evaluates(LIES)
            moved = [pair for pair in zip(alone, beside, strict=True) if not is_there(*pair)]
            assert moved == [], (phase, width)
        page.evaluates(FORGETS)
