"""Type hints taken apart."""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from domain.core.cards import Card, Cards, Seat
from domain.core.options import Range
from domain.core.shown_schema import of_type as as_shown
from domain.core.type_schema import of_type as as_sent
from domain.core.types import Typed, named_like, parse_hint
from domain.core.values import value


@pytest.mark.parametrize(
    ("hint", "parts"),
    [
        (int, Typed("leaf", int)),
        (Card, Typed("leaf", Card)),
        (Cards, Typed("row", Typed("leaf", Card))),
        (tuple[int, str], Typed("fixed", (Typed("leaf", int), Typed("leaf", str)))),
        (Mapping[str, Any], Typed("mapping", (Typed("leaf", str), Typed("any", None)))),
        (frozenset[str], Typed("set", Typed("leaf", str))),
        (Callable[[int, str], bool], Typed("function", (2, Typed("leaf", bool)))),
        (Callable[..., bool], Typed("function", (None, Typed("leaf", bool)))),
        (Callable[[], None], Typed("function", (0, Typed("leaf", NoneType)))),
        (type[int], Typed("leaf", type)),
        (Literal["a", "b"], Typed("words", ("a", "b"))),
        (str | None, Typed("leaf", str, optional=True)),
        (Range, Typed("record", Range)),
        (Annotated[int, Range(0, 5)] | None, Typed("leaf", int, (Range(0, 5),), optional=True)),
        (Annotated[Seat, Range(0, 1)], Typed("leaf", int, (*parse_hint(Seat).marks, Range(0, 1)))),
    ],
)
def test_a_hint_is_taken_apart(hint, parts):
    assert parse_hint(hint) == parts


def test_a_value_may_be_of_two_kinds():
    assert parse_hint(int | str | None) == Typed("either", (Typed("leaf", int), Typed("leaf", str)), optional=True)


@value
class Marks:
    a: int | None = None
    b: int | None = None


@value
class Mixed:
    a: int | None = None
    b: str | None = None


named_like(Marks, "^[ab]$")


@pytest.mark.parametrize("of_type", [as_sent, as_shown])
def test_a_record_of_fields_that_are_alike_is_described_by_the_pattern_of_their_names(of_type):
    described = Draft202012Validator(of_type(parse_hint(Marks)))
    assert described.is_valid({})
    assert described.is_valid({"a": 1, "b": None})
    assert not described.is_valid({"c": 1})
    assert not described.is_valid({"a": "1"})


def test_fields_that_differ_are_described_one_by_one():
    with pytest.raises(AssertionError):
        named_like(Mixed, "^[ab]$")
