"""How often somebody may ask."""

import pytest

from api.http.app import create_app
from api.http.rate_limits import Buckets
from events.settings import Settings
from events.store import tables
from tests.api.client import Client, code


@pytest.fixture
def time(monkeypatch):
    """Time that stands still until it is moved on."""
    at = [0.0]
    monkeypatch.setattr("api.http.rate_limits.monotonic", lambda: at[0])
    return at


@pytest.fixture(autouse=True)
def _(time):
    """All of this happens in no time."""


@pytest.fixture
def settings():
    return Settings(dealt_rate_per_second=5, dealt_rate_burst=10)


def test_every_answer_tells_what_is_left(ada):
    told = [ada.get("/v1/players/me").headers for _ in range(2)]
    assert told[0]["RateLimit-Policy"] == '"default";q=10;w=2'
    assert [h["RateLimit"].split(";")[1] for h in told] == ["r=9", "r=8"]


def test_one_too_many_is_refused_and_told_when_to_come_back(ada):
    for _ in range(10):
        assert ada.get("/v1/players/me").status_code == 200
    refused = ada.get("/v1/players/me")
    assert code(refused) == (429, "too_many_requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 2
    assert refused.headers["RateLimit"].startswith('"default";r=0;')


def test_what_is_used_up_comes_back_with_time(ada, time):
    for _ in range(11):
        ada.get("/v1/players/me")
    time[0] += 1
    assert [ada.get("/v1/players/me").status_code for _ in range(6)] == [200] * 5 + [429]


def test_callers_who_are_quiet_are_forgotten(monkeypatch, time):
    monkeypatch.setattr(Buckets, "MOST", 10)
    buckets = Buckets(5, 10)
    for n in range(100):
        time[0] += 1
        assert buckets.take(str(n))
    assert len(buckets._kept) <= 10


def test_each_token_is_counted_by_itself(ada, ben, stranger):
    for _ in range(11):
        ada.get("/v1/players/me")
    assert ben.get("/v1/players/me").status_code == 200
    assert stranger.get("/v1/games").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/players/me", 401), ("POST", "/v1/matches", 415), ("DELETE", "/v1/players/me/token", 405),
     ("GET", "/v1/games", 200), ("POST", "/v1/players", 201), ("GET", "/v1/nothing", 404)],
)  # fmt: skip
def test_made_up_tokens_are_counted_by_address(app, method, path, status):
    def guess(n):
        sent = {"json": {"name": "Eve"}} if path == "/v1/players" else {"data": "x"} if method == "POST" else {}
        headers = {"Authorization": f"Bearer guess{n}"}
        return app.test_client().open(path, method=method, headers=headers, **sent).status_code

    assert [guess(n) for n in range(20)] == [status] * 10 + [429] * 10


def test_what_was_guessed_is_not_kept(app, ada, monkeypatch):
    kept = []
    take = Buckets.take
    monkeypatch.setattr(Buckets, "take", lambda self, who: kept.append(self._kept) or take(self, who))
    for n in range(20):
        Client(app, f"guess{n}").get("/v1/players/me")
    assert [who for buckets in kept for who in buckets if who.startswith("token")] == []


def test_who_guesses_is_not_looked_up_for_a_while(app, store, ada, time, monkeypatch):
    for n in range(10):
        Client(app, f"guess{n}").get("/v1/players/me")
    with monkeypatch.context() as m:
        m.setattr(tables.players, "by_token", lambda *_: 1 / 0)
        refused = Client(app, "guess").get("/v1/players/me")
        assert code(refused) == (429, "too_many_requests")
        assert refused.headers["RateLimit"].startswith('"default";r=0;')
    time[0] += int(refused.headers["Retry-After"])
    assert ada.get("/v1/players/me").status_code == 200


def test_the_server_s_own_failures_are_nobodys_guesses(app, store, ada, monkeypatch):
    with monkeypatch.context() as m:
        m.setattr(tables.players, "by_token", lambda *_: 1 / 0)
        for n in range(10):
            assert Client(app, f"guess{n}").get("/v1/players/me").status_code == 500
    assert ada.get("/v1/players/me").status_code == 200


def test_the_database_is_not_asked_for_one_too_many(app, ada, monkeypatch):
    for _ in range(10):
        ada.get("/v1/players/me")
    monkeypatch.setattr(tables.players, "by_token", lambda *_: 1 / 0)
    assert code(ada.get("/v1/players/me")) == (429, "too_many_requests")


@pytest.mark.parametrize(("proxies", "answers"), [(0, [200, 429]), (1, [200, 200])])
def test_addresses_behind_a_proxy_are_believed_if_it_is_trusted(store, proxies, answers):
    settings = Settings(dealt_rate_per_second=1, dealt_rate_burst=1, dealt_trusted_proxies=proxies)
    client = Client(create_app(settings, store=store))
    asked = [client.get("/v1/games", headers={"X-Forwarded-For": f"192.0.2.{n}"}) for n in (1, 2)]
    assert [response.status_code for response in asked] == answers


def test_the_defaults_are_those_that_are_promised(store):
    client = Client(create_app(Settings(), store=store))
    assert client.get("/v1/games").headers["RateLimit-Policy"] == '"default";q=1000;w=2'


def test_counts_that_cannot_be_kept_refuse_nobody(store):
    settings = Settings(dealt_rate_per_second=1, dealt_rate_burst=1, dealt_rate_storage="redis://127.0.0.1:1/0")
    client = Client(create_app(settings, store=store))
    assert [client.get("/v1/games").status_code for _ in range(3)] == [200] * 3


def test_counts_may_be_shared_by_all_processes(store, redis_url):
    settings = Settings(dealt_rate_per_second=1, dealt_rate_burst=20, dealt_rate_storage=redis_url)
    asked = []
    for n in range(42):
        client = Client(create_app(settings, store=store)) if n < 2 else asked[n % 2][0]
        asked.append((client, client.get("/v1/games", environ_overrides={"REMOTE_ADDR": f"{id(store)}"}).status_code))
    counts = [status for _, status in asked]
    assert counts[:20] == [200] * 20
    assert 429 in counts[20:]
