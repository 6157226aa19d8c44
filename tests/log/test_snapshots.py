"""Tests that snapshots are a cache: a replay is the same fold with them, without them, and with damaged ones."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.types import parse_hint
from domain.core.visibility import Reader
from domain.games import catalogue
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.take_backs import RequestTakeBack
from events.log import commits as log
from events.log import snapshots
from events.log.codec import EVERYBODY
from events.service.new_match import SeatRequest
from events.store.protocol import Store
from events.store.records import CommitRow, Snapshot
from events.store.tables import projection_rows, snapshot_rows, stream_rows
from tests.bound import Matches
from tests.laws.entry import Entry
from tests.laws.games import ENTRIES
from tests.laws.play import steps
from tests.match.table import options
from tests.service.test_matches import ANN, new, plays_out
from workers.tasks.bot_turn_tasks import choose

APART = 20


@pytest.fixture(autouse=True)
def close_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots are so close together that short matches have many."""
    monkeypatch.setattr(snapshots, "SPACING", APART)


# --- What is written comes back ---------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.game.name}-{e.seats}")
def test_every_state_of_every_game_survives_a_snapshot(entry: Entry):
    for block in list(entry.blocks)[:2]:
        chosen = Random(block).choice(entry.blocks[block])
        for step in steps(entry, chosen, Random(block), hands=1):
            for state in (step.after, *step.own):
                again = entry.game.start(chosen, entry.seats, None)
                snapshots._assign(again, msgspec.json.decode(msgspec.json.encode(snapshots._written(state))))
                assert again == state


def test_type_with_ambiguous_json_is_refused():
    with pytest.raises(TypeError, match="cannot hold"):
        snapshots._form(parse_hint(tuple[int, ...] | tuple[str, ...]))
    with pytest.raises(TypeError, match="cannot hold"):
        snapshots._form(parse_hint(set[int]))


def test_number_of_snapshots_is_bounded():
    for version in (1, 500, 5_000, 50_000, 5_000_000):
        assert version / snapshots.spacing(version) <= snapshots.MOST


# --- Replays ----------------------------------------------------------------------------------------------


@pytest.fixture
def matches(store: Store) -> Matches:
    return Matches(store, now=lambda: Time(1_790_000_000_000))


@pytest.fixture
def played(matches: Matches) -> str:
    """Return a finished match of three hands without snapshots."""
    match_id = matches.create(ANN, new("me", "bot", "bot", "bot", target_score=20)).match_id
    plays_out(matches, match_id, ANN)
    return match_id


def folded(store: Store, match_id: str, reader: Reader, version: int) -> Match:
    """Fold what the reader was shown, independently."""
    found = stream_rows.load(store, match_id)
    assert found
    game, seats = log.game_and_seats(found[1][0])
    return life.fold_from_start(
        GAMES[game], match_id, list(log.read_match_events(found[1], game, seats, reader))[:version]
    )


READERS = {"0": "0", "1": "1", "spectators": "spectators", "all": EVERYBODY}


def replayed(matches: Matches, match_id: str, version: int, seat: str) -> Match:
    return matches.replay(matches.past(match_id, ANN), version, seat).match


def kept(store: Store, match_id: str, reader: Reader) -> list[Snapshot]:
    """Return all snapshots for a reader, latest first."""
    head = stream_rows.head(store, match_id)
    assert head
    rows, upto = [], head.version
    while found := snapshot_rows.latest(store, head.match_no, reader, upto):
        rows.append(found)
        upto = found.version - 1
    return rows


@pytest.mark.long
@pytest.mark.both_databases
def test_replay_is_the_same_with_and_without_snapshots(matches: Matches, store: Store, played: str):
    end = matches.see(played, ANN).version
    for seat, reader in READERS.items():
        everything = folded(store, played, reader, end)
        assert replayed(matches, played, end, seat) == everything
        assert len(kept(store, played, reader)) >= end // APART - 1
        for version in range(1, end + 1, 7):
            assert replayed(matches, played, version, seat) == folded(store, played, reader, version)


