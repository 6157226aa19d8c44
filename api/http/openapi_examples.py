"""Makes examples of answers and bodies from their schemas, for readers of the description."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec import json

Json = dict[str, Any]
Make = Callable[[Json, Mapping[str, Json], str], Any]

_PATTERNS: Final = {
    "^[0-9a-f]{64}$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "^([0-9a-f]{64})?$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "^[0-9a-f]{128}$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" * 2,
    "^([0-9]{1,2}|spectators)$": "spectators",
    "^whsec_": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    "^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$": "https://example.org/dealt",
}
_FORMATS: Final = {"date-time": "2026-11-21T10:00:00Z"}
_NAMES: Final = {
    "address": "ann@example.org",
    "handle": "ann",
    "id": "8n9y4jktn4n1gzhahebf",
    "match": "8n9y4jktn4n1gzhahebf",
    "name": "Ann",
}
"""The examples of texts with these names; every other text is `text`."""


_TYPICAL: Final = {"Event": "DrawOffered", "TournamentEvent": "PlayerEntered"}
"""The kinds of these unions that are examples of them. Other unions have their first kind."""


_LONG: Final = 100
"""The length in bytes of a part that is left out of an example if it can be null."""


class InsideItself(Exception):
    """Raised if an example of a schema would contain itself."""


def add_examples(paths: Json, schemas: Json) -> None:
    """Add an example to the schema of each JSON answer; with several kinds of answer, one of the first kind."""
    for content in (content for reply in _replies(paths) for content in reply.get("content", {}).values()):
        if "$ref" in content["schema"] and "example" not in content:
            name = content["schema"]["$ref"].rpartition("/")[2]
            schemas[name].setdefault("examples", [make_example(schemas[name], schemas)])


def drop_inner_examples(paths: Json, schemas: Json) -> None:
    """Drop the examples of objects that are only parts of answers, whose examples contain them."""
    contents = [content for reply in _replies(paths) for content in reply.get("content", {}).values()]
    whole = {content["schema"]["$ref"].rpartition("/")[2] for content in contents if "$ref" in content["schema"]}
    for name in schemas.keys() - whole:
        if {"properties", "allOf"} & schemas[name].keys():
            schemas[name].pop("examples", None)


def add_body_examples(paths: Json, schemas: Mapping[str, Json]) -> None:
    """Add an example to each JSON body without one; with several kinds of body, one of the first kind."""
    for operation in (one for methods in paths.values() for one in methods.values()):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if not {"example", "examples"} & content.keys():
                content["example"] = make_example(content["schema"], schemas)


def _replies(paths: Json) -> list[Json]:
    said = [operation for methods in paths.values() for operation in methods.values()]
    return [reply for one in said for status, reply in one["responses"].items() if status.startswith("2")]


def make_example(schema: Json, schemas: Mapping[str, Json], name: str = "") -> Any:
    """Make a value that a schema admits: the first of several kinds, an object with its required fields.

    A nested schema is made without knowing its parent, so recursion ends.
    """
    if "examples" in schema:
        return schema["examples"][0]
    if "$ref" in schema:
        at = schema["$ref"].rpartition("/")[2]
        at = _TYPICAL[at] if _TYPICAL.get(at) in schemas else at
        if at not in schemas:
            raise InsideItself(at)
        others = {**schemas}
        del others[at]
        return make_example(schemas[at], others, name)
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return _first(schema[key], schemas, name)
    if "allOf" in schema:
        return _object(_put_together(schema, schemas), schemas, name)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type", "string")
    make: Make = _OF_TYPE[kind if isinstance(kind, str) else kind[0]]
    return make(schema, schemas, name)


def _put_together(schema: Json, schemas: Mapping[str, Json]) -> Json:
    """Return an object with its own properties and those of all schemas that it adds to."""
    named = [schemas[part["$ref"].rpartition("/")[2]] if "$ref" in part else part for part in schema.get("allOf", ())]
    parts = [*(_put_together(part, schemas) for part in named), schema]
    properties = {name: of for part in parts for name, of in part.get("properties", {}).items()}
    required = dict.fromkeys(name for part in parts for name in part.get("required", ()))
    return {"properties": properties, "required": list(required)}


def _first(kinds: list[Json], schemas: Mapping[str, Json], name: str) -> Any:
    """Make a value of the first kind that does not contain itself. A long part that can be null is null."""
    if len(kinds) == 2 and kinds[1] == {"type": "null"}:
        with suppress(InsideItself):
            made = make_example(kinds[0], schemas, name)
            return made if len(json.encode(made)) < _LONG else None
        return None
    for kind in kinds[:-1]:
        with suppress(InsideItself):
            return make_example(kind, schemas, name)
    return make_example(kinds[-1], schemas, name)


def _text(schema: Json, schemas: Mapping[str, Json], name: str) -> str | None:
    """Make a text. A text that can be null and has no example is null, as most are."""
    if "pattern" in schema:
        return _NAMES.get(name) or _PATTERNS.get(schema["pattern"], "QS")
    if isinstance(schema.get("type"), list) and "format" not in schema and name not in _NAMES:
        return None
    return _FORMATS.get(schema.get("format", ""), _NAMES.get(name, "text"))


def _number(schema: Json, schemas: Mapping[str, Json], name: str) -> int:
    return int(min(max(schema.get("minimum", 0), 1), schema.get("maximum", 1)))


def _list(schema: Json, schemas: Mapping[str, Json], name: str) -> list[Any]:
    try:
        return [make_example(schema.get("items", {}), schemas, name)] * schema.get("minItems", 1)
    except InsideItself:
        if schema.get("minItems"):
            raise
        return []


def _object(schema: Json, schemas: Mapping[str, Json], name: str) -> Json:
    properties = schema.get("properties", {})
    return {key: make_example(properties[key], schemas, key) for key in schema.get("required", ())}


_OF_TYPE: Final[Mapping[str, Make]] = {
    "string": _text,
    "integer": _number,
    "number": _number,
    "boolean": lambda schema, schemas, name: False,
    "array": _list,
    "object": _object,
    "null": lambda schema, schemas, name: None,
}
