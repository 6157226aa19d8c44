"""Tests that other players cannot distinguish a standing order's move from a player's.

Two worlds differ only in this, and all answers to other readers are compared.
"""

import logging
import re
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest

from api.app import create_app
from api.http import app_state as here
from api.http.request_ids import HEADER
from domain.core.clock import Time
from events.ids import hash_secret
from events.service.projections import LEASE_MS
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.tables import pending_rows, player_rows, stream_rows
from events.store.tables.order_rows import ORDER
from tests.bound import Matches
from workers.tasks import bot_turn_tasks
from workers.tasks.order_tasks import look

START = 1_790_000_000_000
ORDERS = {"orders": [{"do": [{"move": "play_card", "card": "lowest"}]}]}


class World:
    """A match of four people, or of fewer people and bots, and all answers to the others and a spectator."""

    def __init__(self, tmp_path, monkeypatch, name, people):
        url = f"sqlite:///{tmp_path / f'{name}.sqlite3'}"
        migrate(url)
        self.now, self.store = Time(START), open_store(url)
        for seat in range(4):
            player_rows.add_player(
                self.store, f"player{seat}".ljust(20, "0"), f"P{seat}", hash_secret(f"t{seat}"), 0, f"p-{seat}"
            )
        monkeypatch.setattr("events.service.create.new_id", lambda: "m" * 20)
        app = create_app(Settings(dealt_rate_per_second=0), store=self.store, now=lambda: self.now)
        matches = Matches(self.store, now=lambda: self.now, draw=bytes)
        here.store_app_state(app, replace(app.extensions["dealt"], context=matches))
        self.worker = Matches(self.store, now=lambda: self.now, draw=bytes, lease_ms=LEASE_MS)
        self.client, self.path = app.test_client(), f"/v1/matches/{'m' * 20}"
        bots = [{"kind": "bot", "level": "easy"}] * (4 - people)
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (people - 1), *bots]
        new = {
            "game": "hearts",
            "seats": seats,
            "options": {"variant": "1-1-1-1", "target_score": 1, "first_dealer": "pick", "first_dealer_seat": 3},
            "clock": {"per_decision_seconds": 86400},
        }
        assert self.sends(0, "POST", "/v1/matches", new).status_code == 201
        for seat in range(1, people):
            assert self.sends(seat, "PUT", f"{self.path}/seats/{seat}").status_code == 200

    def sends(self, seat, method, path, body=None):
        headers = {} if seat is None else {"Authorization": f"Bearer t{seat}"}
        return self.client.open(path, method=method, json=body, headers=headers)

    def look_at(self):
        """Return the time at which the orders of the seat to act are checked."""
        (due,) = [due for due in pending_rows.read_pending(self.store, 1) if due.kind == ORDER]
        return due.due_ms

    def answers(self):
        version = int(self.sends(None, "GET", self.path).headers["ETag"].strip('"').partition("-")[0])
        asked = [
            self.path,
            f"{self.path}/moves",
            f"{self.path}/events",
            "/v1/inbox",
            "/v1/matches",
            f"{self.path}/record",
        ]
        asked += [f"{self.path}/audit"]
        asked += [f"{self.path}/replay?version={v}" for v in range(version - 2, version + 1)]
        replies = [self.sends(seat, "GET", path) for seat in (1, 2, 3, None) for path in asked]
        return [_blank(response) for response in (*replies, *self.refusals())]

    def refusals(self):
        """Request another player's orders in every way."""
        for query in ("?seat=0", ""):
            yield self.sends(1, "GET", f"{self.path}/orders{query}")
            yield self.sends(1, "POST", f"{self.path}/orders/dry-run{query}")
            yield self.sends(None, "GET", f"{self.path}/orders{query}")
        yield self.sends(1, "PUT", f"{self.path}/orders?seat=0", ORDERS)
        yield self.sends(1, "DELETE", f"{self.path}/orders?seat=0")

    def to_act(self):
        return self.sends(None, "GET", self.path).json["to_act"]

    def moves_by_hand(self, seat):
        body = self.sends(seat, "GET", f"{self.path}/moves").json["moves"][0]["example"]
        assert self.sends(seat, "POST", f"{self.path}/moves", body).status_code == 200


def _blank(response):
    body = re.sub(rb'"[0-9a-f]{64}"', b'"*"', response.data)
    # The mark in a match's ETag follows from the whole body, digests included.
    tag = re.sub('-[0-9a-f]{16}"', '-*"', response.headers.get("ETag", ""))
    headers = sorted(pair for pair in response.headers if pair[0] not in (HEADER, "ETag"))  # HEADER is drawn each time
    return response.status_code, headers, tag, body


@contextmanager
def two_worlds(tmp_path, monkeypatch, people=4):
    worlds = []
    for name in ("hand", "order"):
        with monkeypatch.context() as patch:
            worlds.append(World(tmp_path, patch, name, people))
    yield worlds
    for world in worlds:
        world.store.close()


