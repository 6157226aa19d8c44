"""Finds the guides that come with the server, and renders them as HTML or Markdown: how-tos, rulebooks, the contract.

In the repository they are in `docs`; in an installed package, next to the web pages. A game's rulebook is in its own
package. A page is identified by its path in the repository, so links between pages work in both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from domain.core.values import value
from domain.games.catalogue import GAMES, folder_of

_ROOT: Final = Path(__file__).parents[2]
_INSTALLED: Final = _ROOT / "api" / "web" / "documents"
_DOCUMENTS: Final = _INSTALLED if _INSTALLED.is_dir() else _ROOT / "docs"

WIDE: Final = 4
"""A table with this many columns is too wide for a phone."""
LONG: Final = 48
"""A table is also wide if the longest code words of its columns have more letters together."""

PAGES: Final = ("concepts", "glossary", "contract", "game-contract", "rules", "proof", "compatibility", "runbook")
"""The pages in the directory itself."""

_BOOK: Final = "rulebook.md"
_LISTED: Final = re.compile(r"^- \[[^\]]+\]\(([^)]+)\)", re.MULTILINE)
_NO_WORD: Final = re.compile(r"[^\w\s-]")
_SECTION: Final = re.compile(r"^## (.+?)\s*$", re.MULTILINE)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]+)\]\(([^)\s:#]+)(#[^)]*)?\)")
"""A link in Markdown to another file: its text, path and anchor."""

_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@value
class Guide:
    """A guide is one page: its address below the server's, its text, and its place in the repository."""

    address: str
    text: str
    place: str

    @property
    def title(self) -> str:
        """Return the first heading."""
        return self.text.partition("\n")[0].lstrip("# ").strip()

    @property
    def sections(self) -> list[tuple[str, str]]:
        """Return the marks and titles of the second-level headings."""
        titles = (title.replace("`", "") for title in _SECTION.findall(_FENCED.sub("", self.text)))
        return [(_mark(title), title) for title in titles]


@value
class GuidePage:
    """A guide as HTML, with its sections for a table of contents: their marks and their titles."""

    title: str
    html: str
    sections: tuple[tuple[str, str], ...]


@cache
def guides() -> Mapping[str, Guide]:
    """Return all guides by URL: the pages for all readers, the rulebooks, the how-tos, then the tutorial."""
    return {guide.address: guide for guide in (*_common(), *_books(), *_how_tos())}


def _common() -> Iterator[Guide]:
    for name in PAGES:
        yield Guide(f"/docs/{name}", (_DOCUMENTS / f"{name}.md").read_text("utf-8"), f"docs/{name}.md")


def _books() -> Iterator[Guide]:
    """Return the rulebook of each game, and those common to several games."""
    shared = sorted(Path(str(files("domain"))).glob(f"*/{_BOOK}"))
    folders = {name: (folder_of(game), f"domain/games/{name}") for name, game in GAMES.items()}
    folders |= {path.parent.name: (path.parent, f"domain/{path.parent.name}") for path in shared}
    for name, (folder, place) in folders.items():
        yield Guide(f"/docs/rules/{name}", (folder / _BOOK).read_text("utf-8"), f"{place}/{_BOOK}")


def _how_tos() -> Iterator[Guide]:
    for folder in ("how-to", "tutorial"):
        for path in sorted((_DOCUMENTS / folder).glob("*.md")):
            yield Guide(f"/docs/how-to/{path.stem}", path.read_text("utf-8"), f"docs/{folder}/{path.name}")


@cache
def guide_index() -> Mapping[str, tuple[Guide, ...]]:
    """Return the guides by audience, as the index of the documentation lists those that are served."""
    served = {guide.place: guide for guide in guides().values()}
    _, *sections = (_DOCUMENTS / "README.md").read_text("utf-8").split("\n## ")
    listed = {
        part.partition("\n")[0]: [normpath(f"docs/{path}") for path in _LISTED.findall(part)] for part in sections
    }
    found = {title: tuple(served[path] for path in paths if path in served) for title, paths in listed.items()}
    return {title: pages for title, pages in found.items() if pages}


def related_guides(address: str) -> tuple[str, tuple[Guide, ...]]:
    """Return the audience of a guide, and the other guides for it; nothing for a page that the index does not list."""
    for audience, pages in guide_index().items():
        if any(guide.address == address for guide in pages):
            return audience, tuple(guide for guide in pages if guide.address != address)
    return "", ()


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


@cache
def guide_as_markdown(address: str, root: str) -> str:
    """Return the file of a guide, with its links to other guides as Markdown. They begin with `root`."""
    guide = guides()[address]

    def linked(found: re.Match[str]) -> str:
        text, path, mark = found.groups("")
        known = _address_of(path, guide)
        return f"[{text}]({root}{known}.md{mark})" if known else text

    return _LINK.sub(linked, guide.text)


def _with_marks(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Add an anchor to every heading; return the anchors and titles of the sections."""
    for opened, inside in pairwise(tokens):
        if opened.type == "heading_open":
            title = "".join(part.content for part in inside.children or ())
            mark = _mark(title)
            opened.attrSet("id", mark)
            if opened.tag == "h2":
                yield mark, title


def _mark(title: str) -> str:
    return re.sub(r"\s", "-", _NO_WORD.sub("", title.lower()))


def _without_styles(token: Token) -> None:
    """Mark the alignment of a cell with a class: the page's policy allows no inline style."""
    if style := token.attrs.pop("style", None):
        token.attrSet("class", str(style).removeprefix("text-align:"))


def _with_focus(token: Token) -> None:
    """Make a table focusable, so that the keyboard can scroll it."""
    if token.type == "table_open":
        token.attrSet("tabindex", "0")


def _with_columns(tokens: list[Token]) -> None:
    """Label each cell of a wide table with its column, because cells get their own lines on a phone."""
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
    is_open = True
    for part in parts:
        if part.type == "link_open":
            path, _, mark = str(part.attrs["href"]).partition("#")
            known = _address_of(path, guide)
            is_open = "://" in path or not path or known is not None
            if known:
                part.attrSet("href", f"{root}{known}{'#' if mark else ''}{mark}")
        if is_open or not part.type.startswith("link_"):
            yield part
        is_open = is_open or part.type == "link_close"


def _address_of(path: str, guide: Guide) -> str | None:
    """Return the address of the guide to which a path in another guide leads; None if it is not served."""
    return _addresses().get(normpath(join(dirname(guide.place), path)))


def _addresses() -> Mapping[str, str]:
    """Return the addresses of all guides by their places in the repository."""
    return {guide.place: guide.address for guide in guides().values()}
