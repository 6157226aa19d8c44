"""Tests that code that draws scenes depends only on words with the same meaning in every game (contract 4.7)."""

import ast
import re
from pathlib import Path

import pytest

from domain.card_sets.cards.card_kinds import COLORS
from domain.core import scene

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "api/web/static"
STYLES = "\n".join(path.read_text() for path in sorted(PAGES.rglob("*.css")))

WORDS = {
    "badge": {scene.DEALER, scene.TURN, scene.OUT, scene.FOLDED, scene.SMALL_BLIND, scene.BIG_BLIND},
    "kind": {
        *(scene.HAND, scene.STOCK, scene.TRICK, scene.LAST_TRICK, scene.BURNT, scene.LANDS, scene.LIBRARY, scene.PICKS),
        *(scene.BOARD, scene.POT, scene.BET, scene.STACK, scene.FOLDED, scene.SET_ASIDE),
    },
    "mark": {scene.WINS, scene.TAPPED, scene.ATTACKING},
    "label": {scene.CHIPS, *scene.PROGRESS},
}


def undeclared(styles):
    """Return the classes of badges, zones and marks whose word is a game's own."""
    found = set(re.findall(r"\.(badge|kind|mark)-([\w-]+)", styles))
    return [f"{what}-{word}" for what, word in sorted(found) if word.replace("-", " ") not in WORDS[what]]


def test_styles_use_only_declared_words():
    assert undeclared(STYLES) == []
    assert undeclared(".badge-dealer, .kind-hand .mark-grim { color: red }") == ["mark-grim"]


def test_page_uses_only_declared_badges():
    page = (PAGES / "table/table.js").read_text()
    assert set(re.findall(r"badges\.includes\(\"([^\"]+)\"\)", page)) <= WORDS["badge"]
    (unasked,) = re.findall(r"^const UNASKED = \[(.*)\];", page, re.MULTILINE)
    assert set(re.findall(r"\"([^\"]+)\"", unasked)) == scene.UNASKED


def test_styles_do_not_name_card_colours():
    """Colours of cards get their tints by position. A suit is not such a colour."""
    letters = {color.name for color in COLORS}
    found = re.findall(r"\.([a-z]+)-([A-Z])\b", STYLES)
    assert [f"{what}-{one}" for what, one in found if what != "suit" and one in letters] == []


def test_terminal_declares_no_badges():
    texts = [
        node.value
        for path in sorted((ROOT / "api/terminal").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
    ]
    assert (WORDS["badge"] - {scene.TURN}).intersection(texts) == set()


@pytest.mark.parametrize(("what", "word"), [(what, word) for what, row in WORDS.items() for word in sorted(row)])
def test_every_declared_word_is_in_the_contract(what, word):
    contract = (ROOT / "docs/contract.md").read_text()
    section = contract[contract.index("**4.7**") : contract.index("\n## 5")]
    assert f"`{word}`" in section
