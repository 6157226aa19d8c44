"""Tests the support for browsers, proxies and log readers: CORS, path prefixes, request ids and unnamed events."""

import logging
import re

import pytest
import yaml

from api.app import create_app
from api.http.asgi_bridge import refusal_problem
from api.http.log_setup import LogLine
from events.settings import Settings
from tests import built
from tests.api.conftest import USUAL
from tests.api.description import SPEC, resolved, whole_operations
from tests.draws import first_of
from tests.factories import MatchBody

ORIGIN = {"Origin": "https://elsewhere.example"}


def served(store, **settings):
    app = create_app(Settings(dealt_rate_per_second=0, **settings), store=store)
    return app.test_client()


# --- Origins ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/games", "/v1/matches/none", "/v1/players/me", "/healthz", "/openapi.yaml"])
def test_page_of_any_origin_can_read_every_answer_without_cookies(app, path):
    answer = app.test_client().get(path, headers=ORIGIN)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    shown = answer.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "RateLimit", "Retry-After", "X-Request-Id"} <= set(shown)


GUARDS = ("Referrer-Policy", "Cross-Origin-Opener-Policy", "X-Content-Type-Options")
PAGES = ["/play", "/docs"]
OTHERS = ["/openapi.yaml", "/healthz", "/v1/games", "/v1/matches/none", "/v1/feeds/none.atom"]
PARTS = ["empty", "font", "image", "manifest", "script", "style"]


def guards(app, path, destination):
    asked = {} if destination is None else {"Sec-Fetch-Dest": destination}
    headers = app.test_client().get(path, headers=asked).headers
    return [headers.get(name) for name in GUARDS]


@pytest.mark.parametrize("destination", [None, "document", "iframe", "embed", "object", "worker", "new"])
@pytest.mark.parametrize("path", PAGES + OTHERS)
def test_visible_answers_send_no_referrer_and_isolate_their_window(app, path, destination):
    assert guards(app, path, destination) == ["no-referrer", "same-origin", "nosniff"]


@pytest.mark.parametrize("destination", PARTS)
@pytest.mark.parametrize("path", PAGES)
def test_page_has_security_headers_for_every_client(app, path, destination):
    assert guards(app, path, destination) == ["no-referrer", "same-origin", "nosniff"]


@pytest.mark.parametrize("destination", PARTS)
@pytest.mark.parametrize("path", OTHERS)
def test_subresource_has_no_document_headers(app, path, destination):
    assert guards(app, path, destination) == [None, None, "nosniff"]


def test_refusal_outside_the_app_has_the_same_headers():
    assert refusal_problem(431, "").headers["Referrer-Policy"] == "no-referrer"


def test_page_can_read_every_documented_header(app):
    described = SPEC["components"]["headers"]
    answer = app.test_client().get("/v1/games")
    everybodys = {"Cache-Control", "Content-Security-Policy", "Vary", "X-Accel-Buffering"}
    assert set(described) - everybodys <= set(answer.headers["Access-Control-Expose-Headers"].split(", "))


def test_page_of_this_server_can_read_all_answers(app):
    answer = app.test_client().get("/v1/games", headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Expose-Headers" not in answer.headers


def test_page_can_send_every_documented_header(app):
    described = {
        parameter["name"]
        for _, _, said in whole_operations(SPEC)
        for parameter in map(resolved, said["parameters"])
        if parameter["in"] == "header"
    }
    allowed = preflight(app, "/v1/matches", "POST").headers["Access-Control-Allow-Headers"].split(", ")
    assert described | {"Authorization", "Content-Type"} <= set(allowed)


def preflight(app, path, method):
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization"}
    return app.test_client().options(path, headers=ORIGIN | asked)


def test_preflight_request_lists_the_methods(app):
    answer = preflight(app, "/v1/matches/some/moves", "POST")
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS, POST"
    assert int(answer.headers["Access-Control-Max-Age"]) >= 3600


def test_browser_gets_a_page_for_a_missing_resource(app):
    answer = preflight(app, "/v1/nothing", "GET")
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (404, "*")


# --- Ids of requests --------------------------------------------------------------------------------------


def test_request_id_is_returned(app):
    assert app.test_client().get("/v1/games", headers={"X-Request-Id": "a-1.b_2"}).headers["X-Request-Id"] == "a-1.b_2"


@pytest.mark.parametrize("given", [None, "", "a b", "x" * 65, "é", "a\x1b[2J"])
def test_invalid_request_id_is_replaced(app, given):
    headers = {} if given is None else {"X-Request-Id": given}
    ids = [app.test_client().get("/v1/games", headers=headers).headers["X-Request-Id"] for _ in range(2)]
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in ids)
    assert ids[0] != ids[1]


