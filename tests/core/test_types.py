"""Tests splitting type hints."""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from domain.core.cards import Card, Cards, Seat
from domain.core.options import Range
from domain.core.type_schema import SENT, SHOWN, of_type
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
def test_type_hint_is_split_into_its_parts(hint, parts):
    assert parse_hint(hint) == parts


def test_value_may_have_one_of_two_types():
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


@pytest.mark.parametrize("form", [SENT, SHOWN])
def test_fields_of_equal_type_are_described_by_a_name_pattern(form):
    described = Draft202012Validator(of_type(parse_hint(Marks), form))
    assert described.is_valid({})
    assert described.is_valid({"a": 1, "b": None})
    assert not described.is_valid({"c": 1})
    assert not described.is_valid({"a": "1"})


def test_different_fields_are_described_one_by_one():
    with pytest.raises(AssertionError):
        named_like(Mixed, "^[ab]$")
