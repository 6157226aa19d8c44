"""Defines requests as records: a body or a query is a class, whose fields have the types and marks of options.

    class VacationChoiceBody(Request):
        auto: bool
        \"\"\"Whether to take a day automatically when your time runs out.\"\"\"

`api.http.record_reader` makes a record of the JSON or of the query; `domain.core.type_schema` describes it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, dataclass_transform

from api.http.field_messages import choices_in_words
from domain.core.options import Keywords
from domain.core.type_schema import ValueForm, of_record
from domain.core.values import equal, late_init, repr_of


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Request:
    """A request is a record with the fields of a body or a query."""

    __repr__, __eq__ = repr_of, equal

    one_alone: ClassVar[bool] = False
    """Whether a request has exactly one of the fields; the operation checks it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        doc = cls.__doc__ or ""
        cls.__doc__ = cls.__name__  # Without a docstring, a dataclass generates one from its signature.
        dataclass(kw_only=True, repr=False, eq=False, init=False)(cls)
        cls.__doc__, cls.__init__ = doc, late_init(cls)  # type: ignore[method-assign]

    def faults(self) -> Mapping[str, str]:
        """Return the faults of fields that do not fit each other, by the field."""
        return {}


def request_schema(cls: type[Request], record: Callable[[Any], dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a request; `record` describes a record inside it."""
    alone = {"minProperties": 1, "maxProperties": 1} if cls.one_alone else {}
    return of_record(cls, form=ValueForm(record=record)) | alone


# --- Marks ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class CheckedBy(Keywords):
    """The value fits a check, which returns it in its usual form.

    `read` raises `ValueError`: with a sentence, or without one if `form`, a noun, describes all valid values.
    """

    read: Callable[[Any], Any]
    form: str | None = None


def game_part(part: str) -> Keywords:
    """Mark a field as this part of the named game (`api.http.openapi_games`)."""
    return Keywords({"x-of-game": part})


def sample(*, example: Any) -> Keywords:
    """Mark a field with an example for the description."""
    return Keywords({"example": example})


def choice(words: Iterable[Any], fault: str | None = None) -> CheckedBy:
    """Limit a text or a number to these values; `fault` is the message for others."""
    choices = dict.fromkeys(words)

    def read(value: Any) -> Any:
        if value not in choices:
            raise ValueError(*([fault] if fault else []))
        return value

    return CheckedBy({"enum": list(choices)}, read, choices_in_words(choices))


def matches(regex: str, form: str) -> CheckedBy:
    """Mark a text that fully matches a regular expression, which `form` describes as a noun."""
    compiled = re.compile(regex)

    def read(text: str) -> str:
        if not compiled.fullmatch(text):
            raise ValueError
        return text

    return CheckedBy({"pattern": f"^{regex}$"}, read, form)
