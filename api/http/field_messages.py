"""Describes the valid values of request fields in words; clients get no other message about types and limits."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import json

from domain.core.json_form import shape_of
from domain.core.options import Length, Odd, Pattern, Range
from domain.core.types import TextForm, Typed, plain, text_form

LISTED: Final = 20
"""Maximum allowed values in a message."""
SHOWN: Final = 40
"""Maximum characters of a value that a message repeats."""
TIME: Final = "an ISO 8601 time with its zone, such as 2026-11-28T12:00:00Z"


def form_of(t: Typed) -> str:
    """Describe the values of a type as a noun: "a whole number from 1 to 30"."""
    for mark in t.marks:
        if isinstance(mark, Pattern) or getattr(mark, "form", None):
            return str(mark.form)
    match t.kind:
        case "words":
            return choices_in_words(t.of)
        case "row":
            return f"a list{_count_of('item', t)}"
        case "either":
            return list_words(sorted({_SHAPES[shape] for kind in t.of if (shape := shape_of(kind))}))
        case "leaf" if form := text_form(t):
            return text_form_in_words(form)
        case "leaf" if plain(t.of) is bool:
            return _SHAPES[bool]
        case "leaf" if plain(t.of) is int:
            return _number(t)
        case "leaf" if plain(t.of) is str:
            return f"a text{_count_of('character', t)}"
        case "record" | "mapping":
            return _SHAPES[dict]
    raise TypeError(f"a client cannot send a {t}")


_SHAPES: Final[Mapping[type, str]] = {
    list: "a list",
    dict: "an object",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def text_form_in_words(form: TextForm) -> str:
    """Describe a text form as a noun."""
    if form.schema.get("format") == "date-time":
        return TIME
    described = str(form.schema.get("description", "A text")).removesuffix(".")
    return described[0].lower() + described[1:]


def _number(t: Typed) -> str:
    """Describe a whole number with its bounds."""
    for mark in t.marks:
        if isinstance(mark, Range | Odd):
            return f"{'an odd' if isinstance(mark, Odd) else 'a'} whole number from {mark.low:,} to {mark.high:,}"
    return _SHAPES[int]


def _count_of(noun: str, t: Typed) -> str:
    """Describe the number of characters or items."""
    for mark in t.marks:
        if isinstance(mark, Length):
            limits = _limits(mark)
            return f" of {limits} {noun}{'' if limits.endswith((' most 1', ' least 1')) else 's'}"
    return ""


def _limits(length: Length) -> str:
    if length.high is None:
        return f"at least {length.low:,}"
    return f"{length.low:,} to {length.high:,}" if length.low else f"at most {length.high:,}"


def choices_in_words(choices: Iterable[Any]) -> str:
    """Name the choices, unless they are many."""
    words = [f"`{one}`" for one in choices]
    return list_words(words) if len(words) <= LISTED else f"one of the {len(words)} values in the API description"


def list_words(words: Sequence[str]) -> str:
    """Join words as alternatives: `a`, `b` or `c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def with_value(message: str, given: Any) -> str:
    """Add the wrong value to a message that begins with "Must be", unless the value is long or has parts."""
    if not message.startswith("Must be ") or isinstance(given, Mapping | list | tuple):
        return message
    shown = json.encode(given).decode()
    return f"{message[:-1]}, not {shown}." if len(shown) <= SHOWN else message
