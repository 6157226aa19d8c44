"""Tests that generators can build clients from the description: each test excludes a fault that once broke a client.

`tests/clients` builds clients and plays with them. For Java, Kotlin and C# there are only these tests.
"""

import re
from collections import Counter

import pytest

from tests.api.breaking_changes import whole
from tests.api.description import SPEC

SCHEMAS = SPEC["components"]["schemas"]
VALUES = ("example", "examples", "mapping", "enum")


def parts(node, at):
    """Yield each schema inside a part of the description, with its place."""
    if isinstance(node, list):
        for i, part in enumerate(node):
            yield from parts(part, f"{at}[{i}]")
    if not isinstance(node, dict):
        return
    yield at, node
    for key, part in node.items():
        if key in ("properties", "patternProperties"):
            for name, of in part.items():
                yield from parts(of, f"{at}.{name}")
        elif key not in VALUES:
            yield from parts(part, f"{at}/{key}")


ALL = [found for name, schema in SCHEMAS.items() for found in parts(schema, name)]
ALL += list(parts(SPEC["paths"], "paths"))


def test_no_schema_admits_only_null():
    """Generators have no type for it. Null is the second type of a value, or one of two variants."""
    lone = [at for at, of in ALL if of.get("type") == "null" and not at.rpartition("/")[2].startswith("anyOf")]
    assert lone == []


def test_every_enum_has_a_type():
    assert [at for at, of in ALL if {"const", "enum"} & of.keys() and "type" not in of and "/not" not in at] == []


@pytest.mark.parametrize("before", ["New", "Nullable"])
def test_schema_names_do_not_clash_with_generated_code(before):
    """Go has a constructor `NewMatch` for each `Match`, and a type `NullableMatch`."""
    assert [name for name in SCHEMAS if f"{before}{name}" in SCHEMAS] == []


def test_no_two_names_differ_only_in_case():
    counted = Counter(name.lower() for name in SCHEMAS)
    assert [name for name, times in counted.items() if times > 1] == []


def test_names_do_not_end_like_test_files():
    """Go does not compile files such as `model_card_test.go`."""
    assert [name for name in SCHEMAS if name.lower().endswith("test")] == []


def test_no_enum_has_a_name():
    """Generated types of named enums refuse the words of later versions, and Go has one constant for each word."""
    assert [name for name, schema in SCHEMAS.items() if "enum" in schema] == []


def is_named_after_its_place(schema):
    """Return whether generators name a type after this field, as for an enum, an object or a union."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    return bool({"enum", "properties"} & schema.keys()) or len(kinds) > 1


def test_no_inline_object_gets_the_name_of_a_schema():
    """A union with the name of one of its variants contains itself; in Go, decoding it overflows the stack."""
    for name, schema in SCHEMAS.items():
        inner = [field for field, of in schema.get("properties", {}).items() if is_named_after_its_place(of)]
        made = {f"{name}{''.join(map(str.capitalize, field.split('_')))}" for field in inner}
        assert made & SCHEMAS.keys() == set(), name


def test_every_union_of_objects_has_a_discriminator():
    """Otherwise, a strict client tries all variants and finds that several match."""
    assert [at for at, of in ALL if "oneOf" in of and "discriminator" not in of] == []


def test_discriminator_is_required_in_every_variant():
    for at, of in ALL:
        for kind in of["oneOf"] if "discriminator" in of else ():
            assert of["discriminator"]["propertyName"] in whole(SPEC, kind)["required"], (at, kind)


def test_a_base_has_no_field_that_tells_kinds_apart():
    """Without a type there, openapi-generator finds the discriminator wrong; with one, openapi-python-client does."""
    for at, of in ALL:
        for kind in of["oneOf"] if "discriminator" in of else ():
            base = SCHEMAS[kind["$ref"].rpartition("/")[2]].get("allOf", [{}])[0]
            assert of["discriminator"]["propertyName"] not in whole(SPEC, base).get("properties", {}), (at, kind)


def bases():
    return {part["$ref"].rpartition("/")[2] for _, of in ALL for part in of.get("allOf", ()) if "$ref" in part}


def test_base_schema_has_no_unnamed_object():
    """It would be generated again under the same name for each schema that extends the base."""
    assert bases()
    inner = [at for name in bases() for at, of in parts(SCHEMAS[name], name) if place(at) != name and is_object(of)]
    assert inner == []


def test_base_schema_is_used_only_as_a_base():
    """It admits further fields, those of the schemas that extend it, so it can never be closed itself."""
    places = {at: of["$ref"] for at, of in ALL if "/schemas/" in of.get("$ref", "")}
    used = {of.rpartition("/")[2] for at, of in places.items() if not re.search(r"/allOf\[\d\]$", at)}
    assert bases() & used == set()


def test_unnamed_object_is_a_field_of_a_schema():
    """Each generator would name deeper ones in its own way."""
    deep = [at for name, schema in SCHEMAS.items() for at, of in parts(schema, name)
            if is_object(of) and "properties" in of and len(re.findall("[./]", place(at))) > 1]  # fmt: skip
    assert deep == []


def place(at):
    """Return the place of the object for a part of it."""
    return re.sub(r"/allOf\[\d\]", "", at)


def is_object(schema):
    return "object" in schema.get("type", ())


@pytest.mark.parametrize(("law", "planted"), [
    (test_no_schema_admits_only_null, {"type": "null"}),
    (test_every_enum_has_a_type, {"const": "hearts"}),
    (test_every_union_of_objects_has_a_discriminator, {"oneOf": [{"$ref": "#/components/schemas/Match"}] * 2}),
])  # fmt: skip
def test_broken_rule_is_found(law, planted, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ALL", [("Planted.field", planted)])
    with pytest.raises((AssertionError, KeyError)):
        law()
