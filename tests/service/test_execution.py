"""Tests laws of every kind of stream: slower writers decide again, keys count once, and killed processes lose
nothing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from domain import deal_group as groups
from domain.administration_events import OPERATOR, RoleGranted
from domain.collection.collection_decide import grant_promo
from domain.core.clock import Clock
from domain.match import Intent
from domain.match.creation import Series
from domain.match.match_results import Expire
from domain.match.seating import Sit
from domain.tournament import tournament_decide
from domain.tournament.entrants import Enter
from events.errors import Busy, Conflict, Repeated
from events.ids import new_id
from events.log.cache import LoadedStream
from events.log.streams import Decision, StreamKind
from events.operations.audit_streams import audit_stream
from events.operations.rebuild import rebuild_kind
from events.service import administration, collections, commands, group_tables, stream_writer, tournaments
from events.service.access import Caller, check_version
from events.service.context import Context
from events.service.create import create_match
from events.service.match_kind import MATCH_KIND
from events.service.new_match import NewMatch, SeatRequest
from events.service.stream_kinds import ADMINISTRATION, ADMINISTRATION_ID, COLLECTION, DEAL_GROUP, KINDS, TOURNAMENT
from events.service.stream_writer import execute
from events.store.postgres import PostgresStore
from events.store.protocol import Store
from events.store.records import Idempotency
from events.store.sqlite import SqliteStore
from events.store.tables import commit_rows, stream_rows
from tests.match.table import options
from tests.tournament.evenings import announced

KEY = Idempotency(b"k" * 32, b"b" * 32)

Step = Callable[[Context, LoadedStream[Any]], Decision[Any]]
"""Decides one event of a stream."""


@dataclass(frozen=True)
class Streams:
    """A kind of stream, its creation, and steps that follow each other."""

    kind: StreamKind[Any]
    begin: Callable[[Context], str]
    steps: tuple[Step, ...]


def begin_group(context: Context) -> str:
    group_id = new_id()
    assert group_tables.store_group(context, group_id, "", ())
    return group_id


def happens(kind: StreamKind[Any], events: Callable[[LoadedStream[Any]], Sequence[Any]]) -> Step:
    return lambda context, found: kind.make_decision(found, events(found), context.now(), "move")


def tell_group(command: Any) -> Step:
    return happens(DEAL_GROUP, lambda found: groups.decide(found.state, command))


def begin_collection(context: Context) -> str:
    return collections.start_collection(context, new_id())[0].head.match_id


def promo(found: LoadedStream[Any]) -> Sequence[Any]:
    return [grant_promo(found.state, "bt1-006", f"reason {found.head.version}")]


def begin_tournament(context: Context) -> str:
    return tournaments.announce_tournament(context, announced()).head.match_id


def begin_administration(context: Context) -> str:
    act = RoleGranted("ada", OPERATOR, "Moderates.")
    administration.record_act(context, administration.Actor(OPERATOR, act.reason), act, ())
    return ADMINISTRATION_ID


def grant(player: str) -> Step:
    return happens(ADMINISTRATION, lambda found: [RoleGranted(player, OPERATOR, "Moderates.")])


def enter(player: str) -> Step:
    return happens(TOURNAMENT, lambda found: tournament_decide.decide(found.state, Enter(player), found.dealer))


def begin_match(context: Context) -> str:
    hearts = NewMatch(
        "hearts", options("hearts", 4), None, (SeatRequest("open", None),) * 4, "public", Clock(), Series()
    )
    return create_match(context, Caller("ann", "token of ann"), hearts).match_id


def sit(seat: int) -> Step:
    return lambda context, found: commands.decide_intent(context, found, Intent("seat", seat, Sit(f"player {seat}")))


STREAMS = {
    "deal_group": Streams(
        DEAL_GROUP,
        begin_group,
        (tell_group(groups.CommitGroup(())), tell_group(groups.StartGroup(())), tell_group(groups.EndGroup())),
    ),
    "collection": Streams(COLLECTION, begin_collection, (happens(COLLECTION, promo),) * 3),
    "administration": Streams(ADMINISTRATION, begin_administration, (grant("ann"), grant("ben"), grant("cem"))),
    "tournament": Streams(TOURNAMENT, begin_tournament, (enter("ann"), enter("bob"), enter("cem"))),
    "match": Streams(MATCH_KIND, begin_match, (sit(1), sit(2), sit(3))),
}


@pytest.fixture(params=STREAMS)
def streams(request: pytest.FixtureRequest) -> Streams:
    return STREAMS[request.param]


@pytest.fixture
def context(store: Store) -> Context:
    return Context(store)


def take(
    context: Context,
    streams: Streams,
    stream_id: str,
    step: int,
    key: Idempotency | None = None,
    if_match: int | None = None,
) -> Any:
    """Apply a step, and return the stream after it."""

    def decide(found: LoadedStream[Any]) -> Decision[Any]:
        check_version(found, if_match)
        return streams.steps[step](context, found)

    return execute(context, streams.kind, stream_id, decide, key)


def events_of(store: Store, streams: Streams, stream_id: str) -> list[str]:
    """Return the events of a stream as another process reads them, by type."""
    stored = stream_rows.load(store, stream_id, kind=streams.kind.name)
    assert stored is not None
    return [event["type"] for row in stored[1] for event in json.loads(row.events)]


def failed(store: Store, stream_id: str) -> list[str]:
    """Return the failed checks of an audit; the matches of a group were never created here."""
    report = audit_stream(store, stream_id)
    assert report is not None
    return [check.name for check in report.checks if not check.ok and check.name != "agreement"]


def test_every_kind_of_stream_obeys_the_laws():
    assert {one.kind.name for one in STREAMS.values()} == set(KINDS)


@pytest.mark.both_databases
def test_slower_writer_decides_again_on_the_new_state(
    context: Context, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
):
    stream_id = streams.begin(context)
    before = events_of(store, streams, stream_id)
    append, calls = commit_rows.append_all, list[int]()

    def races(*given: Any) -> bool:
        calls.append(1)
        if len(calls) == 1:
            take(Context(store), streams, stream_id, 0)
        return append(*given)

    monkeypatch.setattr(commit_rows, "append_all", races)
    after = take(context, streams, stream_id, 1)
    assert len(calls) == 3
    there = events_of(store, streams, stream_id)
    assert (len(there), after.head.version) == (len(before) + 2, len(before) + 2)
    found = context.require_stream(streams.kind, stream_id)
    assert (after.head, after.state, after.dealer) == (found.head, found.state, found.dealer)
    assert failed(store, stream_id) == []


def test_writer_stops_after_losing_every_race(
    context: Context, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
):
    stream_id, tries = streams.begin(context), count()
    before = events_of(store, streams, stream_id)
    monkeypatch.setattr(commit_rows, "append_all", lambda *given: next(tries) < 0)
    with pytest.raises(Busy):
        take(context, streams, stream_id, 0)
    assert next(tries) == stream_writer.TRIES
    assert events_of(store, streams, stream_id) == before


@pytest.mark.both_databases
@pytest.mark.parametrize("is_empty", [False, True], ids=["with events", "without events"])
def test_repeated_key_appends_nothing(context: Context, store: Store, streams: Streams, is_empty: bool):
    stream_id = streams.begin(context)
    step = happens(streams.kind, lambda found: ()) if is_empty else streams.steps[0]
    once = Streams(streams.kind, streams.begin, (step, streams.steps[1]))
    after = take(context, once, stream_id, 0, KEY)
    with pytest.raises(Repeated):
        take(context, once, stream_id, 1, KEY)
    there = context.require_stream(streams.kind, stream_id)
    assert (there.head, there.state) == (after.head, after.state)


def test_request_completed_by_another_process_is_repeated(
    context: Context, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
):
    """Both have the same key: otherwise the slower request would get an error for its own success."""
    stream_id = streams.begin(context)
    append, calls = commit_rows.append_all, list[int]()

    def races(*given: Any) -> bool:
        calls.append(1)
        if len(calls) == 1:
            take(Context(store), streams, stream_id, 0, KEY)
        return append(*given)

    monkeypatch.setattr(commit_rows, "append_all", races)
    with pytest.raises(Repeated):
        take(context, streams, stream_id, 0, KEY)


def test_request_for_another_version_is_a_conflict(context: Context, store: Store, streams: Streams):
    stream_id = streams.begin(context)
    version = context.require_stream(streams.kind, stream_id).head.version
    with pytest.raises(Conflict):
        take(context, streams, stream_id, 0, if_match=version + 1)
    assert take(context, streams, stream_id, 0, if_match=version).head.version == version + 1


def test_process_killed_between_append_and_cache_loses_nothing(
    context: Context, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
):
    stream_id = streams.begin(context)
    context.require_stream(streams.kind, stream_id)

    def killed(*given: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(stream_writer, "_advanced", killed)
        with pytest.raises(KeyboardInterrupt):
            take(context, streams, stream_id, 0)
    here, elsewhere = (one.require_stream(streams.kind, stream_id) for one in (context, Context(store)))
    assert (here.head, here.state, here.rows) == (elsewhere.head, elsewhere.state, elsewhere.rows)
    assert take(context, streams, stream_id, 1).head.version == here.head.version + 1
    assert failed(store, stream_id) == []


def test_append_whose_answer_was_lost_is_known_to_have_succeeded(
    context: Context, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
):
    """The database itself knows this for a match, whose commit is one statement (`tests/store`)."""
    if streams.kind is MATCH_KIND:
        return
    stream_id = streams.begin(context)
    before = events_of(store, streams, stream_id)
    kind: Any = type(store)
    begin, calls = kind.begin, list[Connection]()

    def lose_first(self: Any, connection: Connection) -> Connection:
        connection = begin(self, connection)
        calls.append(connection)
        if len(calls) == 1:
            monkeypatch.setattr(connection, "commit", lambda: lose(connection))
        return connection

    def lose(connection: Connection) -> None:
        type(connection).commit(connection)
        raise OperationalError("COMMIT", {}, PASSING[type(store)])

    monkeypatch.setattr(kind, "begin", lose_first)
    take(context, streams, stream_id, 0)
    assert len(calls) == 2
    assert len(events_of(store, streams, stream_id)) == len(before) + 1
    assert failed(store, stream_id) == []


class BusyError(Exception):
    """SQLite reports that the database is busy, after which another try can succeed."""

    sqlite_errorname = "SQLITE_BUSY"


PASSING: dict[type[Store], Exception] = {
    SqliteStore: BusyError(),
    PostgresStore: psycopg.OperationalError("server closed the connection unexpectedly"),
}
"""For each database, an error after which another try can succeed."""


@pytest.mark.both_databases
def test_stored_rows_equal_those_of_a_rebuild(context: Context, store: Store, streams: Streams):
    stream_id = streams.begin(context)
    for step in range(len(streams.steps)):
        take(context, streams, stream_id, step)
        assert failed(store, stream_id) == []
    assert list(rebuild_kind(context, streams.kind)) == [1]
    assert failed(store, stream_id) == []


def test_settling_stops_after_losing_every_race(context: Context, monkeypatch: pytest.MonkeyPatch):
    match_id, tries = begin_match(context), count()
    monkeypatch.setattr(commands, "_fallen_due", lambda *given: commands.DueIntent(Intent("time", 0, Expire())))
    monkeypatch.setattr(commit_rows, "append_all", lambda *given: next(tries) < 0)
    assert commands.settle_due(context, match_id) == 0
    assert next(tries) == stream_writer.TRIES
