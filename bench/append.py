"""Measures appending a move of four events on PostgreSQL, with everything written with it; bytes per event."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import count, cycle
from statistics import median
from typing import Any

import msgspec
import psycopg
from sqlalchemy import make_url

from bench.crew import Crew, Tasks, crew
from bench.database import database, migrated, plain
from bench.played import AT, DAY, THINKS_MS, played, some_id, stored
from bench.rounds import rounds
from bench.tables import Line, Table, compared
from domain.core.cards import card
from domain.core.clock import Time
from domain.games.hearts.events import CardPlayed, HeartsOpened, TrickTaken
from domain.match import RecordedEvent
from domain.match.clocks import DecisionRequested
from events.log import commits as log
from events.log.codec import shapes
from events.store.opening import open_store
from events.store.records import Commit, DueRow, Projected, TurnRow
from tests.match.table import dealer
from tests.services import Database

TARGETS = {1: 0.5, 4: 0.4, 8: 0.35}
PEER_TARGET = 2.5
MATCHES = 20
"""Each writer writes to this many matches in turn."""

BYTES = 600
LIKE_A_LOG = """
    CREATE TABLE bare (match_no bigint, version int, type text, payload text, digest bytea,
                       PRIMARY KEY (match_no, version))
"""
INSERT = "INSERT INTO bare VALUES " + ", ".join(["(%s, %s, %s, %s, %s)"] * 4)


def measure(*, quick: bool) -> Table:
    """Compare appends a second with bare inserts of the same rows, and with pyeventsourcing's `save`."""
    seconds, count_ = (0.3, 5) if quick else (0.3, 13)
    table = Table("append: a move of 4 events on PostgreSQL; floor: prepared multi-row INSERT of 4 event rows + commit")
    with database() as found:
        with psycopg.connect(plain(found.owner_url), autocommit=True) as owner:
            owner.execute(LIKE_A_LOG)
        with crew(max(TARGETS), _writer, found) as writers:
            for n, least in TARGETS.items():
                tasks = {name: partial(_rate, writers, name, seconds, n) for name in writers.tasks}
                figures = rounds(count_, tasks)
                _compare(table, n, least, figures)
                if n == 1:
                    table.notes.append(_disk(1e6 / median(figures["bare"])))
        if "peer" not in writers.tasks:
            table.notes.append("pyeventsourcing is not installed here; python3 dev.py bench installs it.")
        table.lines.append(_size(migrated(found.new_database()), matches=4 if quick else 15))
    return table


def _disk(microseconds: float) -> str:
    return (
        f"One bare insert and commit took {microseconds:,.0f} µs: the slower the disk, the nearer all ratios come to 1;"
        " below 100 µs they compare nothing but work."
    )


def _rate(writers: Crew, name: str, seconds: float, n: int) -> float:
    return writers.work(name, seconds, n).rate


def _compare(table: Table, writers: int, least: float, figures: Mapping[str, list[float]]) -> None:
    said = f"{writers} writer{'s'[: writers > 1]}"
    table.lines.append(compared(f"{said}: append", figures["append"], figures["bare"], "/s", least))
    table.lines.append(
        compared(f"{said}: write (seals, digests, JSON) and append", figures["write"], figures["bare"], "/s")
    )
    if "peer" in figures:
        table.lines.append(
            compared(
                f"{said}: write and append; floor: pyeventsourcing's save",
                figures["write"],
                figures["peer"],
                "/s",
                PEER_TARGET,
            )
        )


# --- What a writer can do -------------------------------------------------------------------------------


def _writer(number: int, found: Database) -> Tasks:
    tasks = {**_ours(number, found), "bare": _bare(number, found)}
    peer = _pyeventsourcing(number, found)
    return {**tasks, "peer": peer} if peer else tasks


def _move(seq: int) -> list[RecordedEvent]:
    """Return the events of a trick's last card that breaks hearts, in a match with a clock."""
    cards = tuple(map(card, ("7D", "QD", "4H", "2D")))
    deadline = Time(AT + 1000 * DAY + seq)
    return [
        RecordedEvent(CardPlayed(seq % 4, cards[-1], 5), "move", 1),
        RecordedEvent(TrickTaken(5, 2, cards), "auto", 1),
        RecordedEvent(HeartsOpened(5), "auto", 1),
        RecordedEvent(DecisionRequested((seq + 1) % 4, "playing", deadline, deadline), "auto", 1),
    ]


