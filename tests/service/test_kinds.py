"""Tests streams that are not matches: readers of matches skip them; they are rebuilt and audited like matches."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, text

from api.app import create_app
from domain.core.clock import Time
from domain.core.fairness import Dealer
from domain.deal_group import GroupOver
from domain.match.resignations import Resign
from events.errors import NotFound
from events.follow.follower import Follower
from events.log.cache import LoadedStream
from events.log.commits import read_events
from events.notify.handler import NoticeHandler
from events.operations.audit import audit
from events.operations.audit_streams import audit_stream
from events.operations.rebuild import rebuild_kind
from events.service.context import Context
from events.service.stream_kinds import DEAL_GROUP, KINDS
from events.settings import Settings
from events.store.follow_records import START
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import CommitRow
from events.store.schema.log_schema import stream
from events.store.schema.metadata import metadata
from events.store.search_records import Search
from events.store.tables import search_rows, stored_rows, stream_rows
from tests.bound import Matches
from tests.draws import first_of
from tests.service.test_groups import ANN, BOB, Machine, asked, places, two_tables, work

GROUPS = metadata.tables["deal_groups"]


@pytest.fixture
def now() -> Machine:
    return Machine()


@pytest.fixture
def matches(store: Store, now: Machine) -> Matches:
    return Matches(store, now=now)


def lines(store: Store) -> list[Any]:
    return sorted(map(tuple, store.read(select(GROUPS))))


def types(store: Store, group_id: str) -> list[str]:
    found = stream_rows.load(store, group_id, kind="deal_group")
    assert found is not None
    return [event["type"] for row in found[1] for event in json.loads(row.events)]


def over(matches: Matches, now: Machine) -> str:
    """Return a group whose tables are over."""
    group, one, two = two_tables(matches, now)
    for table, who in ((one, ANN), (two, BOB)):
        matches.move(table, who, None, Resign(whole_match=True))
    work(matches, now)
    return group


def cancelled(matches: Matches, now: Machine) -> str:
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    matches.cancel_group(made.group.group_id, ANN)
    return made.group.group_id


# --- What a group has come through --------------------------------------------------------------------------


def test_group_is_a_separate_stream(matches: Matches, now: Machine):
    assert types(matches.store, over(matches, now)) == ["GroupCreated", "GroupStarted", "GroupOver"]
    assert types(matches.store, cancelled(matches, now)) == ["GroupCreated", "GroupCancelled"]


@pytest.mark.both_databases
def test_row_of_a_group_follows_from_its_stream(matches: Matches, now: Machine):
    over(matches, now), cancelled(matches, now), two_tables(matches, now)
    before = lines(matches.store)
    assert len(before) == 3
    matches.store.change(delete(GROUPS))
    assert {kind.name: list(rebuild_kind(matches, kind)) for kind in KINDS.values()} == {
        "match": [6],
        "deal_group": [3],
        "collection": [],
        "tournament": [],
        "administration": [],
    }
    assert lines(matches.store) == before


# --- Readers of matches pass it over ------------------------------------------------------------------------


@pytest.mark.both_databases
def test_queries_for_matches_never_return_a_group(matches: Matches, now: Machine):
    store = matches.store
    group, one, two = two_tables(matches, now)
    assert stream_rows.head(store, group) is None
    assert stream_rows.load(store, group) is None
    assert stored_rows.kind_of(store, group) == "deal_group"
    assert audit(store, group) is None
    for ask in (matches.see, matches.past, matches.open):
        with pytest.raises(NotFound):
            ask(group, ANN)
    heads = [stream_rows.head(store, table) for table in (one, two)]
    assert stream_rows.numbers(store) == sorted(head.match_no for head in heads if head)
    assert [row.match_id for row in search_rows.find_matches(store, "ann", Search()).rows] == [one]


@pytest.mark.parametrize("path", ["", "/events", "/record", "/audit", "/replay", "/seats/0/orders", "/chat"])
def test_no_path_of_a_match_leads_to_a_group(path: str, matches: Matches, now: Machine):
    group, one, _ = two_tables(matches, now)
    client = create_app(Settings(dealt_rate_per_second=0), store=matches.store, now=now).test_client()
    assert client.get(f"/v1/matches/{group}{path}").status_code in (401, 404)
    assert client.get(f"/v1/matches/{group}{path}").data == client.get(f"/v1/matches/{one}{path}").data


def test_follower_gets_the_kind_and_notifies_only_of_matches(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch
):
    group, _, _ = two_tables(matches, now)
    met = matches.store.follow(START, 1_000)
    found = stream_rows.load(matches.store, group, kind="deal_group")
    assert found is not None
    assert [f.row for f in met if f.kind == "deal_group"] == found[1]
    asked_for: set[int] = set()
    handler = NoticeHandler(matches.store, now=now)

    def concerned(numbers: set[int]) -> dict[int, str]:
        asked_for.update(numbers)
        return {}

    monkeypatch.setattr(handler, "wants_commits", lambda: True)
    monkeypatch.setattr(handler, "_concerned", concerned)
    assert Follower(matches.store, handler, now=now).step() == len(met)
    assert asked_for == {f.match_no for f in met if f.kind == "match"}


# --- Audit --------------------------------------------------------------------------------------------------


def failed(store: Store, group_id: str) -> list[str]:
    report = audit_stream(store, group_id)
    assert report is not None
    assert report.ok == all(check.ok for check in report.checks)
    return [check.name for check in report.checks if not check.ok]


@pytest.mark.both_databases
def test_audit_passes_for_a_group_at_every_version(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    assert failed(matches.store, made.group.group_id) == []
    for way in (over, cancelled):
        assert failed(matches.store, way(matches, now)) == []
    group, one, _ = two_tables(matches, now)
    assert failed(matches.store, group) == []
    matches.move(one, ANN, None, Resign(whole_match=True))
    work(matches, now)
    assert failed(matches.store, group) == []
    as_match = audit_stream(matches.store, one)
    assert as_match == audit(matches.store, one)
    assert as_match is not None


@pytest.fixture
def touched(tmp_path: Path, now: Machine) -> Iterator[tuple[Matches, str]]:
    """Return a started group, in a database whose owner has removed the protection of the log."""
    migrate(url := f"sqlite:///{tmp_path / 'dealt.sqlite3'}")
    with closing(open_store(url)) as store:
        matches = Matches(store, now=now)
        group, _, _ = two_tables(matches, now)
        for trigger in ("commits_no_update", "commits_no_delete"):
            store.change(text(f"DROP TRIGGER {trigger}"))
        yield matches, group


def rewritten(change: Callable[[list[Any]], list[Any]]) -> Callable[[Store, str], None]:
    """Rewrite the group's log with other events and valid digests, without knowing its secrets."""

    def act(store: Store, group: str) -> None:
        found = stream_rows.load(store, group, kind="deal_group")
        assert found is not None
        head, rows = found
        made = change(list(read_events(rows, DEAL_GROUP.shapes, 0)))
        store.change(text(f"DELETE FROM commits WHERE match_no = {head.match_no}"))
        at = type(head)(head.match_no, group, 0, bytes(32), head.created_ms)
        written: list[CommitRow] = []
        for event in made:
            loaded = LoadedStream(at, DEAL_GROUP.fold(at, written), Dealer(group, (), b"?" * 32))
            decision = DEAL_GROUP.make_decision(loaded, [event], Time(rows[0].at_ms), "auto")
            commit = DEAL_GROUP.make_commit(decision, Context(store))
            written.append(commit.row)
            store.change(metadata.tables["commits"].insert().values(match_no=head.match_no, **commit.row._asdict()))
            at = type(head)(head.match_no, group, commit.first, commit.head, head.created_ms)
        here = stream.c.match_no == head.match_no
        store.change(stream.update().where(here).values(version=at.version, head=at.head))
        (line,) = DEAL_GROUP.rows(at, DEAL_GROUP.fold(at, written))["deal_groups"]
        store.change(GROUPS.update().values(**line))

    return act


