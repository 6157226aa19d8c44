"""A game may have leaf types of its own: each brings its text form, and all that reads and writes them asks for it."""

import json
from typing import NewType

import pytest
from jsonschema import Draft202012Validator
from marshmallow import ValidationError

from api.http import game_schemas
from domain.core import type_schema
from domain.core.cards import Seat
from domain.core.json_form import as_row, compiled, in_a_state
from domain.core.types import TextForm, typed, written_as
from domain.core.values import value
from domain.core.visibility import PerSeat
from domain.match import move_texts
from domain.orders.arguments import read_move
from events.log.codec import EVERYBODY, Shape, canonical

Tile = NewType("Tile", int)
"""A domino, as ten times one half and the other."""


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
def test_in_the_log_it_is_text(event, public, secret):
    shape = Shape(type(event))
    data, parts = json.loads(canonical(shape.data(event))), json.loads(canonical(shape.parts(event, 2)))
    assert (data, parts) == (public, {"hands": secret} if secret else {})
    assert shape.event(data, 2, parts, EVERYBODY) == event


def test_in_a_snapshot_it_is_the_number_that_it_is():
    form = compiled(typed(Laid), in_a_state, as_row)
    assert json.loads(json.dumps(form.write(EVENTS[1][0]))) == [1, 35, [0, 6], None]
    assert form.read([1, 35, [0, 6], None]) == EVENTS[1][0]


def test_a_client_sends_it_as_text_and_is_shown_it_so():
    schema = game_schemas.of_record(Laid)
    assert Laid(**schema.load(SENT) | {"others": (0, 6)}) == EVENTS[1][0]
    assert move_texts.arguments(EVENTS[1][0]) == {"seat": 1, "tile": "3-5", "others": ["0-0", "0-6"]}
    with pytest.raises(ValidationError, match=r"Write a tile, like 3-5\."):
        schema.load({"seat": 1, "tile": "7-1"})
    with pytest.raises(ValidationError):
        schema.load({**SENT, "others": ["0-6", "6-0"]})


@pytest.mark.parametrize(
    "args", [{"tile": 35}, {"tile": "7-1"}, {"tile": "3-5", "others": ["0-6", "6-0"]}, {"tile": None}]
)
def test_an_order_names_it_as_text(args):
    assert read_move(Laid, {**SENT, "spare": None}) == EVENTS[1][0]
    with pytest.raises(ValueError):
        read_move(Laid, {"seat": 1, **args})


def test_its_schema_is_said_by_the_type():
    described = type_schema.of_record(Laid)
    assert Draft202012Validator(described).is_valid(SENT)
    assert [
        Draft202012Validator(described).is_valid(SENT | wrong) for wrong in ({"tile": "7-1"}, {"others": ["1-1"] * 2})
    ] == [False, False]
    assert described["properties"]["spare"] == {"type": ["string", "null"], "pattern": "^[0-6]-[0-6]$", "default": None}


@value
class Said:
    from_: str
    aloud: bool = False


def test_texts_and_truth_values_are_ordered_under_the_names_that_clients_use():
    assert read_move(Said, {"from": "me", "aloud": True}) == Said("me", aloud=True)
    for wrong in ({"from": 5}, {"from": "me", "aloud": 1}, {"from_": "me"}):
        with pytest.raises((ValueError, LookupError)):
            read_move(Said, wrong)
        assert not Draft202012Validator(type_schema.of_record(Said)).is_valid(wrong)
