"""Tests the log of a match: commits are stored in order, once, and a late writer is refused."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import Appended, Commit, CommitRow, NewStream, Projected, SeatRow, TurnRow
from events.store.tables import (
    idempotency_rows,
    inbox_rows,
    invite_rows,
    match_rows,
    search_rows,
    seat_rows,
    secret_rows,
    stream_rows,
)
from tests.store.commits import ANNA, BERT, NOW, begin, commit, events, key, match_row

pytestmark = pytest.mark.both_databases


def test_a_match_begins_with_its_first_commit(store: Store):
    first = Commit(1, 2, NOW, events(2), '{"1":{}}', b"h" * 32, b"m" * 32)
    outcome, head = store.create(NewStream("m", b"s" * 32, "aa", first, [(2, b"c" * 32)]))
    assert (outcome.status, outcome.version) == ("ok", 2)
    assert head is not None
    assert (head.match_id, head.version, head.head, head.created_ms) == ("m", 2, b"h" * 32, NOW)
    assert stream_rows.load(store, "m") == (head, [CommitRow(1, 2, NOW, events(2), '{"1":{}}', b"m" * 32)])
    assert stream_rows.head(store, "m") == head
    assert secret_rows.read_secrets(store, head.match_no) == (b"s" * 32, ["aa"])
    assert invite_rows.read_invites(store, head.match_no) == {2: b"c" * 32}


def test_append_moves_the_head(store: Store):
    match_no = begin(store).match_no
    outcome = store.append(match_no, commit(3, 4, "x"))
    assert outcome.status == "ok"
    assert outcome.version == 6
    assert outcome.position is not None
    head = stream_rows.head(store, "match-1")
    assert head is not None
    assert (head.version, head.head) == (6, commit(3, 4, "x").head)
    assert [row.first for row in stream_rows.rows(store, match_no)] == [1, 3]


@pytest.mark.parametrize("first", [1, 2, 4, 99])
def test_commit_with_a_wrong_version_is_a_conflict_and_writes_nothing(store: Store, first: int):
    match_no = begin(store).match_no
    before = stream_rows.load(store, "match-1")
    projected = Projected(match_row(status="over"), [], [TurnRow(0, ANNA, 1, 1)], [], [])
    assert store.append(match_no, commit(first, projected=projected, new_root="bb")) == Appended("conflict", 2)
    assert stream_rows.load(store, "match-1") == before
    assert secret_rows.read_secrets(store, match_no).roots == ["aa"]
    assert inbox_rows.read_turns(store, match_no) == []
    assert [row.status for row in search_rows.find_matches(store, None).rows] == ["playing"]


def test_append_to_an_unknown_match_is_a_conflict(store: Store):
    assert store.append(12345, commit(1)) == Appended("conflict", 0)


@pytest.mark.parametrize(
    ("after", "firsts"),
    [(0, [1, 3, 7]), (1, [1, 3, 7]), (2, [3, 7]), (5, [3, 7]), (6, [7]), (7, []), (99, [])],
)
def test_reading_begins_with_the_commit_that_holds_the_next_event(store: Store, after: int, firsts: list[int]):
    match_no = begin(store).match_no
    other = begin(store, "match-2").match_no
    for each in (match_no, other):
        store.append(each, commit(3, 4))
        store.append(each, commit(7, 1))
    assert [row.first for row in stream_rows.rows(store, match_no, after)] == firsts
    assert [row.first for row in stream_rows.rows(store, match_no, after, 1)] == firsts[:1]
    loaded = stream_rows.load(store, "match-1", after)
    assert loaded is not None
    assert (loaded[0].version, [row.first for row in loaded[1]]) == (7, firsts)


def test_missing_row_is_returned_as_none(store: Store):
    assert stream_rows.load(store, "nothing") is None
    assert stream_rows.head(store, "nothing") is None
    assert match_rows.row(store, 1) is None
    with pytest.raises(KeyError):
        secret_rows.read_secrets(store, 1)


def test_text_is_stored_exactly(store: Store):
    odd = '[ {"b":1,"a":"\\u0000 \\" \\\\ é 🂡 %s {},"} ]'
    match_no = begin(store).match_no
    store.append(match_no, Commit(3, 1, NOW, odd, odd, b"\0" * 32))
    assert stream_rows.rows(store, match_no, 2) == [CommitRow(3, 1, NOW, odd, odd)]


def test_names_with_special_characters_are_stored_unchanged(store: Store):
    odd = "a\"b\\c,d{}()' \n"
    match_no = begin(store, seats=(odd,)).match_no
    turn = TurnRow(0, odd, 3, NOW)
    store.append(match_no, commit(3, projected=Projected(turns=[turn])))
    assert inbox_rows.read_turns(store, match_no) == [turn]
    assert seat_rows.of_matches(store, [match_no]) == {match_no: [SeatRow(0, "player", odd)]}
    assert [row.seat for row in inbox_rows.read_inbox(store, odd)] == [0]


def test_new_root_is_stored_and_used_invites_are_deleted(store: Store):
    match_no = begin(store).match_no
    invite_rows.issue(store, match_no, 1, b"x" * 32)
    invite_rows.issue(store, match_no, 1, b"y" * 32)
    invite_rows.issue(store, match_no, 2, b"z" * 32)
    assert invite_rows.code(store, match_no, 1) == b"y" * 32
    store.append(match_no, commit(3, new_root="bb", spent_invites=[1]))
    assert invite_rows.code(store, match_no, 1) is None
    assert invite_rows.read_invites(store, match_no) == {2: b"z" * 32}
    assert secret_rows.read_secrets(store, match_no).roots == ["aa", "bb"]


# Two who write at once


def at_once(url: str, commits: list[Commit], match_no: int) -> list[Appended]:
    """Append all commits at the same moment, each over its own store."""
    stores = [open_store(url) for _ in commits]
    barrier = Barrier(len(commits))

    def append(store: Store, each: Commit) -> Appended:
        stream_rows.head(store, "match-1")
        barrier.wait()
        return store.append(match_no, each)

    with ThreadPoolExecutor(len(commits)) as pool:
        outcomes = list(pool.map(append, stores, commits))
    for store in stores:
        store.close()
    return outcomes


def test_exactly_one_concurrent_writer_succeeds(url: str, store: Store):
    match_no = begin(store).match_no
    version = 2
    for turn in range(20):
        outcomes = at_once(url, [commit(version + 1, 2, f"{turn}-{w}") for w in range(4)], match_no)
        version += 2
        assert sorted(o.status for o in outcomes) == ["conflict"] * 3 + ["ok"]
        assert {o.version for o in outcomes} == {version}
    loaded = stream_rows.load(store, "match-1")
    assert loaded is not None
    assert [row.first for row in loaded[1]] == list(range(1, version, 2))


def test_second_commit_with_a_key_is_a_duplicate(url: str, store: Store):
    match_no = begin(store).match_no
    version = 2
    for turn in range(20):
        both = [commit(version + 1, 2, f"{turn}-{w}", idempotency=key(f"k{turn}")) for w in range(2)]
        outcomes = at_once(url, both, match_no)
        version += 2
        assert sorted(o.status for o in outcomes) == ["duplicate", "ok"]
        assert {o.version for o in outcomes} == {version}
    assert len(stream_rows.rows(store, match_no)) == 21


def test_two_creations_with_one_key_create_one_match(url: str, store: Store):
    others = [open_store(url) for _ in range(3)]
    for turn in range(10):
        barrier = Barrier(3)

        def create(w: int, barrier: Barrier = barrier, turn: int = turn) -> str:
            barrier.wait()
            first = commit(1, 2, w, idempotency=key(f"k{turn}"))
            return others[w].create(NewStream(f"m-{turn}-{w}", b"s" * 32, "aa", first, []))[0].status

        with ThreadPoolExecutor(3) as pool:
            assert sorted(pool.map(create, range(3))) == ["duplicate", "duplicate", "ok"]
    assert len(stream_rows.numbers(store)) == 10
    for other in others:
        other.close()


# Requests that may be repeated


def test_key_is_stored_with_its_commit(store: Store):
    match_no = begin(store).match_no
    assert store.append(match_no, commit(3, 4, idempotency=key("k"))).status == "ok"
    assert idempotency_rows.find_key(store, key("k").key_hash) == (key("k").body_hash, match_no, 3, 4, NOW + 3)
    assert idempotency_rows.find_key(store, key("other").key_hash) is None


@pytest.mark.parametrize("first", [3, 7, 99])
def test_used_key_writes_nothing_at_any_version(store: Store, first: int):
    match_no = begin(store).match_no
    store.append(match_no, commit(3, 4, idempotency=key("k")))
    before = stream_rows.load(store, "match-1")
    again = commit(first, 1, "again", idempotency=key("k"), projected=Projected(turns=[TurnRow(0, BERT, 1, 1)]))
    assert store.append(match_no, again) == Appended("duplicate", 6)
    assert stream_rows.load(store, "match-1") == before
    assert inbox_rows.read_turns(store, match_no) == []


def test_key_of_a_request_without_an_append_is_stored(store: Store):
    assert idempotency_rows.remember_key(store, key("k"), NOW, 7, 12)
    assert not idempotency_rows.remember_key(store, key("k"), NOW, 7, 12)
    assert idempotency_rows.find_key(store, key("k").key_hash) == (key("k").body_hash, 7, 12, 0, NOW)
    assert idempotency_rows.remember_key(store, key("none"), NOW)
    match_no = begin(store).match_no
    assert store.append(match_no, commit(3, idempotency=key("none"))) == Appended("duplicate", 0)


def test_keys_are_forgotten_after_seven_days(store: Store):
    week = 7 * 24 * 3600 * 1000
    idempotency_rows.remember_key(store, key("old"), NOW)
    idempotency_rows.remember_key(store, key("young"), NOW + 1)
    assert idempotency_rows.prune(store, NOW + week) == 0
    assert idempotency_rows.prune(store, NOW + week + 1) == 1
    assert idempotency_rows.find_key(store, key("old").key_hash) is None
    assert idempotency_rows.find_key(store, key("young").key_hash) is not None


# The view


def test_every_event_is_a_separate_row(store: Store):
    begin(store)
    match_no = begin(store, "match-2").match_no
    store.append(match_no, commit(3, 2, "x"))
    with store.engine.connect() as connection:  # type: ignore[attr-defined] # as an operator would look
        query = "SELECT seq, \"commit\", type, v, cause FROM events WHERE match_id = 'match-2' ORDER BY seq"
        rows = connection.exec_driver_sql(query).all()
    assert rows == [(seq, 1 if seq < 3 else 3, "CardPlayed", 1, "move") for seq in (1, 2, 3, 4)]
