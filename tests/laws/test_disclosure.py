"""Tests disclosure (rules 1.7): seeds, keys and other seats' cards are disclosed when due, and never a commit sooner.

Every body in the app's answers, and every line that it logs, is searched for every secret of the match.
"""

import json
import logging
import re
from hashlib import sha256
from random import Random

import pytest

from api.app import create_app
from domain import match as life
from domain.core.clock import Time
from domain.core.fairness import chain as links
from domain.games.catalogue import GAMES
from events.log.seals import seal_key
from events.settings import Settings
from events.store.tables import stream_rows
from tests.bound import Matches
from tests.draws import is_thorough
from tests.factories import StoredPlayer
from tests.laws.games import LAWS
from tests.recorded import NONCES
from tests.tampered import verified

NOW = 1_790_000_000_000
REVEALS = ("hand_end", "game_end", "match_end", "never")
SEATS = {name: law.SETUPS[0][0] for name, law in LAWS.items()}
HEX = re.compile(rb"[0-9a-f]{64}")
NOBODY, STRANGER = "spectators", None
MOVES = 90
EVERY = [(game, reveal) for game in SEATS for reveal in REVEALS]
USUAL = [
    ("gin_rummy", "hand_end"), ("crazy_eights", "game_end"), ("hearts", "match_end"), ("five_card_draw", "never"),
]  # fmt: skip
"""Each time of disclosure: the games do not influence it."""


class World:
    """A match over HTTP with at least two human seats, a spectator and an anonymous caller. All answers are kept."""

    def __init__(self, store, game, **new):
        self.store = store
        self.app = create_app(Settings(dealt_rate_per_second=0), store=self.store, now=lambda: Time(NOW))
        self.matches = Matches(self.store, now=lambda: Time(NOW))
        self.client, self.game = self.app.test_client(), GAMES[game]
        self.players = [StoredPlayer(store=self.store) for _ in range(2)]
        seats = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot", "level": "random"}] * (SEATS[game] - 2)]
        made = self.asks(0, "POST", "/v1/matches", {"game": game, "seats": seats, **new})
        assert made.status_code == 201, made.json
        self.id = made.json["id"]
        self.path = f"/v1/matches/{self.id}"

    def asks(self, who, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.players[who]['token']}"} if who in (0, 1) else {}
        return self.client.open(path, method=method, json=body, headers=headers)

    def sits(self, seat, **said):
        answered = self.asks(seat, "PUT", f"{self.path}/seats/{seat}", said)
        assert answered.status_code == 200, answered.json
        return answered

    def loaded(self):
        return self.matches.loaded(self.id)

    def moves(self, rng):
        """Make one move of the seat to act, over HTTP for a person; the answer is kept."""
        if (seen := self.matches.bot_to_move(self.id)) is not None:
            move = rng.choice(self.game.legal(seen.match.table, seen.seat)).sample(rng)
            self.matches.bot_move(seen, move)
            return []
        seat = next(s for s in life.to_act(self.loaded().state) if s in (0, 1))
        offered = self.asks(seat, "GET", f"{self.path}/moves")
        example = rng.choice(offered.json["moves"])["example"]
        done = self.asks(seat, "POST", f"{self.path}/moves", example)
        assert done.status_code == 200, done.json
        return [(seat, offered), (seat, done)]

    def answers(self):
        """Request everything as each seat and as an anonymous caller."""
        version = self.loaded().head.version
        paths = [
            self.path, f"{self.path}/moves", f"{self.path}/events", f"{self.path}/record", f"{self.path}/audit",
            f"{self.path}/replay", f"{self.path}/replay?seat=all", "/v1/matches", "/v1/inbox",
            f"{self.path}/events?after=99999x",
        ]  # fmt: skip
        paths += [f"{self.path}/replay?version={version // 2 + 1}&seat={seat}" for seat in ("1", "all")]
        return [(who, self.asks(who, "GET", path)) for who in (0, 1, STRANGER) for path in paths]


def secrets(world):
    """Return the secrets of a match, each with the reader who may know it, or None if no one may yet.

    They come from the log and the server's secrets, by the rules and not from answers.
    """
    loaded = world.loaded()
    m, dealer, rows = loaded.state, loaded.dealer, stream_rows.rows(world.store, loaded.head.match_no)
    events = [(row.first + i, e) for row in rows for i, e in enumerate(json.loads(row.events))]
    disclosed_to = {
        e["data"]["hand_no"]: (e["data"]["epoch"], e["data"]["link"]) for _, e in events if e["type"] == "SeedRevealed"
    }
    open_hands = set(due(events, m))
    assert set(disclosed_to) == open_hands
    never = m.common.fairness_reveal == "never"
    if m.status == "finished" and not never:
        open_hands.add(0)
    kept = {dealer.seal_secret.hex(): set(), **{root.hex(): set() for root in dealer.roots}}
    top = max((link for _, link in disclosed_to.values()), default=0)
    for link, seed in enumerate(links(dealer.roots[0], m.shuffles.links)[1:], 1):
        kept[seed.hex()] = None if link <= top else set()
    for hand in range(m.hand_no + 2):
        kept[dealer.hand_key(hand).hex()] = None if hand in open_hands and hand else set()
    for row in rows:
        for seq, secret in json.loads(row.secrets or "{}").items():
            key = dealer.hand_key(secret["hand"])
            for field, part in secret["fields"].items():
                for reader in part:
                    may = None if secret["hand"] in open_hands else {reader}
                    kept[seal_key(key, int(seq), field, reader).hex()] = may
    return kept


