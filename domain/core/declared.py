"""Compares a value with the type that is declared for it, and names the part that is of another type."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

ContractFault = tuple[str, str]
"""A fault is the path of a field in the record, and a sentence that says what is wrong with it."""


def hints(cls: Any) -> Mapping[str, Any]:
    """Give the type hints of a record's fields."""
    return _hints(cls)


@cache
def _hints(cls: Any) -> Mapping[str, Any]:
    found = get_type_hints(cls, include_extras=True)
    return {f.name: found[f.name] for f in fields(cls)}


def mistyped(at: str, hint: Any, x: Any) -> Iterator[ContractFault]:
    """Find what in a value is not of its declared type; a function must take the arguments that it is called with."""
    origin, args = _taken_apart(hint)
    if type(x) is origin and origin in _PLAIN:
        return
    if origin in (Union, UnionType):
        yield from _of_none(at, args, x)
    elif origin is Annotated:
        yield from mistyped(at, args[0], x)
    elif origin in (Any, None) or isinstance(origin, TypeVar):
        return
    elif origin is Literal:
        if x not in args:
            yield at, f"{called(x)} is none of {', '.join(map(repr, args))}."
    elif not _is_of(origin, x):
        yield at, f"{called(x)} is not {type_name(origin)}."
    else:
        yield from _within(at, origin, args, x)


@cache
def _taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Take a type hint apart into its origin and its arguments."""
    plain = getattr(hint, "__supertype__", hint)
    return get_origin(plain) or plain, get_args(plain)


_PLAIN: Final = (str, int, bool)


def _of_none(at: str, args: tuple[Any, ...], x: Any) -> Iterator[ContractFault]:
    """Find what is wrong with a value that may be of several types; where only one can be meant, in its parts too."""
    kinds = [arg for arg in args if arg is not NoneType or x is None]
    if len(kinds) == 1:
        yield from mistyped(at, kinds[0], x)
    elif not any(next(mistyped(at, arg, x), None) is None for arg in kinds):
        yield at, f"{called(x)} is none of {', '.join(map(type_name, args))}."


def _within(at: str, origin: Any, args: tuple[Any, ...], x: Any) -> Iterator[ContractFault]:
    """Find what is wrong with the parts of a value."""
    if is_dataclass(origin):
        for name, hint in hints(origin).items():
            yield from mistyped(f"{at}.{name}".lstrip("."), hint, getattr(x, name))
    elif origin is Mapping:
        for name, entry in x.items():
            yield from mistyped(at, args[0], name)
            yield from mistyped(f"{at}[{called(name)}]", args[1], entry)
    elif origin is frozenset:
        for entry in x:
            yield from mistyped(at, args[0], entry)
    elif origin is tuple:
        yield from _row(at, args, x)
    elif origin in _CALLABLE and args and args[0] is not ...:
        yield from _uncallable(at, len(args[0]), x)


def _row(at: str, args: tuple[Any, ...], x: tuple[Any, ...]) -> Iterator[ContractFault]:
    row = args[:1] * len(x) if args[-1] is ... else args
    if len(row) != len(x):
        yield at, f"{called(x)} has not {len(row)} entries."
        return
    for i, (hint, entry) in enumerate(zip(row, x, strict=True)):
        yield from mistyped(f"{at}[{i}]", hint, entry)


def _uncallable(at: str, count: int, function: Any) -> Iterator[ContractFault]:
    """Say that a function cannot be called with this number of arguments; of some that are built in none can tell."""
    try:
        declared = signature(function)
    except (TypeError, ValueError):
        return
    try:
        declared.bind(*range(count))
    except TypeError:
        takes = sum(parameter.kind in _BY_PLACE for parameter in declared.parameters.values())
        yield at, f"It takes {takes} {'argument' if takes == 1 else 'arguments'}, and is called with {count}."


_BY_PLACE: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def _is_of(kind: Any, x: Any) -> bool:
    if kind in (type, *_CALLABLE):
        return isinstance(x, type) if kind is type else callable(x)
    return type(x) is kind if kind in (bool, int) else isinstance(x, kind)


_CALLABLE: Final = (Callable, get_origin(Callable[[], Any]))


def called(x: Any) -> str:
    """Name a value in a sentence."""
    return x.__name__ if isinstance(x, type) else repr(x)[:60]


def type_name(hint: Any) -> str:
    """Name a type in a sentence."""
    return {NoneType: "None"}.get(hint) or str(getattr(hint, "__name__", hint))


def raised(error: BaseException) -> str:
    """Name what was raised, with what it says."""
    return f"{type(error).__name__}: {error}"
