"""Type hints taken apart."""

from typing import Annotated, Literal

import pytest

from domain.core.cards import Card, Cards, Seat
from domain.core.options import Range
from domain.core.types import Typed, typed


@pytest.mark.parametrize(
    ("hint", "parts"),
    [
        (int, Typed("leaf", int)),
        (Card, Typed("leaf", Card)),
        (Cards, Typed("row", Card)),
        (Literal["a", "b"], Typed("words", ("a", "b"))),
        (str | None, Typed("leaf", str, optional=True)),
        (Range, Typed("record", Range)),
        (Annotated[int, Range(0, 5)] | None, Typed("leaf", int, (Range(0, 5),), optional=True)),
        (Annotated[Seat, Range(0, 1)], Typed("leaf", int, ("seat", Range(0, 1)))),
    ],
)
def test_a_hint_is_taken_apart(hint, parts):
    assert typed(hint) == parts


def test_a_value_may_be_of_two_kinds():
    assert typed(int | str | None) == Typed("either", (Typed("leaf", int), Typed("leaf", str)), optional=True)
