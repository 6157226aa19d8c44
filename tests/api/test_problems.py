"""Tests that all errors have the same form and reveal nothing confidential."""

import logging
import re
from contextlib import closing
from pathlib import Path

import pytest

from api.app import create_app
from api.http.problems import KINDS
from domain.core.refusals import COMMON, MALFORMED, OF_THE_API
from domain.games.catalogue import GAMES
from events.errors import Unavailable
from events.store.opening import open_store
from events.store.tables import process_rows
from tests.api.client import Client, code
from tests.api.conftest import USUAL
from tests.factories import MatchBody, NewPlayer

ROOT = Path(__file__).parents[2]


def test_codes_reserved_for_the_api_are_complete():
    of_games = {*COMMON, *MALFORMED, *(code for game in GAMES.values() for code in game.words.refusals)}
    assert KINDS.keys() - of_games == OF_THE_API


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"name": "Ann", "name": "Eve"}', "name"),
        ('{"name" : "Ann", "na\\u006de":"Eve"}', "name"),
        ('{"name": "Ann", "more": [{"a": 1, "a": 1}]}', "a"),
    ],
)
def test_body_with_a_repeated_name_is_refused(stranger, body, name):
    refused = stranger.send("POST", "/v1/players", data=body, content_type="application/json")
    assert code(refused) == (400, "bad_request")
    assert refused.json["detail"] == f"An object has the name `{name}` twice. Send each name once."


def test_text_that_looks_like_a_repeated_name_is_accepted(stranger):
    name = '"name": "a"'
    assert stranger.post("/v1/players", {"name": name}).json["name"] == name


# --- The shape of a request ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b'{"name": "Ada"', b"[]", b'"Ada"', b"null", b'{"name": NaN}', b'{"name": "\xff"}',
        b'{"name": "\\ud800"}', b"[" * 50_000, b'{"name": ' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"name": ' + b"9" * 5_000 + b"}",
    ],
)  # fmt: skip
def test_body_that_is_not_a_json_object_is_a_bad_request(stranger, body):
    refused = stranger.send("POST", "/v1/players", data=body, content_type="application/json")
    assert code(refused) == (400, "bad_request")


@pytest.mark.parametrize(
    "headers",
    [{"Content-Type": "text/plain"}, {"Content-Type": ""}, {"Content-Type": "application/x-www-form-urlencoded"},
     {"Content-Type": "application/json", "Content-Encoding": "gzip"}],
)  # fmt: skip
def test_body_without_json_content_type_is_refused(stranger, headers):
    refused = stranger.send("POST", "/v1/players", data=b'{"name": "Ada"}', headers=headers)
    assert code(refused) == (415, "unsupported_media_type")


def test_too_long_body_is_refused(stranger):
    refused = stranger.post("/v1/players", {"name": "x" * 70_000})
    assert code(refused) == (413, "content_too_large")
    assert refused.json["detail"] == "Send a body of at most 65536 bytes."


def test_malformed_request_is_refused_before_authentication(stranger):
    for path in ("/v1/matches", "/v1/matches/none/moves"):
        assert code(stranger.send("POST", path, data=b"{", content_type="application/json"))[0] == 400
        assert code(stranger.post(path, {"x": "x" * 70_000}))[0] == 413


