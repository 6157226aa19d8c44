"""Measures audits of stored matches on two cores, next to SHA-256 of the bytes that they are stored in."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, insert

from bench.played import Played, played
from bench.tables import Line, Table
from events.store.migrate import migrate
from events.store.protocol import Store
from events.store.records import CommitRow
from events.store.schema.log_schema import commits, secrets, stream
from events.store.sqlite import SqliteStore
from events.store.tables import stream_rows

MATCHES, QUICK = 10_000, 300
EVENTS = 100
"""Minimum events of a match, those of one hand of Hearts; all matches are running."""

JOBS = 2
LEAST = 2_000
ROOT = Path(__file__).parents[2]


def measure(*, quick: bool) -> Table:
    """Audit all matches of a database in SQLite."""
    count = QUICK if quick else MATCHES
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/dealt.sqlite3"
        migrate(url)
        with closing(SqliteStore(url)) as store:
            for i in range(count):
                _put(store, played(f"audited {i}", most=EVENTS))
            hashing, events, size = _hashed(store)
        auditing = _audited(url)
    title = f"audit: {count:,} stored matches, {events:,} events, {JOBS} processes; floor: SHA-256 of their bytes, one"
    rate = events / auditing
    held = rate >= LEAST
    return Table(
        title,
        [
            Line("matches audited", count / auditing, "/s", count / hashing, hashing / auditing),
            Line("events audited", rate, "/s", events / hashing, hashing / auditing, f"≥ {LEAST:,}/s", held),
        ],
        [f"{auditing:.1f} s in all, with the start of the command; {size / events:,.0f} bytes an event."],
    )


def _audited(url: str) -> float:
    began = time.perf_counter()
    command = [
        sys.executable,
        "-c",
        "from api.cli.main import main; main()",
        "audit",
        "--all",
        "--jobs",
        str(JOBS),
    ]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"DATABASE_URL": url}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return time.perf_counter() - began


def _hashed(store: Store) -> tuple[float, int, int]:
    """Hash all that is stored of the matches: seconds, events, bytes."""
    seconds, events, size = 0.0, 0, 0
    for row in _rows(store):
        text = (row.events + (row.secrets or "")).encode()
        began = time.perf_counter()
        sha256(text).digest()
        seconds += time.perf_counter() - began
        events, size = events + row.n, size + len(text)
    return seconds, events, size


def _rows(store: Store) -> Iterator[CommitRow]:
    after = 0
    while numbers := stream_rows.numbers(store, after):
        for number in numbers:
            yield from stream_rows.rows(store, number)
        after = numbers[-1]


def _put(store: SqliteStore, made: Played) -> None:
    """Write a match into the database in one transaction, with all its other rows."""
    last, first = made.commits[-1], made.commits[0]

    def work(connection: Connection) -> None:
        row = {
            "match_id": made.match_id,
            "version": last.first + last.n - 1,
            "head": last.head,
            "created_ms": first.at_ms,
        }
        key = connection.execute(insert(stream).values(row)).inserted_primary_key
        assert key is not None
        no = key.match_no
        connection.execute(
            insert(secrets).values(
                match_no=no, seal_secret=made.dealer.seal_secret, roots=f'["{made.dealer.roots[0].hex()}"]'
            )
        )
        rows = [
            {"match_no": no} | {name: getattr(commit, name) for name in CommitRow._fields} for commit in made.commits
        ]
        connection.execute(insert(commits), rows)
        for commit in made.commits:
            store.write_projections(connection, no, commit.projected)

    store.write(work)
