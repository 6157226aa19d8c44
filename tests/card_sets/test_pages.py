"""The pages about cards say what is so: the list of all cards, and how a set is made."""

import json
import re
from pathlib import Path
from typing import Any

from domain.card_sets.cards.card_kinds import CardType, Keyword, Rarity, Restriction, TargetKind, Trigger
from domain.card_sets.cards.library import SETS
from domain.card_sets.cards.read import ABILITIES, CONDITIONS, EFFECTS
from domain.card_sets.check.file import check_card_file
from tests.card_sets.card_list import PAGE, page

ROOT = Path(__file__).parents[2]
HOW_TO = (ROOT / "docs/how-to/make-a-set.md").read_text()


def example(language):
    (found,) = re.findall(rf"```{language}\n(.*?)```", HOW_TO, re.DOTALL)
    return found


def test_the_list_of_cards_is_that_of_the_game():
    """Whoever changes a card writes the list anew, and sees in it what has changed."""
    assert PAGE.read_text() == page()


def test_the_example_of_a_set_has_neither_faults_nor_warnings():
    report = check_card_file(json.loads(example("json")), SETS.values())
    assert (report.faults, report.warnings) == ((), ())


def test_the_check_can_be_called_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    broken = example("json").replace('"of": "self",', "")
    (tmp_path / "ex1.json").write_text(broken)
    names: dict[str, Any] = {}
    exec(example("python"), names)
    assert [fault.path for fault in names["report"].faults] == ["cards.0.abilities.0.triggered.of"]


def test_the_page_names_every_word_of_the_language():
    named = set(re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", HOW_TO, flags=re.DOTALL)))
    kinds = (CardType, Keyword, Rarity, Restriction, TargetKind, Trigger)
    assert named >= {*EFFECTS, *ABILITIES} | {word for kind in kinds for word in kind}
    assert all(name in HOW_TO for name in CONDITIONS)
