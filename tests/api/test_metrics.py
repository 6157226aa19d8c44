"""Tests that metrics contain no card, token, name or secret address."""

from dataclasses import replace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.app import create_app
from api.http.metrics import make_metrics
from tests.api.client import Client
from tests.api.conftest import USUAL

TOKEN = "a-token-for-prometheus"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def app(store):
    return create_app(replace(USUAL, dealt_metrics_token=TOKEN), store=store, make_metrics=make_metrics)


def read_figures(app):
    answer = app.test_client().get("/metrics", headers=BEARER)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


def test_server_without_the_setting_has_no_metrics(store):
    assert create_app(USUAL, store=store).test_client().get("/metrics", headers=BEARER).status_code == 404


@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}])
def test_metrics_require_the_token(app, given):
    assert app.test_client().get("/metrics", headers=given).status_code == 401


def test_requests_are_counted_by_operation_and_status(app):
    client = Client(app)
    for path in ("/v1/games", "/v1/games", "/v1/games/chess", "/v1/feeds/" + "s" * 32 + "/turns.atom"):
        client.get(path)
    figures = read_figures(app)
    assert figures["dealt_http_requests_total", "GET", "game_routes.list_games", "200"] == 2
    assert figures["dealt_http_requests_total", "GET", "game_routes.get_game", "404"] == 1
    assert figures["dealt_http_seconds_count", "game_routes.list_games"] == 2


def test_metrics_count_commits_and_live_matches(app):
    before = read_figures(app)
    client = Client(app)
    client.token = client.post("/v1/players", {"name": "Zebulon"}).json["token"]
    body = {"game": "gin_rummy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert client.post("/v1/matches", body).status_code == 201
    after = read_figures(app)
    assert after["dealt_commits_total",] == before["dealt_commits_total",] + 1
    assert after["dealt_matches_live",] == before["dealt_matches_live",] + 1
    assert ("dealt_due_late_seconds",) in after


def test_metrics_contain_no_names_and_no_secrets(app):
    client = Client(app)
    client.token = client.post("/v1/players", {"name": "Zebulon"}).json["token"]
    secret = "s" * 32
    client.get(f"/v1/feeds/{secret}/turns.atom")
    client.get("/v1/players/me")
    text = app.test_client().get("/metrics", headers=BEARER).text
    for said in ("Zebulon", client.token, secret, TOKEN):
        assert said not in text
