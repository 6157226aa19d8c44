"""Finds the guides that come with the server, and renders them as HTML: how-tos, rulebooks, the contract.

In the repository they are in `docs`; in an installed package, next to the web pages. A game's rulebook is in its own
package. A page is identified by its path in the repository, so links between pages work in both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from domain.games.catalogue import GAMES, folder_of

_ROOT: Final = Path(__file__).parents[2]
_INSTALLED: Final = _ROOT / "api" / "web" / "documents"
_DOCUMENTS: Final = _INSTALLED if _INSTALLED.is_dir() else _ROOT / "docs"

WIDE: Final = 4
"""A table of so many columns has no room on a phone."""
LONG: Final = 48
"""Nor has one whose longest words of code have so many letters, one of each column."""

_BOOK: Final = "rulebook.md"
_NO_WORD: Final = re.compile(r"[^\w\s-]")

_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide is one page: its address below the server's, its text, and its place in the repository."""

    address: str
    text: str
    place: str

    @property
    def title(self) -> str:
        """Return the first heading."""
        return self.text.partition("\n")[0].lstrip("# ").strip()


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A guide as HTML, with its sections for a table of contents: their marks and their titles."""

    title: str
    html: str
    sections: tuple[tuple[str, str], ...]


@cache
def guides() -> Mapping[str, Guide]:
    """Return all guides by URL: the contract, the rules and the proof, the rulebooks, then the how-tos."""
    return {guide.address: guide for guide in (*_common(), *_books(), *_how_tos())}


def _common() -> Iterator[Guide]:
    for name in ("contract", "rules", "proof"):
        yield Guide(f"/docs/{name}", (_DOCUMENTS / f"{name}.md").read_text("utf-8"), f"docs/{name}.md")


def _books() -> Iterator[Guide]:
    """Return the rulebook of each game, and those common to several games."""
    shared = sorted(Path(str(files("domain"))).glob(f"*/{_BOOK}"))
    folders = {name: (folder_of(game), f"domain/games/{name}") for name, game in GAMES.items()}
    folders |= {path.parent.name: (path.parent, f"domain/{path.parent.name}") for path in shared}
    for name, (folder, place) in folders.items():
        yield Guide(f"/docs/rules/{name}", (folder / _BOOK).read_text("utf-8"), f"{place}/{_BOOK}")


def _how_tos() -> Iterator[Guide]:
    for path in sorted((_DOCUMENTS / "how-to").glob("*.md")):
        yield Guide(f"/docs/how-to/{path.stem}", path.read_text("utf-8"), f"docs/how-to/{path.name}")


@cache
def render_guide(address: str, root: str) -> GuidePage:
    """Write the guide at an address as HTML whose links begin with `root`."""
    guide = guides()[address]
    tokens = _markdown.parse(guide.text)
    sections = list(_with_marks(tokens))
    _with_columns(tokens)
    for token in tokens:
        _without_styles(token)
        _with_focus(token)
        if token.children:
            token.children = list(_with_links(token.children, guide, root))
    return GuidePage(guide.title, _markdown.renderer.render(tokens, _markdown.options, {}), tuple(sections))


def _with_marks(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Mark every heading, as those who link to it expect; give the marks and titles of the sections."""
    for opened, inside in pairwise(tokens):
        if opened.type == "heading_open":
            title = "".join(part.content for part in inside.children or ())
            mark = re.sub(r"\s", "-", _NO_WORD.sub("", title.lower()))
            opened.attrSet("id", mark)
            if opened.tag == "h2":
                yield mark, title


def _without_styles(token: Token) -> None:
    """Mark the alignment of a cell with a class: the page's policy allows no inline style."""
    if style := token.attrs.pop("style", None):
        token.attrSet("class", str(style).removeprefix("text-align:"))


def _with_focus(token: Token) -> None:
    """Make a table focusable, so that a wide one can be scrolled with the keyboard."""
    if token.type == "table_open":
        token.attrSet("tabindex", "0")


def _with_columns(tokens: list[Token]) -> None:
    """Label each cell of a wide table with its column: on a phone, it has its own line."""
    starts = [i for i, token in enumerate(tokens) if token.type == "table_open"]
    for start, end in pairwise([*starts, len(tokens)]):
        rows: list[list[tuple[Token, Token]]] = []
        for opened, inside in pairwise(tokens[start:end]):
            if opened.type == "tr_open":
                rows.append([])
            elif opened.type in ("th_open", "td_open"):
                rows[-1].append((opened, inside))
        if len(rows[0]) < WIDE and sum(map(_longest, zip(*rows, strict=True))) < LONG:
            continue
        tokens[start].attrSet("class", "wide")
        columns = ["".join(part.content for part in inside.children or ()) for _, inside in rows[0]]
        for row in rows[1:]:
            for (opened, _), column in zip(row, columns, strict=True):
                opened.attrSet("data-column", column)


def _longest(column: Iterable[tuple[Token, Token]]) -> int:
    """Count the letters of the longest word of code in a column, which no line parts."""
    codes = (part.content for _, inside in column for part in inside.children or () if part.type == "code_inline")
    return max((len(word) for code in codes for word in code.split()), default=0)


def _with_links(parts: list[Token], guide: Guide, root: str) -> Iterator[Token]:
    """Point links between guides to their URLs here; for a link to a page that is not served, keep the text."""
    addresses = {one.place: one.address for one in guides().values()}
    is_open = True
    for part in parts:
        if part.type == "link_open":
            path, _, mark = str(part.attrs["href"]).partition("#")
            known = addresses.get(normpath(join(dirname(guide.place), path)))
            is_open = "://" in path or not path or known is not None
            if known:
                part.attrSet("href", f"{root}{known}{'#' if mark else ''}{mark}")
        if is_open or not part.type.startswith("link_"):
            yield part
        is_open = is_open or part.type == "link_close"
