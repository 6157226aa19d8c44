"""Tests that value classes are compared, hashed and shown like dataclasses, although these methods are not compiled
for each."""

from dataclasses import InitVar, field, make_dataclass
from threading import Thread

import pytest

from domain.core.values import mutable, value


@value
class Point:
    """A point in a plane."""

    x: int
    y: tuple[int, ...] = ()


@value
class Place:
    """Another value class with the same fields."""

    x: int
    y: tuple[int, ...] = ()


@value
class Nothing:
    """A value class without fields."""


@value
class Named:
    """A value class with its own representation."""

    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"


def test_values_are_equal_only_within_their_class():
    assert Point(1, (2,)) == Point(1, (2,))
    assert Point(1, (2,)) != Point(1, (3,))
    assert Point(1) != Place(1)
    assert Point(1) != (1, ())
    assert Nothing() == Nothing()


def test_equal_values_are_one_element_of_a_set():
    assert len({Point(1, (2,)), Point(1, (2,)), Point(1, (3,)), Nothing(), Nothing()}) == 3


@pytest.mark.parametrize("values", [{"x": 1, "y": (2,)}, {"x": "one", "y": ()}])
def test_value_has_the_repr_and_hash_of_a_dataclass(values):
    twin = make_dataclass("Point", ["x", "y"], unsafe_hash=True)(**values)
    record = Point(**values)
    assert repr(record) == repr(twin)
    assert hash(record) == hash(twin)


def test_class_keeps_its_own_methods():
    assert repr(Named("one")) == "<one>"


@pytest.fixture
def bag():
    """Return a class that has no instances yet."""

    @value
    class Bag:
        """A value class with every kind of field."""

        size: int
        items: list = field(default_factory=list)
        label: str = field(default="none", kw_only=True)
        doubled: int = field(init=False, default=0)
        factor: InitVar[int] = 2

        def __post_init__(self, factor):
            self.doubled = self.size * factor

    return Bag


def test_first_instance_takes_arguments_and_defaults_like_a_dataclass(bag):
    record = bag(1, [7], 3, label="x")
    assert (record.size, record.items, record.label, record.doubled) == (1, [7], "x", 3)
    first, second = bag(2), bag(size=2)
    assert first == second
    assert first.items is not second.items
    assert first.doubled == 4


@pytest.mark.parametrize(("args", "named"), [((), {}), ((1, [], 2, "x"), {}), ((1,), {"weight": 2})])
def test_first_instance_with_wrong_arguments_is_refused(bag, args, named):
    with pytest.raises(TypeError, match=r"Bag.__init__\(\)"):
        bag(*args, **named)
    assert bag(1).size == 1


def test_threads_can_create_the_first_instances_of_a_class_concurrently(bag):
    made = []
    threads = [Thread(target=lambda i=i: made.append(bag(i))) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(record.size for record in made) == [*range(8)]


def test_class_derived_from_a_value_initialises_both_kinds_of_fields():
    @value
    class Spot(Point):
        """A point with a name."""

        name: str = "here"

    class Marked(Spot):
        """A class that is not a dataclass."""

        def __init__(self, x):
            super().__init__(x, name="mark")

    assert (Marked(1).x, Marked(2).name) == (1, "mark")
    assert Spot(3, (), "there").name == "there"
    assert Point(4) == Point(4, ())


@mutable
class Tally:
    """A mutable structure."""

    points: int = 0
    reasons: list[str] = field(default_factory=list)


def test_mutable_structure_compares_by_fields_and_has_no_hash():
    tally = Tally()
    tally.points += 2
    assert tally == Tally(2)
    assert tally.reasons is not Tally().reasons
    assert Tally.__hash__ is None
