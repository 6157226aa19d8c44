"""The description and the app say the same, in both directions."""

import re
from dataclasses import fields

import pytest
from openapi_spec_validator import validate

from api.http import schemas
from api.http.fields import schema_of
from api.http.generated import of_record, options_schema
from api.http.problems import KINDS
from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.games.hearts import play as hearts
from domain.match.events import SEAT_COMMANDS, Resign, Series
from tests.api.description import METHODS, SPEC, resolved

COMPONENTS = SPEC["components"]["schemas"]
OWN_FILES = "/docs/static/{filename}"  # what the page itself consists of

SENT = {
    "NewPlayer": schemas.NewPlayer(), "Nothing": schemas.Nothing(), "NewMatch": schemas.NewMatch(),
    "NewGroup": schemas.NewGroup(), "Practice": schemas.Practice(),
    "NewVacation": schemas.NewVacation(), "VacationChoice": schemas.VacationChoice(),
    "NewMessage": schemas.NewMessage(), "NewNotes": schemas.NewNotes(),
    "Notices": schemas.Notices(), "NewWebhook": schemas.Webhook(), "WebhookChange": schemas.WebhookChange(),
    "ReplayDeliveries": schemas.ReplayDeliveries(), "Email": schemas.Email(), "Confirmation": schemas.Confirmation(),
    "HandsToRank": schemas.HandsToRank(), "HandToRank": schemas.HandToRank(),
    "SeatPlan": schemas.SeatPlan(), "SitDown": schemas.SitDown(), "Move": schemas.Move(),
    "Clock": of_record(Clock), "Series": of_record(Series),
    "PassCards": of_record(hearts.PassCards), "ReturnCard": of_record(hearts.ReturnCard),
    "PlayCard": of_record(hearts.PlayCard), "Resign": of_record(Resign),
}  # fmt: skip


def camel(*names):
    """Name a component: `CrazyEightsPlayCard`."""
    return "".join(word.capitalize() for name in names for word in name.split("_"))


OPTIONS = {camel(name, "options"): game for name, game in GAMES.items()}

MOVES = {
    camel(name, move): of_record(cls)
    for name, game in GAMES.items()
    for move, cls in game.moves.items()
    if fields(cls) and name != "hearts"
}

QUERIES = {
    "listMatches": schemas.MatchesQuery(), "listEvents": schemas.EventsQuery(), "listMoves": schemas.SeatQuery(), "getMatch": schemas.SeatQuery(),
    "replayMatch": schemas.ReplayQuery(), "getRecord": schemas.RecordQuery(), "verifyRecord": schemas.VerifyQuery(), "auditMatch": schemas.VerifyQuery(), "getInbox": schemas.InboxQuery(),
    "listDeliveries": schemas.PageQuery(), "listMessages": schemas.ChatQuery(),
}  # fmt: skip


def plain(schema):
    """Follow references and leave out what is said to people alone."""
    schema = resolved(schema)
    if isinstance(schema, dict):
        return {
            key: plain(value)
            for key, value in schema.items()
            if key not in ("description", "example", "title")
        }
    return [plain(item) for item in schema] if isinstance(schema, list) else schema


def operations():
    return [(path, method, operation) for path, methods in SPEC["paths"].items()
            for method, operation in methods.items() if method in METHODS]  # fmt: skip


def test_the_description_is_valid():
    validate(SPEC)


def test_every_route_is_described_and_every_description_is_routed(app):
    routed = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD"}
    }
    assert routed - {(OWN_FILES, "GET")} == {(path, method.upper()) for path, method, _ in operations()}


@pytest.mark.parametrize("name", SENT)
def test_what_is_sent_is_checked_as_it_is_described(name):
    assert plain(COMPONENTS[name]) == plain(schema_of(SENT[name]))


@pytest.mark.parametrize("name", MOVES)
def test_moves_are_checked_as_they_are_described(name):
    assert plain(COMPONENTS[name]) == plain(schema_of(MOVES[name]))


@pytest.mark.parametrize("name", OPTIONS)
def test_options_are_checked_as_they_are_described(name):
    assert plain(COMPONENTS[name]) == plain(options_schema(OPTIONS[name]))


def test_no_schema_of_what_is_sent_is_forgotten():
    used = {
        name for path, method, operation in operations() for name in _refs(operation.get("requestBody", {}))
    }
    assert used - {"Card"} <= set(SENT)  # a card is checked wherever it stands
    moves = {
        cls.__name__
        for cls in (*GAMES["hearts"].moves.values(), *SEAT_COMMANDS.values())
        if cls.__dataclass_fields__
    }
    assert moves <= set(SENT)


def _refs(node):
    if isinstance(node, dict):
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[-1]
            if "/schemas/" in node["$ref"]:
                yield name
            yield from _refs(resolved(node))
        for key, value in node.items():
            if key != "$ref":
                yield from _refs(value)
    elif isinstance(node, list):
        for item in node:
            yield from _refs(item)


@pytest.mark.parametrize("operation_id", [operation["operationId"] for _, _, operation in operations()])
def test_queries_are_checked_as_they_are_described(operation_id):
    (operation,) = [op for _, _, op in operations() if op["operationId"] == operation_id]
    parameters = [resolved(parameter) for parameter in operation.get("parameters", ())]
    described = {p["name"]: plain(p["schema"]) for p in parameters if p["in"] == "query"}
    checked = schema_of(QUERIES[operation_id])["properties"] if operation_id in QUERIES else {}
    assert described == checked


def test_every_problem_is_described_and_every_description_is_a_problem():
    assert set(COMPONENTS["Problem"]["properties"]["code"]["enum"]) == set(KINDS)


def test_each_response_names_the_codes_of_its_status():
    for response in SPEC["components"]["responses"].values():
        if "application/problem+json" in response.get("content", {}):
            named = set(re.findall(r"`(\w+)`", response["description"])) & set(KINDS)
            assert named
            assert len({KINDS[code].status for code in named}) == 1
    status = {KINDS[code].status for code in KINDS}
    described = {int(status) for _, _, op in operations() for status in op["responses"] if int(status) >= 400}
    # No operation answers for a method that it is not; an address too long is a bad request that says 414.
    assert described == status - {405} | {414}


def test_every_operation_can_become_a_method_of_a_client():
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in SPEC["tags"]}
    assert all(set(operation["tags"]) <= tags and operation["summary"] for _, _, operation in operations())
    assert "oneOf" not in str(SPEC)


def test_every_component_is_used():
    text = str(SPEC)
    hearts_moves = {cls.__name__ for cls in GAMES["hearts"].moves.values()}
    sent_as_moves = {*hearts_moves, *MOVES, *OPTIONS, "Resign"}
    for kind, components in SPEC["components"].items():
        if kind != "securitySchemes":
            unused = [
                n for n in components if f"#/components/{kind}/{n}'" not in text and n not in sent_as_moves
            ]
            assert unused == [], kind


def test_the_root_leads_to_the_page(stranger):
    led = stranger.get("/")
    assert (led.status_code, led.headers["Location"]) == (302, "/docs")


def test_description_and_page_are_served_and_load_nothing_from_elsewhere(stranger):
    assert stranger.get("/openapi.yaml").text.startswith("openapi: 3.1")
    page = stranger.get("/docs")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert re.findall(r'(?:src|href)="((?!/|data:)[^"]*)"', page.text) == []
    for path in re.findall(r'(?:src|href)="(/docs/static/[^"]*)"', page.text):
        with stranger._client.get(path) as file:
            assert file.status_code == 200
