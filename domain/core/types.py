"""Parses type hints into one form, for all code that checks, reads, writes or describes the values of fields.

A leaf type may bring its own text form, as `Card` does; a game may define its own leaf types.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from domain.core.values import COMPILED, value, with_fields

Kind = Literal["leaf", "words", "row", "list", "fixed", "mapping", "set", "function", "record", "either", "any"]


@value
class Typed:
    """The contents of a type hint.

    | `kind` | a value is | `of` |
    |---|---|---|
    | `leaf` | of the type | the type |
    | `words` | one of the words | the words |
    | `row` | a tuple of any length | the type of its entries |
    | `list` | a list of any length, as tables have | the type of its entries |
    | `fixed` | a tuple of this length | the types of its entries |
    | `mapping` | a mapping | the types of its keys and of its values |
    | `set` | a frozen set | the type of its entries |
    | `function` | called with this many arguments; `None`: with any | their number, and the type of the result |
    | `record` | a record of the class | the class |
    | `either` | of one of the types | the types |
    | `any` | anything | None |

    The types in `of` are `Typed`. `marks` are those of `Annotated`, the inner first. With `optional`, None is a value
    too.
    """

    kind: Kind
    of: Any
    marks: tuple[Any, ...] = ()
    optional: bool = False


@cache
def parse_hint(hint: Any) -> Typed:
    """Parse a type hint."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        inner = parse_hint(args[0])
        return with_fields(inner, marks=(*inner.marks, *args[1:]))
    if origin in (Union, UnionType):
        kinds = tuple(parse_hint(arg) for arg in args if arg is not NoneType)
        one = kinds[0] if len(kinds) == 1 else Typed("either", kinds)
        return with_fields(one, optional=one.optional or NoneType in args)
    if origin in _GENERIC and args:
        return _GENERIC[origin](args)
    if hint is Any or isinstance(hint, TypeVar):
        return Typed("any", None)
    bare = NoneType if hint is None else origin or hint
    return Typed("record" if _is_record(bare) else "leaf", bare)


_RECORD_BASES: Final[list[type]] = []


def count_as_records(base: type) -> None:
    """Declare that the subclasses of this class are records, as dataclasses are.

    The module of the class calls this below the class.
    """
    _RECORD_BASES.append(base)


def _is_record(cls: Any) -> bool:
    return is_dataclass(cls) or (isinstance(cls, type) and issubclass(cls, tuple(_RECORD_BASES)))


def _tuple(args: tuple[Any, ...]) -> Typed:
    return Typed("row", parse_hint(args[0])) if args[-1] is ... else Typed("fixed", tuple(map(parse_hint, args)))


_GENERIC: Final[Mapping[Any, Callable[[tuple[Any, ...]], Typed]]] = {
    Literal: lambda args: Typed("words", args),
    tuple: _tuple,
    frozenset: lambda args: Typed("set", parse_hint(args[0])),
    get_origin(Mapping[str, str]): lambda args: Typed("mapping", (parse_hint(args[0]), parse_hint(args[1]))),
    dict: lambda args: Typed("mapping", (parse_hint(args[0]), parse_hint(args[1]))),
    list: lambda args: Typed("list", parse_hint(args[0])),
    get_origin(Sequence[str]): lambda args: Typed("list", parse_hint(args[0])),
    get_origin(Callable[[], None]): lambda args: Typed(
        "function", (None if args[0] is ... else len(args[0]), parse_hint(args[1]))
    ),
}


def fields_of(cls: Any) -> Mapping[str, Typed]:
    """Return the parsed type hints of a structure's fields, by field name."""
    return _fields_of(cls)


@cache
def _fields_of(cls: Any) -> Mapping[str, Typed]:
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: parse_hint(hints[f.name]) for f in fields(cls)}


