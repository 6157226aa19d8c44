"""Records of values are equal, hashed and shown as dataclasses are, though these methods are not compiled for each."""

from dataclasses import make_dataclass

import pytest

from domain.core.values import value


@value
class Point:
    """A place on a plane."""

    x: int
    y: tuple[int, ...] = ()


@value
class Place:
    """Another record with the same fields."""

    x: int
    y: tuple[int, ...] = ()


@value
class Nothing:
    """A record without fields."""


@value
class Named:
    """A record that shows itself in its own way."""

    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"


def test_values_are_equal_only_within_their_class():
    assert Point(1, (2,)) == Point(1, (2,))
    assert Point(1, (2,)) != Point(1, (3,))
    assert Point(1) != Place(1)
    assert Point(1) != (1, ())
    assert Nothing() == Nothing()


def test_equal_records_are_one_in_a_set():
    assert len({Point(1, (2,)), Point(1, (2,)), Point(1, (3,)), Nothing(), Nothing()}) == 3


@pytest.mark.parametrize("values", [{"x": 1, "y": (2,)}, {"x": "one", "y": ()}])
def test_a_record_is_shown_and_hashed_as_a_dataclass_is(values):
    twin = make_dataclass("Point", ["x", "y"], unsafe_hash=True)(**values)
    record = Point(**values)
    assert repr(record) == repr(twin)
    assert hash(record) == hash(twin)


def test_class_keeps_its_own_methods():
    assert repr(Named("one")) == "<one>"
