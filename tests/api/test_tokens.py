"""Tests scoped tokens: shown once, valid only for their scopes, revoked one by one and immediately."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from api.http.openapi_operations import MAIN, SCOPES
from events.errors import Unavailable
from events.ids import hash_secret
from events.operations.erasure import erase_player
from events.service import tokens
from events.store.schema.player_schema import tokens as stored
from events.store.tables import token_rows
from tests.api.client import Client, code, waits
from tests.api.description import METHODS, SPEC

TOKENS = "/v1/players/me/tokens"
DAY = 24 * 3600


def makes(player, *scopes, **more):
    """Let a player create a token; return the answer."""
    return player.post(TOKENS, {"name": "my bot", "scopes": list(scopes or SCOPES), **more})


@pytest.fixture
def scoped(ada):
    """Return clients with scoped tokens of Ada's."""

    def made(*scopes, **more):
        response = makes(ada, *scopes, **more)
        assert response.status_code == 201, response.json
        return Client(ada.app, response.json["token"], ada.id)

    return made


def listed(player):
    return player.get(TOKENS).json["items"]


# --- Which call needs which scope -------------------------------------------------------------------------


CALLS = [
    (method.upper(), path, operation)
    for path, methods in SPEC["paths"].items()
    for method, operation in methods.items()
    if method in METHODS and operation.get("security") != []
]
NEEDS = {operation["operationId"]: operation.get("x-scope") for _, _, operation in CALLS}


def test_every_operation_with_a_token_names_its_scope():
    assert set(NEEDS.values()) == {*SCOPES, MAIN}


def test_account_operations_need_the_main_token():
    """Every other operation below a player's own address is listed here, so that a new one gets considered."""
    own = {op["operationId"]: op["x-scope"] for _, path, op in CALLS if path.startswith("/v1/players/me")}
    webhooks = {name for name, scope in own.items() if scope == "webhooks"}
    assert webhooks == {
        "getNotices", "changeNotices", "createWebhook", "listWebhooks", "getWebhook", "changeWebhook", "deleteWebhook",
        "rotateSecret", "testWebhook", "replayWebhook", "listDeliveries",
    }  # fmt: skip
    assert {name for name, scope in own.items() if scope == "play"} == {
        "beginVacation", "endVacation", "chooseVacation",
    }  # fmt: skip
    assert {name for name, scope in own.items() if scope == "read"} == {"getMe", "getVacation"}


def test_other_operations_need_admin_read_for_get_or_play_otherwise():
    for method, path, operation in CALLS:
        if path.startswith("/v1/admin/"):
            assert operation["x-scope"] == "admin", path
        elif not path.startswith("/v1/players/me"):
            assert operation["x-scope"] == ("read" if method == "GET" else "play"), path


@pytest.fixture
def table(ada):
    return ada.creates()


def test_every_route_accepts_exactly_the_tokens_with_its_scope(ada, scoped, table):
    """Scopes are checked before anything else: no request here has a body."""
    clients = {scope: scoped(scope) for scope in SCOPES}
    fills = {
        "match_id": table["id"],
        "group_id": table["id"],
        "seat": "0",
        "no": "1",
        "webhook_id": "x",
        "token_id": "x",
        "deck_id": "x",
        "trade_id": "x",
        "tournament_id": "x",
        "round": "1",
        "table": "0",
        "set_id": "fw1",
        "card_id": "fw1-001",
        "game": "hearts",
        "handle": "nobody",
        "player_id": "x",
        "report_id": "x",
    }
    for method, path, operation in CALLS:
        needed = operation["x-scope"]
        for scope, client in clients.items():
            answer = client.send(method, path.format_map(fills), json={} if "requestBody" in operation else None)
            refused = answer.status_code == 403 and answer.json["code"] == "scope_missing"
            assert refused == (scope != needed), (method, path, scope, answer.status_code, answer.data)
            if refused:
                assert ("main token" if needed == MAIN else f"`{needed}`") in answer.json["detail"]
    assert ada.get("/v1/players/me").status_code == 200