def due(events, m):
    """Return the hands that must be disclosed by now (rules 1.7)."""
    ended = {
        "game_end": m.game.lifecycle.game_ends.__name__,
        "match_end": "MatchEnded",
        "never": "",
        "hand_end": "",
    }
    begun, disclosed = [], []
    for _, e in events:
        if e["type"] == "HandStarted":
            begun.append(e["data"]["hand_no"])
        if e["type"] == ended[m.common.fairness_reveal]:
            disclosed = list(begun)
    return begun[: len(begun) - m.hand_open] if m.common.fairness_reveal == "hand_end" else disclosed


def search(world, answered, disclosed_to):
    """Assert that the answers contain nothing that their reader may not know."""
    if not answered:
        return
    kept = secrets(world)
    for who, response in answered:
        reader = NOBODY if who is STRANGER else str(who)
        for found in {match.decode() for match in HEX.findall(response.data)} & kept.keys():
            assert kept[found] is None or reader in kept[found], (
                who,
                response.request.path,
                response.data[:200],
            )
    assert not kept.keys() & {match.decode() for match in HEX.findall(disclosed_to.encode())}


@pytest.mark.parametrize(("game", "reveal"), EVERY if is_thorough() else USUAL)
def test_no_secret_is_disclosed_before_it_is_due(game, reveal, shared_sqlite, caplog):
    caplog.set_level(logging.DEBUG)
    options = {**LAWS[game].SHORT, "fairness_reveal": reveal}
    world = World(shared_sqlite, game, options=options, series={"best_of": 1})
    search(world, world.answers(), caplog.text)
    world.sits(1, **({"eaten_at": "2026-01-01T00:00:00Z"} if game == "trio" else {}))
    rng, disclosed = Random(game + reveal), 0
    for n in range(MOVES):
        if world.loaded().state.over:
            break
        answered, now = world.moves(rng), len(world.loaded().state.shuffles.disclosed)
        if n in (1, MOVES // 2) or disclosed < now < 3:
            answered += world.answers()
        search(world, answered, "")  # what is logged may hold none of it, ever: it is searched at the end
        disclosed = now
    for seat in (0, 1):
        if not world.loaded().state.over:
            gone = world.asks(seat, "POST", f"{world.path}/moves", {"name": "resign", "args": {"whole_match": True}})
            assert gone.status_code == 200
    while not world.loaded().state.over:
        world.moves(rng)
    search(world, world.answers(), caplog.text)
    disclosed_to = world.asks(STRANGER, "GET", f"{world.path}/record").json
    report = verified(disclosed_to)
    assert report.verdict == ("unverifiable" if reveal == "never" else "verified")
    assert any(check.skipped for check in report.checks) == (reveal == "never")


@pytest.mark.parametrize("reveal", ["game_end", "never"])
def test_secrets_outside_hands_are_disclosed_after_the_match(reveal, shared_sqlite, caplog):
    world = World(shared_sqlite, "trio", options={"fairness_reveal": reveal, "on_resign": "end"})
    world.sits(1, eaten_at="2026-01-01T00:00:00Z")

    def avocado(who):
        items = world.asks(who, "GET", f"{world.path}/events").json["items"]
        return next(e for e in items if e["type"] == "AvocadoRemembered")

    assert "eaten_at" in avocado(1)["data"]
    for who in (0, STRANGER):
        assert not {"unseal", "disclosed"} & avocado(who).keys()
    world.asks(0, "POST", f"{world.path}/moves", {"name": "resign", "args": {}})
    assert world.loaded().state.status == "finished"
    opened = avocado(STRANGER).get("disclosed", {}).get("eaten_at")
    assert opened == (None if reveal == "never" else {"1": avocado(1)["data"]["eaten_at"]})
    search(world, world.answers(), caplog.text)


def test_cancelled_match_discloses_no_secrets(shared_sqlite, caplog):
    world = World(shared_sqlite, "trio", seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
    world.sits(1, eaten_at="2026-01-01T00:00:00Z")
    assert world.asks(0, "DELETE", world.path).status_code == 204
    items = world.asks(0, "GET", f"{world.path}/events").json["items"]
    assert items[-1]["type"] == "MatchEnded"
    assert not any("unseal" in e or "disclosed" in e for e in items)
    search(world, world.answers(), caplog.text)


def test_nonces_are_committed_before_they_are_revealed(shared_sqlite):
    """Over HTTP: hashes, then nonces, then cards; and the record proves it."""
    world = World(shared_sqlite, "gin_rummy", options={"nonce_commit": True})
    early = world.asks(0, "PUT", f"{world.path}/seats/0", {"nonce": NONCES[0]})
    assert early.status_code == 409
    for seat in (0, 1):
        world.sits(seat, nonce_hash=sha256(NONCES[seat].encode()).hexdigest())
        assert NONCES[seat].encode() not in b"".join(response.data for _, response in world.answers())
    wrong = world.asks(0, "PUT", f"{world.path}/seats/0", {"nonce": NONCES[1]})
    assert wrong.status_code == 409
    for seat in (0, 1):
        world.sits(seat, nonce=NONCES[seat])
    kinds = [e["type"] for e in world.asks(0, "GET", f"{world.path}/events").json["items"]]
    order = [kinds.index(k) for k in ("NonceCommitted", "NonceSubmitted", "MatchStarted", "HandDealt")]
    assert order == sorted(order)
    world.asks(1, "POST", f"{world.path}/moves", {"name": "resign", "args": {"whole_match": True}})
    made = world.asks(STRANGER, "GET", f"{world.path}/record").json
    report = verified(made)
    assert report.ok
    assert made["fairness"]["epochs"][0]["nonces"] == NONCES
    assert made["fairness"]["contributed"] == [0, 1]
    place = next(i for i, e in enumerate(made["events"]) if e["type"] == "NonceSubmitted")
    made["events"][place]["data"]["nonce"] = NONCES[1]
    assert not verified(made).ok
