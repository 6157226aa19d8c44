"""Finds the changes in a new description of the API that break clients written for an earlier one.

    python -m tests.api.breaking_changes

writes the description of this version to `tests/frozen/openapi.json`, without prose. Do so once before each release:
CI then compares later descriptions with it.

An answer may get new fields, words and kinds. A request may get only optional parts (docs/compatibility.md).
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.api.description import SPEC, whole_operations

Json = Mapping[str, Any]

KEPT = Path(__file__).parents[1] / "frozen" / "openapi.json"
_PROSE = ("description", "summary", "title", "example", "examples", "info", "tags", "webhooks")
_LOWEST = ("minimum", "minLength", "minItems", "minProperties")
_HIGHEST = ("maximum", "maxLength", "maxItems", "maxProperties")


def breaking_changes(old: Json, new: Json) -> list[str]:
    """List the changes that break clients of the old description."""
    return [*Comparison(old, new).operations()]


class Comparison:
    """Compares two descriptions, operation by operation and field by field."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[str, str, bool]] = set()

    def operations(self) -> Iterator[str]:
        now = {(path, method): operation for path, method, operation in whole_operations(self._new)}
        for path, method, was in whole_operations(self._old):
            at = f"{method.upper()} {path}"
            if (path, method) in now:
                yield from self._operation(at, was, now[path, method])
            else:
                yield f"{at}: is gone"

    def _operation(self, at: str, old: Json, new: Json) -> Iterator[str]:
        for key in ("operationId", "x-scope", "security"):
            if old.get(key) != new.get(key):
                yield f"{at}: has another {key}"
        yield from self._parameters(at, *map(self._parameters_of, (self._old, self._new), (old, new)))
        bodies = (resolved(spec, of.get("requestBody", {})) for spec, of in ((self._old, old), (self._new, new)))
        yield from self._body(at, *bodies)
        for status, was in old["responses"].items():
            now = new["responses"].get(status)
            if now is None:
                yield f"{at} {status}: is gone"
            else:
                yield from self._answer(f"{at} {status}", resolved(self._old, was), resolved(self._new, now))

    def _parameters_of(self, spec: Json, said: Json) -> Json:
        return {f"{one['in']} {one['name']}": one for one in (resolved(spec, of) for of in said.get("parameters", ()))}

    def _parameters(self, at: str, old: Json, new: Json) -> Iterator[str]:
        for name, was in old.items():
            if name not in new:
                yield f"{at} {name}: is gone"
            else:
                yield from self._schema(f"{at} {name}", was["schema"], new[name]["schema"], sent=True)
        for name, now in new.items():
            if now.get("required") and not old.get(name, {}).get("required"):
                yield f"{at} {name}: is required"

    def _body(self, at: str, old: Json, new: Json) -> Iterator[str]:
        if new.get("required") and not old.get("required"):
            yield f"{at} body: is required"
        yield from self._content(f"{at} body", old, new, sent=True)

    def _answer(self, at: str, old: Json, new: Json) -> Iterator[str]:
        for name in old.get("headers", {}):
            if name not in new.get("headers", {}):
                yield f"{at}: has no header {name}"
        yield from self._content(at, old, new, sent=False)

    def _content(self, at: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        for form, was in old.get("content", {}).items():
            now = new.get("content", {}).get(form)
            if now is None:
                yield f"{at}: is not {form} any more"
            else:
                yield from self._schema(at, was["schema"], now["schema"], sent=sent)

    def _schema(self, at: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        """Compare sent data, of which none may newly be refused, or received data, of which none may be new."""
        names = old.get("$ref", ""), new.get("$ref", "")
        if (*names, sent) in self._seen:
            return
        if all(names):
            self._seen.add((*names, sent))
        was, now = whole(self._old, old), whole(self._new, new)
        if not was.keys() - {"properties", "required"}:
            return
        yield from _types(at, was, now, sent=sent)
        yield from _limits(at, was, now, sent=sent)
        yield from self._fields(at, was, now, sent=sent)
        for part in ("items", "additionalProperties"):
            if isinstance(was.get(part), dict) and isinstance(now.get(part), dict):
                yield from self._schema(f"{at}[]", was[part], now[part], sent=sent)
        yield from self._kinds(at, was, now, sent=sent)

    def _fields(self, at: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        for name, was in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                yield f"{at}.{name}: is gone"
                continue
            yield from self._schema(f"{at}.{name}", was, new["properties"][name], sent=sent)
            if not sent and name in old["required"] and name not in new["required"]:
                yield f"{at}.{name}: may be missing"
        for name in new.get("required", ()) if sent and "properties" in old else ():
            if name not in old["required"]:
                yield f"{at}.{name}: is required"

    def _kinds(self, at: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
        """Compare the variants of a union, in order or by their discriminator values."""
        for key in ("oneOf", "anyOf"):
            if key not in old:
                continue
            was, now = kinds(old[key]), kinds(new.get(key, [new]))
            for name, kind in was.items():
                if name in now:
                    yield from self._schema(f"{at}({name})", kind, now[name], sent=sent)
                else:
                    yield f"{at}({name}): is gone"


def kinds(listed: list[Json]) -> dict[str, Json]:
    """Return the variants of a union by name, or by type if they have no name."""
    return {str(one.get("$ref", one.get("type", "?"))).rsplit("/", 1)[-1]: one for one in listed}


def resolved(spec: Json, node: Json) -> Json:
    """Resolve a reference inside a description."""
    while "$ref" in node:
        at: Any = spec
        for key in node["$ref"].removeprefix("#/").split("/"):
            at = at[key]
        node = at
    return node


def whole(spec: Json, schema: Json) -> Json:
    """Merge a schema with the schemas that it extends."""
    schema = resolved(spec, schema)
    parts = [whole(spec, part) for part in schema.get("allOf", ())] + [schema]
    made = {key: of for part in parts for key, of in part.items() if key != "allOf"}
    properties: dict[str, Any] = {}
    for part in parts:
        for name, of in part.get("properties", {}).items():
            # A base may only say in words what each kind has.
            properties[name] = of if of or name not in properties else properties[name]
    required = [name for part in parts for name in part.get("required", ())]
    return made | ({"properties": properties} if properties else {}) | {"required": required}


def _types(at: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
    was, now = types(old), types(new)
    if was and now and not (was <= now if sent else now <= was):
        yield f"{at}: is {' or '.join(sorted(now))}, was {' or '.join(sorted(was))}"
    if old.get("const") != new.get("const"):
        yield f"{at}: is always {new.get('const')!r}, was {old.get('const')!r}"
    if sent and "enum" in new and not {*map(str, old.get("enum", ["anything"]))} <= {*map(str, new["enum"])}:
        yield f"{at}: is one of fewer words"
    if not sent and "enum" in old and "enum" not in new:
        yield f"{at}: may be any word"


def types(schema: Json) -> set[str]:
    """Return the types of a value; an integer counts as a number."""
    said = schema.get("type", [])
    return {said} if isinstance(said, str) else set(said)


def _limits(at: str, old: Json, new: Json, *, sent: bool) -> Iterator[str]:
    """Compare the limits of request data, none of which may become narrower."""
    if not sent:
        return
    for limit in _LOWEST:
        if new.get(limit, 0) > old.get(limit, 0):
            yield f"{at}: has a higher {limit}"
    for limit in _HIGHEST:
        if limit in new and new[limit] < old.get(limit, float("inf")):
            yield f"{at}: has a lower {limit}"
    for rule in ("pattern", "format"):
        if rule in new and new[rule] != old.get(rule):
            yield f"{at}: has another {rule}"


def without_prose(node: Any) -> Any:
    """Remove the parts of a description that only people read; a field may have any name."""
    if isinstance(node, list):
        return [without_prose(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: without_prose(of) for name, of in part.items()} if key == "properties" else without_prose(part)
        for key, part in node.items()
        if key not in _PROSE
    }


if __name__ == "__main__":
    KEPT.write_text(json.dumps(without_prose(SPEC), separators=(",", ":")) + "\n")
