"""Tests rate limits."""

import pytest

from api.app import create_app
from api.http.rate_limits import Buckets
from api.resources import event_routes, replay_routes, tournament_record_routes, tournament_routes
from events.settings import Settings
from events.store.tables import player_rows
from tests.api.client import Client, code
from tests.factories import MatchBody


@pytest.fixture
def time(monkeypatch):
    """A clock that moves only when a test moves it."""
    at = [0.0]
    monkeypatch.setattr("api.http.rate_limits.monotonic", lambda: at[0])
    return at


@pytest.fixture(autouse=True)
def _(time):
    """No time passes during the test."""


@pytest.fixture
def settings():
    return Settings(dealt_rate_per_second=5, dealt_rate_burst=10)


def test_every_answer_has_the_remaining_rate_limit(ada):
    seen_headers = [ada.get("/v1/players/me").headers for _ in range(2)]
    assert seen_headers[0]["RateLimit-Policy"] == '"default";q=10;w=2'
    assert [h["RateLimit"].split(";")[1] for h in seen_headers] == ["r=9", "r=8"]


def test_excess_request_is_refused_with_retry_after(ada):
    for _ in range(10):
        assert ada.get("/v1/players/me").status_code == 200
    refused = ada.get("/v1/players/me")
    assert code(refused) == (429, "too_many_requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 2
    assert refused.headers["RateLimit"].startswith('"default";r=0;')


def test_headers_name_each_policy_for_which_a_request_counts(store):
    app = create_app(Settings(dealt_players_an_hour=1), store=store)
    made, refused = (Client(app).post("/v1/players", {"name": "Eve"}) for _ in range(2))
    assert (made.status_code, code(refused)) == (201, (429, "too_many_requests"))
    for answer, left in ((made, 0), (refused, 0)):
        assert answer.headers["RateLimit-Policy"] == '"default";q=1000;w=2, "players";q=1;w=3600'
        usual, players = answer.headers["RateLimit"].split(", ")
        assert usual.startswith('"default";r=99')
        assert players.startswith(f'"players";r={left};t=36')
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600


def test_rate_budget_refills_over_time(ada, time):
    for _ in range(11):
        ada.get("/v1/players/me")
    time[0] += 1
    assert [ada.get("/v1/players/me").status_code for _ in range(6)] == [200] * 5 + [429]


def test_idle_callers_are_forgotten(monkeypatch, time):
    monkeypatch.setattr(Buckets, "MOST", 10)
    buckets = Buckets(5, 10)
    for n in range(100):
        time[0] += 1
        assert buckets.take(str(n))
    assert len(buckets._kept) <= 10


def test_each_token_is_counted_separately(ada, ben, stranger):
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


def test_guessed_tokens_are_not_stored(app, ada, monkeypatch):
    kept = []
    take = Buckets.take
    monkeypatch.setattr(Buckets, "take", lambda self, who: kept.append(self._kept) or take(self, who))
    for n in range(20):
        Client(app, f"guess{n}").get("/v1/players/me")
    assert [who for buckets in kept for who in buckets if who.startswith("token")] == []


def test_tokens_of_a_guessing_caller_are_not_looked_up_for_a_while(app, store, ada, time, monkeypatch):
    for n in range(10):
        Client(app, f"guess{n}").get("/v1/players/me")
    with monkeypatch.context() as m:
        m.setattr(player_rows, "by_token", lambda *_: 1 / 0)
        refused = Client(app, "guess").get("/v1/players/me")
        assert code(refused) == (429, "too_many_requests")
        assert refused.headers["RateLimit"].startswith('"invalid-tokens";r=0;')
        assert refused.headers["RateLimit-Policy"] == '"invalid-tokens";q=10;w=2'
    time[0] += int(refused.headers["Retry-After"])
    assert ada.get("/v1/players/me").status_code == 200


def test_server_failures_do_not_count_as_invalid_tokens(app, store, ada, monkeypatch):
    with monkeypatch.context() as m:
        m.setattr(player_rows, "by_token", lambda *_: 1 / 0)
        for n in range(10):
            assert Client(app, f"guess{n}").get("/v1/players/me").status_code == 500
    assert ada.get("/v1/players/me").status_code == 200


def test_excess_request_does_not_reach_the_database(app, ada, monkeypatch):
    for _ in range(10):
        ada.get("/v1/players/me")
    monkeypatch.setattr(player_rows, "by_token", lambda *_: 1 / 0)
    assert code(ada.get("/v1/players/me")) == (429, "too_many_requests")


@pytest.mark.parametrize(("proxies", "answers"), [(0, [200, 429]), (1, [200, 200])])
def test_forwarded_addresses_are_used_only_from_a_trusted_proxy(store, proxies, answers):
    settings = Settings(dealt_rate_per_second=1, dealt_rate_burst=1, dealt_trusted_proxies=proxies)
    client = Client(create_app(settings, store=store))
    asked = [client.get("/v1/games", headers={"X-Forwarded-For": f"192.0.2.{n}"}) for n in (1, 2)]
    assert [response.status_code for response in asked] == answers


def test_default_limits_are_the_documented_ones(store):
    client = Client(create_app(Settings(), store=store))
    assert client.get("/v1/games").headers["RateLimit-Policy"] == '"default";q=1000;w=2'


def test_requests_are_accepted_if_counts_cannot_be_kept(store):
    settings = Settings(dealt_rate_per_second=1, dealt_rate_burst=1, dealt_rate_storage="redis://127.0.0.1:1/0")
    client = Client(create_app(settings, store=store))
    assert [client.get("/v1/games").status_code for _ in range(3)] == [200] * 3


def test_processes_can_share_their_counts(store, redis_url):
    settings = Settings(dealt_rate_per_second=1, dealt_rate_burst=20, dealt_rate_storage=redis_url)
    asked = []
    for n in range(42):
        client = Client(create_app(settings, store=store)) if n < 2 else asked[n % 2][0]
        asked.append((client, client.get("/v1/games", environ_overrides={"REMOTE_ADDR": f"{id(store)}"}).status_code))
    counts = [status for _, status in asked]
    assert counts[:20] == [200] * 20
    assert 429 in counts[20:]


def test_bot_only_matches_per_player_are_limited(store, player):
    app = create_app(Settings(dealt_rate_per_second=0, dealt_bot_matches=2), store=store)
    eve = Client(app, player().token)
    eve.creates(bots_only=True)
    eve.creates(bots_only=True)
    refused = eve.post("/v1/matches", MatchBody(bots_only=True))
    assert code(refused) == (429, "too_many_bot_matches")
    assert "2 running matches" in refused.json["detail"]
    assert refused.headers["Retry-After"] == "60"
    eve.creates()
    assert code(eve.post("/v1/deal-groups", {"game": "hearts", "tables": [[{"kind": "bot"}] * 4] * 2}))[0] == 429


@pytest.mark.parametrize("path", ["/v1/feeds/no-such-secret/turns.atom", "/v1/games", "/v1/email/unsubscribe/none"])
def test_call_without_required_token_is_counted_by_address(app, path):
    def ask(n):
        return app.test_client().get(path, headers={"Authorization": f"Bearer {n}"}).status_code

    assert 429 not in [ask(n) for n in range(10)]
    assert [ask(n) for n in range(10, 15)] == [429] * 5


@pytest.mark.parametrize("path", ["/v1/matches", "/v1/players/me"])
def test_invalid_token_counts_against_its_address(app, path):
    def ask(n):
        return app.test_client().get(path, headers={"Authorization": f"Basic {n}"}).status_code

    assert 429 not in [ask(n) for n in range(10)]
    assert [ask(n) for n in range(10, 15)] == [429] * 5


def test_ranking_hands_counts_by_the_length_of_the_body(app, time):
    few = {"hands": [{"cards": ["AS", "KS", "QS", "JS", "TS"]}]}
    many = {"one_pack": False, "hands": few["hands"] * 60}
    assert [app.test_client().post("/v1/poker/rank", json=few).status_code for _ in range(5)] == [200] * 5
    time[0] += 60
    assert [app.test_client().post("/v1/poker/rank", json=many).status_code for _ in range(3)] == [200, 429, 429]


@pytest.fixture
def from_address(app):
    def ask(method, path, address, **sent):
        return app.test_client().open(path, method=method, environ_overrides={"REMOTE_ADDR": address}, **sent)

    return ask


def test_addresses_of_one_ipv6_network_share_a_limit(from_address):
    asked = [from_address("GET", "/v1/games", f"2001:db8:1:2::{n:x}").status_code for n in range(11)]
    assert asked == [200] * 10 + [429]
    assert from_address("GET", "/v1/games", "2001:db8:1:3::1").status_code == 200
    written_twice = ["::ffff:192.0.2.1", "192.0.2.1"] * 6
    assert [from_address("GET", "/v1/games", a).status_code for a in written_twice] == [200] * 10 + [429] * 2


class TestAnHour:
    @pytest.fixture
    def settings(self):
        return Settings(
            dealt_players_an_hour=3,
            dealt_matches_an_hour=3,
            dealt_groups_an_hour=1,
            dealt_mails_an_hour=1,
            dealt_trades_an_hour=2,
        )

    def test_new_players_per_address_are_limited(self, from_address, time):
        def make(address):
            return from_address("POST", "/v1/players", address, json={"name": "Eve"})

        assert [make("192.0.2.1").status_code for _ in range(3)] == [201] * 3
        refused = make("192.0.2.1")
        assert code(refused) == (429, "too_many_requests")
        assert "players" in refused.json["detail"]
        assert int(refused.headers["Retry-After"]) == 1200
        assert make("192.0.2.2").status_code == 201
        time[0] += 1200
        assert [make("192.0.2.1").status_code for _ in range(2)] == [201, 429]

    def test_accepted_trades_per_address_are_limited(self, ada, ben):
        accepts = [code(who.post(f"/v1/collection/trades/{'0' * 20}/accept"))[0] for who in (ada, ben, ben)]
        assert accepts == [404, 404, 429]

    def test_new_matches_and_groups_per_address_are_limited(self, ada, ben):
        for each in (ada, ben, ben):
            each.creates()
        assert code(ada.post("/v1/matches", MatchBody())) == (429, "too_many_requests")
        group = {"game": "hearts", "tables": [[{"kind": "open"}] * 4] * 2}
        assert [ada.post("/v1/deal-groups", group).status_code for _ in range(2)] == [201, 429]

    def test_mails_requested_per_address_are_limited(self, ada, ben):
        asked = [each.put("/v1/players/me/email", {"address": "a@b.example"}).status_code for each in (ada, ben)]
        assert asked == [409, 429]


class TestReadingLongMatches:
    @pytest.fixture
    def settings(self):
        return Settings(dealt_rate_per_second=1, dealt_rate_burst=20)

    def test_a_long_match_counts_as_many_requests(self, ada, bots, stranger, time, monkeypatch):
        monkeypatch.setattr(event_routes, "WRITTEN_PER_REQUEST", 2)
        monkeypatch.setattr(replay_routes, "REPLAYED_PER_REQUEST", 2)
        table = ada.creates(bots_only=True, short=True)
        bots(table)
        version = ada.sees(table)["version"]
        assert version > 60
        for path in ("/record", f"/replay?version={version}", "/events"):
            time[0] += 600
            assert stranger.get(table.path + path).status_code == 200
            refused = stranger.get(table.path + path)
            assert code(refused) == (429, "too_many_requests")
            assert 1 <= int(refused.headers["Retry-After"]) <= 40

    @pytest.mark.parametrize("path", ["", "/entries", "/standings", "/rounds", "/events", "/record"])
    def test_long_tournament_counts_as_several_requests(self, ada, stranger, time, monkeypatch, path):
        monkeypatch.setattr(tournament_routes, "READ_PER_REQUEST", 1)
        monkeypatch.setattr(tournament_record_routes, "WRITTEN_PER_REQUEST", 1)
        made = ada.post("/v1/tournaments", {"name": "Friday", "game": "gin_rummy", "format": "swiss"}).json
        time[0] += 600
        asked = [stranger.get(f"/v1/tournaments/{made['id']}{path}").status_code for _ in range(8)]
        assert asked == [200] * 6 + [429] * 2

    @pytest.mark.parametrize("path", ["/entries", "/standings", "/rounds", "/events", "/record"])
    def test_unchanged_tournament_answer_counts_as_one_request(self, ada, stranger, time, monkeypatch, path):
        monkeypatch.setattr(tournament_routes, "READ_PER_REQUEST", 1)
        monkeypatch.setattr(tournament_record_routes, "WRITTEN_PER_REQUEST", 1)
        made = ada.post("/v1/tournaments", {"name": "Friday", "game": "gin_rummy", "format": "swiss"}).json
        path = f"/v1/tournaments/{made['id']}{path}"
        headers = {"If-None-Match": stranger.get(path).headers["ETag"]}
        time[0] += 600
        asked = [stranger.get(path, headers=headers).status_code for _ in range(21)]
        assert asked == [304] * 20 + [429]
        time[0] += 600
        assert ada.post(f"/v1/tournaments/{made['id']}/entries", {}).status_code == 200
        changed = stranger.get(path, headers=headers)
        assert (changed.status_code, changed.headers["ETag"] == headers["If-None-Match"]) == (200, False)

    def test_unchanged_match_answer_counts_as_one_request(self, ada, bots, stranger, time, monkeypatch):
        monkeypatch.setattr(event_routes, "WRITTEN_PER_REQUEST", 2)
        monkeypatch.setattr(event_routes, "WRITTEN_PER_REQUEST", 2)
        monkeypatch.setattr(replay_routes, "REPLAYED_PER_REQUEST", 2)
        table = ada.creates(bots_only=True, short=True)
        bots(table)
        for path, form in (
            ("/record", "application/json"),
            ("/replay?version=60", "application/json"),
            ("/replay?from=40&to=60", "application/x-ndjson"),
            ("/events", "application/json"),
        ):
            time[0] += 600
            headers = {"Accept": form}
            headers |= {"If-None-Match": stranger.get(table.path + path, headers=headers).headers["ETag"]}
            time[0] += 600
            asked = [stranger.get(table.path + path, headers=headers).status_code for _ in range(21)]
            assert asked == [304] * 20 + [429], path

    @pytest.mark.parametrize("who", ["organiser", "entrant"])
    @pytest.mark.parametrize("other", [{"name": "Augusta"}, {"handle": "augusta-{}"}, None])
    def test_standings_change_with_a_name_a_handle_and_an_erasure(self, player, stranger, who, other):
        people = {"organiser": player(name="Olga"), "entrant": player(name="Ann")}
        made = (
            people["organiser"].post("/v1/tournaments", {"name": "Friday", "game": "gin_rummy", "format": "swiss"}).json
        )
        path = f"/v1/tournaments/{made['id']}/standings"
        assert people["entrant"].post(f"/v1/tournaments/{made['id']}/entries", {}).status_code == 200
        headers = {"If-None-Match": stranger.get(path).headers["ETag"]}
        assert stranger.get(path, headers=headers).status_code == 304
        if other is None:
            assert people[who].delete("/v1/players/me").status_code == 204
        else:
            said = {name: text.format(made["id"][:8]) for name, text in other.items()}
            assert people[who].patch("/v1/players/me", said).status_code == 200
        assert stranger.get(path, headers=headers).status_code == 200