def test_log_lines_of_a_request_have_its_id(store):
    app = create_app(USUAL, store=store)

    @app.before_request
    def fails():
        raise LookupError

    lines = []
    handler = logging.Handler()
    handler.setFormatter(LogLine())
    handler.emit = lambda record: lines.append(handler.format(record))
    logging.getLogger("api").addHandler(handler)
    try:
        answer = app.test_client().get("/v1/games", headers={"X-Request-Id": "mine"})
        logging.getLogger("api").error("afterwards")
    finally:
        logging.getLogger("api").removeHandler(handler)
    assert answer.status_code == 500
    assert " api.http.problems [mine]: A request failed with LookupError" in lines[0]
    assert "mine" not in lines[1]


# --- Below a path -----------------------------------------------------------------------------------------


PUBLIC = "https://example.org/cards"


@pytest.mark.parametrize("asked", ["/cards/v1", "/v1"])
def test_all_addresses_begin_with_the_public_address(store, asked):
    client = served(store, dealt_public_url="https://example.org/cards/")
    player = client.post(f"{asked}/players", json={"name": "Ann"})
    assert (player.status_code, player.headers["Location"]) == (201, f"{PUBLIC}/v1/players/me")
    mine = {"Authorization": f"Bearer {player.json['token']}"}
    match = client.post(f"{asked}/matches", json=MatchBody(), headers=mine)
    assert match.headers["Location"] == f"{PUBLIC}/v1/matches/{match.json['id']}"
    feeds = client.post(f"{asked}/players/me/feeds", headers=mine)
    assert feeds.json["atom"].startswith("https://example.org/cards/v1/feeds/")
    assert client.get(f"{asked}/nothing").json["type"] == f"{PUBLIC}/docs/problems#not_found"
    assert client.get(f"{asked}/games/hearts").json["orders"] == f"{PUBLIC}/v1/games/hearts/orders"
    again = client.post(f"{asked}/matches", json=MatchBody(invited=True), headers=mine)
    assert again.json["invites"][0]["link"].startswith(f"{PUBLIC}/v1/matches/")


def test_refusal_outside_the_app_uses_the_public_address():
    assert refusal_problem(431, PUBLIC).json["type"] == f"{PUBLIC}/docs/problems#bad_request"


@pytest.mark.long
@pytest.mark.parametrize("path", first_of(["/cards", "/cards/"]))
def test_pages_are_served_below_the_public_path(store, path):
    client = served(store, dealt_public_url="https://example.org/cards")
    assert client.get(path).headers["Location"] == "/cards/play"
    links = set(re.findall(r'(?:href|src)="(/[^"]*)"', client.get("/cards/docs").text))
    script = f"/cards/play/static/{built.entry('docs.js')}"
    assert {f"/cards/play/static/{built.entry('docs.css')}", script, "/cards/openapi.yaml"} <= links
    assert [link for link in links if not link.startswith("/cards/")] == []
    assert client.get(script).status_code == 200
    assert yaml.load(client.get("/cards/openapi.yaml").data, yaml.CSafeLoader)["servers"] == [{"url": "/cards"}]
    assert client.get("/cards/openapi.json").json["servers"] == [{"url": "/cards"}]
    assert client.get("/cardsharp/docs").status_code == 404


@pytest.mark.parametrize(("proxies", "prefix"), [(1, "/cards"), (0, "")])
def test_path_prefix_is_accepted_only_from_a_trusted_proxy(store, proxies, prefix):
    client = served(store, dealt_trusted_proxies=proxies)
    answer = client.post("/v1/players", json={"name": "Ann"}, headers={"X-Forwarded-Prefix": "/cards"})
    assert answer.headers["Location"] == f"{prefix}/v1/players/me"


@pytest.mark.parametrize("prefix", ["//evil.example", "https://evil.example", "cards", '/"><script>', "/a b", "/.."])
def test_invalid_prefix_does_not_redirect_to_another_host(store, prefix):
    """A proxy that sets no prefix passes on its client's."""
    client = served(store, dealt_trusted_proxies=1, dealt_public_url="https://example.org/cards")
    assert client.get("/", headers={"X-Forwarded-Prefix": prefix}).headers["Location"].startswith("/cards/")


# --- Streams ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/matches/{}/events", "/v1/matches/{}/chat", "/v1/inbox"])
@pytest.mark.parametrize(("query", "named"), [("", True), ("?events=message", False)])
def test_stream_without_event_names_needs_one_listener(ada, path, query, named):
    table = ada.creates()
    ada.post(f"{table.path}/chat", {"text": "Hello"})
    headers = {"Accept": "text/event-stream"}
    stream = ada.get(path.format(table["id"]) + query, headers=headers, buffered=False)
    first = next(part for part in stream.response if b"data: " in part)
    stream.close()
    assert first.startswith(b"id: ")
    assert (b"\nevent: " in first) == named


def test_unknown_kind_of_stream_message_is_refused(ada):
    assert ada.get("/v1/inbox?events=typed").status_code == 422
