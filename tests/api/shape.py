"""What clients rely on in a description of the API.

It is every operation with its parameters, bodies, codes, headers and fields.
"""

import re

PROSE = ("description", "example", "examples", "title", "summary", "x-titles")
STRUCTURE = (
    "type", "anyOf", "oneOf", "properties", "items", "required", "additionalProperties", "const", "enum",
    "discriminator", "unevaluatedProperties",
)  # fmt: skip


class Shape:
    """Reduces a description to names, types and limits: no prose, no references, no order."""

    def __init__(self, spec):
        self._spec = spec

    def operations(self):
        """Give each operation, by method and path."""
        return {
            f"{method.upper()} {path}": self._operation(item.get("parameters", []), item[method])
            for path, item in sorted(self._spec["paths"].items())
            for method in ("get", "put", "post", "delete")
            if method in item
        }

    def schemas(self, names):
        """Give the fields of the schemas of these names."""
        return {name: self._fields(self._spec["components"]["schemas"][name]) for name in sorted(names)}

    def properties(self, name):
        """Give the properties of the schema of this name."""
        return self._resolved(self._spec["components"]["schemas"][name])["properties"]

    def _operation(self, shared, said):
        parameters = [self._resolved(one) for one in (*shared, *said.get("parameters", []))]
        body = self._resolved(said.get("requestBody", {}))
        return {
            "id": said["operationId"],
            "tag": said["tags"][0],
            "security": said.get("security", "token"),
            "parameters": {f"{p['in']} {p['name']}": self._brief(p["schema"]) for p in parameters},
            "body": " ".join([*self._content(body), *(["required"] if body.get("required") else [])]),
            "answers": {status: self._answer(one) for status, one in said["responses"].items()},
        }

    def _answer(self, response):
        response = self._resolved(response)
        return " ".join([*self._content(response), *sorted(response.get("headers", {}))])

    def _content(self, node):
        return [f"{form}={self._name(one['schema'])}" for form, one in sorted(node.get("content", {}).items())]

    def _name(self, schema):
        return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else self._brief(schema)

    def _fields(self, schema, at=""):
        """Give every field of a schema by its path, with what it admits; one that may be missing ends with `?`."""
        schema = self._resolved(schema)
        brief = re.sub(r" default=(\[.*?\]|\S+)", "", self._brief(schema))
        found = {at: brief} if brief else {}
        kinds = self._kinds(schema)
        schema = _either(kinds) if len(kinds) > 1 else kinds[0]
        for name, inner in schema.get("properties", {}).items():
            must = name in schema.get("required", ())
            found |= self._fields(inner, f"{at}.{name}" if must else f"{at}.{name}?")
        for key, step in (("items", "[]"), ("additionalProperties", ".*")):
            if isinstance(schema.get(key), dict):
                found |= self._fields(schema[key], at + step)
        return found

    def _brief(self, schema):
        """Say on one line what a schema admits, apart from what is inside it."""
        schema = self._resolved(schema)
        kinds = self._kinds(schema)
        types = {t for one in kinds for t in _types(one)} | {"closed" for one in kinds if _closed(one)}
        named = [_words(one) for one in kinds if "string" in _types(one)]
        words = set().union(*named) if all(named) else set()
        limits = {
            key: v
            for one in (*kinds, schema)
            for key, v in one.items()
            if key not in (*PROSE, *STRUCTURE) and not (key == "not" and {"enum", "anyOf"} & v.keys())
        }
        return " ".join(
            [
                *sorted(types),
                *(f"{key}={value}" for key, value in sorted(limits.items())),
                *(["of", *sorted(words)] if words else []),
            ]
        )

    def _kinds(self, schema):
        """List what a value may be: one of several schemas, or the one."""
        schema = self._resolved(schema)
        inner = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
        return [kind for one in inner for kind in self._kinds(one)] or [schema]

    def _resolved(self, node):
        """Follow a reference, and put together what is described in parts."""
        node = self._referred(node)
        parts = [self._resolved(part) for part in node.get("allOf", [])]
        whole = {key: value for key, value in node.items() if key != "allOf"}
        for part in parts:
            properties = {**whole.get("properties", {}), **part.get("properties", {})}
            required = [*whole.get("required", []), *part.get("required", [])]
            whole = {**part, **whole, "properties": properties, "required": required}
        return whole

    def _referred(self, node):
        while "$ref" in node:
            at = self._spec
            for key in node["$ref"].removeprefix("#/").split("/"):
                at = at[key]
            node = at
        return node


def _either(kinds):
    """Describe the fields of whichever of several objects."""
    objects = [kind for kind in kinds if "object" in _types(kind)]
    names = dict.fromkeys(name for one in objects for name in one.get("properties", {}))
    properties = {
        name: [one["properties"][name] for one in objects if name in one.get("properties", {})] for name in names
    }
    return {
        "properties": {name: {"anyOf": found} for name, found in properties.items()},
        "required": [name for name in names if all(name in one.get("required", ()) for one in objects)],
        **{key: {"anyOf": found} for key in ("items", "additionalProperties")
           if (found := [kind[key] for kind in kinds if isinstance(kind.get(key), dict)])},
    }  # fmt: skip


def _closed(schema):
    return False in (schema.get("additionalProperties"), schema.get("unevaluatedProperties"))


def _words(schema):
    return {str(word) for word in schema.get("enum", [schema.get("const")]) if word is not None}


def _types(schema):
    kinds = schema.get("type", "string" if "const" in schema else [])
    return {kinds} if isinstance(kinds, str) else set(kinds)