@pytest.mark.long
def test_move_by_a_standing_order_looks_like_a_move_by_hand_to_others(tmp_path, monkeypatch, caplog):
    with two_worlds(tmp_path, monkeypatch) as (hand, order), caplog.at_level(logging.DEBUG):
        assert hand.answers() == order.answers()
        given = order.sends(0, "PUT", f"{order.path}/orders", ORDERS)
        assert given.status_code == 200, given.json
        assert hand.answers() == order.answers()
        compared = 0
        while hand.sends(None, "GET", hand.path).json["status"] == "playing":
            assert hand.look_at() == order.look_at()
            (seat,) = hand.to_act()
            hand.now = order.now = Time(hand.look_at())
            hand.moves_by_hand(seat)  # the first that is offered is the lowest, as the orders say
            if seat == 0:
                assert look(order.worker, "m" * 20) == 1
            else:
                order.moves_by_hand(seat)
            if seat == 0 and (compared := compared + 1) < 3:
                assert hand.answers() == order.answers()
        assert compared == 13
        causes = [replies(world) for world in (hand, order)]
        assert causes[0] == ["move"] * 13
        assert causes[1] == ["order"] * 13
        assert [world.sends(1, "GET", f"{world.path}/audit").json["ok"] for world in (hand, order)] == [
            True,
            True,
        ]
        assert "lowest" not in caplog.text


@pytest.mark.long
def test_bots_answer_orders_and_moves_by_hand_at_the_same_time(tmp_path, monkeypatch):
    """The log is equally long in both cases, and the server's next work is the same."""
    monkeypatch.setattr(bot_turn_tasks, "Random", lambda _: Random(7))
    with two_worlds(tmp_path, monkeypatch, people=2) as worlds:
        hand, order = worlds
        assert order.sends(0, "PUT", f"{order.path}/orders", ORDERS).status_code == 200
        compared = 0
        while hand.sends(None, "GET", hand.path).json["status"] == "playing":
            (seat,) = hand.to_act()
            if seat > 1:
                assert len({bot_turn_tasks.play_bot_turns(world.worker, "m" * 20) for world in worlds}) == 1
                continue
            hand.now = order.now = Time(hand.look_at())
            for world in worlds:
                assert ORDER in [due.kind for due in pending_rows.claim_due(world.store, world.now, 10)]
                made = look(world.worker, "m" * 20)
                assert made == (world is order and seat == 0)
                if not made:
                    world.moves_by_hand(seat)
            assert pending_rows.read_pending(hand.store, 1) == pending_rows.read_pending(order.store, 1)
            assert hand.sends(None, "GET", hand.path).json["version"] == stream_rows.head(order.store, "m" * 20).version
            if seat == 0 and (compared := compared + 1) < 3:
                assert hand.answers() == order.answers()
        assert compared == 13
        assert [replies(world) for world in worlds] == [["move"] * 13, ["order"] * 13]


def replies(world):
    """Return the disclosed causes of seat 0's moves, as spectators see them after the match."""
    items = world.sends(None, "GET", f"{world.path}/events").json["items"]
    sealed = [e for e in items if e["type"] == "CauseSealed" and e["data"]["seat"] == 0]
    assert all("true_cause" not in e["data"] for e in sealed)
    return [e["disclosed"]["true_cause"]["0"] for e in sealed]


def test_owner_sees_that_a_standing_order_moved(tmp_path, monkeypatch):
    with two_worlds(tmp_path, monkeypatch) as (_, order):
        (seat,) = order.to_act()
        assert order.sends(seat, "PUT", f"{order.path}/orders", ORDERS).status_code == 200
        order.now = Time(order.look_at())
        assert look(order.worker, "m" * 20) == 1
        items = order.sends(seat, "GET", f"{order.path}/events").json["items"]
        assert [e["data"]["true_cause"] for e in items if e["type"] == "CauseSealed"] == ["order"]
        shown = order.sends(seat, "GET", f"{order.path}/orders").json
        assert shown["carried_out"]["version"] in [e["seq"] for e in items if e["type"] == "CardPlayed"]
        assert shown["orders"] == ORDERS


@pytest.mark.parametrize("orders_too", [True, False])
def test_move_by_hand_does_not_wake_the_poller_if_orders_are_allowed(orders_too, tmp_path):
    """A worker on another server cannot wake requests that wait here, so no move may."""
    url, hurried = f"sqlite:///{tmp_path / 'a.sqlite3'}", []
    migrate(url)
    store = open_store(url)
    player_rows.add_player(store, "player0".ljust(20, "0"), "P0", hash_secret("t0"), 0)
    app = create_app(Settings(dealt_rate_per_second=0), store=store, now=lambda: Time(START))
    app.extensions["dealt"].poller.hurry = lambda: hurried.append(True)
    client, headers = app.test_client(), {"Authorization": "Bearer t0"}
    new = {"game": "hearts", "seats": [{"kind": "me"}] * 4, "options": {"standing_orders": orders_too},
           "clock": {"per_decision_seconds": 86400}}  # fmt: skip
    path = f"/v1/matches/{client.post('/v1/matches', json=new, headers=headers).json['id']}/moves"
    body = client.get(path, headers=headers).json["moves"][0]["example"]
    hurried.clear()
    assert client.post(path, json=body, headers=headers).status_code == 200
    assert bool(hurried) is not orders_too
    store.close()
