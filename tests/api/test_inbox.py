"""What waits for a player."""

import time
from concurrent.futures import ThreadPoolExecutor

from tests.api.client import Client, code


def inbox(client, query="", **kwargs):
    return client.get(f"/v1/inbox{query}", **kwargs)


def test_a_match_waits_for_the_seats_that_are_to_act(full_table):
    table, players = full_table()
    (item,) = inbox(players[1]).json["items"]
    assert (item["match"], item["game"], item["seat"]) == (table["id"], "hearts", 1)
    players[1].plays(table)
    assert inbox(players[1]).json == {"items": [], "next": None}


def test_the_nearest_deadline_comes_first(ada):
    slow = ada.creates(clock={"per_decision_seconds": 900})
    none = ada.creates()
    fast = ada.creates(clock={"per_decision_seconds": 60})
    assert [item["match"] for item in inbox(ada).json["items"]] == [fast["id"], slow["id"], none["id"]]


def test_an_inbox_belongs_to_a_player(stranger):
    assert code(inbox(stranger)) == (401, "unauthenticated")


def test_an_inbox_that_is_as_before_is_not_sent_again(ada):
    ada.creates()
    tag = inbox(ada).headers["ETag"]
    assert inbox(ada, headers={"If-None-Match": tag}).status_code == 304
    ada.creates()
    assert inbox(ada, headers={"If-None-Match": tag}).status_code == 200


def test_with_wait_alone_it_answers_once_it_is_not_empty(ada):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(inbox, Client(ada.app, ada.token), "?wait=20")
        time.sleep(0.3)
        assert not waiting.done()
        table = ada.creates()
        assert [item["match"] for item in waiting.result(timeout=5).json["items"]] == [table["id"]]
    assert inbox(ada, "?wait=20").json["items"]


def test_with_wait_and_what_is_known_it_answers_once_it_differs(full_table):
    table, players = full_table()
    tag = inbox(players[0]).headers["ETag"]
    with ThreadPoolExecutor(1) as pool:
        watcher = Client(players[0].app, players[0].token)
        waiting = pool.submit(inbox, watcher, "?wait=20", headers={"If-None-Match": tag})
        time.sleep(0.3)
        assert not waiting.done()
        players[0].plays(table)
        assert waiting.result(timeout=5).json["items"] == []


def test_waiting_in_vain_tells_that_nothing_differs(ada):
    tag = inbox(ada).headers["ETag"]
    assert inbox(ada, headers={"If-None-Match": tag, "Prefer": "wait=1"}).status_code == 304
