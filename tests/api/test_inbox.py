"""Tests the inbox: what waits for a player."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.service import last_move_summary
from events.store.tables import stream_rows
from tests.api.client import Client, code, waits

pytestmark = pytest.mark.both_databases


def inbox(client, query="", **kwargs):
    return client.get(f"/v1/inbox{query}", **kwargs)


def test_inbox_lists_matches_that_wait_for_the_caller(full_table):
    table, players = full_table()
    (item,) = inbox(players[1]).json["items"]
    assert (item["match"], item["game"], item["seat"]) == (table["id"], "hearts", 1)
    players[1].plays(table)
    assert inbox(players[1]).json == {"items": [], "next": None}


def test_inbox_lists_the_nearest_deadline_first(ada):
    slow = ada.creates(clock={"per_decision_seconds": 900})
    none = ada.creates()
    fast = ada.creates(clock={"per_decision_seconds": 60})
    assert [item["match"] for item in inbox(ada).json["items"]] == [fast["id"], slow["id"], none["id"]]


def test_inbox_requires_a_player(stranger):
    assert code(inbox(stranger)) == (401, "unauthenticated")


def test_unchanged_inbox_answers_304(ada):
    ada.creates()
    tag = inbox(ada).headers["ETag"]
    assert inbox(ada, headers={"If-None-Match": tag}).status_code == 304
    ada.creates()
    assert inbox(ada, headers={"If-None-Match": tag}).status_code == 200


def test_waiting_request_without_etag_is_answered_once_the_inbox_is_not_empty(ada):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(inbox, Client(ada.app, ada.token), "?wait=20")
        waits(ada.app)
        assert not waiting.done()
        table = ada.creates()
        assert [item["match"] for item in waiting.result(timeout=60).json["items"]] == [table["id"]]
    assert inbox(ada, "?wait=20").json["items"]


def test_waiting_request_with_etag_is_answered_once_the_inbox_changes(full_table):
    table, players = full_table()
    tag = inbox(players[0]).headers["ETag"]
    with ThreadPoolExecutor(1) as pool:
        watcher = Client(players[0].app, players[0].token)
        waiting = pool.submit(inbox, watcher, "?wait=20", headers={"If-None-Match": tag})
        waits(watcher.app)
        assert not waiting.done()
        players[0].plays(table)
        assert waiting.result(timeout=60).json["items"] == []


def test_wait_ends_when_a_vacation_moves_a_deadline_and_when_it_ends(full_table):
    clock = {"per_decision_seconds": 7200, "vacation": True}
    _, players = full_table(clock=clock)
    watcher = Client(players[0].app, players[0].token)
    before = inbox(players[0])
    for change in (lambda: players[0].post("/v1/players/me/vacation", {"days": 3}), vacation_ends(players[0])):
        with ThreadPoolExecutor(1) as pool:
            known = {"If-None-Match": before.headers["ETag"]}
            waiting = pool.submit(inbox, watcher, "?wait=20", headers=known)
            waits(watcher.app)
            assert not waiting.done()
            assert change().status_code < 300
            after = waiting.result(timeout=60)
            assert after.json["items"][0]["deadline"] != before.json["items"][0]["deadline"]
            before = after


def vacation_ends(client):
    return lambda: client.delete("/v1/players/me/vacation")


def test_waiting_request_for_an_unchanged_inbox_answers_304_after_the_wait(ada):
    tag = inbox(ada).headers["ETag"]
    assert inbox(ada, headers={"If-None-Match": tag, "Prefer": "wait=1"}).status_code == 304


# --- What stands in it ------------------------------------------------------------------------------------


def test_inbox_item_has_the_decision_and_events_since_the_last_move(playing):
    table, players, turn = playing()
    (item,) = inbox(players[turn]).json["items"]
    assert (item["kind"], item["decision"]) == ("turn", "playing")
    first = players[turn].plays(table).json
    card = first["events"][0]["data"]["card"]
    following = first["to_act"][0]
    (item,) = inbox(players[following]).json["items"]
    assert item["since_text"].endswith(f"Seat {turn} played {card}.")


def test_inbox_line_has_the_moves_of_all_others_since_the_last_move(playing):
    table, players, leader = playing()
    sent = []
    for step in range(4):
        seat = (leader + step) % 4
        (item,) = inbox(players[seat]).json["items"]
        if step == 3:
            assert item["since_text"].endswith(" ".join(sent))
        sent.append(f"Seat {seat} played {players[seat].plays(table).json['events'][0]['data']['card']}.")
    winner = players[0].sees(table)["to_act"][0]
    (item,) = inbox(players[winner]).json["items"]
    after_own = sent[(winner - leader) % 4 + 1 :]
    assert all(line in item["since_text"] for line in after_own)
    assert sent[(winner - leader) % 4] not in item["since_text"]
    assert winner == (leader + 3) % 4 or not item["since_text"].startswith("…")


def test_earlier_events_are_left_out_with_a_note(ada, player):
    """In Crazy Eights with five players, others draw repeatedly before it is the player's turn."""
    table = ada.creates(game="crazy_eights", seats=[{"kind": "me"}, *[{"kind": "open"}] * 4])
    players = [ada, *(player() for _ in range(4))]
    for seat, other in enumerate(players[1:], 1):
        assert other.put(f"{table.path}/seats/{seat}", {}).status_code == 200
    lines, drawn = [], 0
    for _ in range(20):
        (seat,) = ada.sees(table)["to_act"]
        (item,) = inbox(players[seat]).json["items"]
        lines.append(item["since_text"])
        moves = [move["example"] for move in players[seat].offers(table)["moves"]]
        draws = [move for move in moves if move["name"].startswith("draw")]
        others = [move for move in moves if move not in draws]
        drawn = drawn + 1 if draws and (drawn < 4 or not others) else 0
        assert players[seat].plays(table, draws[0] if drawn else others[0]).status_code == 200
    assert any(line.startswith("… Seat") for line in lines)
    assert any(re.search(r"Seat \d drew [^;]+, \d times; \d+ left", line) for line in lines)
    assert all(len(line) <= 210 for line in lines)


