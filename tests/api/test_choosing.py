"""Tests choosing a legal move with keys, for the offers of any game."""

import pytest

from api.terminal.choosing import move_rows, press, start_choosing


def move(name, example, required=(), **properties):
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return {"name": name, "args": schema, "example": {"name": name, "args": example}, "legal_by_schema": True}


PASS = move(
    "pass_cards",
    {"cards": ["KC", "AS"]},
    ["cards"],
    cards={"type": "array", "items": {"enum": ["2C", "KC", "AS"]}, "minItems": 2, "maxItems": 2, "uniqueItems": True},
)
PLAY = move("play_card", {"card": "4C"}, ["card"], card={"enum": ["3H", "4C"]}, declared_suit={"enum": [None]})
EIGHT = move(
    "play_card", {"card": "8C", "suit": "S"}, ["card", "suit"], card={"enum": ["8C"]}, suit={"enum": ["C", "S"]}
)
RAISE = move("raise", {"to": 40}, ["to"], to={"type": "integer", "minimum": 20, "maximum": 300})
ROWS = [
    {"who": {"enum": ["o1", "o2"]}, "whom": {"enum": ["o8"]}},
    {"who": {"enum": ["o3"]}, "whom": {"enum": ["o8", "o9"]}},
]
BLOCK = move(
    "block",
    {"blocks": []},
    ["blocks"],
    blocks={"type": "array", "items": {"anyOf": [{"properties": row} for row in ROWS]}, "uniqueItems": True},
)
ONE_OF = {"type": "array", "items": {"enum": ["o1", "o2"]}, "minItems": 1, "maxItems": 1, "uniqueItems": True}
USE = move(
    "use",
    {"object": "o1", "targets": {"a": ["o1"]}},
    ["object", "targets"],
    object={"enum": ["o1", "o2"]},
    targets={"type": "object", "properties": {"a": ONE_OF}, "required": ["a"]},
)
FEAST = move(
    "use",
    {"object": "o1", "sacrifice": ["o2"]},
    ["object", "sacrifice"],
    object={"enum": ["o1", "o2"]},
    sacrifice=ONE_OF | {"x-other": "object"},
)
DRAW = move("draw_card", {})
KNOCK = move("knock", {"melds": [["3C", "4C", "5C"]]}, ["melds"], melds={"type": "array", "items": {"type": "array"}})
RESIGN = move("resign", {}, whole_match={"type": "boolean", "default": False})


def after(keys, moves, also=()):
    choosing = start_choosing(move_rows(moves, also))
    for key in keys:
        choosing = press(choosing, key)
    return choosing


@pytest.mark.parametrize(
    ("keys", "moves", "body"),
    [
        (["enter"], [PLAY], {"name": "play_card", "args": {"card": "4C"}}),
        (["left", "enter"], [PLAY], {"name": "play_card", "args": {"card": "3H"}}),
        (["right", "enter"], [PLAY], {"name": "play_card", "args": {"card": "3H"}}),
        (["left", "enter"], [EIGHT], {"name": "play_card", "args": {"card": "8C", "suit": "C"}}),
        (["down", "enter"], [PLAY, DRAW], {"name": "draw_card", "args": {}}),
        (["down", "up", "enter"], [DRAW, PLAY], {"name": "draw_card", "args": {}}),
        ([" ", "right", " ", "enter"], [PASS], {"name": "pass_cards", "args": {"cards": ["2C", "KC"]}}),
        (["p", "enter"], [PASS], {"name": "pass_cards", "args": {"cards": ["KC", "AS"]}}),
        ([" ", "enter"], [BLOCK], {"name": "block", "args": {"blocks": [{"who": "o1", "whom": "o8"}]}}),
        (["left", " ", "enter"], [BLOCK], {"name": "block", "args": {"blocks": [{"who": "o3", "whom": "o9"}]}}),
        (["enter"], [RAISE], {"name": "raise", "args": {"to": 40}}),
        (["right", "right", "left", "enter"], [RAISE], {"name": "raise", "args": {"to": 41}}),
        (["1", "2", "5", "backspace", "9", "enter"], [RAISE], {"name": "raise", "args": {"to": 129}}),
        (["enter"], [KNOCK], {"name": "knock", "args": {"melds": [["3C", "4C", "5C"]]}}),
    ],
)
def test_keys_choose_a_move(keys, moves, body):
    assert after(keys, moves).body == body


