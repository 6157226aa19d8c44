"""Tests events as JSON and back: what is public, what is secret, and for whom."""

import json
from dataclasses import fields

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.core.cards import Card, Cards, hand
from domain.core.clock import Time
from domain.core.values import value
from domain.core.visibility import view_event
from domain.games.hearts.events import HandDealt, PassChosen, PassReceived, ReturnReceived
from domain.match.clocks import DecisionRequested
from events.log.codec import EVERYBODY, Shape, canonical, shapes
from tests.match.table import Table

HANDS = tuple(hand(names) for names in ("2C 3C", "4C 5C", "6C 7C", "8C 9C"))

SCALARS = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text("abcXYZ_09"), inner), max_leaves=20
)


@pytest.mark.long
@given(JSON)
def test_json_is_canonical_by_rfc_8785(value):
    assert canonical(value) == rfc8785.dumps(value)


def test_cards_are_written_by_name_and_fields_without_trailing_underscore():
    shape = shapes("hearts")["PassReceived"]
    event = PassReceived(2, "pool", hand("QS 2C TH"))
    assert shape.data(event) == {"seat": 2, "from": "pool"}
    assert shape.parts(event, 4) == {"cards": {"2": ["2C", "TH", "QS"]}}


def test_each_seat_gets_only_its_own_secret_part():
    event = HandDealt((2, 2, 2, 2), HANDS)
    shape = shapes("hearts")["HandDealt"]
    assert shape.data(event) == {"counts": (2, 2, 2, 2)}
    assert shape.parts(event, 4)["cards"]["3"] == ["8C", "9C"]


def test_times_are_rfc_3339():
    event = DecisionRequested(1, "playing", Time(1_732_222_632_345), Time(1_732_222_632_345))
    data = shapes("hearts")["DecisionRequested"].data(event)
    assert data["deadline"] == "2024-11-21T20:57:12.345Z"


@value
class Run:
    low: Card


@value
class Book:
    cards: Cards


@value
class Melded:
    melds: tuple[Run | Book, ...]


def test_value_of_a_union_is_written_with_its_class_name():
    """The contract admits such a field, so the log must be able to store it."""
    event = Melded((Run(hand("2C")[0]), Book(hand("3C 3D"))))
    data = json.loads(canonical(Shape(Melded).data(event)))
    assert data == {"melds": [["Run", {"low": "2C"}], ["Book", {"cards": ["3C", "3D"]}]]}
    assert Shape(Melded).event(data, 2, {}, EVERYBODY) == event


@pytest.mark.parametrize("reader", [EVERYBODY, "spectators", "0", "1", "2", "3"])
def test_event_is_decoded_from_the_fields_its_reader_may_see(reader):
    """Reading the stored parts gives exactly what the marks on the event's fields say."""
    table = Table(seats=("bot",) * 4, chosen={"variant": "3-4-4-4", "target_score": 30}, seed=7)
    table.plays_on()
    known = shapes("hearts")
    kinds = set()
    for event in table.events:
        shape = known[type(event).__name__]
        data, parts = json.loads(canonical(shape.data(event))), json.loads(canonical(shape.parts(event, 4)))
        shown = event if reader == EVERYBODY else view_event(event, int(reader) if reader.isdigit() else None)
        assert shape.event(data, 4, parts, reader) == shown
        kinds.add(type(event))
    assert {HandDealt, PassChosen, ReturnReceived} <= kinds


def test_every_event_class_of_every_game_has_a_shape():
    for kind, shape in shapes("hearts").items():
        assert len(shape.readers) == len(fields(shape.cls)), kind
