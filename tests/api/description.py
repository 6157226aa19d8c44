"""The description of the API, and whether an answer is one that it describes."""

import gzip
import json
import re
from functools import cache
from pathlib import Path

import jsonschema_rs
import yaml
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from api.http.openapi_operations import EVERYWHERE
from api.http.openapi_refusals import COMMON
from api.http.problems import KINDS
from api.http.sparse_fields import PART

FILE = Path(__file__).parents[2] / "openapi.yaml"
SPEC = yaml.load(FILE.read_text(), yaml.CSafeLoader)
METHODS = ("get", "put", "post", "patch", "delete")
GZIP = b"\x1f\x8b"
PLAIN = {"Content-Type", "Content-Length", "Date", "X-Content-Type-Options", "Connection", "Server", "X-Request-Id"}
PLAIN |= {"Referrer-Policy", "Cross-Origin-Opener-Policy"}
PLAIN |= {"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Content-Encoding"}


def mapping_of(union):
    """Give the schemas that the values of a discriminator name; without a mapping, a schema is named by its own name.

    A kind for games that are not installed has no value of its own.
    """
    refs = [kind["$ref"] for kind in union["oneOf"]]
    implied = {at.rsplit("/", 1)[-1]: at for at in refs if not at.rsplit("/", 1)[-1].startswith("Uninstalled")}
    return union["discriminator"].get("mapping", implied)


def _one_of(validator, kinds, instance, schema):
    """Check the one schema that the discriminator names; where it names none, each of the others."""
    said = schema.get("discriminator")
    if not said or not isinstance(instance, dict):
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, kinds, instance, schema)
        return
    named = mapping_of(schema)
    mapped = named.get(instance.get(said["propertyName"]))
    errors = [["No schema is named."]] if mapped is None else [list(validator.descend(instance, {"$ref": mapped}))]
    others = [kind for kind in kinds if kind["$ref"] not in named.values()]
    if errors[0] and not any(validator.evolve(schema=kind).is_valid(instance) for kind in others):
        yield from errors[0] if mapped else [ValidationError(f"{instance!r:.300} is of no kind that is described")]


Described = extend(Draft202012Validator, {"oneOf": _one_of})
"""Validates like the standard; of many kinds that a discriminator tells apart it checks the one that is named."""


def _bases(node):
    """Give the names of the schemas to which others add fields."""
    if isinstance(node, list):
        return {name for part in node for name in _bases(part)}
    if not isinstance(node, dict):
        return set()
    own = {part["$ref"].rsplit("/", 1)[-1] for part in node.get("allOf", ()) if "$ref" in part}
    return own | {name for part in node.values() for name in _bases(part)}


