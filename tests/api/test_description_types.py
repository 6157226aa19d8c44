"""The description types what travels: what it leaves open is listed here, each with its reason."""

import re

import pytest
from marshmallow import fields

from api.http.openapi_games import ref
from api.http.strict_fields import Strict, schema_of
from tests.api.description import METHODS, SPEC, resolved, validator

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
    r"\w*EventBase\.(type|data)": "each event says its own",
    r"\w+Base\.(game|options|table)": "each game says its own",
    r"MoveBase\.(name|args)": "each move says its own",
}
"""What has no type, by its place, and why."""

SAYS = {"type", "oneOf", "anyOf", "allOf", "$ref", "enum", "const"}


def parts(schema, at):
    """Give a schema and all inside it, with their places; what is put together of several has their place."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for name, of in schema.get("properties", {}).items():
        yield from parts(of, f"{at}.{name}")
    for key, step in (("items", "[]"), ("additionalProperties", ".*"), ("unevaluatedProperties", ".*")):
        yield from parts(schema.get(key), at + step)
    for key in ("oneOf", "anyOf", "allOf", "prefixItems"):
        for one in schema.get(key, ()):
            yield from parts(one, at)


def is_open(schema):
    """Say whether a client learns nothing of what is there."""
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
    """Give every schema of the description, with its place."""
    for name, schema in SPEC["components"]["schemas"].items():
        yield from parts(schema, name)
    for path, methods in SPEC["paths"].items():
        for method, said in ((method, methods[method]) for method in METHODS if method in methods):
            at = f"{method} {path}"
            for one in map(resolved, said.get("parameters", ())):
                yield from parts(one["schema"], f"{at} {one['name']}")
            for of in said.get("requestBody", {}).get("content", {}).values():
                yield from parts(of["schema"], f"{at} body")
            for status, reply in said["responses"].items():
                for of in resolved(reply).get("content", {}).values():
                    yield from parts(of["schema"], f"{at} {status}")


def test_nothing_is_left_open_without_a_reason():
    places = [at for at, schema in described() if is_open(schema)]
    assert [at for at in places if not any(re.fullmatch(known, at) for known in OPEN)] == []
    # No reason is without a place.
    assert [known for known in OPEN if not any(re.fullmatch(known, at) for at in places)] == [], (
        "a reason without a place"
    )


@pytest.mark.parametrize("open_", [
    {"type": "object"}, {"type": ["object", "null"], "additionalProperties": True}, {"type": "array"},
    {"description": "Whatever."},
    {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True},
])  # fmt: skip
def test_what_says_nothing_is_found(open_):
    assert is_open(open_)


@pytest.mark.parametrize("typed", [
    {"type": "object", "properties": {}, "additionalProperties": False}, {"type": "array", "items": {"type": "string"}},
    {"type": "object", "additionalProperties": {"type": "string"}}, {"$ref": "#/components/schemas/Card"}, {"const": 1},
])  # fmt: skip
def test_what_says_something_is_not(typed):
    assert not is_open(typed)


# --- Records, and standing orders --------------------------------------------------------------------------


def fits(name, value):
    return validator(f"/components/schemas/{name}").is_valid(value)


def recorded(type_, data, v=1, **more):
    """An event of a record."""
    return {"v": v, "seq": 9, "commit": 9, "type": type_, "data": data, "at": "2026-11-21T10:00:00Z", "cause": "move",
            "seals": {}, "digest": "0" * 64, **more}  # fmt: skip


def test_the_events_of_a_record_are_told_apart_by_their_types():
    assert SPEC["components"]["schemas"]["Record"]["properties"]["events"]["items"] == ref("Event")
    assert fits("Event", recorded("CardCut", {"card": "4S", "seat": 0}))
    assert not fits("Event", recorded("CardCut", {"card": 4, "seat": 0}))
    assert not fits("Event", recorded("CardCut", {"card": "4S", "seat": "0"}))
    assert fits("Event", recorded("NoSuchThingHappened", {"whatever": 1})), "of a game that is not installed"


def test_the_events_of_a_collection_are_told_apart_by_their_types():
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
def test_orders_of_other_types_are_not_described(conditions, action):
    assert not fits("StandingOrders", {"orders": [{"if": conditions, "do": [action]}]})


def test_field_that_no_schema_describes_is_refused():
    """A field of another class would pass for text, as a boolean did."""
    body = Strict.from_dict({"sure": fields.Boolean()})
    with pytest.raises(TypeError, match="Boolean"):
        schema_of(body())
