"""Tests that the description keeps the promises of the last release, and that a planted breaking change is found."""

import json
from copy import copy

import pytest

from tests.api.breaking_changes import KEPT, breaking_changes, without_prose
from tests.api.description import SPEC

NOW = without_prose(SPEC)
MATCHES = ("paths", "/v1/matches")
SCHEMAS = ("components", "schemas")
HEARTS = (*SCHEMAS, "HeartsOptionsBase", "allOf", 1)
EVENTS = NOW["components"]["schemas"]["Event"]["oneOf"]


def changed(*path, to=None, spec=NOW):
    """Return a description with a change in one place; without a value, the place is removed."""
    first, *rest = path
    made = copy(spec)
    if rest:
        made[first] = changed(*rest, to=to, spec=spec[first])
    elif to is None:
        del made[first]
    else:
        made[first] = to
    return made


def test_description_has_no_breaking_change_since_the_last_release():
    assert breaking_changes(json.loads(KEPT.read_text()), NOW) == []


def test_description_has_no_breaking_change_against_itself():
    assert breaking_changes(NOW, NOW) == []


@pytest.mark.parametrize(("planted", "said"), [
    (changed(*MATCHES, "post"), "POST /v1/matches: is gone"),
    (changed(*MATCHES, "get", "operationId", to="allMatches"), "has another operationId"),
    (changed(*MATCHES, "get", "x-scope", to="main"), "has another x-scope"),
    (changed(*MATCHES, "get", "parameters", 0), "query game: is gone"),
    (changed(*MATCHES, "get", "parameters", 1, "required", to=True), "query status: is required"),
    (changed(*MATCHES, "post", "responses", "201"), "POST /v1/matches 201: is gone"),
    (changed(*MATCHES, "post", "responses", "201", "headers", "Location"), "has no header Location"),
    (changed(*SCHEMAS, "MatchBase", "properties", "to_act"), ".to_act: is gone"),
    (changed(*SCHEMAS, "LastVersion", "type", to=["integer", "null"]), "is integer or null"),
    (changed(*SCHEMAS, "MatchBase", "required", to=["id"]), ".status: may be missing"),
    (changed(*SCHEMAS, "CardPlayed", "allOf", 1, "properties", "data", "properties", "seat"), ".seat: is gone"),
    (changed(*SCHEMAS, "HeartsMatch", "allOf", 1, "properties", "game", "const", to="heart"), "is always 'heart'"),
    (changed(*SCHEMAS, "Event", "oneOf", 3), "is gone"),
    (changed(*SCHEMAS, "PlayerRequest", "required", to=["name", "handle"]), "is required"),
    (changed(*SCHEMAS, "MatchRequestBase", "properties", "visibility", "enum", to=["public"]), "one of fewer words"),
    (changed(*HEARTS, "properties", "target_score", "maximum", to=5), "has a lower maximum"),
])  # fmt: skip
def test_a_planted_breaking_change_is_found(planted, said):
    assert any(said in one for one in breaking_changes(NOW, planted))


@pytest.mark.parametrize("planted", [
    changed("paths", "/v1/new", to={"get": {"operationId": "getNew", "responses": {}}}),
    changed(*SCHEMAS, "MatchBase", "properties", "mood", to={"type": "string"}),
    changed(*SCHEMAS, "Mood", to={"type": "object", "properties": {}}),
    changed(*SCHEMAS, "PlayerRequest", "properties", "mood", to={"type": "string"}),
    changed(*SCHEMAS, "Event", "oneOf", to=[*EVENTS, {"$ref": "#/components/schemas/Card"}]),
    changed(*MATCHES, "get", "responses", "304", to={"description": "You have it already."}),
])  # fmt: skip
def test_additions_are_not_breaking_changes(planted):
    assert breaking_changes(NOW, planted) == []
