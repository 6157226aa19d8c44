"""Tests the index of the documentation by audience, on disk and at `/docs`."""

import re
from pathlib import Path

from api.http.guide_pages import guide_index, related_guides

ROOT = Path(__file__).parents[2]


def test_index_lists_every_file_of_the_documentation():
    listed = re.findall(r"\]\(([^)#]+)", (ROOT / "docs" / "README.md").read_text())
    there = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    there = {
        path for path in there if not path.startswith(("decisions/0", "tutorial/high_card/")) and path != "README.md"
    }
    assert there <= set(listed)
    assert [path for path in listed if not (ROOT / "docs" / path).is_file()] == []
    assert len(listed) == len(set(listed))


def test_guide_index_is_in_the_order_of_the_audiences():
    index = guide_index()
    assert list(index)[:3] == ["Start here", "Play", "Build a client"]
    assert [guide.address for guide in index["Start here"]] == ["/docs/concepts", "/docs/glossary"]
    assert [guide.address for guide in index["Write a game"]][:2] == [
        "/docs/how-to/your-first-game",
        "/docs/game-contract",
    ]
    assert [guide.address for guide in index["Verify"]] == ["/docs/how-to/verify", "/docs/proof"]


def test_guide_links_to_the_others_for_its_audience():
    audience, related = related_guides("/docs/how-to/verify")
    assert (audience, [guide.address for guide in related]) == ("Verify", ["/docs/proof"])
    assert related_guides("/docs/rules/hearts") == ("", ())
