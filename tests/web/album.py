"""Puts pictures of the page side by side, for the README and the contact sheet.

`python -m tests.web.album FOLDER` takes what `tests.web.stage` and `tests.web.places` have drawn into a folder, and
writes `docs/pictures/` again.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from tests.chromium import Page, browsing

PICTURES: Final = Path(__file__).parents[2] / "docs/pictures"
LOOKS: Final = ("1280-light", "768-dark", "360-light")


class Sheet(NamedTuple):
    """Rows of pictures, each this high in pixels."""

    height: int
    rows: list[list[str]]


def all_looks(*names: str) -> list[str]:
    """Yield the names of the pictures of phases, or of places, at each width."""
    return [f"{name}-{look}" for name in names for look in LOOKS]


SHEETS: Final = {
    "table-on-a-desk": Sheet(760, [["hearts-playing-4-1280-light"]]),
    "table-on-a-phone": Sheet(
        760, [["holdem-flop-1-360-light", "fivewells_draft-picking-1-360-light", "full-duel-360-dark"]]
    ),
    "tournaments": Sheet(330, [all_looks("bracket", "standings"), all_looks("profile", "announcing")]),
    "tables": Sheet(
        330,
        [
            all_looks("start", "lobby"),
            all_looks("hearts-passing-1", "hearts-playing-4"),
            all_looks("two_handed_hearts-playing-4", "crazy_eights-turn-4"),
            all_looks("gin_rummy-discard-4", "trio-revealing-4"),
            all_looks("five_card_draw-draw-1", "full-poker"),
            all_looks("full-duel", "fivewells_draft-picking-1"),
            all_looks("holdem-flop-1", "looking-back"),
        ],
    ),
}


def laid(page: Page, folder: Path, sheet: Sheet, path: Path) -> None:
    """Write one sheet: each row is as long as its pictures."""
    row = '<div style="display:flex;gap:4px;margin-bottom:4px">{}</div>'
    picture = f'<img src="{{}}.png" style="height:{sheet.height}px">'
    rows = [
        row.format("".join(picture.format((folder / name).resolve().as_uri()) for name in names))
        for names in sheet.rows
    ]
    album = folder / "album.html"
    style = "<style>body { margin: 0; overflow: hidden } #all { width: max-content }</style>"
    album.write_text(f'{style}<div id="all">{"".join(rows)}</div>')
    page.opens(album.resolve().as_uri())
    page.until("document.images.length && [...document.images].every((one) => one.complete)")
    size = "(({offsetWidth, offsetHeight}) => [offsetWidth, offsetHeight])(document.getElementById('all'))"
    page.is_wide(4000, 4000)
    width, height = page.evaluates(size)
    page.is_wide(width, height)
    page.shows(path)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary, browsing(Path(temporary)) as browser:
        for name, sheet in SHEETS.items():
            laid(browser, Path(sys.argv[1]), sheet, PICTURES / f"{name}.webp")
