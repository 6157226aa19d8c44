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
"""The list of entry files. It is written last, so its presence marks a complete build."""
UNBUILT: Final = "unbuilt.txt"
"""The file with the reason for a failed build, in a sentence."""
NOT_TRIED: Final = "The page is not built yet: `python3 dev.py serve` builds it. Reload in a minute."


@dataclass(frozen=True)
class BuiltPage:
    """The files of one build; the name of each contains a digest of its content."""

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
    """Return the reason why there is no page, in a sentence."""
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


def read_brotli(name: str) -> bytes | None:
    """Return a built file as the build compressed it with Brotli; None for a file that it did not compress."""
    try:
        return _read_file(DIST / f"{name}.br")
    except FileNotFoundError:
        return None


@lru_cache(256)
def _read_file(path: Path) -> bytes:
    return path.read_bytes()  # its name contains its digest, so it never changes
