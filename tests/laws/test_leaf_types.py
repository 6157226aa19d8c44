"""Tests games with their own leaf types: each defines its text form, which all readers and writers use."""

import json
from dataclasses import replace
from typing import NewType

import pytest
from jsonschema import Draft202012Validator

from api.http.record_reader import Faults, read_record
from api.resources.move_routes import MoveBody
from api.resources.move_routes import read_move as read_sent
from domain.core import type_schema
from domain.core.cards import NUMBERS, PACK, Card, Cards, Seat
from domain.core.choices import OneCard, OneNumber, SomeCards
from domain.core.json_form import Unwritable, as_object, as_row, as_text, compile_form, in_a_state
from domain.core.types import TextForm, parse_hint, written_as
from domain.core.values import value
from domain.core.visibility import PerSeat
from domain.games.catalogue import GAMES
from domain.games.trio import GAME as TRIO
from domain.match import move_texts
from domain.orders.arguments import read_move
from events.log.codec import EVERYBODY, Shape, canonical

Tile = NewType("Tile", int)
"""A domino, as ten times one half plus the other."""


def read(text):
    if len(text) != 3 or text[1] != "-" or not set(text[::2]) <= set("0123456"):
        raise ValueError("Write a tile, like 3-5.")
    low, high = sorted(map(int, text[::2]))
    return Tile(10 * low + high)


def write(tile):
    return f"{tile // 10}-{tile % 10}"


written_as(Tile, TextForm(write, read, read, {"type": "string", "pattern": "^[0-6]-[0-6]$"}, once=True))


@value
class Dealt:
    first: Tile
    hands: PerSeat[tuple[Tile, ...]]


@value
class Laid:
    seat: Seat
    tile: Tile
    others: tuple[Tile, ...] = ()
    spare: Tile | None = None


EVENTS = [
    (Dealt(Tile(35), ((Tile(0), Tile(6)), (Tile(12),))), {"first": "3-5"}, {"0": ["0-0", "0-6"], "1": ["1-2"]}),
    (
        Laid(1, Tile(35), (Tile(0), Tile(6))),
        {"seat": 1, "tile": "3-5", "others": ["0-0", "0-6"], "spare": None},
        None,
    ),
]
SENT = {"seat": 1, "tile": "5-3", "others": ["0-0", "6-0"]}


@pytest.mark.parametrize(("event", "public", "secret"), EVENTS)
def test_leaf_type_is_text_in_the_log(event, public, secret):
    shape = Shape(type(event))
    data, parts = json.loads(canonical(shape.data(event))), json.loads(canonical(shape.parts(event, 2)))
    assert (data, parts) == (public, {"hands": secret} if secret else {})
    assert shape.event(data, 2, parts, EVERYBODY) == event


def test_leaf_type_is_a_number_in_snapshots():
    form = compile_form(parse_hint(Laid), in_a_state, as_row)
    assert json.loads(json.dumps(form.write(EVENTS[1][0]))) == [1, 35, [0, 6], None]
    assert form.read([1, 35, [0, 6], None]) == EVENTS[1][0]


def test_leaf_type_is_text_for_clients():
    assert read_record(Laid, SENT) == EVENTS[1][0]
    assert move_texts.arguments(EVENTS[1][0]) == {"seat": 1, "tile": "3-5", "others": ["0-0", "0-6"]}
    with pytest.raises(Faults) as refused:
        read_record(Laid, {"seat": 1, "tile": "7-1"})
    assert refused.value.sentences == {"tile": "Write a tile, like 3-5."}
    with pytest.raises(Faults):
        read_record(Laid, {**SENT, "others": ["0-6", "6-0"]})


@pytest.mark.parametrize(
    "args", [{"tile": 35}, {"tile": "7-1"}, {"tile": "3-5", "others": ["0-6", "6-0"]}, {"tile": None}]
)
def test_orders_name_a_leaf_type_as_text(args):
    assert read_move(Laid, {**SENT, "spare": None}) == EVENTS[1][0]
    with pytest.raises(ValueError):
        read_move(Laid, {"seat": 1, **args})


