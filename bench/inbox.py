"""Measures the inbox of a player with five hundred open matches, over the API, on PostgreSQL."""

import time
from contextlib import closing
from dataclasses import asdict
from statistics import median

import psycopg

from api.app import create_app
from bench.database import database, plain
from bench.rounds import rounds
from bench.tables import Line, Table
from domain.core.clock import DAY, Clock
from domain.games.catalogue import GAMES
from domain.match.creation import Common, Series
from events.ids import hash_secret
from events.service import commands as service
from events.service import create as creation
from events.service import lobby, views
from events.service.access import Caller
from events.service.context import Context
from events.service.new_match import NewMatch, SeatRequest
from events.settings import Settings
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import player_rows
from tests.services import Database

MINE, OTHERS = 500, 20_000
MOST_MS, MOST_FIRST_MS = 50.0, 250.0
"""Maximum milliseconds of a repeated request, and of the first in a process, which reads all matches."""

PLAYERS = ("ann", "bob", "eve", "joe")


def measure(*, quick: bool) -> Table:
    """Request the same inbox repeatedly, and from fresh processes."""
    made = Table(f"inbox: {MINE} matches that wait, beside {OTHERS:,} others")
    with database() as found, closing(open_store(found.app_url)) as store:
        turn = _begun(store)
        _copied(found, turn)
        count = 5 if quick else 15
        took = rounds(count, {"first": lambda: _asked(store)[0], "again": lambda: _asked(store)[1]})
        for what, most in (("again", MOST_MS), ("first", MOST_FIRST_MS)):
            ms = median(took[what])
            made.lines.append(Line(f"GET /v1/inbox, {what}", ms, "ms", None, None, f"≤ {most:g} ms", ms <= most))
    return made


def _asked(store: Store) -> tuple[float, float]:
    """Ask a fresh process twice; return both times."""
    client = create_app(Settings(dealt_rate_per_second=0), store=store).test_client()
    took = []
    for _ in range(2):
        began = time.perf_counter()
        answer = client.get("/v1/inbox", headers={"Authorization": "Bearer token"})
        took.append(1000 * (time.perf_counter() - began))
        assert answer.json
        assert len(answer.json["items"]) == MINE
        assert all(item["since_text"] and item["deadline"] for item in answer.json["items"])
    return took[0], took[1]


def _begun(store: Store) -> int:
    """Begin a match of four people, and play some cards; return the seat to act."""
    for name in PLAYERS:
        player_rows.add_player(store, name, name.title(), hash_secret("token" if name == "ann" else name), 0)
    game, context = GAMES["hearts"], Context(store)
    places = (SeatRequest("me"), *[SeatRequest("open")] * 3)
    options = {
        **asdict(Common()),
        "fairness_reveal": game.setup.reveal,
        **game.setup.resolve(asdict(game.setup.options()), 4),
    }
    clock = Clock(per_decision_seconds=DAY)
    new = NewMatch("hearts", options, None, places, "public", clock, Series())
    match_id = creation.create_match(context, Caller("ann", "token"), new).match_id
    for seat, name in enumerate(PLAYERS[1:], 1):
        lobby.sit_down(context, match_id, Caller(name), seat)
    for _ in range(4 + 4 + 3):
        seen = views.see_match(context, match_id, Caller("ann"))
        seat = next(s for s in seen.match.seats if seen.match.clocks.asked[s] is not None)
        own = views.see_match(context, match_id, Caller(PLAYERS[seat])).match
        move = service.MoveRequest(seat, own.game.timing.default(own.table, seat))
        service.make_move(context, match_id, Caller(PLAYERS[seat]), move)
    return next(
        s for s, at in enumerate(views.see_match(context, match_id, Caller("ann")).match.clocks.asked) if at is not None
    )


def _copied(found: Database, turn: int) -> None:
    """Copy the match many times: matches of Ann's in which she is to play, and others between other people."""
    with psycopg.connect(plain(found.owner_url)) as owner:
        for statement in FILLING:
            owner.execute(statement, {"n": OTHERS, "mine": MINE, "turn": turn})
    with psycopg.connect(plain(found.admin_url), autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE")


FILLING = (
    """INSERT INTO stream (match_id, version, head, created_ms, turns)
       SELECT 'm' || CAST(1000000000000000000 + i AS text), version, head, created_ms, turns
         FROM stream, generate_series(1, %(n)s) t (i)""",
    """INSERT INTO commits (match_no, first, n, at_ms, events, secrets, mac)
       SELECT s.match_no, c.first, c.n, c.at_ms, c.events, c.secrets, c.mac
         FROM commits c, stream s WHERE s.match_no > c.match_no AND s.match_no <= c.match_no + %(mine)s""",
    """INSERT INTO matches (match_no, match_id, game, status, visibility, creator, options, created_ms, started_ms,
                            owner, bots_alone)
       SELECT s.match_no, s.match_id, m.game, m.status, m.visibility, m.creator, m.options, m.created_ms, m.started_ms,
              m.owner, m.bots_alone
         FROM matches m, stream s WHERE s.match_no > m.match_no""",
    """INSERT INTO seats (match_no, seat, kind, player_id, live)
       SELECT s.match_no, e.seat, 'player', e.player_id || (s.match_no + e.seat) %% 5000, true
         FROM seats e, stream s, (SELECT min(match_no) AS first FROM stream) f
        WHERE e.match_no = f.first AND s.match_no > f.first""",
    """UPDATE seats SET player_id = 'x' WHERE match_no = (SELECT min(match_no) FROM stream)""",
    """UPDATE seats SET player_id = 'ann' FROM (SELECT min(match_no) AS first FROM stream) f
        WHERE seat = %(turn)s AND match_no > f.first AND match_no <= f.first + %(mine)s""",
)
