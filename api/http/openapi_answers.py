"""Describes answers and the answers inside them; `domain.core.type_schema` describes their values."""

import re
from collections.abc import Iterable
from inspect import cleandoc
from typing import Any, Final, is_typeddict

from msgspec import NODEFAULT, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from domain.core.type_schema import ValueForm, object_of, of_record, of_table, of_type
from domain.core.types import Typed, parse_hint
from domain.core.values import with_fields

Json = dict[str, Any]

REF: Final = "#/components/schemas/{}"


def component_of(cls: type) -> str:
    """Name a component after its class, without the suffix that only distinguishes classes."""
    return re.sub(r"(Answer|Body)$", "", cls.__name__)


def answer_schemas(answers: Iterable[type]) -> Json:
    """Describe answers and all answers inside them, by their names."""
    made: Json = {}

    def refer(cls: type) -> Json:
        name = component_of(cls)
        if name not in made:
            made[name] = {}  # An answer may be inside itself.
            made[name] = _described(cls, ValueForm(shown=True, record=refer))
        return {"$ref": REF.format(name)}

    for cls in answers:
        refer(cls)
    return made


def _described(cls: Any, form: ValueForm) -> Json:
    said = {"description": cleandoc(cls.__doc__)} if cls.__doc__ else {}
    if is_typeddict(cls):
        return said | of_table(cls)
    if not issubclass(cls, Struct):
        return said | of_record(cls, form=form)
    known = {field.encode_name: field for field in fields(cls)}
    properties = {name: _field(field, form) for name, field in known.items()}
    return said | object_of(properties, [name for name, field in known.items() if field.required])


def _field(field: FieldInfo, form: ValueForm) -> Json:
    default = {} if field.default is NODEFAULT or isinstance(field.default, UnsetType) else {"default": field.default}
    return of_type(_without_unset(parse_hint(field.type)), form) | default


def _without_unset(t: Typed) -> Typed:
    """Return the type of a field if it is there."""
    if t.kind != "either":
        return t
    kinds = tuple(kind for kind in t.of if kind.of is not UnsetType)
    if len(kinds) > 1:
        return with_fields(t, of=kinds)
    only: Typed = kinds[0]
    return with_fields(only, marks=(*only.marks, *t.marks), optional=t.optional or only.optional)
