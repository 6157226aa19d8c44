"""Tests standing orders over HTTP: set, visible only to their owner, tested, cancelled."""

from concurrent.futures import ThreadPoolExecutor

import jsonschema_rs
import pytest

from domain.games.catalogue import GAMES
from events.service.projections import LEASE_MS
from events.store.tables import order_rows, pending_rows, stream_rows
from events.store.tables.order_rows import ORDER
from tests.api.client import Client, code
from tests.bound import Matches
from tests.factories import MatchBody
from workers.tasks.order_tasks import look

DAY = {"per_decision_seconds": 86_400}
LOWEST = {"orders": [{"do": [{"move": "play_card", "card": "lowest"}]}]}
ALONE = {"auto_play_forced": True}
NO_PASSING = {"variant": "1-1-1-1"}


@pytest.fixture
def slow(full_table):
    """Return a match of four people with a day for each decision, without passing."""
    return full_table(clock=DAY, options=NO_PASSING)


@pytest.fixture
def at_work(store, clock):
    return Matches(store, now=clock, lease_ms=LEASE_MS)


def look_due(store, table):
    """Return the time at which the orders at the table are checked."""
    rows = pending_rows.read_pending(store, stream_rows.head(store, table["id"]).match_no)
    (due,) = (row.due_ms for row in rows if row.kind == ORDER)
    return due


def to_act(table, players):
    return players[players[0].sees(table)["to_act"][0]]


# --- Giving, showing, cancelling ------------------------------------------------------------------------------


def test_orders_can_be_set_read_replaced_and_cancelled(slow):
    table, players = slow
    ada, path = players[0], f"{table.path}/orders"
    assert code(ada.get(path)) == (404, "not_found")
    assert ada.sees(table)["your_orders"] == []
    given = ada.put(path, LOWEST)
    assert given.status_code == 200
    assert given.json == {
        "seat": 0,
        "orders": LOWEST,
        "given_at": given.json["given_at"],
        "carried_out": None,
        "failed": None,
    }
    assert ada.get(path).json == given.json
    assert [player.sees(table)["your_orders"] for player in players] == [[0], [], [], []]
    assert ada.put(path, {"auto_play_forced": True}).json["orders"] == {"auto_play_forced": True}
    assert ada.delete(path).status_code == 204
    assert ada.delete(path).status_code == 204
    assert code(ada.get(path)) == (404, "not_found")
    assert ada.sees(table)["your_orders"] == []


def test_outcome_of_orders_is_shown(slow, at_work, store, clock):
    table, players = slow
    who = to_act(table, players)
    assert who.put(f"{table.path}/orders", LOWEST).status_code == 200
    version = who.sees(table)["version"]
    clock.at = look_due(store, table)
    assert look(at_work, table["id"]) == 1
    assert who.get(f"{table.path}/orders").json["carried_out"]["version"] == version + 1


