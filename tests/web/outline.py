"""Writes a page as a screen reader gets it: the browser's accessibility tree, one line per node.

`python -m tests.web.outline [GAME …]` writes the outlines of all phases again, which `test_phases.py` compares.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.games.catalogue import BUILT_IN
from tests.chromium import Page
from tests.web.stage import further_matches, standing_alone

GAMES = Path(__file__).parents[1] / "games"
SILENT = ("none", "generic", "InlineTextBox", "LineBreak", "ListMarker", "RootWebArea", "LayoutTable")
STATES = ("level", "disabled", "pressed", "expanded", "checked")
WIDTH = 1280


def kept(game: str) -> Path:
    """Return the file with the outlines of a game's phases, in the folder of the game's tests."""
    return GAMES / game / "phases.txt"


def outline(page: Page) -> str:
    """Return the outline of the page's current content."""
    nodes = page.accessible()
    by_id = {node["nodeId"]: node for node in nodes}
    root = next(node for node in nodes if node["role"]["value"] == "main")
    return "\n".join(written(root, by_id, 0)) + "\n"


def written(node: dict[str, Any], by_id: dict[str, dict[str, Any]], depth: int) -> Iterator[str]:
    """Write a node and its descendants; for a node without a role, only the descendants."""
    role, name = node["role"]["value"], words(node)
    below = [by_id[one] for one in node.get("childIds", ()) if one in by_id]
    if role == "StaticText":
        yield "  " * depth + name
        return
    is_said = not node.get("ignored") and role not in SILENT
    is_text = bool(below) and all(one["role"]["value"] == "StaticText" for one in below)
    text = "".join(map(words, below)).strip() if is_text else ""
    if is_said:
        known = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
        states = [f"{one}={known[one]}" for one in STATES if known.get(one) not in (None, False, "false")]
        value = node.get("value", {}).get("value", "")
        said = [*([f'"{name}"'] if name else []), *([f"= {value}"] if value else []), *states]
        yield " ".join([f"{'  ' * depth}- {role}", *said]) + (f": {text}" if text and text != name.strip() else "")
    if (is_said and is_text) or role == "log":  # the announcements arrive at any time
        return
    for one in below:
        yield from written(one, by_id, depth + is_said)


def words(node: dict[str, Any]) -> str:
    """Return the name of a node, without digests."""
    return re.sub(r"[0-9a-f]{32,}", "…", node.get("name", {}).get("value", ""))


def all_of(phases: dict[str, str]) -> str:
    """Join the outlines of the phases of a game into one text."""
    return "\n".join(f"# {phase}\n{text}" for phase, text in phases.items())


def outlines(game: str) -> dict[str, str]:
    """Parse the kept outlines of a game's phases: phase -> outline."""
    parts = re.split(r"^# (\w+)\n", kept(game).read_text(), flags=re.MULTILINE)[1:]
    return {phase: text.rstrip("\n") + "\n" for phase, text in zip(parts[::2], parts[1::2], strict=True)}


if __name__ == "__main__":
    with standing_alone() as stage:
        stage.page.is_wide(WIDTH)
        for game in sys.argv[1:] or [one.name for one in BUILT_IN]:
            numbers = range(1 + len(further_matches(game)))
            found = {phase: outline(stage.page) for number in numbers for phase in stage.phases_of(game, number)}
            kept(game).write_text(all_of(found))
