"""Tests that the docstrings of fields describe the options to clients in sentences."""

import re
from typing import Annotated

import pytest

from api.http.game_request_schemas import options_schema
from domain.core.cards import Cards, Seat
from domain.core.clock import Clock
from domain.core.field_docs import field_docs
from domain.core.type_schema import of_event, of_record
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.catalogue import GAMES
from domain.match.creation import Series

SENTENCE = re.compile(r"[A-Z][^\n]* [^\n]*\w`?\.")
SCHEMAS = {name: options_schema(game) for name, game in GAMES.items()} | {
    "clock": of_record(Clock),
    "series": of_record(Series),
}


@value
class Bid:
    """Bid for the contract."""

    tricks: int = 7
    """The tricks that the side must win.

    Six are not counted.
    """
    doubled: bool = False

    @property
    def due(self) -> int:
        """This describes no field."""
        return self.tricks + 6

    suit: str = "C"
    # A comment stands between.
    """The trumps."""


def test_a_docstring_below_a_field_describes_it():
    tricks = "The tricks that the side must win. Six are not counted."
    assert field_docs(Bid) == {"tricks": tricks, "suit": "The trumps."}
    described = of_record(Bid)["properties"]
    assert described["tricks"] == {"type": "integer", "default": 7, "description": tricks}
    assert described["doubled"] == {"type": "boolean", "default": False}


@value
class Called:
    """A seat has called for a suit."""

    seat: Seat
    partner: Seat | None
    """The seat that plays with it; null: none does."""
    kept: Private[Annotated[int, Doc("The number of cards kept.")]]
    dealt: PerSeat[Cards]
    """The hand."""
    stock: Hidden[Cards]


def test_field_without_a_docstring_is_described_by_its_type():
    described = of_event(Called)["properties"]
    assert described["seat"] == {"type": "integer", "description": "A seat, counted from 0 clockwise."}
    assert described["partner"]["description"] == "The seat that plays with it; null: none does."


def test_secret_field_names_its_readers():
    described = {name: of.get("description") for name, of in of_event(Called)["properties"].items()}
    assert described["kept"] == "The number of cards kept. Only its seat sees it here."
    assert described["dealt"] == "The hand. Each seat is shown only its own here."
    assert described["stock"] == "It is not shown to any reader here."


def test_a_class_without_source_has_no_docstrings():
    made = {"__name__": "nowhere"}
    exec('class Made:\n    size: int = 1\n    """The size."""', made)
    assert field_docs(made["Made"]) == {}


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_option_is_described_by_a_sentence(name):
    described = {option: of.get("description", "") for option, of in SCHEMAS[name]["properties"].items()}
    assert [option for option, text in described.items() if not SENTENCE.fullmatch(text)] == []


@pytest.mark.parametrize("name", GAMES)
def test_option_schemas_name_their_game(name):
    assert SCHEMAS[name]["description"] == f"The options of {GAMES[name].words.title}."
