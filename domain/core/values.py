"""Defines the two kinds of structures in the rules: values and states."""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, make_dataclass
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, Self, TypeVar, cast, dataclass_transform

T = TypeVar("T")

COMPILED: Final = "follows from the options"
"""Marks fields of a state that `start` computes from the options and the seats and that never change."""

Compiled = Annotated[T, COMPILED]


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Define a structure that never changes: an option, a move, an event, a row.

    The type checker refuses any assignment to its fields. At run time it is a plain slotted dataclass, because creating
    a frozen one costs several times as much and the rules create many.
    """
    return _structure(cls, _hash_of)


@dataclass_transform()
def mutable(cls: type[T]) -> type[T]:
    """Define a structure whose fields may be assigned: a state, or a result while it is computed."""
    return _structure(cls, None)


def _structure(cls: type[T], hash_of: Callable[[Any], int] | None) -> type[T]:
    # A dataclass compiles these methods and `__init__` for each class, and writes a docstring from its signature. For
    # hundreds of classes, that took a fifth of our code's startup time in every process.
    cls.__doc__ = cls.__doc__ or cls.__name__
    for name, method in (("__repr__", repr_of), ("__eq__", equal), ("__hash__", hash_of)):
        if name not in vars(cls) or vars(cls)[name] is None:
            setattr(cls, name, method)
    made: Any = dataclass(slots=True, repr=False, eq=False, init=False)(cls)
    if "__init__" not in vars(made):
        made.__init__ = late_init(made)
    return cast("type[T]", made)


def late_init(cls: Any) -> Callable[..., None]:
    """Return an `__init__` that compiles the real one when the first instance is made; most processes need few."""

    def __init__(self: Any, *args: Any, **named: Any) -> None:  # noqa: N807 -- errors show its name
        cls.__init__ = _compiled_init(cls)
        cls.__init__(self, *args, **named)

    return __init__


def _compiled_init(cls: Any) -> Callable[..., None]:
    """Return the `__init__` of a dataclass with the same fields."""
    declared = [(name, field.type, field) for name, field in cls.__dataclass_fields__.items()]
    # Without a docstring, a dataclass writes one from its signature, which takes longer than the rest.
    own = {"__doc__": cls.__name__}
    if hasattr(cls, "__post_init__"):
        own["__post_init__"] = cls.__post_init__
    twin: Any = make_dataclass(cls.__qualname__, declared, namespace=own, slots=True, repr=False, eq=False)
    init: Callable[..., None] = twin.__init__
    return init


def repr_of(record: Any) -> str:
    """Write a record as a dataclass does: its class, and its fields by their names."""
    told = ", ".join(f"{field.name}={getattr(record, field.name)!r}" for field in fields(record))
    return f"{type(record).__qualname__}({told})"


def equal(one: Any, other: Any) -> Any:
    """Return whether two structures have the same class and equal values; `NotImplemented` for another class."""
    if one.__class__ is not other.__class__:
        return NotImplemented
    values = values_of(one.__class__)
    return values(one) == values(other)


def _hash_of(record: Any) -> int:
    """Return the hash of the values of a structure."""
    return hash(values_of(record.__class__)(record))


class Copied:
    """A structure whose `copy` returns another with the same values, which the caller may change."""

    __slots__ = ()

    def copy(self) -> Self:
        cls: Any = type(self)
        twin: Self = cls(*values_of(cls)(self))
        return twin


@cache
def values_of(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads all fields of this class, in order."""
    names = [f.name for f in fields(cls)]
    if not names:
        return lambda record: ()
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda record: (only(record),)
    return attrgetter(*names)


def is_same(a: Any, b: Any) -> bool:
    """Return whether two values are equal and of the same types throughout: True is not 1."""
    if type(a) is not type(b) or a != b:
        return False
    if isinstance(a, tuple):
        return all(map(is_same, a, b))
    if isinstance(a, dict):
        return all(is_same(x, b[name]) for name, x in a.items())
    return not is_dataclass(a) or all(is_same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))


def with_fields(record: T, **fields: Any) -> T:
    """Return the value with some fields replaced, five times as fast as `dataclasses.replace`."""
    cls: Any = type(record)
    twin: T = cls(*values_of(cls)(record))
    for name, x in fields.items():
        object.__setattr__(twin, name, x)
    return twin


def or_back(x: T | None, back: T) -> T:
    """Return the value that a reader was shown, or else the back of a card, or backs."""
    return back if x is None else x


def put_at(row: tuple[T, ...], i: int, x: T) -> tuple[T, ...]:
    """Return the tuple with x at position i."""
    after = list(row)
    after[i] = x
    return tuple(after)