def sql(statement: str) -> Callable[[Store, str], None]:
    def act(store: Store, group: str) -> None:
        number = f"(SELECT match_no FROM stream WHERE match_id = '{group}')"
        store.change(text(statement.format(here=f"match_no = {number}")))

    return act


TOUCHED = {
    "its row": (sql("UPDATE deal_groups SET state = 'over'"), {"projections"}),
    "its row is gone": (sql("DELETE FROM deal_groups"), {"projections"}),
    "its nonces": (sql("UPDATE deal_groups SET nonces = '[[\"x\"]]'"), {"projections"}),
    "an event": (
        sql("UPDATE commits SET events = replace(events, 'ann', 'eve') WHERE {here}"),
        {"chain", "projections", "agreement"},
    ),
    "its last commit is gone": (
        sql("DELETE FROM commits WHERE {here} AND first = 2"),
        {"chain", "projections", "agreement"},
    ),
    "a code": (sql("UPDATE commits SET mac = zeroblob(32) WHERE {here} AND first = 2"), {"codes"}),
    "no code": (sql("UPDATE commits SET mac = NULL WHERE {here}"), {"codes"}),
    "secret parts": (sql("UPDATE commits SET secrets = '{{}}' WHERE {here}"), {"seals"}),
    "its secrets are gone": (sql("DELETE FROM secrets WHERE {here}"), {"codes"}),
    "its kind": (sql("UPDATE stream SET kind = 'festival' WHERE {here}"), {"chain"}),
    "when it was created": (sql("UPDATE stream SET created_ms = 1 WHERE {here}"), {"projections"}),
    "it never began": (rewritten(lambda events: events[:1]), {"codes", "agreement"}),
    "it is over": (rewritten(lambda events: [*events, GroupOver()]), {"codes", "agreement"}),
    "another table": (
        rewritten(lambda events: [type(events[0])("ann", events[0].tables[::-1]), *events[1:]]),
        {"codes", "agreement"},
    ),
    "other nonces": (
        rewritten(lambda events: [events[0], type(events[1])((("x", ""), ("", "")))]),
        {"codes", "agreement"},
    ),
    "a table is gone": (sql("DELETE FROM commits WHERE match_no = (SELECT min(match_no) FROM matches)"), {"agreement"}),
    "a table of another group": (
        sql(
            "UPDATE commits SET events = replace(events, 'table\"\\:0', 'table\"\\:1')"
            " WHERE match_no = (SELECT min(match_no) FROM matches)"
        ),
        {"agreement"},
    ),
}


@pytest.mark.parametrize("name", first_of(TOUCHED, 4))
def test_audit_finds_changes_of_a_group(name: str, touched: tuple[Matches, str]):
    matches, group = touched
    assert failed(matches.store, group) == []
    act, found = TOUCHED[name]
    act(matches.store, group)
    assert set(failed(matches.store, group)) == found
