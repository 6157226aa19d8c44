"""Generators can build clients from the description: each law excludes the cause of a client that failed.

`tests/clients` builds clients and plays with them. For Java, Kotlin and C# there are only these laws.
"""

import re
from collections import Counter

import pytest

from tests.api.breaking_changes import whole
from tests.api.description import SPEC

SCHEMAS = SPEC["components"]["schemas"]
VALUES = ("example", "examples", "mapping", "enum", "x-titles", "x-statuses")


def parts(node, at):
    """Give each schema inside a part of the description, with its place."""
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


def test_no_value_is_only_null():
    """Generators have no type for it. Null is the second type of something, or one of two kinds."""
    lone = [at for at, of in ALL if of.get("type") == "null" and not at.rpartition("/")[2].startswith("anyOf")]
    assert lone == []


def test_every_word_has_a_type():
    assert [at for at, of in ALL if {"const", "enum"} & of.keys() and "type" not in of and "/not" not in at] == []


@pytest.mark.parametrize("before", ["New", "Nullable"])
def test_no_schema_is_named_like_generated_code_for_another(before):
    """Go has a constructor `NewMatch` for each `Match`, and a type `NullableMatch`."""
    assert [name for name in SCHEMAS if f"{before}{name}" in SCHEMAS] == []


def test_no_names_differ_only_in_case():
    counted = Counter(name.lower() for name in SCHEMAS)
    assert [name for name, times in counted.items() if times > 1] == []


def test_no_name_ends_as_a_file_of_tests_does():
    """Go does not compile files such as `model_card_test.go`."""
    assert [name for name in SCHEMAS if name.lower().endswith("test")] == []


def test_no_enum_in_a_field_has_the_name_of_a_schema():
    """It is named after its schema and its field."""
    for name, schema in SCHEMAS.items():
        inner = [field for field, of in schema.get("properties", {}).items() if {"enum", "properties"} & of.keys()]
        made = {f"{name}{''.join(map(str.capitalize, field.split('_')))}" for field in inner}
        assert made & SCHEMAS.keys() == set(), name


def test_every_union_of_objects_says_which_it_is():
    """A strict client tries all of them otherwise, and finds that several fit."""
    assert [at for at, of in ALL if "oneOf" in of and "discriminator" not in of] == []


def test_a_discriminator_is_required_in_every_kind():
    for at, of in ALL:
        for kind in of["oneOf"] if "discriminator" in of else ():
            assert of["discriminator"]["propertyName"] in whole(SPEC, kind)["required"], (at, kind)


def bases():
    return {part["$ref"].rpartition("/")[2] for _, of in ALL for part in of.get("allOf", ()) if "$ref" in part}


def test_a_base_has_no_object_without_a_name():
    """It would be generated again, by the same name, for each schema that adds to the base."""
    assert bases()
    inner = [at for name in bases() for at, of in parts(SCHEMAS[name], name) if place(at) != name and is_object(of)]
    assert inner == []


def test_a_base_is_only_a_base():
    """It admits other fields, those of the schemas that add to it, and so can never be closed itself."""
    used = {of["$ref"].rpartition("/")[2] for at, of in ALL if "$ref" in of and not re.search(r"/allOf\[0\]$", at)}
    assert bases() & used == set()


def test_an_object_without_a_name_is_the_field_of_a_schema():
    """Deeper ones would be named by each generator in its own way."""
    deep = [at for name, schema in SCHEMAS.items() for at, of in parts(schema, name)
            if is_object(of) and "properties" in of and len(re.findall("[./]", place(at))) > 1]  # fmt: skip
    assert deep == []


def place(at):
    """Give the place of a part of an object as that of the object."""
    return re.sub(r"/allOf\[\d\]", "", at)


def is_object(schema):
    return "object" in schema.get("type", ())


@pytest.mark.parametrize(("law", "planted"), [
    (test_no_value_is_only_null, {"type": "null"}),
    (test_every_word_has_a_type, {"const": "hearts"}),
    (test_every_union_of_objects_says_which_it_is, {"oneOf": [{"$ref": "#/components/schemas/Match"}] * 2}),
])  # fmt: skip
def test_broken_law_is_found(law, planted, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ALL", [("Planted.field", planted)])
    with pytest.raises((AssertionError, KeyError)):
        law()