def test_failed_order_is_listed_in_the_inbox(slow, at_work, store, clock):
    table, players = slow
    who = to_act(table, players)
    theirs = next(p for p in players if p is not who).sees(table)["table"]["hand"][0]
    before = who.get("/v1/inbox")
    assert [item["order_failed"] for item in before.json["items"]] == [False]
    who.put(f"{table.path}/orders", {"orders": [{"do": [{"move": "play_card", "args": {"card": theirs}}]}]})
    clock.at = look_due(store, table)
    assert look(at_work, table["id"]) == 0
    assert who.get(f"{table.path}/orders").json["failed"]["version"] == who.sees(table)["version"]
    after = who.get("/v1/inbox", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert [item["order_failed"] for item in after.json["items"]] == [True]
    assert who.get("/v1/inbox", headers={"If-None-Match": after.headers["ETag"]}).status_code == 304
    who.put(f"{table.path}/orders", LOWEST)
    assert [item["order_failed"] for item in who.get("/v1/inbox").json["items"]] == [False]


def test_two_devices_do_not_overwrite_each_others_orders(slow):
    table, (ada, *_) = slow
    path = f"{table.path}/orders"
    ada.put(path, LOWEST)
    known = {"If-Match": ada.get(path).headers["ETag"]}  # on both devices
    second = ada.put(path, ALONE, headers=known)
    assert second.status_code == 200
    assert code(ada.put(path, LOWEST, headers=known)) == (412, "orders_changed")
    assert code(ada.delete(path, headers=known)) == (412, "orders_changed")
    assert ada.get(path).json["orders"] == ALONE
    assert ada.put(path, LOWEST, headers={"If-Match": second.headers["ETag"]}).status_code == 200
    assert ada.put(path, ALONE).status_code == 200


def test_one_of_many_concurrent_replacements_of_orders_succeeds(slow):
    table, (ada, *_) = slow
    path = f"{table.path}/orders"
    known = {"If-Match": ada.put(path, LOWEST).headers["ETag"]}
    with ThreadPoolExecutor(6) as pool:
        devices = [Client(ada.app, ada.token) for _ in range(6)]
        answers = list(pool.map(lambda device: device.put(path, ALONE, headers=known).status_code, devices))
    assert sorted(answers) == [200] + [412] * 5


def test_if_none_match_sets_orders_only_if_there_are_none(slow):
    table, (ada, *_) = slow
    path, first = f"{table.path}/orders", {"If-None-Match": "*"}
    assert code(ada.put(path, LOWEST, headers={"If-Match": '"any"'})) == (412, "orders_changed")
    given = ada.put(path, LOWEST, headers=first)
    assert given.status_code == 200
    assert code(ada.put(path, ALONE, headers=first)) == (412, "orders_changed")
    assert ada.delete(path, headers={"If-Match": given.headers["ETag"]}).status_code == 204
    assert code(ada.delete(path, headers={"If-Match": given.headers["ETag"]})) == (412, "orders_changed")


def test_orders_can_be_carried_out_while_their_player_edits_them(slow, at_work, store, clock):
    table, players = slow
    who = to_act(table, players)
    given = who.put(f"{table.path}/orders", LOWEST)
    clock.at = look_due(store, table)
    assert look(at_work, table["id"]) == 1
    shown = who.get(f"{table.path}/orders")
    assert shown.json["carried_out"] is not None
    assert shown.headers["ETag"] == given.headers["ETag"]
    assert who.put(f"{table.path}/orders", ALONE, headers={"If-Match": given.headers["ETag"]}).status_code == 200


def test_player_with_several_seats_must_name_one_for_orders(ada):
    table = ada.creates(alone=True, clock=DAY)
    assert ada.put(f"{table.path}/orders?seat=2", LOWEST).json["seat"] == 2
    assert code(ada.get(f"{table.path}/orders")) == (404, "not_found")
    assert ada.get(f"{table.path}/orders?seat=2").status_code == 200


def test_every_fault_of_orders_is_listed_with_its_path(slow):
    table, (ada, *_) = slow
    refused = ada.put(f"{table.path}/orders", {"orders": [{"if": {"led": "X"}, "do": [{"move": "knock"}]}], "x": 1})
    assert code(refused) == (422, "bad_arguments")
    assert set(refused.json["errors"]) == {"x", "orders.0.if.led", "orders.0.do.0"}


def test_finished_match_accepts_no_orders(ada, bots):
    table = ada.creates(short=True, clock=DAY)
    ada.post(f"{table.path}/moves", {"name": "resign"})
    bots(table)
    assert code(ada.put(f"{table.path}/orders", LOWEST)) == (409, "match_over")
    assert code(ada.get(f"{table.path}/orders")) == (404, "not_found")


# --- Whose they are -------------------------------------------------------------------------------------------


def test_orders_are_hidden_from_other_players(slow, stranger, player):
    table, (ada, ben, *_) = slow
    cid = player()

    def answers():
        for query in ("", "?seat=0"):
            for who in (ben, cid, stranger):
                yield who.get(f"{table.path}/orders{query}")
                yield who.post(f"{table.path}/orders/dry-run{query}")
            yield cid.put(f"{table.path}/orders{query}", LOWEST)
            yield cid.delete(f"{table.path}/orders{query}")
        yield ben.delete(f"{table.path}/orders?seat=0")

    without = [(a.status_code, a.data) for a in answers()]
    assert {status for status, _ in without} == {401, 403, 404}
    assert ada.put(f"{table.path}/orders", LOWEST).status_code == 200
    assert [(a.status_code, a.data) for a in answers()] == without
    assert ada.get(f"{table.path}/orders").status_code == 200


# --- Trying ---------------------------------------------------------------------------------------------------


def test_dry_run_returns_the_move_without_playing(slow):
    table, players = slow
    who = to_act(table, players)
    version = who.sees(table)["version"]
    first = who.offers(table)["moves"][0]["example"]
    path = f"{table.path}/orders/dry-run"
    assert code(who.post(path)) == (404, "not_found")
    tried = who.post(path, LOWEST)
    assert tried.json == {"move": {"name": "play_card", "args": first["args"]}, "order": 0, "forced": False}
    assert who.post(path, {}).json == {"move": None, "order": None, "forced": False}
    assert who.put(f"{table.path}/orders", LOWEST).status_code == 200
    assert who.post(path).json == tried.json
    assert who.sees(table)["version"] == version
    assert code(who.post(path, {"x": 1})) == (422, "bad_arguments")


def test_dry_run_names_the_order_that_no_longer_fits(slow):
    table, players = slow
    who = to_act(table, players)
    theirs = next(p for p in players if p is not who).sees(table)["table"]["hand"][0]
    document = {"orders": [{"do": [{"move": "play_card", "args": {"card": theirs}}]}]}
    assert who.post(f"{table.path}/orders/dry-run", document).json == {
        "move": None,
        "order": 0,
        "forced": False,
    }


def test_dry_run_returns_no_move_for_a_seat_that_is_not_to_act(slow):
    table, players = slow
    waits = next(p for p in players if p is not to_act(table, players))
    assert waits.post(f"{table.path}/orders/dry-run", LOWEST).json["move"] is None


def test_repeated_dry_run_returns_the_same_answer(slow):
    table, players = slow
    who = to_act(table, players)
    path, headers = f"{table.path}/orders/dry-run", {"Idempotency-Key": "once"}
    first = who.post(path, LOWEST, headers=headers)
    assert who.plays(table).status_code == 200
    again = who.post(path, LOWEST, headers=headers)
    assert (again.json, again.headers["Idempotency-Replayed"]) == (first.json, "true")
    assert code(who.post(path, {}, headers=headers)) == (422, "idempotency_mismatch")


# --- Which matches take them ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timing", "asked", "allowed"),
    [
        (DAY, {}, True),
        ({"per_decision_seconds": 3_600}, {}, True),
        ({"per_decision_seconds": 3_599}, {}, False),
        ({"kind": "fischer"}, {}, True),
        ({}, {}, False),
        (DAY, {"standing_orders": False}, False),
        ({"per_decision_seconds": 60}, {"standing_orders": True}, True),
    ],
)
def test_orders_are_accepted_with_a_slow_clock_or_the_option(ada, timing, asked, allowed):
    table = ada.creates(clock=timing, options=asked)
    assert table["options"]["standing_orders"] is allowed
    for given in (
        ada.post(f"{table.path}/orders/dry-run", LOWEST),
        ada.put(f"{table.path}/orders", LOWEST),
        ada.post(f"{table.path}/orders/dry-run"),
    ):
        assert given.status_code == 200 if allowed else code(given) == (409, "orders_not_allowed")