def _ours(number: int, found: Database) -> Tasks:
    store = open_store(found.app_url)
    begun = [played(f"writer {number}, match {i}", most=1) for i in range(MATCHES)]
    numbers = [stored(store, match) for match in begun]
    last = {no: match.commits[-1] for no, match in zip(numbers, begun, strict=True)}
    secrets = dealer()
    turn = cycle(numbers)

    def written(before: Commit, no: int) -> Commit:
        """Write the next move as a commit, chained to the one before it."""
        first, at = before.first + before.n, before.at_ms + THINKS_MS
        match_id, tail = begun[numbers.index(no)].match_id, log.AppendPoint(first, at, before.head.hex())
        row, head = log.write_commit(match_id, shapes("hearts"), 4, tail, _move(first), secrets)
        return replace(
            before,
            first=first,
            n=row.n,
            at_ms=at,
            events=row.events,
            secrets=row.secrets,
            head=bytes.fromhex(head),
            projected=_projected(first + 3, at),
        )

    ready = written(last[numbers[0]], numbers[0])

    def append() -> None:
        no = next(turn)
        first = last[no].first + last[no].n
        commit = replace(ready, first=first, projected=_projected(first + 3, ready.at_ms))
        assert store.append(no, commit).status == "ok"
        last[no] = commit

    def write() -> None:
        no = next(turn)
        commit = written(last[no], no)
        assert store.append(no, commit).status == "ok"
        last[no] = commit

    return {"append": append, "write": write}


PLAYERS = [some_id(f"player {i}") for i in range(4)]


def _projected(version: int, at: int) -> Projected:
    """Return the projected changes of a move: whose turn it is, and its deadline."""
    seat, deadline = version % 4, at + 1000 * DAY
    return Projected(turns=[TurnRow(seat, PLAYERS[seat], version, at, deadline)], due=[DueRow("clock", deadline)])


def _bare(number: int, found: Database) -> Callable[[], None]:
    """Return the floor: the same four events as rows, by a prepared statement in a separate transaction."""
    connection = psycopg.connect(plain(found.owner_url), autocommit=True)
    row, _ = log.write_commit("m" * 20, shapes("hearts"), 4, log.AppendPoint(1, AT, "0" * 64), _move(1), dealer())
    events = msgspec.json.decode(row.events)
    rows = [
        (
            e["type"],
            msgspec.json.encode({k: e[k] for k in ("cause", "data", "seals", "v")}).decode(),
            bytes.fromhex(e["digest"]),
        )
        for e in events
    ]
    matches, versions = cycle(range(number * MATCHES, (number + 1) * MATCHES)), count(0, 4)

    def insert() -> None:
        match_no, version = next(matches), next(versions)
        parameters: list[Any] = []
        for i, event in enumerate(rows):
            parameters += (match_no, version + i, *event)
        connection.execute(INSERT, parameters, prepare=True)

    return insert


def _pyeventsourcing(number: int, found: Database) -> Callable[[], None] | None:
    """Return the peer: an aggregate with four events, saved by its application; None if it is not installed."""
    try:
        from bench.peer import saver
    except ImportError:
        return None
    url = make_url(found.owner_url)
    return saver(
        str(url.host or url.query["host"]),
        str(url.port or 5432),
        str(url.database),
        str(url.username),
        str(url.password),
        MATCHES,
    )


# --- Bytes ------------------------------------------------------------------------------------------------


def _size(found: Database, matches: int) -> Line:
    """Store whole matches, and measure their space in the database: tables, indexes, secrets, projections."""
    with psycopg.connect(plain(found.admin_url), autocommit=True) as admin:
        admin.execute(f"ALTER ROLE {make_url(found.app_url).username} SET synchronous_commit = off")
        store = open_store(found.app_url)
        events = 0
        for i in range(matches):
            match = played(f"size {i}")
            stored(store, match)
            events += match.events
        store.close()
        admin.execute(f"ALTER ROLE {make_url(found.app_url).username} RESET synchronous_commit")
        taken: Any = admin.execute(SIZE).fetchone()
    per_event = taken[0] / events
    what = f"bytes per event, all tables and indexes ({matches} matches, {events:,} events)"
    return Line(what, per_event, "B", target=f"≤ {BYTES} B", held=per_event <= BYTES)


SIZE = """
    SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'bare'
"""
