"""Tests that the pages about cards are accurate: the list of all cards, and the guide to making a set."""

import json
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

from domain.card_sets.cards.card_kinds import CardType, Keyword, Rarity, Restriction, TargetKind, Trigger
from domain.card_sets.cards.library import SETS
from domain.card_sets.cards.read import ABILITIES, CONDITIONS, EFFECTS
from domain.card_sets.check.file import check_card_file
from tests.card_sets.card_list import PAGE, page

ROOT = Path(__file__).parents[2]
HOW_TO = (ROOT / "docs/how-to/make-a-set.md").read_text()


def example_set():
    """Return the file that the page tells readers to write."""
    (found,) = re.findall(r"cat > ex1\.json << 'END'\n(.*?)^ *END$", HOW_TO, re.DOTALL | re.MULTILINE)
    return dedent(found)


def example_program():
    (found,) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
    return found


def test_published_card_list_matches_the_game():
    """After changing a card, write the list again: its diff shows the change."""
    assert PAGE.read_text() == page()


def test_example_set_has_neither_faults_nor_warnings():
    report = check_card_file(json.loads(example_set()), SETS.values())
    assert (report.faults, report.warnings) == ((), ())


def test_documented_check_command_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    broken = example_set().replace('"of": "self",', "")
    (tmp_path / "ex1.json").write_text(broken)
    names: dict[str, Any] = {}
    exec(example_program(), names)
    assert [fault.path for fault in names["report"].faults] == ["cards.0.abilities.0.triggered.of"]


def test_guide_names_every_word_of_the_card_language():
    named = set(re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", HOW_TO, flags=re.DOTALL)))
    kinds = (CardType, Keyword, Rarity, Restriction, TargetKind, Trigger)
    assert named >= {*EFFECTS, *ABILITIES} | {word for kind in kinds for word in kind}
    assert all(name in HOW_TO for name in CONDITIONS)