def test_repeated_event_is_summarised_once():
    drawn = [f"Seat 1 drew a card; {left} left in the stock." for left in (22, 21, 20)]
    assert last_move_summary._times(drawn) == "Seat 1 drew a card, 3 times; 20 left in the stock."
    assert last_move_summary._times(drawn[:1]) == drawn[0]
    assert last_move_summary._times(["Seat 1 passed."] * 2) == "Seat 1 passed, 2 times."


def test_inbox_line_has_only_what_the_seat_was_shown(full_table):
    table, players = full_table()
    passed = players[0].plays(table).json["events"][0]["data"]["cards"]
    for p in players[1:3]:
        p.plays(table)
    (item,) = inbox(players[3]).json["items"]
    assert "Seat 0" in item["since_text"]
    assert not any(card in item["since_text"] for card in passed)
    assert len(item["since_text"]) < 400


def test_unchanged_inbox_reads_the_log_once(playing, store, monkeypatch):
    _, players, turn = playing()
    asked = []
    read = stream_rows.last_rows
    monkeypatch.setattr(stream_rows, "last_rows", lambda *args: asked.append(args) or read(*args))
    first, second = (inbox(players[turn]).json for _ in range(2))
    assert first == second
    assert len(asked) == 1


def test_inbox_etag_changes_only_with_the_inbox(playing):
    """A change that does not affect turns does not affect the inbox."""
    table, players, turn = playing()
    before = inbox(players[turn])
    players[(turn + 1) % 4].plays(table, {"name": "resign", "args": {}})
    after = inbox(players[turn])
    assert (before.headers["ETag"] == after.headers["ETag"]) == (before.json == after.json)


@pytest.mark.parametrize("traits", [{}, {"clock": {"per_decision_seconds": 900}}], ids=["untimed", "timed"])
def test_waiting_since_time_does_not_depend_on_other_seats(full_table, clock, traits):
    """In a Hearts pass, all seats are asked at the same time, and the text lists those that have answered."""
    table, players = full_table(**traits)
    (before,) = inbox(players[3]).json["items"]
    for player in players[:3]:
        clock.passes(1)
        assert player.plays(table).status_code == 200
    (after,) = inbox(players[3]).json["items"]
    assert (after["since"], after["deadline"]) == (before["since"], before["deadline"])
    assert after["version"] == players[3].sees(table)["version"]
    assert "Seat 2 passed" in after["since_text"]
    clock.passes(1)
    assert players[3].plays(table).status_code == 200
    (item,) = (item for player in players for item in inbox(player).json["items"])
    assert item["since"] > after["since"]