def test_operations_without_a_scope_accept_any_token(scoped):
    assert scoped("webhooks").get("/v1/games").status_code == 200


# --- What a token is good for -----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_bot_plays_with_a_scoped_token(scoped, ada):
    bot = scoped("play", "read")
    table = bot.creates()
    assert bot.sees(table)["your_seat"] == 0
    assert bot.plays(table).status_code == 200
    assert bot.get("/v1/players/me").json == ada.get("/v1/players/me").json
    assert ada.sees(table)["your_seat"] == 0


@pytest.mark.both_databases
def test_read_token_sees_what_the_player_sees_and_cannot_move(scoped, ada, table):
    reader = scoped("read")
    assert reader.sees(table)["table"] == ada.sees(table)["table"]
    assert reader.events(table) == ada.events(table)
    move = ada.offers(table)["moves"][0]["example"]
    assert code(reader.plays(table, move)) == (403, "scope_missing")
    assert code(scoped("play").get(table.path)) == (403, "scope_missing")


def test_token_without_read_does_not_learn_whether_a_match_exists(scoped, ben):
    hidden = ben.creates(private=True)
    refused = [scoped("play").get(path).json for path in (hidden.path, "/v1/matches/00000000000000000000")]
    assert refused[0] == refused[1]
    assert refused[0]["code"] == "scope_missing"


def test_invite_code_is_shown_only_to_the_token_that_created_the_match(scoped, ada):
    bot, other = scoped("play", "read"), scoped("play", "read")
    mine, theirs = ada.creates(invited=True), bot.creates(invited=True)
    assert bot.sees(theirs)["invites"][0]["invite"] == theirs["invites"][0]["invite"]
    for client, table in ((bot, mine), (other, theirs), (ada, theirs)):
        assert [one["invite"] for one in client.sees(table)["invites"]] == [None]


def test_scoped_token_cannot_create_tokens_or_change_the_account(scoped, ada):
    bot = scoped()
    before = listed(ada)
    refused = [
        makes(bot, "read"),
        bot.get(TOKENS),
        bot.delete(TOKENS),
        bot.delete(f"{TOKENS}/{before[0]['id']}"),
        bot.post("/v1/players/me/token"),
        bot.post("/v1/players/me/token", headers={"Idempotency-Key": "9f86d081884c7d659a2feaa0c55ad015"}),
        bot.patch("/v1/players/me", {"name": "Eve"}),
        bot.delete("/v1/players/me"),
        bot.get("/v1/players/me/email"),
        bot.put("/v1/players/me/email", {"address": "eve@example.org"}),
        bot.post("/v1/players/me/feeds"),
    ]
    assert {code(one) for one in refused} == {(403, "scope_missing")}
    assert [one["id"] for one in listed(ada)] == [one["id"] for one in before]
    assert ada.get("/v1/players/me").json["name"] == "Ada"


# --- Making and listing -----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_token_is_shown_once_and_stored_as_a_hash(ada, store, clock):
    made = makes(ada, "read", "play", expires_in=3600).json
    shown = {name: value for name, value in made.items() if name != "token"}
    assert listed(ada) == [shown]
    assert (shown["name"], shown["scopes"], shown["last_used_on"]) == ("my bot", ["play", "read"], None)
    assert shown["expires_at"] > shown["created_at"]
    row = store.read(select(stored).where(stored.c.token_id == made["id"]))[0]
    assert row.token_hash == hash_secret(made["token"])
    assert made["token"] not in str(tuple(row))


@pytest.mark.parametrize(
    "wrong",
    [
        {"scopes": []}, {"scopes": ["main"]}, {"scopes": ["read", "read"]}, {"scopes": ["root"]}, {"scopes": "read"},
        {"scopes": None}, {"scopes": [["read"]]}, {"scopes": ["read play"]}, {"name": ""}, {"name": "a\u202eb"},
        {"expires_in": 59}, {"expires_in": 366 * DAY + 1}, {"expires_in": "3600"}, {"expires_in": True},
        {"expires_in": -1}, {"token": "x"},
    ],
)  # fmt: skip
def test_invalid_token_request_is_refused(wrong, ada):
    assert code(ada.post(TOKENS, {"name": "my bot", "scopes": ["read"], **wrong})) == (422, "bad_arguments")
    assert listed(ada) == []


