"""Tests tables other than the log: players, lists, inboxes, results, pending work, rebuilding."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from events.operations.erasure import erase_player
from events.store.opening import open_store
from events.store.player_records import Identity, Player
from events.store.protocol import Store
from events.store.records import CommitRow, DueRow, Projected, ResultRow, SeatRow, TurnRow
from events.store.schema.log_schema import due
from events.store.search_records import Search
from events.store.tables import (
    inbox_rows,
    match_rows,
    pending_rows,
    player_rows,
    projection_rows,
    search_rows,
    seat_rows,
    stream_rows,
)
from events.store.tables.pending_rows import LEASE_MS
from tests.store.commits import ANNA, BERT, NOW, begin, commit, match_row
from tests.store.result_rows import read_results

pytestmark = pytest.mark.both_databases

# Players


def test_player_is_found_by_token(store: Store):
    handle = player_rows.add_player(store, ANNA, "Anna", b"t" * 32, NOW)
    assert player_rows.by_token(store, b"t" * 32) == Player(ANNA, "Anna", handle)
    assert player_rows.by_token(store, b"u" * 32) is None


def test_new_token_invalidates_the_old_one(store: Store):
    player_rows.add_player(store, ANNA, "Anna", b"t" * 32, NOW, "anna")
    assert not player_rows.new_token(store, ANNA, b"wrong", b"v" * 32)
    assert player_rows.new_token(store, ANNA, b"t" * 32, b"u" * 32)
    assert player_rows.by_token(store, b"t" * 32) is None
    assert player_rows.by_token(store, b"u" * 32) == Player(ANNA, "Anna", "anna")
    assert not player_rows.new_token(store, ANNA, b"t" * 32, b"v" * 32)


def test_erasure_deletes_name_and_token(store: Store):
    player_rows.add_player(store, ANNA, "Anna", b"t" * 32, NOW)
    player_rows.add_player(store, BERT, "Bert", b"u" * 32, NOW, "bert")
    erase_player(store, ANNA, NOW + 1)
    assert player_rows.by_token(store, b"t" * 32) is None
    known = {ANNA: Identity(None, None), BERT: Identity("Bert", "bert")}
    assert player_rows.read_identities(store, [ANNA, BERT, "nobody"]) == known
    assert player_rows.read_identities(store, []) == {}


# Lists


def ids(store: Store, viewer: str | None = None, **filters: object) -> list[str]:
    search = Search(**filters)  # type: ignore[arg-type]
    return [row.match_id for row in search_rows.find_matches(store, viewer, search).rows]


def test_lists_show_public_matches_and_your_own(store: Store):
    begin(store, "public")
    begin(store, "unlisted", match=match_row(visibility="unlisted"), seats=(BERT,))
    begin(store, "private", match=match_row(visibility="private", creator=BERT), seats=(None,))
    assert ids(store) == ["public"]
    assert ids(store, "somebody") == ["public"]
    assert ids(store, ANNA) == ["unlisted", "public"]  # she made it
    assert ids(store, BERT) == ["private", "unlisted", "public"]


def test_lists_are_filtered(store: Store):
    begin(store, "a")
    begin(store, "b", match=match_row(game="trio"), seats=(ANNA,))
    begin(store, "c", match=match_row(status="lobby"), seats=(BERT,))
    assert ids(store, game="hearts") == ["c", "a"]
    assert ids(store, status="lobby") == ["c"]
    assert ids(store, player=ANNA) == ["b", "a"]
    assert ids(store, player=BERT, status="playing", game="hearts") == ["a"]


def test_lists_continue_at_the_cursor(store: Store):
    for i in range(5):
        begin(store, f"m{i}")
    seen, after = [], None
    for _ in range(3):
        rows, after = search_rows.find_matches(store, None, after=after, limit=2)
        seen += [row.match_id for row in rows]
    assert after is None
    assert seen == ["m4", "m3", "m2", "m1", "m0"]


def test_listed_match_changes_with_its_commits(store: Store):
    head = begin(store, match=match_row(status="lobby"))
    row = match_rows.row(store, head.match_no)
    assert row is not None
    assert (row.match_no, row.match_id, row.created_ms) == (head.match_no, "match-1", head.created_ms)
    started = match_row(started_ms=NOW)
    store.append(head.match_no, commit(3, 1, projected=Projected(match=started)))
    ended = match_row(status="finished", started_ms=NOW, ended_ms=NOW + 5, result='{"places":[1,2]}')
    store.append(head.match_no, commit(4, 1, projected=Projected(match=ended)))
    row = match_rows.row(store, head.match_no)
    assert row is not None
    assert (row.status, row.started_ms, row.ended_ms) == ("finished", NOW, NOW + 5)
    assert row.result == '{"places":[1,2]}'


def test_seats_are_replaced_as_a_whole(store: Store):
    a, b = begin(store).match_no, begin(store, "b", seats=(None, ANNA)).match_no
    new = [SeatRow(0, "open"), SeatRow(1, "invite")]
    store.append(a, commit(3, projected=Projected(seats=new)))
    assert seat_rows.of_matches(store, [a, b]) == {
        a: new,
        b: [SeatRow(0, "bot", None, "easy"), SeatRow(1, "player", ANNA)],
    }
    assert seat_rows.of_matches(store, []) == {}


def test_results_are_listed_latest_first(store: Store):
    for i, match_id in enumerate(("a", "b")):
        match_no = begin(store, match_id).match_no
        rows = [ResultRow(0, ANNA, "hearts", 1, -5, NOW + i), ResultRow(1, None, "hearts", 2, None, NOW + i)]
        store.append(match_no, commit(3, projected=Projected(results=rows)))
    assert read_results(store, ANNA) == [
        ("b", ResultRow(0, ANNA, "hearts", 1, -5, NOW + 1)),
        ("a", ResultRow(0, ANNA, "hearts", 1, -5, NOW)),
    ]
    assert read_results(store, BERT) == []


# Turns


def test_inbox_is_ordered_by_deadline_and_waiting_time(store: Store):
    begin(store, "late", turns=[TurnRow(0, ANNA, 2, 10, 900)])
    begin(store, "young", turns=[TurnRow(0, ANNA, 2, 30), TurnRow(1, BERT, 2, 30)])
    begin(store, "old", turns=[TurnRow(0, ANNA, 2, 20)])
    begin(store, "soon", turns=[TurnRow(0, ANNA, 2, 40, 800)])
    begin(store, "none")
    assert [row.match_id for row in inbox_rows.read_inbox(store, ANNA)] == ["soon", "late", "old", "young"]
    assert [(row.match_id, row.seat, row.version) for row in inbox_rows.read_inbox(store, BERT)] == [("young", 1, 2)]
    assert inbox_rows.read_inbox(store, "nobody") == []


def test_turns_date_from_the_last_commit_that_changed_them(store: Store):
    match_no = begin(store, turns=[TurnRow(0, ANNA, 2, 10)]).match_no
    store.append(match_no, commit(3, 1))
    assert [row.version for row in inbox_rows.read_inbox(store, ANNA)] == [2]
    assert inbox_rows.stamp(store, [ANNA, BERT]) == {ANNA: ((match_no, 0, 2, False),)}
    store.append(match_no, commit(4, 1, projected=Projected(turns=[TurnRow(1, BERT, 4, 11)])))
    assert inbox_rows.read_inbox(store, ANNA) == []
    assert inbox_rows.stamp(store, [ANNA, BERT]) == {BERT: ((match_no, 1, 4, False),)}
    store.append(match_no, commit(5, 1, projected=Projected(turns=[])))
    assert inbox_rows.stamp(store, [ANNA, BERT]) == {}
    assert inbox_rows.stamp(store, []) == {}


def test_player_with_several_seats_is_listed_for_each(store: Store):
    match_no = begin(store, seats=(ANNA, ANNA), turns=[TurnRow(1, ANNA, 2, 1), TurnRow(0, ANNA, 2, 1)]).match_no
    assert inbox_rows.stamp(store, [ANNA]) == {ANNA: ((match_no, 0, 2, False), (match_no, 1, 2, False))}
    assert sorted(row.seat for row in inbox_rows.read_inbox(store, ANNA)) == [0, 1]


def test_finished_match_is_in_no_inbox(store: Store):
    match_no = begin(store, turns=[TurnRow(0, ANNA, 2, 10)]).match_no
    over = Projected(match=match_row(status="finished", ended_ms=NOW), turns=[])
    store.append(match_no, commit(3, projected=over))
    assert inbox_rows.read_inbox(store, ANNA) == []
    assert ids(store, player=ANNA) == ["match-1"]


def test_versions_of_many_matches_are_read_together(store: Store):
    a, b = begin(store, "a").match_no, begin(store, "b").match_no
    store.append(b, commit(3, 4))
    assert stream_rows.versions(store, [a, b, 999]) == {a: 2, b: 6}
    assert stream_rows.versions(store, []) == {}


# Pending work


def test_due_work_is_claimed_once_until_its_lease_ends(store: Store):
    match_no = begin(store, due=[DueRow("bot", 100), DueRow("clock", 200), DueRow("expire", 900)]).match_no
    assert pending_rows.next_due(store) == 100
    assert pending_rows.claim_due(store, 99, 10) == []
    claimed = pending_rows.claim_due(store, 200, 10)
    assert [(d.match_no, d.match_id, d.kind, d.due_ms) for d in claimed] == [
        (match_no, "match-1", "bot", 100),
        (match_no, "match-1", "clock", 200),
    ]
    assert pending_rows.claim_due(store, 200, 10) == []
    assert pending_rows.next_due(store) == 900
    assert [d.kind for d in pending_rows.claim_due(store, 199 + LEASE_MS, 10)] == ["expire"]
    assert [d.kind for d in pending_rows.claim_due(store, 200 + LEASE_MS, 10)] == ["bot", "clock"]


def test_commit_ends_the_delay_after_failures(store: Store):
    match_no = begin(store, due=[DueRow("bot", 0)]).match_no
    pending_rows.claim_due(store, NOW, 1)
    pending_rows.note_failure(store, "match-1", NOW)
    store.append(match_no, commit(3, 1, projected=Projected(due=[DueRow("bot", 0)])))
    assert store.read(select(due.c.claimable_ms, due.c.attempts)) == [(0, 0)]


def test_work_is_claimed_earliest_first(store: Store):
    for i, when in enumerate((30, 10, 20)):
        begin(store, f"m{i}", due=[DueRow("bot", when)])
    claimed = pending_rows.claim_due(store, 100, 2)
    assert [(d.match_id, d.due_ms) for d in claimed] == [("m1", 10), ("m2", 20)]


def test_work_that_was_not_due_yet_does_not_count_as_failed(store: Store):
    begin(store, due=[DueRow("bot", 0), DueRow("clock", 2 * NOW)])
    pending_rows.note_failure(store, "match-1", NOW)
    assert dict(store.read(select(due.c.kind, due.c.attempts))) == {"bot": 1, "clock": 0}


def test_leased_work_is_reserved_for_its_writer(store: Store):
    begin(store, due=[DueRow("bot", 100, 500)])
    assert pending_rows.next_due(store) == 500
    assert pending_rows.claim_due(store, 499, 10) == []
    assert len(pending_rows.claim_due(store, 500, 10)) == 1


def test_a_commit_replaces_the_pending_work(store: Store):
    match_no = begin(store, due=[DueRow("start", 1), DueRow("expire", 2)]).match_no
    store.append(match_no, commit(3, 1, projected=Projected(due=[DueRow("bot", 3), DueRow("start", 4)])))
    assert pending_rows.read_pending(store, match_no) == [DueRow("bot", 3), DueRow("start", 4)]
    pending_rows.claim_due(store, 3, 10)
    store.append(match_no, commit(4, 1))
    assert [row.kind for row in pending_rows.read_pending(store, match_no)] == ["bot", "start"]
    store.append(match_no, commit(5, 1, projected=Projected(due=[])))
    assert pending_rows.read_pending(store, match_no) == []
    assert pending_rows.next_due(store) is None
    assert pending_rows.claim_due(store, 10**15, 10) == []
    store.write(lambda connection: pending_rows.postpone(connection, match_no, "bot", NOW))
    assert pending_rows.next_due(store) is None
    store.append(match_no, commit(6, 1, projected=Projected(due=[DueRow("bot", 7)])))
    assert [d.kind for d in pending_rows.claim_due(store, 7, 10)] == ["bot"]


# Rebuilding


def test_rebuild_replaces_projections_from_the_log(store: Store):
    head = begin(store, turns=[TurnRow(0, ANNA, 2, 10)], due=[DueRow("bot", 1)])
    store.append(head.match_no, commit(3, 1))
    seen: list[tuple[int, list[CommitRow]]] = []
    right = Projected(
        match_row(status="finished", ended_ms=NOW),
        [SeatRow(0, "player", BERT)],
        [TurnRow(0, BERT, 3, 5)],
        [ResultRow(0, BERT, "hearts", 1, 7, NOW)],
        None,
    )

    def project(now: object, rows: list[CommitRow]) -> Projected:
        assert now == stream_rows.head(store, "match-1")
        seen.append((head.match_no, rows))
        return right

    projection_rows.rebuild(store, head.match_no, project)
    assert seen == [(head.match_no, stream_rows.rows(store, head.match_no))]
    row = match_rows.row(store, head.match_no)
    assert row is not None
    assert (row.status, row.match_id, row.created_ms) == ("finished", "match-1", head.created_ms)
    assert seat_rows.of_matches(store, [head.match_no]) == {head.match_no: right.seats}
    assert inbox_rows.read_turns(store, head.match_no) == right.turns
    assert [r for _, r in read_results(store, BERT)] == right.results
    assert pending_rows.read_pending(store, head.match_no) == [DueRow("bot", 1)]


def test_rebuilt_seats_of_a_finished_match_are_unchanged(store: Store):
    match_no = begin(store).match_no
    over = Projected(match=match_row(status="finished", ended_ms=NOW), turns=[TurnRow(0, ANNA, 3, 1)])
    store.append(match_no, commit(3, projected=over))
    assert inbox_rows.read_inbox(store, ANNA) == []
    projection_rows.rebuild(store, match_no, lambda _head, _rows: Projected(seats=[SeatRow(0, "player", ANNA)]))
    assert inbox_rows.read_inbox(store, ANNA) == []
    projection_rows.rebuild(store, match_no, lambda _head, _rows: Projected(match=match_row()))
    assert [row.seat for row in inbox_rows.read_inbox(store, ANNA)] == [0]


def test_rebuild_drops_times_that_the_log_does_not_have(store: Store):
    match_no = begin(store, match=match_row(started_ms=NOW, ended_ms=NOW + 1)).match_no
    store.append(match_no, commit(3, projected=Projected(match=match_row(annulled="Stopped."))))
    row = match_rows.row(store, match_no)
    assert row is not None
    assert (row.started_ms, row.ended_ms) == (NOW, NOW + 1)
    projection_rows.rebuild(store, match_no, lambda _head, _rows: Projected(match=match_row()))
    row = match_rows.row(store, match_no)
    assert row is not None
    assert (row.started_ms, row.ended_ms) == (None, None)


def test_idle_places_of_pending_work_end_with_the_match(store: Store):
    match_no = begin(store, due=[DueRow("bot", 1), DueRow("clock", 2)]).match_no
    store.append(match_no, commit(3, projected=Projected(due=[DueRow("clock", 3)])))
    assert store.read(select(due.c.kind, due.c.claimable_ms).order_by(due.c.kind)) == [("bot", None), ("clock", 3)]
    over = Projected(match=match_row(status="finished", ended_ms=NOW), due=[])
    store.append(match_no, commit(7, projected=over))
    assert store.read(select(due.c.kind)) == []


def test_failed_rebuild_changes_nothing(store: Store):
    head = begin(store)

    def project(_head: object, _rows: object) -> Projected:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        projection_rows.rebuild(store, head.match_no, project)
    assert store.append(head.match_no, commit(3)).status == "ok"


def test_no_commit_is_appended_during_a_rebuild(url: str, store: Store):
    head = begin(store)
    other = open_store(url)
    with ThreadPoolExecutor(1) as pool:
        appended = []

        def project(_head: object, _rows: object) -> Projected:
            appended.append(pool.submit(other.append, head.match_no, commit(3, projected=Projected(turns=[]))))
            with pytest.raises(TimeoutError):
                appended[0].result(0.2)
            return Projected(turns=[TurnRow(0, ANNA, 2, 1)])

        projection_rows.rebuild(store, head.match_no, project)
        assert appended[0].result(60).status == "ok"
    assert inbox_rows.read_turns(store, head.match_no) == []
    other.close()


def test_matches_are_numbered_in_order(store: Store):
    numbers = [begin(store, f"m{i}").match_no for i in range(5)]
    assert stream_rows.numbers(store) == numbers
    assert stream_rows.numbers(store, numbers[1], 2) == numbers[2:4]
