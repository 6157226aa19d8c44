"""Shapes all schemas of the description: pages, open answers and closed bodies, without unused ones."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

Json = dict[str, Any]

_JSON: Final = "application/json"
_PAGE: Final = "Page"
_ANY: Final = "AnyObject"
_AT: Final = re.compile(r"#/components/(\w+)/([^/]+)")


def compose_pages(schemas: Mapping[str, Json]) -> Json:
    """Describe the field `next` of all lists once, and let them refer to it."""
    pages = {name: of for name, of in schemas.items() if _is_page(of)}
    if not pages:
        return dict(schemas)
    cursor = next(iter(pages.values()))["properties"]["next"]
    base = {"type": "object", "properties": {"next": cursor}, "required": ["next"]}
    return {**schemas, **{name: _page(of) for name, of in pages.items()}, _PAGE: base}


def _is_page(schema: Json) -> bool:
    fields: Json = schema.get("properties", {})
    return "items" in fields and fields.get("next", {}).get("type") == ["string", "null"]


def _page(schema: Json) -> Json:
    properties = {name: of for name, of in schema["properties"].items() if name != "next"}
    required = [name for name in schema["required"] if name != "next"]
    more = {"properties": properties, "required": required}
    said = {key: of for key, of in schema.items() if key in ("description", "examples")}
    return {**said, "allOf": [{"$ref": f"#/components/schemas/{_PAGE}"}, more]}


def name_objects(schemas: Mapping[str, Json]) -> Json:
    """Name the objects inside a schema after their class or place; identical objects share one name.

    Generators would name each by their own rules, and repeat it in every extending schema. An object in a field of a
    schema that no other extends can stay unnamed.
    """
    return _Namer(schemas).named()


class _Namer:
    """Names the objects inside schemas, one schema after the other."""

    def __init__(self, schemas: Mapping[str, Json]) -> None:
        self._schemas = dict(schemas)
        self._schemas.setdefault(_ANY, {"type": "object", "additionalProperties": True})
        self._known = {json.dumps(self._schemas[_ANY], sort_keys=True): _ANY}
        self._bases = {name for schema in schemas.values() for name in _bases(schema)}

    def named(self) -> Json:
        for name, schema in list(self._schemas.items()):
            self._schemas[name] = self._inside(schema, name, is_base=name in self._bases, is_outer=True)
        return self._schemas

    def _inside(self, schema: Json, name: str, *, is_base: bool, is_outer: bool = False) -> Json:
        """Name the objects with fields inside a schema with this name; in a base, those without fields too."""
        made = dict(schema)
        if "properties" in schema:
            made["properties"] = {
                field: self._part(of, f"{name}{_word(field)}", is_base=is_base, is_field=is_outer)
                for field, of in schema["properties"].items()
            }
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                made[key] = self._part(schema[key], name, is_base=is_base)
        if "allOf" in schema:
            made["allOf"] = [self._inside(one, name, is_base=is_base, is_outer=is_outer) for one in schema["allOf"]]
        for key in ("anyOf", "oneOf"):
            if key in schema:
                made[key] = [self._part(one, _kind_name(one, name), is_base=is_base) for one in schema[key]]
        return made

    def _part(self, schema: Json, name: str, *, is_base: bool, is_field: bool = False) -> Json:
        made = self._inside(schema, name, is_base=is_base)
        kinds = made.get("type")
        is_object = "object" in (kinds if isinstance(kinds, list) else [kinds])
        is_own = "properties" in made and ("title" in made or not is_field)
        if not is_object or not (is_own or is_base):
            return made
        whole = {key: of for key, of in made.items() if key not in ("description", "title")} | {"type": "object"}
        key = json.dumps(whole, sort_keys=True)
        if key not in self._known:
            self._known[key] = self._free(made.get("title", name), name)
            self._schemas[self._known[key]] = whole
        said = {key: made[key] for key in ("description",) if key in made}
        at = {"$ref": f"#/components/schemas/{self._known[key]}"}
        return {"anyOf": [at, {"type": "null"}], **said} if isinstance(kinds, list) else {**at, **said}

    def _free(self, *names: str) -> str:
        """Return the first of some names that no schema has."""
        return next(name for name in (*names, f"{names[-1]}Part") if name not in self._schemas)


def _kind_name(kind: Json, name: str) -> str:
    """Return the name of a kind inside a union with this name.

    Generators name the union after its place; a kind of the same name would contain itself.
    """
    return name + "".join(map(_word, kind["properties"])) if "properties" in kind else name


def _word(field: str) -> str:
    return "".join(part.capitalize() for part in re.split("[^A-Za-z0-9]", field))


def set_openness(paths: Json, schemas: Json) -> None:
    """Close the schemas that bodies of requests consist of, and open all others, which may get more fields.

    A body that is also answered as a whole, as a record is, is open: it may come from a later version.
    """
    answered = {name for one in _operations(paths) for name in _names(one["responses"])}
    sent = {name for one in _operations(paths) for name in _names(one.get("requestBody", {}))}
    closed = _reached(sent - answered, schemas)
    bases = {name for schema in schemas.values() for name in _bases(schema)}
    for name, schema in schemas.items():
        schemas[name] = (
            _forbid_other_fields(schema, is_base=name in bases) if name in closed else _allow_other_fields(schema)
        )


def _operations(paths: Json) -> list[Json]:
    return [one for methods in paths.values() for one in methods.values()]


def _references(node: Any) -> Iterator[tuple[str, str]]:
    """List the components that a part of the description refers to, by kind and name."""
    if isinstance(node, dict):
        if isinstance(at := node.get("$ref"), str):
            kind, name = _AT.fullmatch(at).groups()  # type: ignore[union-attr]
            yield kind, name
        node = list(node.values())
    for part in node if isinstance(node, list) else ():
        yield from _references(part)


def _names(node: Any) -> set[str]:
    """Return the names of the schemas that a part of the description refers to."""
    return {name for kind, name in _references(node) if kind == "schemas"}


def _reached(names: set[str], schemas: Json) -> set[str]:
    found: set[str] = set()
    while names:
        found |= names
        names = {name for one in names for name in _names(schemas.get(one, {}))} - found
    return found


def _bases(schema: Any) -> Iterator[str]:
    """List the schemas of which others are made by additions."""
    if isinstance(schema, list):
        for part in schema:
            yield from _bases(part)
    if isinstance(schema, dict):
        yield from _names([{"$ref": part["$ref"]} for part in schema.get("allOf", ()) if "$ref" in part])
        for part in schema.values():
            yield from _bases(part)


def _allow_other_fields(schema: Any) -> Any:
    """Remove the statement that there are no other fields from a schema."""
    if isinstance(schema, list):
        return [_allow_other_fields(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _allow_other_fields(part)
        for key, part in schema.items()
        if not (key in ("additionalProperties", "unevaluatedProperties") and part is False)
    }


def _forbid_other_fields(schema: Any, *, is_base: bool = False) -> Any:
    """State in each object of a schema that it has no other fields; extending schemas close their base."""
    if isinstance(schema, list):
        return [_forbid_other_fields(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: part if key == "allOf" else _forbid_other_fields(part) for key, part in schema.items()}
    if is_base:
        return {key: part for key, part in made.items() if part is not False}
    if "allOf" not in made and ("properties" not in made or not isinstance(made.get("type"), str | list)):
        return made
    return made | {"unevaluatedProperties" if "allOf" in made else "additionalProperties": False}


_NOT_FOR_BOTS: Final = ("**Scoped tokens**", "**Deprecation.**", "**Browsers.**", "**Request ids.**")
"""The beginnings of paragraphs of the introduction that bots do not need."""


def keep_essentials(described: Json) -> Json:
    """Leave out what bots do not read: forms other than JSON, examples of answers, lists of codes."""
    paragraphs = described["info"]["description"].split("\n\n")
    kept = "\n\n".join(each for each in paragraphs if not each.startswith(_NOT_FOR_BOTS))
    for operation in _operations(described["paths"]):
        operation.pop("x-problems", None)
        for reply in operation["responses"].values():
            content = reply.get("content", {})
            if _JSON in content:
                reply["content"] = {_JSON: content[_JSON]}
    schemas = described["components"]["schemas"]
    light = {name: {key: of for key, of in schema.items() if key != "examples"} for name, schema in schemas.items()}
    info = described["info"] | {"description": kept}
    return {**described, "info": info, "components": {**described["components"], "schemas": light}}


def drop_articles(paths: Json, schemas: Json) -> None:
    """Begin the descriptions of fields, parameters and answers with their noun, such as "Number of tables".

    The articles are a hundredth of the description.
    """
    for schema in schemas.values():
        for field in _inner_fields(schema):
            _drop_article(field)
    for operation in _operations(paths):
        for part in (*operation.get("parameters", ()), *operation["responses"].values()):
            _drop_article(part)


def _inner_fields(node: Any) -> Iterator[Json]:
    """List the fields of a schema and of those inside it."""
    for part in node if isinstance(node, list) else ():
        yield from _inner_fields(part)
    for key, part in node.items() if isinstance(node, dict) else ():
        if key == "properties":
            yield from part.values()
            yield from _inner_fields(list(part.values()))
        elif key not in ("example", "examples", "enum", "const"):
            yield from _inner_fields(part)


def _drop_article(described: Json) -> None:
    said = described.get("description", "")
    if said.startswith("The "):
        described["description"] = said[4].upper() + said[5:]


def drop_unused(described: Json) -> Json:
    """Leave out the components to which nothing refers, and the tags without operations."""
    components = described["components"]
    found: set[tuple[str, str]] = set()
    new = set(_references([described["paths"], described.get("webhooks")]))
    while new:
        found |= new
        new = {at for kind, name in new for at in _references(components[kind][name])} - found
    kept = {
        kind: {name: of for name, of in named.items() if kind == "securitySchemes" or (kind, name) in found}
        for kind, named in components.items()
    }
    tags = {tag for one in _operations(described["paths"]) for tag in one["tags"]}
    return {
        **described,
        "tags": [tag for tag in described["tags"] if tag["name"] in tags],
        "components": {kind: named for kind, named in kept.items() if named},
    }