def test_token_expires(ada, scoped, clock):
    bot = scoped("read", expires_in=60)
    clock.passes(59)
    assert bot.get("/v1/players/me").status_code == 200
    clock.passes(1)
    assert code(bot.get("/v1/players/me")) == (401, "unauthenticated")
    assert code(bot.get(ada.creates().path)) == (401, "unauthenticated")
    assert listed(ada) == []


def test_last_use_of_a_token_is_recorded_once_a_day(ada, scoped, clock, monkeypatch):
    noted, note = [], token_rows.note_use
    monkeypatch.setattr(token_rows, "note_use", lambda *args: noted.append(args[1:]) or note(*args))
    bot, table = scoped("read"), ada.creates()
    for _ in range(2):
        bot.get("/v1/players/me"), bot.get(f"{table.path}/moves")
    assert len(noted) == 1
    assert listed(ada)[0]["last_used_on"] == "2026-09-21"
    clock.passes(DAY)
    bot.get(f"{table.path}/moves")
    assert listed(ada)[0]["last_used_on"] == "2026-09-22"


def test_reading_continues_while_the_database_is_read_only(scoped, monkeypatch):
    def full(*_):
        raise Unavailable

    monkeypatch.setattr(token_rows, "note_use", full)
    assert scoped("read").get("/v1/players/me").status_code == 200


@pytest.mark.both_databases
def test_token_limit_holds_for_concurrent_requests(app, ada, clock):
    for _ in range(token_rows.MOST - 2):
        assert makes(ada, "read", expires_in=60).status_code == 201
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: makes(Client(app, ada.token), "read"), range(5)))
    assert sorted(one.status_code for one in made) == [201, 201, 409, 409, 409]
    assert {code(one) for one in made if one.status_code != 201} == {(409, "too_many_tokens")}
    clock.passes(60)
    assert makes(ada, "read").status_code == 201
    assert len(listed(ada)) == 3


# --- Asking again -----------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_repeated_token_creation_returns_the_same_token(ada):
    key = {"Idempotency-Key": "my-bot"}
    body = {"name": "my bot", "scopes": ["read"]}
    first, again = (ada.post(TOKENS, body, headers=key) for _ in range(2))
    assert (again.status_code, again.json, again.headers["Idempotency-Replayed"]) == (201, first.json, "true")
    assert len(listed(ada)) == 1
    other = ada.post(TOKENS, {**body, "scopes": ["play"]}, headers=key)
    assert code(other) == (422, "idempotency_mismatch")


@pytest.mark.both_databases
def test_concurrent_requests_with_one_key_create_one_token(app, ada):
    key, body = {"Idempotency-Key": "at-once"}, {"name": "my bot", "scopes": ["read"]}
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: Client(app, ada.token).post(TOKENS, body, headers=key), range(4)))
    assert {(one.status_code, one.json["token"]) for one in made} == {(201, made[0].json["token"])}
    assert len(listed(ada)) == 1


def test_repeated_token_creation_ignores_other_tokens(ada, monkeypatch):
    key, body = {"Idempotency-Key": "one-of-many"}, {"name": "my bot", "scopes": ["read"]}
    first = ada.post(TOKENS, body, headers=key).json
    for _ in range(3):
        makes(ada, "read")
    derived = []
    derive = tokens._secret
    monkeypatch.setattr(tokens, "_secret", lambda main, token: derived.append(token) or derive(main, token))
    assert ada.post(TOKENS, body, headers=key).json == first
    assert len(derived) == 1


