"""The description of the API: generated, complete, and for clients the same as ever."""

import re
from pathlib import Path

import yaml
from openapi_spec_validator import validate

from api.http.app import routed
from api.http.openapi import written
from api.http.problems import KINDS
from domain.games.catalogue import GAMES
from domain.match.events import SEAT_COMMANDS
from tests.api.description import FILE, METHODS, SPEC
from tests.api.shape import Shape

OWN_FILES = "/docs/static/{filename}"  # what the page itself consists of
REFERENCE = yaml.safe_load((Path(__file__).parent / "openapi_reference.yaml").read_text())


def camel(*names):
    """Name a component: `CrazyEightsPlayCard`."""
    return "".join(word.capitalize() for name in names for word in name.split("_"))


def operations():
    return [(path, method, operation) for path, methods in SPEC["paths"].items()
            for method, operation in methods.items() if method in METHODS]  # fmt: skip


def test_the_file_is_what_the_code_says():
    assert FILE.read_text() == written(routed()), "run python3 dev.py openapi"


def test_the_description_is_valid():
    validate(SPEC)


def test_every_operation_keeps_its_parameters_codes_and_bodies():
    kept, now = REFERENCE["operations"], Shape(SPEC).operations()
    assert [name for name in kept if not keeps(kept[name], now.get(name))] == []


def keeps(was, now):
    """Say whether a part of the description is as it was; of a list of words there may be more now."""
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(keeps(was[name], now[name]) for name in was)
    if isinstance(was, str) and isinstance(now, str) and " of " in was:
        (kind, _, words), (as_now, _, more) = was.partition(" of "), now.partition(" of ")
        return kind == as_now and set(words.split()) <= set(more.split())
    return was == now


def test_every_schema_that_clients_know_keeps_its_fields():
    kept, now = REFERENCE["schemas"], Shape(SPEC).schemas(REFERENCE["schemas"])
    for name, fields in kept.items():
        assert [at for at, was in fields.items() if not keeps(was, now[name].get(at))] == [], name


def test_no_body_wants_more_than_clients_know_to_send():
    now = Shape(SPEC).schemas(REFERENCE["schemas"])
    sent = {one["body"].split("=")[-1].split()[0] for one in REFERENCE["operations"].values() if one["body"]}
    for name in sent & now.keys():
        new = now[name].keys() - REFERENCE["schemas"][name].keys()
        assert all("?" in at for at in new), name


def test_every_route_is_described_and_every_description_is_routed(app):
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD"}
    }
    assert routes - {(OWN_FILES, "GET")} == {(path, method.upper()) for path, method, _ in operations()}


def test_what_a_seat_may_send_is_described():
    moves = {(game, name): cls for game, rules in GAMES.items() for name, cls in rules.moves.items()}
    sent = moves | {(name,): cls for name, cls in SEAT_COMMANDS.items()}
    wanted = {camel(*names) for names, cls in sent.items() if cls.__dataclass_fields__}
    assert wanted | {camel(game, "options") for game in GAMES} <= set(SPEC["components"]["schemas"])


def test_the_statuses_of_all_problems_are_described():
    status = {kind.status for kind in KINDS.values()}
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
    sent_as_moves = {
        camel(*names)
        for game, rules in GAMES.items()
        for names in [*((game, move) for move in rules.moves), (game, "options")]
    } | {camel(command) for command in SEAT_COMMANDS}
    for kind, components in SPEC["components"].items():
        if kind != "securitySchemes":
            unused = {name for name in components if f"#/components/{kind}/{name}'" not in text}
            assert unused <= sent_as_moves, kind


def test_the_root_leads_to_the_page(stranger):
    led = stranger.get("/")
    assert (led.status_code, led.headers["Location"]) == (302, "/docs")


def test_description_and_page_are_served_and_load_nothing_from_elsewhere(stranger):
    assert stranger.get("/openapi.yaml").text == FILE.read_text()
    page = stranger.get("/docs")
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert re.findall(r'(?:src|href)="((?!/|data:)[^"]*)"', page.text) == []
    for path in re.findall(r'(?:src|href)="(/docs/static/[^"]*)"', page.text):
        with stranger._client.get(path) as file:
            assert file.status_code == 200