def typed_keys(cls: Any) -> Iterator[tuple[str, Typed, bool]]:
    """Yield each key of a `TypedDict` with its type, and whether it is required."""
    for name, hint in get_type_hints(cls, include_extras=True).items():
        inner = get_args(hint)[0] if get_origin(hint) in (NotRequired, Required) else hint
        yield name, parse_hint(inner), name in cls.__required_keys__


@cache
def compiled_fields(cls: Any) -> frozenset[str]:
    """Return the names of a state's fields that follow from the options and the seats."""
    return frozenset(name for name, t in fields_of(cls).items() if COMPILED in t.marks)


def leaves(t: Typed, x: Any) -> Iterator[tuple[Typed, Any]]:
    """Yield every leaf of a value with its type; nothing for None and for values of other types."""
    if x is None:
        return
    match t.kind:
        case "leaf":
            yield with_fields(t, optional=False), x
        case "either":
            for kind in t.of:
                yield from leaves(kind, x)
        case "row" if isinstance(x, tuple):
            for entry in x:
                yield from leaves(t.of, entry)
        case "fixed" if isinstance(x, tuple) and len(x) == len(t.of):
            for part, entry in zip(t.of, x, strict=True):
                yield from leaves(part, entry)
        case "record" if type(x) is t.of:
            for name, inner in fields_of(t.of).items():
                yield from leaves(inner, getattr(x, name))


def key(name: str) -> str:
    """Return a field's name in JSON, without the `_` that Python's reserved words need in the code."""
    return name.rstrip("_")


def record_of(cls: Any, given: Mapping[str, Any]) -> Any:
    """Make a record from the values of its fields, by the names that JSON has for them.

    Raise `LookupError` for an unknown name, and `TypeError` if a field without a default is missing.
    """
    named = {key(name): name for name in fields_of(cls)}
    return cls(**{named[name]: x for name, x in given.items()})


# --- Leaves ---------------------------------------------------------------------------------------------


@value
class TextForm:
    """The text form of the values of a leaf type.

    `write` gives the text of a value, and `stored` the value of such a text. `read` gives the value of a text as people
    write it, or raises `ValueError` with a sentence; `schema` describes, as JSON Schema, what it reads. With `once`, a
    list that is sent names no value twice.
    """

    write: Callable[[Any], str]
    stored: Callable[[str], Any]
    read: Callable[[str], Any]
    schema: Mapping[str, Any]
    once: bool = False


@value
class TextOf:
    """Marks a text as the text form of a value of the leaf type."""

    leaf: Any


@value
class Doc:
    """Describes the values of a type to clients, for all fields of the type without a docstring."""

    text: str


@value
class Title:
    """The name of a field in forms for people, if its own name is not clear enough."""

    text: str


_FORMS: Final[dict[Any, TextForm]] = {}


def written_as(leaf: Any, form: TextForm) -> None:
    """Set the text form of a leaf type. The module that defines the type calls this right below it."""
    _FORMS[leaf] = form


def text_forms() -> Mapping[str, TextForm]:
    """Return all text forms, by the names of their leaf types."""
    return {leaf.__name__: form for leaf, form in _FORMS.items()}


_NAMED: Final[dict[type, str]] = {}


def named_like(cls: type, pattern: str) -> None:
    """Declare that all fields have one type and may be missing, and that exactly their names fit this pattern.

    It is then described by the pattern, not field by field. The module that defines the record calls this right
    below it.
    """
    known = fields_of(cls)
    assert len({(t.kind, t.of, t.optional) for t in known.values()}) == 1
    _NAMED[cls] = pattern


def names_in(cls: type) -> str | None:
    """Return the pattern of the names of a record's fields; None for a record whose fields differ."""
    return _NAMED.get(cls)


def text_form(t: Typed) -> TextForm | None:
    """Return the text form of a leaf type; None for other types, and if JSON holds it as it is, or not at all."""
    return _FORMS.get(t.of) if t.kind == "leaf" else None


def plain(leaf: Any) -> Any:
    """Return the type of a leaf's values at run time."""
    return getattr(leaf, "__supertype__", leaf)