def test_takeback_request_during_a_turn_does_not_restart_the_turn(playing, clock):
    table, players, turn = playing(options={"take_backs": True})
    (next_,) = players[turn].plays(table).json["to_act"]
    (before,) = inbox(players[next_]).json["items"]
    clock.passes(1)
    assert players[turn].plays(table, {"name": "request_take_back", "args": {}}).status_code == 200
    kinds = {item["kind"]: item for item in inbox(players[next_]).json["items"]}
    assert kinds["turn"]["since"] == before["since"] < kinds["request"]["since"]


def test_takeback_request_is_listed_in_addition_to_turns(playing):
    table, players, turn = playing(options={"take_backs": True})
    before = players[turn].plays(table).json
    tags = [inbox(player).headers["ETag"] for player in players]
    asking = {"name": "request_take_back", "args": {}}
    assert players[turn].plays(table, asking).status_code == 200
    for seat, player in enumerate(players):
        answer = inbox(player, headers={"If-None-Match": tags[seat]})
        if seat == turn:
            continue
        kinds = {item["kind"]: item for item in answer.json["items"]}
        assert set(kinds) == {"request"} | ({"turn"} if seat in before["to_act"] else set())
        assert (kinds["request"]["decision"], kinds["request"]["seat"]) == ("answer_take_back", seat)
        assert kinds["request"]["since_text"].endswith(f"Seat {turn} requested a takeback.")
    refusal = {"name": "refuse_take_back", "args": {}}
    assert players[(turn + 2) % 4].plays(table, refusal).status_code == 200
    items = [item for player in players for item in inbox(player).json["items"]]
    assert [item["kind"] for item in items] == ["turn"]


def test_draw_offer_is_in_the_inbox_until_it_is_answered(ada, ben):
    table = ada.creates(game="two_handed_hearts", seats=[{"kind": "me"}, {"kind": "open"}])
    assert ben.put(f"{table.path}/seats/1", {}).status_code == 200
    assert ada.plays(table, {"name": "offer_draw", "args": {}}).status_code == 200

    def asked(player):
        return [item["decision"] for item in inbox(player).json["items"] if item["kind"] == "request"]

    assert (asked(ada), asked(ben)) == ([], ["answer_draw"])
    assert ben.plays(table, {"name": "decline_draw", "args": {}}).status_code == 200
    assert (asked(ada), asked(ben)) == ([], [])


# --- As a stream ------------------------------------------------------------------------------------------


def stream(client, **headers):
    """Yield the events of an inbox stream as they come: id, kind, data."""
    response = client.get("/v1/inbox", headers={"Accept": "text/event-stream", **headers}, buffered=False)
    assert response.status_code == 200
    assert response.mimetype == "text/event-stream"
    for chunk in response.response:
        sent = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines() if line[0] != ":")
        if sent:
            yield sent["id"], sent["event"], json.loads(sent["data"])


def test_inbox_stream_sends_the_list_and_then_changes(ada, ben, full_table):
    table, players = full_table()
    listener = stream(Client(players[0].app, players[0].token))
    tag, kind, listed = next(listener)
    assert kind == "inbox"
    assert f'"{tag}"' == inbox(players[0]).headers["ETag"]
    assert listed == inbox(players[0]).json
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, listener)
        players[0].plays(table)
        _, kind, changes = coming.result(timeout=60)
        assert kind == "changed"
        assert changes == {"items": [], "gone": [{"kind": "turn", "match": table["id"], "seat": 0}]}
        coming = pool.submit(next, listener)
        other = players[0].creates(clock={"per_decision_seconds": 60})
        _, kind, changes = coming.result(timeout=60)
    assert [item["match"] for item in changes["items"]] == [other["id"]]
    assert changes["gone"] == []


def test_unchanged_inbox_is_not_sent_again(ada):
    ada.creates()
    tag, _, _ = next(stream(Client(ada.app, ada.token)))
    listener = stream(Client(ada.app, ada.token), **{"Last-Event-ID": tag})
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, listener)
        waits(ada.app)
        assert not coming.done()
        table = ada.creates()
        _, kind, changes = coming.result(timeout=60)
    assert kind == "changed"
    assert [item["match"] for item in changes["items"]] == [table["id"]]


def test_stream_requires_a_player(stranger):
    assert code(inbox(stranger, headers={"Accept": "text/event-stream"})) == (401, "unauthenticated")
