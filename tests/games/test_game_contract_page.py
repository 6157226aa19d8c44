"""Compares the page of the contract of games with the classes that games declare."""

import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from domain.core import game

PAGE = (Path(__file__).parents[2] / "docs" / "game-contract.md").read_text()
DECLARED = (
    game.Game, game.Setup, game.Lifecycle, game.Answers, game.Leaving, game.Timing, game.Words, game.Entry, game.Facts,
    game.Memory,
)  # fmt: skip


@pytest.mark.parametrize("cls", DECLARED, ids=lambda cls: cls.__name__)
def test_contract_page_lists_each_field_and_whether_it_is_required(cls):
    section = PAGE.split(f"\n## `{cls.__name__}`\n")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| (yes|no) \|", section, re.MULTILINE)
    required = [
        (field.name, "yes" if field.default is MISSING and field.default_factory is MISSING else "no")
        for field in fields(cls)
    ]
    assert listed == required