@pytest.mark.parametrize("name", ["10H", "th", "T♥", "2c"])
def test_cards_are_written_as_in_moves(slow, name):
    table, (ada, *_) = slow
    order = {"orders": [{"do": [{"move": "play_card", "args": {"card": name}}]}]}
    assert ada.put(f"{table.path}/orders", order).json["orders"] == order


def test_orders_need_a_clock(ada):
    refused = ada.post("/v1/matches", MatchBody(options={"standing_orders": True}))
    assert code(refused) == (422, "bad_options")
    assert "options.standing_orders" in refused.json["errors"]


# --- The published schema -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_orders_schema_of_a_game_is_published(stranger, game):
    published = stranger.get(f"/v1/games/{game}/orders")
    published_orders = jsonschema_rs.Draft202012Validator(published.json)  # raises if it is not a schema
    assert stranger.get(f"/v1/games/{game}").json["orders"] == f"/v1/games/{game}/orders"
    assert not published_orders.is_valid({"orders": [{"do": [{"move": "whist"}]}]})
    bare = [name for name, cls in GAMES[game].moves.items() if not cls.__dataclass_fields__]
    for move in bare:
        published_orders.validate({"orders": [{"do": [{"move": move}]}]})


def test_unknown_game_has_no_orders_schema(stranger):
    assert code(stranger.get("/v1/games/whist/orders")) == (404, "not_found")


def test_erasing_a_player_deletes_their_orders(slow, store):
    table, (ada, *_) = slow
    ada.put(f"{table.path}/orders", LOWEST)
    assert ada.delete("/v1/players/me").status_code == 204
    assert order_rows.read_orders(store, stream_rows.head(store, table["id"]).match_no) == []