def _closed(node):
    """Close the objects of a schema: what the description leaves to later versions, a test has to notice."""
    if isinstance(node, list):
        return [_closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    made = {key: part if key in ("examples", "example") else _closed(part) for key, part in node.items()}
    if "allOf" in node:
        # What the whole has, its parts do not know of.
        parts = [{k: v for k, v in part.items() if k != "unevaluatedProperties"} for part in made["allOf"]]
        made["allOf"] = parts
    is_object = isinstance(node.get("properties"), dict) and "additionalProperties" not in node
    return {**made, "unevaluatedProperties": False} if is_object or "allOf" in node else made


def strict(spec):
    """Give a description whose answers have no fields but those that it names."""
    bases = _bases(spec["components"]["schemas"]) | {"OrdersSchema"}  # a JSON Schema has more keywords
    schemas = {name: of if name in bases else _closed(of) for name, of in spec["components"]["schemas"].items()}
    return {**spec, "components": {**spec["components"], "schemas": schemas}}


STRICT = strict(SPEC)
_registry = Registry().with_resource("openapi", Resource.from_contents(STRICT, DRAFT202012))


def resolved(node):
    """Follow a reference inside the description."""
    while isinstance(node, dict) and "$ref" in node:
        at = SPEC
        for key in node["$ref"].removeprefix("#/").split("/"):
            at = at[key]
        node = at
    return node


def _by_name(node):
    """Say in plain JSON Schema what `_one_of` does: of many kinds, the one that the discriminator names."""
    if isinstance(node, list):
        return [_by_name(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    made = {key: _by_name(inner) for key, inner in node.items()}
    said = made.get("discriminator")
    if isinstance(said, dict) and "oneOf" in made:
        kinds, name = made.pop("oneOf"), said["propertyName"]
        named = [
            {"$ref": kind, "required": [name], "properties": {name: {"const": value}}}
            for value, kind in mapping_of(node).items()
        ]
        made["anyOf"] = named + [kind for kind in kinds if kind["$ref"] not in mapping_of(node).values()]
    return made


_quick_registry = jsonschema_rs.Registry([("urn:openapi", _by_name(STRICT))], draft=jsonschema_rs.Draft202012)


@cache
def _quick(pointer):
    """Make a validator that is hundreds of times as quick, and says no more than whether all is well."""
    described = {"$ref": f"urn:openapi#{pointer}"}
    return jsonschema_rs.Draft202012Validator(described, registry=_quick_registry, validate_formats=True)


@cache
def validator(pointer):
    """Make the validator of the schema at this place."""
    return Described(
        {"$ref": f"openapi#{pointer}"}, registry=_registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


TEMPLATES = {
    template: re.compile(re.sub(r"\\?\{[^}]+\\?\}", "[^/]+", re.escape(template)))
    for template in sorted(SPEC["paths"], key=lambda template: template.count("{"))
}
"""The paths of the description, those with fewest parameters first, and what addresses they have."""


def template_of(path):
    """Give the path of the description that an address belongs to."""
    return next((template for template, addresses in TEMPLATES.items() if addresses.fullmatch(path)), None)


def check(method, path, response):
    """Assert that the description has this answer: its status, media type, schema and headers."""
    template = template_of(path)
    method = "get" if method == "HEAD" else method.lower()
    described = SPEC["paths"].get(template, {}).get(method)
    if described is None:
        assert response.status_code in (404, 405), f"{method} {path}: {response.status_code}"
        _check_problem(response)
        return
    where = f"{method} {template} -> {response.status_code}"
    replies = described["responses"]
    assert str(response.status_code) in replies or response.status_code >= 400, f"{where} is not described"
    answer = resolved(replies.get(str(response.status_code)) or replies["default"])
    _check_headers(where, answer.get("headers", {}), response)
    if "content" not in answer:
        assert not response.get_data(), f"{where} has a body"
        return
    media = response.mimetype
    if media == PART:  # which docs/contract.md describes
        assert type(response.json) is dict, where
        return
    assert media in answer["content"], f"{where}: {media} is not described"
    if media.endswith("json") and media != "application/x-ndjson" and response.get_data():
        _check_schema(where, answer["content"][media]["schema"]["$ref"].removeprefix("#"), response.get_data())
    if response.status_code >= 400:
        _check_problem(response)
        _check_code(where, (*described.get("x-problems", ()), *COMMON), response)


def _check_code(where, described, response):
    """Assert that the operation names the code with which it refuses; the answer to `HEAD` has none."""
    if response.get_data():
        code = json.loads(response.get_data())["code"]
        assert code in described, f"{where}: the operation does not name {code}"


def _check_headers(where, described, response):
    for name, unresolved in described.items():
        header = resolved(unresolved)
        assert name in response.headers or not header.get("required"), f"{where} lacks {name}"
        if name in response.headers and "pattern" in header["schema"]:
            assert re.search(header["schema"]["pattern"], response.headers[name]), f"{where}: {name}"
    if where.partition(" ")[2].startswith("/v1/"):
        lacking = {header.name for header in EVERYWHERE if header.required} - {name for name, _ in response.headers}
        assert not lacking, f"{where} lacks {lacking}"
    unknown = {name for name, _ in response.headers} - set(described) - PLAIN - {header.name for header in EVERYWHERE}
    assert not unknown, f"{where}: headers {unknown} are not described"


def _check_schema(where, pointer, data):
    data = gzip.decompress(data) if data.startswith(GZIP) else data
    if _quick(pointer).is_valid(json.loads(data)):
        return
    errors = [f"{e.json_path}: {e.message[:300]}" for e in validator(pointer).iter_errors(json.loads(data))]
    assert not errors, f"{where}: {errors}"


def _check_problem(response):
    assert response.mimetype == "application/problem+json"
    if response.get_data():
        body = json.loads(response.get_data())
        assert response.status_code == body["status"] == KINDS[body["code"]].status
