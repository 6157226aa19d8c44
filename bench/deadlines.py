"""Measures a scheduler's look at what is due, among a thousand open matches and among a hundred thousand."""

import time
from contextlib import closing
from functools import partial
from statistics import median

import psycopg

from bench.database import database, migrated, plain
from bench.rounds import rate, rounds
from bench.tables import Line, Table
from domain.core.clock import Time
from events.store.opening import open_store
from events.store.pending_records import Due
from events.store.protocol import Store
from tests.services import Database
from workers.dispatcher import Dispatcher

FEW, MANY, DUE = 1_000, 100_000, 50
MOST: float = 1.5
"""Maximum ratio of the times of a look among many matches and among few, including noise."""

NOW = Time(1_790_000_000_000)


def measure(*, quick: bool) -> Table:
    """Compare looks at two databases with different numbers of open matches, of which the same number are due."""
    many = MANY // 10 if quick else MANY
    made = Table(f"deadlines: {DUE} of {many:,} open matches are due; floor: {DUE} of {FEW:,}")
    with database() as small:
        large = migrated(small.new_database())
        fill(small, FEW)
        fill(large, many)
        with (
            closing(open_store(small.app_url)) as few,
            closing(open_store(large.app_url)) as full,
            psycopg.connect(plain(small.owner_url), autocommit=True) as of_few,
            psycopg.connect(plain(large.owner_url), autocommit=True) as of_many,
        ):
            looks = {"few": partial(_look, few, of_few), "many": partial(_look, full, of_many)}
            idle = {"few": partial(_idle, few), "many": partial(_idle, full)}
            for what, measured in ((f"a look that finds {DUE}", looks), ("a look that finds none", idle)):
                for work in measured.values():
                    work()
                made.lines.append(_line(what, rounds(10 if quick else 40, measured)))
    return made


def _line(what: str, took: object) -> Line:
    assert isinstance(took, dict)
    ms, floor = median(took["many"]), median(took["few"])
    return Line(what, ms, "ms", floor, ms / floor, f"≤ {MOST:g} of it", ms / floor <= MOST)


def _look(store: Store, owner: psycopg.Connection) -> float:
    """Claim what is due and hand it on; then make it due again, which is not measured."""
    handed: list[Due] = []
    began = time.perf_counter()
    Dispatcher(store, handed.append, now=lambda: NOW).dispatch()
    took = 1000 * (time.perf_counter() - began)
    assert len(handed) == DUE
    owner.execute("UPDATE due SET claimable_ms = due_ms, lease_ms = 0, attempts = 0 WHERE lease_ms > 0")
    return took


def _idle(store: Store) -> float:
    before = Time(NOW - 3_600_000)

    def look() -> int:
        assert Dispatcher(store, lambda _: None, now=lambda: before).dispatch() == 0
        return 1

    return 1000 / rate(look, 0.05)


def fill(found: Database, matches: int) -> None:
    """Fill a database with this many open matches with deadlines; the same number are due in each database."""
    with psycopg.connect(plain(found.owner_url)) as owner:
        for statement in FILLING:
            owner.execute(statement, {"n": matches, "due": DUE, "now": NOW})
    with psycopg.connect(plain(found.admin_url), autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE")


FILLING = (
    """INSERT INTO stream (match_id, version, head, created_ms)
       SELECT 'm' || CAST(1000000000000000000 + i AS text), 1, '', %(now)s FROM generate_series(1, %(n)s) t (i)""",
    """INSERT INTO due (match_no, kind, claimable_ms, due_ms, lease_ms, attempts)
       SELECT match_no, 'clock', at, at, 0, 0 FROM stream,
              LATERAL (SELECT CASE WHEN match_no <= %(due)s THEN %(now)s - match_no
                                   ELSE %(now)s + 1000 * match_no END) d (at)""",
)
