"""Type hints taken apart."""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Annotated, Any, Literal

import pytest

from domain.core.cards import Card, Cards, Seat
from domain.core.options import Range
from domain.core.types import Typed, typed


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
        (Annotated[Seat, Range(0, 1)], Typed("leaf", int, (*typed(Seat).marks, Range(0, 1)))),
    ],
)
def test_a_hint_is_taken_apart(hint, parts):
    assert typed(hint) == parts


def test_a_value_may_be_of_two_kinds():
    assert typed(int | str | None) == Typed("either", (Typed("leaf", int), Typed("leaf", str)), optional=True)