def test_repeat_after_a_revocation_returns_no_token(ada):
    key, body = {"Idempotency-Key": "gone"}, {"name": "my bot", "scopes": ["read"]}
    made = ada.post(TOKENS, body, headers=key).json
    assert ada.delete(f"{TOKENS}/{made['id']}").status_code == 204
    assert code(ada.post(TOKENS, body, headers=key)) == (404, "not_found")
    assert listed(ada) == []


def test_repeated_creation_with_a_scoped_token_is_refused(ada, scoped):
    key, body = {"Idempotency-Key": "again"}, {"name": "my bot", "scopes": ["read"]}
    assert ada.post(TOKENS, body, headers=key).status_code == 201
    assert code(scoped().post(TOKENS, body, headers=key)) == (403, "scope_missing")


# --- An end -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_tokens_are_revoked_one_by_one(ada, scoped):
    bots = [scoped("read") for _ in range(2)]
    (first,) = [one for one in listed(ada) if one["last_used_on"] is None][-1:]
    assert ada.delete(f"{TOKENS}/{first['id']}").status_code == 204
    assert sorted(bot.get("/v1/players/me").status_code for bot in bots) == [200, 401]
    assert code(ada.delete(f"{TOKENS}/{first['id']}")) == (404, "not_found")


def test_all_tokens_are_revoked_together(ada, scoped):
    bots = [scoped("read") for _ in range(2)]
    assert ada.delete(TOKENS).status_code == 204
    assert [bot.get("/v1/players/me").status_code for bot in bots] == [401, 401]
    assert (listed(ada), ada.get("/v1/players/me").status_code) == ([], 200)


@pytest.mark.parametrize("token_id", ["x", "00000000000000000000", "%00"])
def test_revoking_an_unknown_token_is_refused(token_id, ada):
    assert code(ada.delete(f"{TOKENS}/{token_id}")) == (404, "not_found")


def test_player_cannot_revoke_another_players_token(ada, ben, scoped):
    bot = scoped("read")
    assert code(ben.delete(f"{TOKENS}/{listed(ada)[0]['id']}")) == (404, "not_found")
    assert ben.delete(TOKENS).status_code == 204
    assert bot.get("/v1/players/me").status_code == 200


def test_new_main_token_keeps_scoped_tokens_and_invalidates_the_old_one(app, ada, scoped):
    """The old main token and a guessable key reveal no valid token."""
    key, body = {"Idempotency-Key": "1"}, {"name": "my bot", "scopes": ["read"]}
    bot = Client(app, ada.post(TOKENS, body, headers=key).json["token"])
    old, ada.token = ada.token, ada.post("/v1/players/me/token").json["token"]
    assert bot.get("/v1/players/me").status_code == 200
    assert code(Client(app, old).post(TOKENS, body, headers=key)) == (401, "unauthenticated")
    assert code(ada.post(TOKENS, body, headers=key)) == (404, "not_found")


@pytest.mark.both_databases
def test_tokens_of_an_erased_player_are_deleted(app, ada, scoped, store):
    bot = scoped()
    erase_player(store, ada.id, 1)
    assert code(bot.get("/v1/players/me")) == (401, "unauthenticated")
    assert store.read(select(stored).where(stored.c.player_id == ada.id)) == []


@pytest.mark.parametrize("end", ["revoke", "expire"])
def test_open_stream_of_a_revoked_token_ends_before_the_next_message(end, ada, ben, scoped, clock):
    table = ada.creates(open_table=True)
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    reader = scoped("read", expires_in=60)
    stream = reader.get(f"{table.path}/chat", headers={"Accept": "text/event-stream"}, buffered=False).response
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(lambda: b"".join(stream))
        waits(ada.app)
        assert ada.delete(TOKENS).status_code == 204 if end == "revoke" else clock.passes(60) is None
        assert ben.post(f"{table.path}/chat", {"text": "a secret"}).status_code == 201
        try:
            text = received.result(timeout=60).decode()
        finally:
            ada.app.extensions["dealt"].poller.close()
    assert "a secret" not in text