@pytest.mark.long
def test_head_of_a_replay_is_the_digest_of_its_version(matches: Matches, played: str):
    past = matches.past(played, ANN)
    digests = [msgspec.json.decode(item)["digest"] for item in matches.feed(matches.see(played, ANN), 0)]
    for version in range(past.head.version, 0, -5):
        assert matches.replay(past, version, "0").head == digests[version - 1]


def test_replay_reads_only_the_commits_after_a_snapshot(matches: Matches, store: Store, played: str, monkeypatch):
    end = matches.see(played, ANN).version
    replayed(matches, played, end, "all")
    read: list[int] = []
    rows = stream_rows.rows

    def counted(*args: Any, **kwargs: Any) -> list[CommitRow]:
        found = rows(*args, **kwargs)
        read.extend(row.n for row in found)
        return found

    monkeypatch.setattr(stream_rows, "rows", counted)
    replayed(matches, played, end - 3, "all")
    assert sum(read) < 3 * APART < end - 3


def spoilt(store: Store, match_id: str, reader: Reader, rows: list[Snapshot]) -> None:
    head = stream_rows.head(store, match_id)
    assert head
    snapshot_rows.keep(store, head.match_no, reader, rows)


DAMAGES = {
    "a card is another": lambda row, other: row._replace(state=row.state.replace("[", "[[", 1)),
    "a number is another": lambda row, other: row._replace(state=row.state.replace("1", "2", 1)),
    "cut short": lambda row, other: row._replace(state=row.state[: len(row.state) // 2]),
    "empty": lambda row, other: row._replace(state=""),
    "the sum is another": lambda row, other: row._replace(sum=bytes(32)),
    "of other code": lambda row, other: row._replace(code=bytes(32)),
    "of another version": lambda row, other: other._replace(version=row.version),
}


def test_damaged_snapshot_is_ignored_and_replaced(matches: Matches, store: Store, played: str):
    end = matches.see(played, ANN).version
    right = replayed(matches, played, end, "0")
    sound = kept(store, played, "0")
    others = [*sound[1:], sound[0]]
    for name, damage in DAMAGES.items():
        spoilt(store, played, "0", [damage(row, other) for row, other in zip(sound, others, strict=True)])
        assert kept(store, played, "0") != sound, name
        assert replayed(matches, played, end, "0") == right, name
        assert kept(store, played, "0") == sound, name


def test_data_files_of_a_game_count_as_code() -> None:
    rules = Path(catalogue.__file__).parents[1]
    data = set(rules.rglob("*.json"))
    assert data
    assert data | {*rules.rglob("*.py")} <= set(snapshots.sources())


def test_snapshot_written_by_other_code_is_ignored(
    matches: Matches, store: Store, played: str, monkeypatch: pytest.MonkeyPatch
):
    end = matches.see(played, ANN).version
    right = replayed(matches, played, end, "0")
    sound = kept(store, played, "0")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(snapshots, "hash_of_code", lambda: bytes(32))
        others = [
            row._replace(code=bytes(32), sum=snapshots._sum(played, "0", row.version, bytes(32), row.state))
            for row in sound
        ]
        assert all(snapshots.read_snapshot(played, "0", row) for row in others)
    spoilt(store, played, "0", others)
    assert replayed(matches, played, end, "0") == right
    assert kept(store, played, "0") == sound


@pytest.mark.both_databases
def test_lost_snapshots_do_not_change_a_replay(matches: Matches, store: Store, played: str):
    end = matches.see(played, ANN).version
    asked = [(version, seat) for version in (end, end // 2) for seat in READERS]
    before = [replayed(matches, played, *each) for each in asked]
    assert all(kept(store, played, reader) for reader in READERS.values())
    with store.engine.begin() as connection:  # type: ignore[attr-defined]
        connection.exec_driver_sql("DELETE FROM snapshots")
    assert not any(kept(store, played, reader) for reader in READERS.values())
    assert [replayed(matches, played, *each) for each in asked] == before
    assert all(kept(store, played, reader) for reader in READERS.values())


def test_snapshots_are_separate_per_reader(matches: Matches, store: Store, played: str):
    end = matches.see(played, ANN).version
    replayed(matches, played, end, "all")
    right = replayed(matches, played, end, "1")
    spoilt(store, played, "1", kept(store, played, EVERYBODY))
    assert replayed(matches, played, end, "1") == right
    assert kept(store, played, "1") != kept(store, played, EVERYBODY)


def test_snapshots_are_separate_per_match(matches: Matches, store: Store, played: str):
    other = matches.create(ANN, new("me", "bot", "bot", "bot", target_score=20)).match_id
    plays_out(matches, other, ANN)
    replayed(matches, other, matches.see(other, ANN).version, "0")
    end = matches.see(played, ANN).version
    right = replayed(matches, played, end, "0")
    spoilt(store, played, "0", [row for row in kept(store, other, "0") if row.version < end])
    assert replayed(matches, played, end, "0") == right


def test_moves_audits_and_projections_use_no_snapshot(matches: Matches, store: Store, monkeypatch):
    def asked(*_: Any) -> None:
        raise AssertionError("a snapshot was asked for")

    monkeypatch.setattr(snapshot_rows, "latest", asked)
    monkeypatch.setattr(snapshot_rows, "keep", asked)
    match_id = matches.create(ANN, new("me", "bot", "bot", "bot", target_score=1)).match_id
    plays_out(matches, match_id, ANN)
    matches.cache.clear()
    assert matches.see(match_id, ANN).match.over
    projection_rows.rebuild(store, matches.see(match_id, ANN).match_no, matches.projected)


def test_games_played_from_memory_have_no_snapshots_before_the_end(matches: Matches, store: Store):
    trio = replace(new(), game="trio", options=options("trio"), places=(SeatRequest("bot", "steady"),) * 3)
    seen = matches.create(ANN, trio)
    matches.replay(matches.past(seen.match_id, ANN), seen.version, None)
    assert not kept(store, seen.match_id, "spectators")
    while moving := matches.bot_to_move(seen.match_id):
        assert matches.bot_move(moving, choose(moving, Random(moving.version), matches.shown(moving)))
    past = matches.past(seen.match_id, ANN)
    assert past.over
    for version in (past.head.version, past.head.version // 2):
        assert matches.replay(past, version, None).match == folded(store, seen.match_id, "spectators", version)
    # A match may happen to be too short for one.
    assert kept(store, seen.match_id, "spectators") or past.head.version <= APART


def test_takeback_works_after_a_snapshot(matches: Matches, store: Store):
    clock = Clock(per_decision_seconds=3600)
    match_id = matches.create(ANN, new("me", "bot", "bot", "bot", clock=clock, take_backs=True)).match_id
    before = matches.see(match_id, ANN).match
    for command in (before.game.timing.default(before.table, 0), RequestTakeBack()):
        matches.move(match_id, ANN, 0, command)
    loaded = stream_rows.load(store, match_id)
    assert loaded
    head, rows = loaded
    for row in rows:
        then = folded(store, match_id, "0", row.first + row.n - 1)
        again = snapshots.decode_match(match_id, snapshots.encode_match(then))
        assert again == then
        assert (again.undo is None) == (then.undo is None)
    moved = snapshots.decode_match(
        match_id, snapshots.encode_match(folded(store, match_id, "0", rows[-2].first + rows[-2].n - 1))
    )
    back = life.fold(moved, log.read_match_events(rows[-1:], "hearts", 4, "0"))
    assert back.table == before.table
    assert head.version == rows[-1].first + rows[-1].n - 1
