"""Takes type hints apart into one form, for all code that checks, reads or describes the fields of records."""

from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.core.values import changed, value


@value
class Typed:
    """This record holds what a type hint says of a value.

    `kind` is `leaf` for a value of the type `of`, `words` for one of the words in `of`, `row` for a tuple whose
    entries have the hint `of`, `record` for a record of the class `of`, and `either` for a value of one of the kinds
    in `of`. `marks` are those of `Annotated`, the inner first. With `optional`, None is a value too.
    """

    kind: Literal["leaf", "words", "row", "record", "either"]
    of: Any
    marks: tuple[Any, ...] = ()
    optional: bool = False


@cache
def typed(hint: Any) -> Typed:
    """Take a type hint apart."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        inner = typed(args[0])
        return changed(inner, marks=(*inner.marks, *args[1:]))
    if origin in (Union, UnionType):
        kinds = [arg for arg in args if arg is not NoneType]
        one = typed(kinds[0]) if len(kinds) == 1 else Typed("either", tuple(map(typed, kinds)))
        return changed(one, optional=one.optional or NoneType in args)
    if origin is Literal:
        return Typed("words", args)
    if origin is tuple:
        return Typed("row", args[0])
    return Typed("record" if is_dataclass(hint) else "leaf", hint)


@cache
def fields_of(cls: Any) -> dict[str, Typed]:
    """Take the hints of a record's fields apart, by the names of the fields."""
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: typed(hints[f.name]) for f in fields(cls)}
