"""Compares a value with the type that is declared for it, and names the part that is of another type."""

from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final, get_origin

from domain.core.time_limit import TimeOver
from domain.core.types import Typed, fields_of, plain

ContractFault = tuple[str, str]
"""A fault in a declared value: the path of the field, and a sentence."""


def find_type_faults(at: str, t: Typed, x: Any) -> Iterator[ContractFault]:
    """Find the parts of a value that have another type than declared; a function must accept its call's arguments."""
    if x is None and t.optional:
        return
    match t.kind:
        case "any":
            return
        case "words":
            if x not in t.of:
                yield at, f"{name_value(x)} is not one of {', '.join(map(repr, t.of))}."
        case "either":
            if not any(next(find_type_faults(at, kind, x), None) is None for kind in t.of):
                yield at, f"{name_value(x)} is not one of {', '.join(map(type_name, t.of))}."
        case _ if not _is_of(_class(t), x):
            yield at, f"{name_value(x)} is not {_with_article(type_name(t))}."
        case _:
            yield from _part_faults(at, t, x)


def _part_faults(at: str, t: Typed, x: Any) -> Iterator[ContractFault]:
    """Find the faults in the parts of a value."""
    match t.kind:
        case "record":
            for name, part in fields_of(t.of).items():
                yield from find_type_faults(f"{at}.{name}".lstrip("."), part, getattr(x, name))
        case "mapping":
            names, entries = t.of
            for name, entry in x.items():
                yield from find_type_faults(at, names, name)
                yield from find_type_faults(f"{at}[{name_value(name)}]", entries, entry)
        case "set":
            for entry in x:
                yield from find_type_faults(at, t.of, entry)
        case "row":
            for i, entry in enumerate(x):
                yield from find_type_faults(f"{at}[{i}]", t.of, entry)
        case "fixed" if len(x) != len(t.of):
            yield at, f"{name_value(x)} does not have {len(t.of)} entries."
        case "fixed":
            for i, (part, entry) in enumerate(zip(t.of, x, strict=True)):
                yield from find_type_faults(f"{at}[{i}]", part, entry)
        case "function" if t.of[0] is not None:
            yield from _uncallable(at, t.of[0], x)


def _uncallable(at: str, count: int, function: Any) -> Iterator[ContractFault]:
    """Report that a function cannot be called with this number of arguments, if it can be determined."""
    try:
        declared = signature(function)
    except (TypeError, ValueError):
        return
    try:
        declared.bind(*range(count))
    except TypeError:
        takes = sum(parameter.kind in _BY_PLACE for parameter in declared.parameters.values())
        yield at, f"It takes {takes} {'argument' if takes == 1 else 'arguments'}, but is called with {count}."


_BY_PLACE: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def _is_of(cls: Any, x: Any) -> bool:
    return type(x) is cls if cls in (bool, int) else isinstance(x, cls)


def _class(t: Typed) -> Any:
    return _CLASSES.get(t.kind) or plain(t.of)


_CLASSES: Final[Mapping[str, Any]] = {
    "row": tuple,
    "fixed": tuple,
    "mapping": get_origin(Mapping[str, str]),
    "set": frozenset,
    "function": get_origin(Callable[[], None]),
}


def name_value(x: Any) -> str:
    """Name a value in a sentence."""
    return x.__name__ if isinstance(x, type) else repr(x)[:60]


def type_name(t: Typed) -> str:
    """Return a type for use in a sentence."""
    return getattr(_class(t), "__name__", t.kind).replace("NoneType", "None")


def _with_article(name: str) -> str:
    if name == "None":
        return name
    return f"an {name}" if name[0] in "AEIOUaeiou" else f"a {name}"


NO_FAULT: Final = (KeyboardInterrupt, GeneratorExit, TimeOver)
"""Exceptions that are not the fault of a game's code; all others are."""


def describe_error(error: BaseException) -> str:
    """Return the type of an exception with its message."""
    return f"{type(error).__name__}: {error}"


def place_of(error: BaseException) -> str:
    """Return the file and line of an exception."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "an unknown place" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
