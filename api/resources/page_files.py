"""Finds the built files of the browser page (decision 27). `build_page.py` builds them from `api/web/static`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import json

WEB: Final = Path(__file__).parents[1] / "web"
DIST: Final = WEB / "dist"
KINDS: Final = {"css": "text/css", "js": "text/javascript", "map": "application/json"}
"""The types of the files that browsers load, by the ends of their names."""

ENTRIES: Final = "entries.json"
"""It names the files of the entries. It is written last, so that a build with it is complete."""
UNBUILT: Final = "unbuilt.txt"
"""It says in a sentence why the page could not be built."""
NOT_TRIED: Final = "It is not built yet: `python3 dev.py serve` builds it. Load this page again in a minute."


@dataclass(frozen=True)
class BuiltPage:
    """The files of one build; the name of each file holds a digest of what is in it."""

    entries: Mapping[str, str]
    """The files of the scripts and styles that HTML pages name, by their names before the build."""
    files: frozenset[str]


def built_page() -> BuiltPage | None:
    """Return the files of the page as they are now; None if it is not built."""
    try:
        built_at = (DIST / ENTRIES).stat().st_mtime_ns
    except FileNotFoundError:
        return None
    return _read_build(DIST, built_at)


def why_unbuilt() -> str:
    """Return a sentence that says why there is no page."""
    try:
        return (DIST / UNBUILT).read_text("utf-8")
    except FileNotFoundError:
        return NOT_TRIED


@lru_cache(1)
def _read_build(dist: Path, built_at: int) -> BuiltPage:
    entries = json.decode((dist / ENTRIES).read_bytes(), type=dict[str, str])
    names = (path.name for path in dist.iterdir())
    return BuiltPage(entries, frozenset(name for name in names if name.rpartition(".")[2] in KINDS))


def read_page_file(name: str) -> bytes:
    """Return the content of a built file."""
    return _read_file(DIST / name)


@lru_cache(256)
def _read_file(path: Path) -> bytes:
    return path.read_bytes()  # under its name it never changes
