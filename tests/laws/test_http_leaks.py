"""Tests law 3 over HTTP: worlds that differ only in cards hidden from a seat have the same answers for it."""

import json
import re
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.app import create_app
from api.http import app_state as here
from api.http.request_ids import HEADER
from domain.core.cards import NAMES, NUMBERS, PACK
from domain.core.clock import Time
from domain.core.fairness import Dealer
from domain.games.hearts.events import Cut, Deal
from events.ids import hash_secret
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.tables import player_rows
from tests.bound import Matches

# Seat 0 holds the same cards in both worlds, and every card that it is shown during the test is the same too.
MINE = ["2C", "7C", "8C", "9C", "8D", "9D", "TD", "8S", "9S", "TS", "8H", "9H", "TH"]
COMMON = {1: ["3C", "AS"], 2: ["4C", "KS"], 3: ["5C", "6C", "2D", "3D", "4D", "2S"]}
PASSED_TO_ME = ["2D", "3D", "4D"]
COMMON_TO_BOTH = {name for cards in COMMON.values() for name in cards}
REST = [name for name in NAMES[:52] if name not in MINE and name not in COMMON_TO_BOTH]


def hands(turned):
    """Deal the different cards: in the two worlds, the other seats hold different parts of the rest."""
    rest = REST[turned:] + REST[:turned]
    given = [list(MINE)]
    for seat in (1, 2, 3):
        wanted = 13 - len(COMMON[seat])
        given.append(COMMON[seat] + rest[:wanted])
        rest = rest[wanted:]
    return given


class Rigged(Dealer):
    """A dealer who deals given hands."""

    turned = 0

    def answer(self, ask, *_):
        dealt = [NUMBERS[name] for i in range(13) for name in (hand[i] for hand in hands(self.turned))]
        return {Cut: lambda: Cut(PACK), Deal: lambda: Deal(tuple(dealt))}[ask.make]()


class World:
    """A match in one of the two worlds, and all answers to seat 0 and a spectator."""

    def __init__(self, tmp_path, monkeypatch, turned, *, signing):
        url = f"sqlite:///{tmp_path / f'{turned}.sqlite3'}"
        migrate(url)
        self.store = open_store(url)
        self.hands = hands(turned)
        self.keys = [Ed25519PrivateKey.from_private_bytes(bytes([n + 1]) * 32) for n in range(4)] if signing else []
        for seat in range(4):
            player_rows.add_player(
                self.store, f"player{seat}".ljust(20, "0"), f"P{seat}", hash_secret(f"t{seat}"), 0, f"p-{seat}"
            )
        monkeypatch.setattr("events.log.dealers.Dealer", type("Turned", (Rigged,), {"turned": turned}))
        monkeypatch.setattr("events.service.create.new_id", lambda: "m" * 20)
        app = create_app(Settings(dealt_rate_per_second=0), store=self.store, now=lambda: Time(1_790_000_000_000))
        matches = Matches(self.store, now=lambda: Time(1_790_000_000_000), draw=bytes)
        here.store_app_state(app, replace(app.extensions["dealt"], context=matches))
        self.client = app.test_client()
        self.path = f"/v1/matches/{'m' * 20}"
        self.replayed = 0  # up to this version it was compared

    def sends(self, seat, method, path, body=None):
        headers = {} if seat is None else {"Authorization": f"Bearer t{seat}"}
        if self.keys and method == "POST" and path.endswith("/moves"):
            body = self.signed(seat, body)
        return self.client.open(path, method=method, json=body, headers=headers)

    def signed(self, seat, move):
        at = self.sends(seat, "GET", f"{self.path}/moves").json
        said = json.dumps(move, sort_keys=True, separators=(",", ":"))
        text = f"dealt-move/1|{'m' * 20}|{seat}|{at['version']}|{at['head']}|{said}"
        return {**move, "signature": self.keys[seat].sign(text.encode()).hex()}

    def seat(self, seat):
        """Return the body with which a player takes a seat."""
        if not self.keys:
            return {}
        player, key = f"player{seat}".ljust(20, "0"), self.keys[seat]
        text = f"dealt-seat/1|{'m' * 20}|{seat}|{player}" if seat else f"dealt-seat/1|new|{player}"
        return {"player_key": key.public_key().public_bytes_raw().hex(), "key_proof": key.sign(text.encode()).hex()}

    def answers(self):
        """Return all answers to seat 0 and a spectator, including refusals, as bytes.

        Seals, digests and keys are blanked.
        """
        version = int(self.sends(None, "GET", self.path).headers["ETag"].strip('"').partition("-")[0])
        asked = [self.path, f"{self.path}/moves", f"{self.path}/events", "/v1/inbox", "/v1/matches"]
        asked += [f"{self.path}/replay?version={v}" for v in range(self.replayed + 1, version + 1)]
        self.replayed = version
        asked += [f"{self.path}/replay?seat={seat}" for seat in ("0", "1", "2", "3", "all", "spectators")]
        replies = [self.sends(seat, "GET", path) for seat in (0, None) for path in asked]
        return [_blank(response) for response in (*replies, *self.refusals())]

    def refusals(self):
        for card in ("AS", "KS", "QS", "AC", "2H", "8D", "5C"):
            if self.sends(None, "GET", self.path).json["to_act"] != [0]:
                yield self.sends(0, "POST", f"{self.path}/moves", {"name": "play_card", "args": {"card": card}})
        yield self.sends(0, "POST", f"{self.path}/moves", {"name": "pass_cards", "args": {"cards": ["AS", "KS", "QS"]}})
        yield self.sends(0, "POST", f"{self.path}/moves", {"name": "return_card", "args": {"card": "QH"}})


