"""Defines fields of schemas that admit exactly what they say, and the JSON Schema of any field or schema."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from api.http.request_parsing import TWICE
from domain.core.cards import CARD, Card
from domain.core.type_schema import of_record, or_null
from domain.core.types import TextForm


class Strict(Schema):
    """This schema refuses fields that it does not know."""

    class Meta:
        """These options make marshmallow refuse unknown fields."""

        unknown = RAISE


class Whole(fields.Integer):
    """This field admits a whole number, written as one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strict=True, **kwargs)

    def _validated(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValidationError("Write a whole number.")
        return value


class Flag(fields.Field[bool]):
    """This field admits `true` or `false`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Write true or false.")
        return value


class Instant(fields.AwareDateTime):
    """This field admits a time as RFC 3339 has it; inside, it is milliseconds since 1970."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="iso", **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            at: datetime = super()._deserialize(value, attr, data, **kwargs)
            return round(at.timestamp() * 1000)
        except (TypeError, ValidationError, OverflowError):
            raise ValidationError("Write a time with its zone, like 2026-11-21T10:00:00Z.") from None


class Moment(Instant):
    """This field admits a time that is not in the future."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        at: int = super()._deserialize(value, attr, data, **kwargs)
        if at > datetime.now(UTC).timestamp() * 1000:
            raise ValidationError("Must be a time that is not in the future.")
        return at


class TextField(fields.Field[Any]):
    """This field admits a value of a leaf type in its text form, such as a playing card (rules 1.2)."""

    def __init__(self, form: TextForm, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.form = form

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise ValidationError(str(self.form.schema.get("description", "Write a text.")))
        try:
            return self.form.read(value)
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else self.form.write(value)


Kind = tuple[type | None, Callable[[Any], bool], fields.Field[Any]]
"""The JSON type of a value, whether an object has the keys for it, and the field that reads it."""


class OneKind(fields.Field[Any]):
    """This field admits values of several kinds that JSON tells apart."""

    def __init__(self, kinds: Sequence[Kind], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kinds = kinds

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        same = [(fits, field) for shape, fits, field in self.kinds if type(value) is shape]
        if not same:
            allowed = ", ".join(sorted({SHAPES[shape] for shape, _, _ in self.kinds if shape}))
            raise ValidationError(f"Write one of these: {allowed}.")
        # Where the keys are of no kind, the first one says what is wrong with them.
        field = next((field for fits, field in same if fits(value)), same[0][1])
        return field.deserialize(value, attr, data, **kwargs)


SHAPES = {list: "a list", dict: "an object", str: "a text", int: "a whole number", bool: "true or false"}


class CardNames(fields.List[Card]):
    """This field admits cards, each once."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(TextField(CARD), validate=check_distinct, **kwargs)


def check_distinct(values: list[Any]) -> None:
    """Check that a list names nothing twice."""
    if len(set(values)) < len(values):
        raise ValidationError(TWICE)


class OddWithin(validate.Range):
    """This check admits an odd whole number between two bounds."""

    def __call__(self, value: Any) -> Any:
        if super().__call__(value) % 2 == 0:
            raise ValidationError("Write an odd number.")
        return value


# --- JSON Schema --------------------------------------------------------------------------------------

Nested = Callable[[Schema], dict[str, Any]]


def schema_of(schema: Schema, nested: Nested | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a schema's values, including defaults; `nested` describes a schema inside it."""
    if made_of := getattr(schema, "made_of", None):
        return of_record(made_of)
    properties = {field.data_key or name: _of(field, nested or schema_of) for name, field in schema.load_fields.items()}
    required = [field.data_key or name for name, field in schema.load_fields.items() if field.required]
    described: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        described["required"] = required
    if getattr(schema, "one_alone", False):
        described |= {"minProperties": 1, "maxProperties": 1}
    return {**described, "additionalProperties": False}


def _of(field: fields.Field[Any], nested: Nested) -> dict[str, Any]:
    described = _kind(field, nested)
    for validator in field.validators:
        described |= _limits(validator)
    if field.allow_none:
        described = or_null(described)
    if isinstance(field.load_default, str | int | bool | None | list | dict):
        described["default"] = field.load_default
    return described | dict(field.metadata)


def _kind(field: fields.Field[Any], nested: Nested) -> dict[str, Any]:
    match field:
        case fields.Nested():
            return nested(field.schema)
        case CardNames():
            return {"type": "array", "items": _of(field.inner, nested), "uniqueItems": True}
        case fields.List():
            return {"type": "array", "items": _of(field.inner, nested)}
        case TextField():
            return dict(field.form.schema)
        case fields.Integer():
            return {"type": "integer"}
        case Flag():
            return {"type": "boolean"}
        case Instant():
            return {"type": "string", "format": "date-time"}
        case fields.Dict(value_field=fields.Field() as values):
            return {"type": "object", "additionalProperties": _of(values, nested)}
        case fields.Dict():
            return {"type": "object"}
        case fields.String():
            return {"type": "string"}
        case _:
            raise TypeError(f"No schema describes a {type(field).__name__}.")


def _limits(validator: Any) -> dict[str, Any]:
    match validator:
        case validate.Range():
            return _given(minimum=validator.min, maximum=validator.max)
        case validate.Length():
            # Lengths of texts and lists are said by the field's metadata.
            return {}
        case validate.OneOf():
            return {"enum": list(validator.choices)}
        case validate.Regexp():
            return {"pattern": str(validator.regex.pattern).replace("\\Z", "$")}
        case _:
            return {}


def _given(**limits: Any) -> dict[str, Any]:
    return {name: limit for name, limit in limits.items() if limit is not None}
