"""Worked examples, one test each, against the real rules.

The examples of a game lie in its folder, as do its kinds of checks: `KINDS` of tests/games/<game>/examples.py, each a
function of the example. `--examples PATH` runs another file of the same format. A kind that is neither here nor among
those of games still to come fails.
"""

from importlib import import_module
from pathlib import Path

import pytest
import yaml

from domain.games.catalogue import GAMES
from tests.acceptance import general
from tests.poker import examples as poker

ROOT = Path(__file__).parents[2]
SHARED = (ROOT / "tests/acceptance/examples.yaml", ROOT / "domain/poker/examples.yaml")
OF_GAMES = {game: ROOT / "domain/games" / game / "examples.yaml" for game in GAMES}
KINDS = {**general.KINDS, **poker.KINDS}
for game in GAMES:
    KINDS |= import_module(f"tests.games.{game}.examples").KINDS

NOT_BUILT = ("fw_", "swiss")
"""How the kinds of checks begin that are for games and tournaments still to come."""


def read(config):
    paths = [config.getoption("examples")] if config.getoption("examples") else [*SHARED, *OF_GAMES.values()]
    return [example for path in paths for example in yaml.safe_load(path.read_text(encoding="utf-8"))]


def left_out(example):
    return example["check"].startswith(NOT_BUILT)


def pytest_generate_tests(metafunc):
    if "example" in metafunc.fixturenames:
        examples = [e for e in read(metafunc.config) if not left_out(e)]
        metafunc.parametrize("example", examples, ids=lambda e: f"{e['id']}-{e['check']}")


def test_example(example):
    check = KINDS.get(example["check"])
    assert check is not None, f"nobody knows how to check {example['check']!r}"
    check(example)


def test_no_kind_is_both_built_and_not():
    assert not [kind for kind in KINDS if kind.startswith(NOT_BUILT)]


def test_an_unknown_kind_fails():
    with pytest.raises(AssertionError, match="hearts_nonsense"):
        test_example({"id": "HE-99", "check": "hearts_nonsense"})


WRITTEN_OTHERWISE = """
- {check: two_score, options: {jack: false}, given: {options: {moon: off}, taken: {0: 3C, 1: 2H 3H 4H 5H 6H QS}}, then: {points: [0, 18]}}
- {check: trio_win, options: {mode: spicy}, given: {cases: [{mode: simple, trios: [1, 2, 3]}]}, then: {win: false}}
- {check: eights_out, given: {winner: 1, hands: [KD, "", AS]}, then: {payments: [{from: 0, amount: 10}, {from: 2, amount: 1}]}}
- {check: gin_score, given: {preset: club, kind: knock, knocker_value: 8, defender_value: 3}, then: {points: {1: 30}}}
- check: eights_commands
  given: {top: QC, hand: 7D, stock: 0, pile: [2C, 3C, QC], options: {restock: true}}
  when: [{command: play_card, args: {card: 7X}, then: {refused: bad_arguments}}, draw_card]
  then: {event: [Restocked, CardDrawn], stock_count: 1}
- check: refusal_order
  given: {phase: game_over}
  when:
    - {seat: null, command: pass_cards, args: {cards: [2C, 2C]}, then: {refused: duplicate_card}}
    - {seat: null, command: pass_cards, args: {cards: [2C]}, then: {refused: match_over}}
"""
WRONG = """
- {check: hearts_play, options: {lead: 2}, given: {hand: [2C, 3C]}, then: {legal: [2C, 3C]}}
- {check: eights_commands, given: {top: QC, hand: 7D}, when: draw_card, then: {event: CardDrawn, stock_count: 3}}
- {check: eights_commands, given: {top: QC, hand: 7D}, when: draw_card, then: {refused: stock_empty}}
- {check: refusal_order, given: {phase: playing}, when: {seat: null, command: play_card, args: {card: AS}}, then: {refused: wrong_phase}}
- {check: gin_layoff, given: {knocker_melds: [[2D, 3D, 4D]], defender: [5D, QS], layoffs: []}, then: {value: 10}}
- {check: trio_deal, given: {players: 3}, then: {middle: [1]}}
- {check: poker_value, given: {hands: {"QC QD 7H 7S KC": [2, 12, 13, 7]}}}
- {check: poker_compare, given: {cases: [{a: "6C 5D 4H 3S 2C", b: "5C 4D 3H 2S AC", result: tie}]}}
"""


@pytest.mark.parametrize("written", yaml.safe_load(WRITTEN_OTHERWISE), ids=lambda e: e["check"])
def test_what_is_meant_may_be_written_in_several_ways(written):
    test_example(written)


@pytest.mark.parametrize("wrong", yaml.safe_load(WRONG), ids=lambda e: e["check"])
def test_a_wrong_expectation_fails(wrong):
    with pytest.raises(AssertionError):
        test_example(wrong)