@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/*", "text/html, application/json;q=0.1"])
def test_problems_are_json_for_common_accept_headers(stranger, accept):
    assert stranger.get("/v1/games", headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "application/json;q=0"])
def test_unavailable_media_type_is_not_acceptable(stranger, accept):
    assert code(stranger.get("/v1/games", headers={"Accept": accept})) == (406, "not_acceptable")


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/players/",
        "/v1//players",
        "//v1/players",
        "/v1/games/hearts/variants/1",
    ],
)
def test_unknown_path_is_not_found(stranger, path):
    assert code(stranger.get(path)) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [("DELETE", "/v1/matches"), ("PATCH", "/v1/inbox"), ("OPTIONS", "/v1/games"), ("TRACE", "/v1/games")],
)
def test_unknown_method_is_refused_with_the_allowed_ones(stranger, method, path):
    refused = stranger.send(method, path)
    assert code(refused) == (405, "method_not_allowed")
    assert "GET" in refused.headers["Allow"]


def test_head_answers_like_get_without_the_body(ada):
    table = ada.creates()
    head = ada.send("HEAD", table.path)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == ada.get(table.path).headers["ETag"]


# --- What a problem tells -----------------------------------------------------------------------------------


def test_problem_follows_rfc_9457(stranger):
    refused = stranger.get("/v1/matches/none")
    assert refused.mimetype == "application/problem+json"
    assert refused.json == {
        "type": "/docs/problems#not_found", "title": KINDS["not_found"].title, "status": 404,
        "detail": KINDS["not_found"].detail, "code": "not_found",
    }  # fmt: skip


def test_every_code_is_explained_on_a_page(stranger):
    page = stranger.get("/docs/problems").text
    assert [code for code in KINDS if f'id="{code}"' not in page] == []


def test_every_refusal_code_has_a_text():
    sources = (path.read_text() for room in ("domain", "events", "api") for path in (ROOT / room).rglob("*.py"))
    raised = {code for text in sources for code in re.findall(r'\b(?:Refused|Problem)\("(\w+)"', text)}
    assert raised - set(KINDS) == set()
    assert len(raised) > 20


# --- What goes wrong in the server --------------------------------------------------------------------------


def test_failure_reveals_nothing_and_is_logged_without_request_data(app, ada, monkeypatch, caplog):
    def fails(*_):
        raise RuntimeError(f"the hand is {'Q'}S; {ada.token}")

    monkeypatch.setattr("events.service.views.see_match", fails)
    with caplog.at_level(logging.DEBUG):
        failed = ada.get("/v1/matches/0")
    assert code(failed) == (500, "internal_error")
    assert "RuntimeError" in caplog.text
    for secret in ("QS", ada.token):
        assert secret not in failed.text
        assert secret not in caplog.text


def test_server_without_its_database_sends_retry_after(app, ada, stranger, monkeypatch):
    def gone(*_, **__):
        raise Unavailable

    store = app.extensions["dealt"].store
    for module, asked in (
        ("player_rows", "by_token"),
        ("stream_rows", "load"),
        ("search_rows", "find_matches"),
        ("player_rows", "add_once"),
    ):
        monkeypatch.setattr(f"events.store.tables.{module}.{asked}", gone)
    monkeypatch.setattr(store, "ready", lambda: False)
    for refused in (
        ada.get("/v1/players/me"), stranger.get("/v1/matches"), stranger.get("/v1/matches/" + "0" * 20),
        stranger.post("/v1/players", NewPlayer()), stranger.get("/readyz"), ada.post("/v1/matches", MatchBody()),
    ):  # fmt: skip
        assert code(refused) == (503, "unavailable")
        assert int(refused.headers["Retry-After"]) >= 1
    assert stranger.get("/healthz").json == {"status": "ok"}


def test_readiness_reports_a_working_server_and_its_missing_parts(empty_sqlite, tmp_path):
    with closing(open_store(empty_sqlite(tmp_path / "dealt.sqlite3"))) as store:
        stranger = Client(create_app(USUAL, store=store))
        found = stranger.get("/readyz")
        assert (found.status_code, found.json["status"]) == (200, "degraded")
        process_rows.beat(store, "here", "serve", 60_000, None)
        ready = stranger.get("/readyz").json
    assert ready == {
        "status": "ready", "schedulers": 1, "workers": 1, "broker": "ok", "late_seconds": 0,
        "followers": {"notices": 0, "ratings": 0, "tournament_ends": 0, "transparency": 0},
    }  # fmt: skip
