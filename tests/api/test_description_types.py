"""Tests that the description types all data; the exceptions are listed here with their reasons."""

import re

import pytest

from api.http.openapi_games import ref
from api.http.record_reader import read_record
from api.http.request_records import Request, request_schema
from tests.api.description import SPEC, resolved, validator, whole_operations

OPEN = {
    "JsonSchema": "it is described by a standard of its own",
    r"Description\.(info|tags|security|servers|paths|webhooks|components).*": "so is OpenAPI",
    r"get /openapi.yaml 200": "so is OpenAPI",
    r"CollectibleCard\.abilities\[\]": "the language of cards stands in domain/card_sets/cards.md, and grows",
    r"Uninstalled\w+\.(options|table)": "who knew these options is gone with the package of the game",
    r"UninstalledEvent\.data": "so is who knew these events",
    r"(ListedMatch|DealGroup|RecordedMatch|Tournament|MatchTerms)\.\w*(options|deciding)": "a match has typed ones",
    r"Match(Created|Started)\.data\.options": "so it has of these",
    r"Game\.presets\..*": "a match is created with typed ones",
    r"AnyObject": "what is disclosed has the types of the fields of `data`; a game has options of its own",
    r"OrderedMove\.args": "`GET /v1/games/{game}/orders` describes them",
    r"(Game)?Preparation(Request)?\.options": "so are these",
    r"GameBroughtTo\.options": "and these, of another game",
    r"GroupEvent\.data": "each type of event of a group has fields of its own",
    r"Export\.data\.\*\[\]": "each kind of data has columns of its own",
    r"\w*EventBase\.(type|data)": "each event says its own",
    r"\w+Base\.(game|options|table)": "each game says its own",
    r"MoveBase\.(name|args)": "each move says its own",
}
"""Places in the description without a type, each with the reason."""

SAYS = {"type", "oneOf", "anyOf", "allOf", "$ref", "enum", "const"}


def parts(schema, at):
    """Yield a schema and all schemas inside it with their places; the parts of a combined schema have its place."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for name, of in schema.get("properties", {}).items():
        yield from parts(of, f"{at}.{name}")
    for key, step in (("items", "[]"), ("additionalProperties", ".*"), ("unevaluatedProperties", ".*")):
        yield from parts(schema.get(key), at + step)
    for key in ("oneOf", "anyOf", "allOf", "prefixItems"):
        for one in schema.get(key, ()):
            # What adds to a base is an object because the base is.
            yield from parts({"type": "object"} | one if key == "allOf" and "properties" in one else one, at)


def is_open(schema):
    """Return whether a schema says nothing about its value."""
    kinds = schema.get("type", [])
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    more = schema.get("additionalProperties")
    return (
        not SAYS & schema.keys()
        or (
            "object" in kinds
            and more is not False
            and not isinstance(more, dict)
            and not {"properties", "allOf"} & schema.keys()
        )
        or ("array" in kinds and not {"items", "prefixItems"} & schema.keys())
        or more is True
    )


def described():
    """Yield every schema of the description, with its place."""
    for name, schema in SPEC["components"]["schemas"].items():
        yield from parts(schema, name)
    for path, method, said in whole_operations(SPEC):
        at = f"{method} {path}"
        for one in map(resolved, said["parameters"]):
            yield from parts(one["schema"], f"{at} {one['name']}")
        for of in resolved(said.get("requestBody", {})).get("content", {}).values():
            yield from parts(of["schema"], f"{at} body")
        for status, reply in said["responses"].items():
            for of in resolved(reply).get("content", {}).values():
                yield from parts(of["schema"], f"{at} {status}")


def test_every_untyped_schema_has_a_listed_reason():
    places = [at for at, schema in described() if is_open(schema)]
    assert [at for at in places if not any(re.fullmatch(known, at) for known in OPEN)] == []
    # Every reason has a place.
    assert [known for known in OPEN if not any(re.fullmatch(known, at) for at in places)] == [], (
        "a reason without a place"
    )


@pytest.mark.parametrize("open_", [
    {"type": "object"}, {"type": ["object", "null"], "additionalProperties": True}, {"type": "array"},
    {"description": "Whatever."},
    {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True},
])  # fmt: skip
def test_untyped_schema_is_found(open_):
    assert is_open(open_)


@pytest.mark.parametrize("typed", [
    {"type": "object", "properties": {}, "additionalProperties": False}, {"type": "array", "items": {"type": "string"}},
    {"type": "object", "additionalProperties": {"type": "string"}}, {"$ref": "#/components/schemas/Card"}, {"const": 1},
])  # fmt: skip
def test_typed_schema_is_not_reported(typed):
    assert not is_open(typed)


# --- Records, and standing orders --------------------------------------------------------------------------


def fits(name, value):
    return validator(f"/components/schemas/{name}").is_valid(value)


def recorded(type_, data, v=1, **more):
    """Return an event of a record."""
    return {"v": v, "seq": 9, "commit": 9, "type": type_, "data": data, "at": "2026-11-21T10:00:00Z", "cause": "move",
            "seals": {}, "digest": "0" * 64, **more}  # fmt: skip


def test_record_events_are_distinguished_by_type():
    assert SPEC["components"]["schemas"]["Record"]["properties"]["events"]["items"] == ref("Event")
    assert fits("Event", recorded("CardCut", {"card": "4S", "seat": 0}))
    assert not fits("Event", recorded("CardCut", {"card": 4, "seat": 0}))
    assert not fits("Event", recorded("CardCut", {"card": "4S", "seat": "0"}))
    assert fits("Event", recorded("NoSuchThingHappened", {"whatever": 1})), "of a game that is not installed"


def test_collection_events_are_distinguished_by_type():
    event = recorded("SeedsCommitted", {"epoch": 1, "commitment": "0" * 64, "links": 9})
    assert fits("CollectionEvent", event)
    assert not fits("CollectionEvent", event | {"data": {"epoch": 1, "links": 9}})
    assert not fits("CollectionEvent", event | {"type": "BoostersGranted"})
    assert not fits("CollectionEvent", event | {"type": "NoSuchThingHappened"})


@pytest.mark.parametrize(("conditions", "action"), [
    ({"led": "H", "trick_no": {"min": 3}}, {"move": "play_card", "card": "highest", "below": "winning"}),
    ({"phase": ["passing"]}, {"move": "pass_cards", "args": {"cards": ["4S", "QS", "2C"]}}),
    ({}, {"move": "fold"}),
])  # fmt: skip
def test_orders_are_typed(conditions, action):
    assert fits("StandingOrders", {"orders": [{"if": conditions, "do": [action]}]})


@pytest.mark.parametrize(("conditions", "action"), [
    ({"leed": "H"}, {"move": "fold"}),
    ({"trick_no": {"least": 3}}, {"move": "fold"}),
    ({}, {"move": "jump"}),
    ({}, {"move": "play_card", "card": "middle"}),
    ({}, {"move": "pass_cards", "args": "4S"}),
])  # fmt: skip
def test_orders_of_wrong_types_do_not_match_the_description(conditions, action):
    assert not fits("StandingOrders", {"orders": [{"if": conditions, "do": [action]}]})


class Weighed(Request):
    grams: float


def test_undescribed_field_is_refused():
    with pytest.raises(KeyError, match="float"):
        request_schema(Weighed)
    with pytest.raises(TypeError, match="float"):
        read_record(Weighed, {"grams": 1.5})