def test_leaf_type_supplies_its_schema():
    described = type_schema.of_record(Laid)
    assert Draft202012Validator(described).is_valid(SENT)
    assert [
        Draft202012Validator(described).is_valid(SENT | wrong) for wrong in ({"tile": "7-1"}, {"others": ["1-1"] * 2})
    ] == [False, False]
    assert described["properties"]["spare"] == {"type": ["string", "null"], "pattern": "^[0-6]-[0-6]$", "default": None}


@value
class Turned:
    tile: Tile
    up: bool | None = None


@value
class Side:
    left: tuple[Tile, ...] | None = None
    right: tuple[Tile, ...] | None = None


@value
class Answered:
    value: tuple[Tile, ...] | Turned | Side | int | bool | None = None


ANSWERS = [
    (["3-5"], (35,)),
    ({"tile": "3-5"}, Turned(Tile(35))),
    ({"right": ["0-6"]}, Side(None, (Tile(6),))),
    ({}, Side()),
    (1, 1),
    (True, True),
    (None, None),
]


@pytest.mark.parametrize(("sent", "meant"), ANSWERS)
def test_argument_can_have_several_types_with_different_json(sent, meant):
    made = read_record(Answered, {"value": sent})
    assert made == Answered(meant)
    assert type(made.value) is type(meant)
    assert read_move(Answered, {"value": sent}) == Answered(meant)
    assert compile_form(parse_hint(Answered), as_text, as_object).read({"value": sent}) == Answered(meant)
    assert Draft202012Validator(type_schema.of_record(Answered)).is_valid({"value": sent})


@pytest.mark.parametrize("wrong", ["3-5", 1.5, ["7-1"], {"tile": "3-5", "left": []}, {"other": 1}, {"tile": True}])
def test_argument_of_an_unknown_type_is_refused(wrong):
    with pytest.raises(Faults):
        read_record(Answered, {"value": wrong})
    with pytest.raises((ValueError, LookupError)):
        read_move(Answered, {"value": wrong})
    assert not Draft202012Validator(type_schema.of_record(Answered)).is_valid({"value": wrong})


@value
class Blurred:
    value: Tile | str


def test_types_with_the_same_json_are_refused_for_one_argument():
    with pytest.raises(Unwritable):
        compile_form(parse_hint(Blurred), as_text, as_object)


@value
class Said:
    from_: str
    aloud: bool = False


@value
class Lead:
    from_: Card


@value
class Quoted:
    of_: Said
    by_: Cards = ()


def test_client_sends_arguments_under_the_described_names(monkeypatch):
    sent = {"of": {"from": "me"}, "by": ["AS"]}
    game = replace(TRIO, name="quotes", moves={"quote": Quoted})
    monkeypatch.setitem(GAMES, "quotes", game)
    assert Draft202012Validator(type_schema.of_record(Quoted)).is_valid(sent)
    made = read_sent("quotes", MoveBody(name="quote", args=sent))
    assert made == Quoted(Said("me"), (NUMBERS["AS"],))
    assert move_texts.from_text(game, move_texts.in_text(game, made)) == made


@pytest.mark.parametrize("choice", [OneCard(Lead, PACK), OneNumber(Lead, 0, 3), SomeCards(Lead, PACK, 1)])
def test_common_choice_describes_an_argument_under_its_client_name(choice):
    assert choice.schema()["required"] == ["from"]


def test_texts_and_booleans_are_ordered_under_the_client_names():
    assert read_move(Said, {"from": "me", "aloud": True}) == Said("me", aloud=True)
    for wrong in ({"from": 5}, {"from": "me", "aloud": 1}, {"from_": "me"}):
        with pytest.raises((ValueError, LookupError)):
            read_move(Said, wrong)
        assert not Draft202012Validator(type_schema.of_record(Said)).is_valid(wrong)
