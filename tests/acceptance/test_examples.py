"""Worked examples, one test each, against the real rules.

`--examples PATH` runs another file of the same format. A kind of check is a function of the example; one
that is neither here nor among the kinds of chapters still to come fails.
"""

import pytest
import yaml

from tests.acceptance import crazy_eights, general, gin, hearts, trio, two_handed

KINDS = general.KINDS | hearts.KINDS | two_handed.KINDS | crazy_eights.KINDS | trio.KINDS | gin.KINDS

NOT_BUILT = frozenset(
    [
        "fw_attack",
        "fw_block",
        "fw_booster",
        "fw_both",
        "fw_cards",
        "fw_combat",
        "fw_deck",
        "fw_deckout",
        "fw_fizzle",
        "fw_freeze",
        "fw_lastlight",
        "fw_mulligan",
        "fw_pay",
        "fw_stack",
        "fw_target",
        "fw_together",
        "poker_award",
        "poker_bet",
        "poker_board",
        "poker_button",
        "poker_compare",
        "poker_places",
        "poker_positions",
        "poker_pots",
        "poker_showdown",
        "poker_swap",
        "poker_value",
        "swiss",
    ]
)


def read(config):
    return yaml.safe_load(config.getoption("examples").read_text(encoding="utf-8"))


def pytest_generate_tests(metafunc):
    if "example" in metafunc.fixturenames:
        examples = [e for e in read(metafunc.config) if e["check"] not in NOT_BUILT]
        metafunc.parametrize("example", examples, ids=lambda e: f"{e['id']}-{e['check']}")


def test_example(example):
    check = KINDS.get(example["check"])
    assert check is not None, f"nobody knows how to check {example['check']!r}"
    check(example)


def test_no_kind_is_both_built_and_not():
    assert not KINDS.keys() & NOT_BUILT


def test_an_unknown_kind_fails():
    with pytest.raises(AssertionError, match="hearts_nonsense"):
        test_example({"id": "HE-99", "check": "hearts_nonsense"})
