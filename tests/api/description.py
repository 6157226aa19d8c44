"""Checks whether an answer matches the description of the API."""

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


def whole_operations(spec):
    """List the operations of a description by path and method, each with the parameters of its path."""
    for path, methods in spec["paths"].items():
        for method in (name for name in methods if name in METHODS):
            said = methods[method]
            yield path, method, said | {"parameters": [*methods.get("parameters", ()), *said.get("parameters", ())]}


def implied_codes(path, method, operation):
    """Return the codes that follow from the form of an operation, as the response `Problem` says in words."""
    headers = {one["name"] for one in map(resolved, operation["parameters"]) if one["in"] == "header"}
    forms = {
        "with a body": "requestBody" in operation,
        "with query parameters": any(one["in"] == "query" for one in map(resolved, operation["parameters"])),
        "with an object in their path": "{" in path,
        "with `Idempotency-Key`": "Idempotency-Key" in headers,
        "with `If-Match`": "If-Match" in headers,
        "with `Prefer`": "Prefer" in headers,
        "with a token, other than GET": method != "get" and operation.get("security") != [],
    }
    said = SPEC["components"]["responses"]["Problem"]["description"]
    words = dict(re.findall(r"Operations (with[^:]*): ([^.]*)\.", said))
    assert words.keys() == forms.keys()
    return {code for form, has in forms.items() if has for code in re.findall("`(\\w+)`", words[form])}


def mapping_of(union):
    """Return the schemas that the discriminator values name.

    Without a mapping, the value is the name of the schema. A variant for games that are not installed has no value.
    """
    refs = [kind["$ref"] for kind in union["oneOf"]]
    implied = {at.rsplit("/", 1)[-1]: at for at in refs if not at.rsplit("/", 1)[-1].startswith("Uninstalled")}
    return union["discriminator"].get("mapping", implied)


def _one_of(validator, kinds, instance, schema):
    """Check only the schema that the discriminator names; if it names none, check all the others."""
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
"""Validates by the standard, but for a union with a discriminator checks only the named variant."""


def _bases(node):
    """Return the names of the schemas that others extend."""
    if isinstance(node, list):
        return {name for part in node for name in _bases(part)}
    if not isinstance(node, dict):
        return set()
    own = {part["$ref"].rsplit("/", 1)[-1] for part in node.get("allOf", ()) if "$ref" in part}
    return own | {name for part in node.values() for name in _bases(part)}


def _closed(node):
    """Close the objects of a schema: the description allows later versions to add fields, but a test must notice
    them."""
    if isinstance(node, list):
        return [_closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    made = {key: part if key in ("examples", "example") else _closed(part) for key, part in node.items()}
    if "allOf" in node:
        # The parts do not know the properties of the whole.
        parts = [{k: v for k, v in part.items() if k != "unevaluatedProperties"} for part in made["allOf"]]
        made["allOf"] = parts
    is_object = isinstance(node.get("properties"), dict) and "additionalProperties" not in node
    return {**made, "unevaluatedProperties": False} if is_object or "allOf" in node else made


def strict(spec):
    """Return a description whose answers may have only the described fields."""
    bases = _bases(spec["components"]["schemas"]) | {"OrdersSchema"}  # a JSON Schema has more keywords
    schemas = {name: of if name in bases else _closed(of) for name, of in spec["components"]["schemas"].items()}
    return {**spec, "components": {**spec["components"], "schemas": schemas}}


STRICT = strict(SPEC)
_registry = Registry().with_resource("openapi", Resource.from_contents(STRICT, DRAFT202012))


def resolved(node):
    """Resolve a reference inside the description."""
    while isinstance(node, dict) and "$ref" in node:
        at = SPEC
        for key in node["$ref"].removeprefix("#/").split("/"):
            at = at[key]
        node = at
    return node


def _by_name(node):
    """Express `_one_of` in plain JSON Schema: of several variants, check the one that the discriminator names."""
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
    """Return a validator that is hundreds of times faster, and reports only whether a value is valid."""
    described = {"$ref": f"urn:openapi#{pointer}"}
    return jsonschema_rs.Draft202012Validator(described, registry=_quick_registry, validate_formats=True)


@cache
def validator(pointer):
    """Return the validator of the schema at this place."""
    return Described(
        {"$ref": f"openapi#{pointer}"}, registry=_registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


OPERATIONS = {(path, method): operation for path, method, operation in whole_operations(SPEC)}
TEMPLATES = {
    template: re.compile(re.sub(r"\\?\{[^}]+\\?\}", "[^/]+", re.escape(template)))
    for template in sorted(SPEC["paths"], key=lambda template: template.count("{"))
}
"""Return the paths of the description with patterns for their addresses, those with the fewest parameters first."""


def template_of(path):
    """Return the described path of an address."""
    return next((template for template, addresses in TEMPLATES.items() if addresses.fullmatch(path)), None)


def check(method, path, response):
    """Assert that the description includes this answer: its status, media type, schema and headers."""
    template = template_of(path)
    method = "get" if method == "HEAD" else method.lower()
    described = OPERATIONS.get((template, method))
    if described is None:
        assert response.status_code in (404, 405), f"{method} {path}: {response.status_code}"
        _check_problem(response)
        return
    where = f"{method} {template} -> {response.status_code}"
    replies = described["responses"]
    if response.status_code == 204 and "text/event-stream" in replies.get("200", {}).get("content", {}):
        return  # The end of a stream is described in words, so that the answer in JSON has one type.
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
        implied = implied_codes(template, method, described)
        _check_code(where, {*described.get("x-problems", ()), *COMMON, *implied}, response)


def _check_code(where, described, response):
    """Assert that the operation lists the code of the refusal. The answer to `HEAD` has no code."""
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