def _blank(response):
    body = re.sub(rb'"(?:[0-9a-f]{64}){1,2}"', b'"*"', response.data)
    # The mark in a match's ETag follows from the whole body, digests included.
    tag = re.sub('-[0-9a-f]{16}"', '-*"', response.headers.get("ETag", ""))
    headers = sorted(pair for pair in response.headers if pair[0] not in (HEADER, "ETag"))  # HEADER is drawn each time
    return response.status_code, headers, tag, body


@pytest.fixture(params=[pytest.param(False, marks=pytest.mark.long), True], ids=["unsigned", "signed"])
def worlds(request, tmp_path, monkeypatch):
    made = []
    for turned in (0, 11):
        with monkeypatch.context() as patch:
            made.append(World(tmp_path, patch, turned, signing=request.param))
            seat_everybody(made[-1])
    yield made
    for world in made:
        world.store.close()


def seat_everybody(world):
    seats, clock = [{"kind": "me", **world.seat(0)}, *[{"kind": "open"}] * 3], {"per_decision_seconds": 600}
    assert world.sends(0, "POST", "/v1/matches", {"game": "hearts", "seats": seats, "clock": clock}).status_code == 201
    for seat in (1, 2, 3):
        assert world.sends(seat, "PUT", f"{world.path}/seats/{seat}", world.seat(seat)).status_code == 200


def moves(world):
    """Yield the moves: all seats pass, then play a trick and a half of cards that are the same in both worlds."""
    passed = {
        1: world.hands[1][-3:], 2: world.hands[2][-3:], 3: PASSED_TO_ME, 0: ["8S", "9S", "TS"],
    }  # fmt: skip
    yield from ((seat, {"name": "pass_cards", "args": {"cards": cards}}) for seat, cards in passed.items())
    for seat, card in ((0, "2C"), (1, "3C"), (2, "4C"), (3, "5C"), (3, "6C"), (0, "7C")):
        yield seat, {"name": "play_card", "args": {"card": card}}


def test_hidden_cards_do_not_affect_the_answers_to_a_seat(worlds):
    one, other = worlds
    assert one.hands[0] == other.hands[0]
    assert all(one.hands[seat] != other.hands[seat] for seat in (1, 2, 3))
    assert one.answers() == other.answers()
    for (seat, move), (_, elsewhere) in zip(moves(one), moves(other), strict=True):
        made = [w.sends(seat, "POST", f"{w.path}/moves", m) for w, m in ((one, move), (other, elsewhere))]
        assert [m.status_code for m in made] == [200, 200], made[0].json
        assert len(made[0].json["events"]) == len(made[1].json["events"])
        if seat == 0:
            assert _blank(made[0]) == _blank(made[1])
        assert one.answers() == other.answers()
    one.replayed = other.replayed = 0
    assert one.answers() == other.answers()


def test_leak_check_detects_differences_that_a_seat_can_see(worlds):
    seen = [world.sends(1, "GET", world.path).json["table"]["hand"] for world in worlds]
    assert seen[0] != seen[1]
