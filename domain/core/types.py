"""Takes type hints apart into one form, for all code that checks, reads, writes or describes the values of fields.

A leaf type may bring its own text form, as `Card` does; a game may have leaf types of its own.
"""

from collections.abc import Callable, Iterator, Mapping
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
    """This record holds what a type hint says of a value.

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
    """Take a type hint apart."""
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
    return Typed("record" if is_dataclass(bare) else "leaf", bare)


def _tuple(args: tuple[Any, ...]) -> Typed:
    return Typed("row", parse_hint(args[0])) if args[-1] is ... else Typed("fixed", tuple(map(parse_hint, args)))


_GENERIC: Final[Mapping[Any, Callable[[tuple[Any, ...]], Typed]]] = {
    Literal: lambda args: Typed("words", args),
    tuple: _tuple,
    frozenset: lambda args: Typed("set", parse_hint(args[0])),
    get_origin(Mapping[str, str]): lambda args: Typed("mapping", (parse_hint(args[0]), parse_hint(args[1]))),
    list: lambda args: Typed("list", parse_hint(args[0])),
    get_origin(Callable[[], None]): lambda args: Typed(
        "function", (None if args[0] is ... else len(args[0]), parse_hint(args[1]))
    ),
}


def fields_of(cls: Any) -> Mapping[str, Typed]:
    """Take the hints of a record's fields apart, by the names of the fields."""
    return _fields_of(cls)


@cache
def _fields_of(cls: Any) -> Mapping[str, Typed]:
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: parse_hint(hints[f.name]) for f in fields(cls)}


def typed_keys(cls: Any) -> Iterator[tuple[str, Typed, bool]]:
    """Take the hints of a `TypedDict` apart: each key with its type, and whether it is always there."""
    for name, hint in get_type_hints(cls, include_extras=True).items():
        inner = get_args(hint)[0] if get_origin(hint) in (NotRequired, Required) else hint
        yield name, parse_hint(inner), name in cls.__required_keys__


@cache
def compiled_fields(cls: Any) -> frozenset[str]:
    """Name the fields of a state that follow from the options and the seats."""
    return frozenset(name for name, t in fields_of(cls).items() if COMPILED in t.marks)


def leaves(t: Typed, x: Any) -> Iterator[tuple[Typed, Any]]:
    """Give every leaf of a value with its type; None, and what is not of the type, has none."""
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
    """Name a field as JSON does: names that Python keeps for itself end in `_` in the code alone."""
    return name.rstrip("_")


def record_of(cls: Any, given: Mapping[str, Any]) -> Any:
    """Make a record from the values of its fields, by the names that JSON has for them.

    Raises `LookupError` for a name that no field has, and `TypeError` where a field without a default is missing.
    """
    named = {key(name): name for name in fields_of(cls)}
    return cls(**{named[name]: x for name, x in given.items()})


# --- Leaves ---------------------------------------------------------------------------------------------


@value
class TextForm:
    """A text form says how the values of a leaf type are written.

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
    """This mark says that a text is the text form of a value of the leaf type."""

    leaf: Any


@value
class Doc:
    """This mark describes the values of a type to clients, for all fields of the type that have no docstring."""

    text: str


@value
class Title:
    """This mark is what a form for people calls a field, where its name says too little."""

    text: str


_FORMS: Final[dict[Any, TextForm]] = {}


def written_as(leaf: Any, form: TextForm) -> None:
    """Give a leaf type its text form. The module that defines the type says it, right below."""
    _FORMS[leaf] = form


def text_forms() -> Mapping[str, TextForm]:
    """Return all text forms, by the names of their leaf types."""
    return {leaf.__name__: form for leaf, form in _FORMS.items()}


_NAMED: Final[dict[type, str]] = {}


def named_like(cls: type, pattern: str) -> None:
    """Say that a record's fields are all of one type and may be missing, and that their names fit just this pattern.

    It is then described by the pattern, not field by field. The module that defines the record says it, right below.
    """
    known = fields_of(cls)
    assert len({(t.kind, t.of, t.optional) for t in known.values()}) == 1
    _NAMED[cls] = pattern


def names_in(cls: type) -> str | None:
    """Give the pattern of the names of a record's fields; None for a record whose fields differ."""
    return _NAMED.get(cls)


def text_form(t: Typed) -> TextForm | None:
    """Give the text form of a leaf type; None for one that JSON holds as it is, or not at all, and for other types."""
    return _FORMS.get(t.of) if t.kind == "leaf" else None


def plain(leaf: Any) -> Any:
    """Give the type of a leaf's values at run time."""
    return getattr(leaf, "__supertype__", leaf)
