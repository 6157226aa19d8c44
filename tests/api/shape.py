"""What clients rely on in a description of the API.

It is every operation with its parameters, bodies, codes, headers and fields.
"""

PROSE = ("description", "example", "examples", "title", "summary")
STRUCTURE = ("type", "anyOf", "properties", "items", "required", "additionalProperties", "const", "enum")


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
        found = {at: self._brief(schema)} if self._brief(schema) else {}
        for kind in schema.get("anyOf", []):
            found |= {path: brief for path, brief in self._fields(kind, at).items() if path != at}
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
        kinds = [self._resolved(one) for one in schema.get("anyOf", [])] or [schema]
        types = {t for one in kinds for t in _types(one)} | {
            "closed" for one in kinds if one.get("additionalProperties") is False
        }
        words = {str(word) for one in kinds for word in one.get("enum", [one.get("const")]) if word is not None}
        limits = {key: v for one in (*kinds, schema) for key, v in one.items() if key not in (*PROSE, *STRUCTURE)}
        return " ".join(
            [
                *sorted(types),
                *(f"{key}={value}" for key, value in sorted(limits.items())),
                *(["of", *sorted(words)] if words else []),
            ]
        )

    def _resolved(self, node):
        """Follow a reference."""
        while "$ref" in node:
            at = self._spec
            for key in node["$ref"].removeprefix("#/").split("/"):
                at = at[key]
            node = at
        return node


def _types(schema):
    kinds = schema.get("type", "string" if "const" in schema else [])
    return {kinds} if isinstance(kinds, str) else set(kinds)