@pytest.mark.parametrize(
    ("keys", "moves", "said"),
    [
        (["enter"], [PASS], "Pick 2 with the space bar, then press Enter."),
        ([" ", " ", "enter"], [PASS], "Pick 2 with the space bar, then press Enter."),
        (["9", "enter"], [RAISE], "Between 20 and 300."),
        (["3", "0", "1", "enter"], [RAISE], "Between 20 and 300."),
    ],
)
def test_incomplete_move_is_not_sent(keys, moves, said):
    chosen = after(keys, moves)
    assert (chosen.body, chosen.said) == (None, said)


def test_optional_move_is_made_on_the_second_enter():
    assert after(["down", "enter"], [PLAY], [RESIGN]).said == "Resign? Press Enter again."
    assert after(["down", "enter", "left", "enter"], [PLAY], [RESIGN]).body is None
    assert after(["down", "enter", "enter"], [PLAY], [RESIGN]).body == {"name": "resign", "args": {}}


def test_a_schema_with_branches_has_a_row_for_each():
    both = {**PLAY, "args": {"anyOf": [PLAY["args"], EIGHT["args"]]}}
    assert [row.labels for row in move_rows([both], [])] == [("3H", "4C"), ("8C C", "8C S")]


def test_a_schema_with_a_condition_has_a_row_for_each_case():
    both = move("play", {"card": "3H"}, ["card"], card={"enum": ["3H", "8C", "4C"]}, suit={"enum": ["C", "S", None]})
    eight = {"properties": {"suit": {"enum": ["C", "S"]}}, "required": ["suit"]}
    both["args"] |= {"if": {"properties": {"card": {"enum": ["8C", "8D"]}}}, "then": eight}
    both["args"]["else"] = {"properties": {"suit": {"type": "null"}}}
    assert [row.labels for row in move_rows([both], [])] == [("3H", "4C"), ("8C C", "8C S")]


def test_numbers_are_offered_as_numbers_and_booleans_in_words():
    reveal = move("reveal", {"seat": 1}, ["seat", "high"], seat={"enum": [0, 1, 2]}, high={"enum": [True, False]})
    assert move_rows([reveal], [])[0].labels == ("0 yes", "0 no", "1 yes", "1 no", "2 yes", "2 no")


def test_pair_is_offered_by_its_first_and_last_card():
    assert move_rows([BLOCK], [])[0].labels == ("o1 – o8", "o2 – o8", "o3 – o8", "o3 – o9")
    alone = move("block", {"blocks": []}, ["blocks"], blocks={"type": "array", "items": {"properties": ROWS[1]}})
    assert move_rows([alone], [])[0].labels == ("o3 – o8", "o3 – o9")


def test_keys_do_nothing_without_choices():
    assert after(["enter", "down", "5", " "], []).body is None


def test_each_source_is_offered_with_each_of_its_targets():
    assert move_rows([USE], [])[0].labels == ("o1 o1", "o1 o2", "o2 o1", "o2 o2")
    assert after(["right", "enter"], [USE]).body == {"name": "use", "args": {"object": "o1", "targets": {"a": ["o2"]}}}


def test_list_does_not_offer_its_excluded_argument():
    assert move_rows([FEAST], [])[0].labels == ("o1 o2", "o2 o1")
    aimed = {"type": "object", "properties": {"a": ONE_OF | {"x-other": "object"}}, "required": ["a"]}
    use = move("use", {}, ["object", "targets"], object={"enum": ["o1", "o2"]}, targets=aimed)
    assert move_rows([use], [])[0].labels == ("o1 o2", "o2 o1")
