"""What lies beside the log: players, lists, inboxes, results, pending work, rebuilding."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from events.operations.erasure import erase_player
from events.store import tables
from events.store.opening import open_store
from events.store.player_records import Identity, Player
from events.store.protocol import Store
from events.store.records import CommitRow, DueRow, Projected, ResultRow, SeatRow, TurnRow
from events.store.schema import due
from events.store.search_records import Search
from events.store.tables.pending_rows import LEASE_MS
from tests.store.commits import ANNA, BERT, NOW, begin, commit, match_row

pytestmark = pytest.mark.both_databases

# Players


def test_a_player_is_known_by_token(store: Store):
    handle = tables.player_rows.add_player(store, ANNA, "Anna", b"t" * 32, NOW)
    assert tables.player_rows.by_token(store, b"t" * 32) == Player(ANNA, "Anna", handle)
    assert tables.player_rows.by_token(store, b"u" * 32) is None


def test_a_new_token_ends_the_old_one(store: Store):
    tables.player_rows.add_player(store, ANNA, "Anna", b"t" * 32, NOW, "anna")
    assert not tables.player_rows.new_token(store, ANNA, b"wrong", b"v" * 32)
    assert tables.player_rows.new_token(store, ANNA, b"t" * 32, b"u" * 32)
    assert tables.player_rows.by_token(store, b"t" * 32) is None
    assert tables.player_rows.by_token(store, b"u" * 32) == Player(ANNA, "Anna", "anna")
    assert not tables.player_rows.new_token(store, ANNA, b"t" * 32, b"v" * 32)


def test_erasure_takes_name_and_token(store: Store):
    tables.player_rows.add_player(store, ANNA, "Anna", b"t" * 32, NOW)
    tables.player_rows.add_player(store, BERT, "Bert", b"u" * 32, NOW, "bert")
    erase_player(store, ANNA, NOW + 1)
    assert tables.player_rows.by_token(store, b"t" * 32) is None
    known = {ANNA: Identity(None, None), BERT: Identity("Bert", "bert")}
    assert tables.player_rows.read_identities(store, [ANNA, BERT, "nobody"]) == known
    assert tables.player_rows.read_identities(store, []) == {}


# Lists


def ids(store: Store, viewer: str | None = None, **filters: object) -> list[str]:
    search = Search(**filters)  # type: ignore[arg-type]
    return [row.match_id for row in tables.search_rows.find_matches(store, viewer, search).rows]


def test_lists_show_public_matches_and_ones_own(store: Store):
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


def test_lists_go_on_where_they_stopped(store: Store):
    for i in range(5):
        begin(store, f"m{i}")
    seen, after = [], None
    for _ in range(3):
        rows, after = tables.search_rows.find_matches(store, None, after=after, limit=2)
        seen += [row.match_id for row in rows]
    assert after is None
    assert seen == ["m4", "m3", "m2", "m1", "m0"]


def test_a_match_in_lists_changes_with_its_commits(store: Store):
    head = begin(store, match=match_row(status="lobby"))
    row = tables.match_rows.row(store, head.match_no)
    assert row is not None
    assert (row.match_no, row.match_id, row.created_ms) == (head.match_no, "match-1", head.created_ms)
    started = match_row(started_ms=NOW)
    store.append(head.match_no, commit(3, 1, projected=Projected(match=started)))
    ended = match_row(status="finished", started_ms=NOW, ended_ms=NOW + 5, result='{"places":[1,2]}')
    store.append(head.match_no, commit(4, 1, projected=Projected(match=ended)))
    row = tables.match_rows.row(store, head.match_no)
    assert row is not None
    assert (row.status, row.started_ms, row.ended_ms) == ("finished", NOW, NOW + 5)
    assert row.result == '{"places":[1,2]}'


def test_seats_are_replaced_as_a_whole(store: Store):
    a, b = begin(store).match_no, begin(store, "b", seats=(None, ANNA)).match_no
    new = [SeatRow(0, "open"), SeatRow(1, "invite")]
    store.append(a, commit(3, projected=Projected(seats=new)))
    assert tables.seat_rows.of_matches(store, [a, b]) == {
        a: new,
        b: [SeatRow(0, "bot", None, "easy"), SeatRow(1, "player", ANNA)],
    }
    assert tables.seat_rows.of_matches(store, []) == {}


def test_results_latest_first(store: Store):
    for i, match_id in enumerate(("a", "b")):
        match_no = begin(store, match_id).match_no
        rows = [ResultRow(0, ANNA, "hearts", 1, -5, NOW + i), ResultRow(1, None, "hearts", 2, None, NOW + i)]
        store.append(match_no, commit(3, projected=Projected(results=rows)))
    assert tables.result_rows.read_results(store, ANNA) == [
        ("b", ResultRow(0, ANNA, "hearts", 1, -5, NOW + 1)),
        ("a", ResultRow(0, ANNA, "hearts", 1, -5, NOW)),
    ]
    assert tables.result_rows.read_results(store, BERT) == []


# Turns


def test_the_inbox_nearest_deadline_first_then_who_waits_longest(store: Store):
    begin(store, "late", turns=[TurnRow(0, ANNA, 2, 10, 900)])
    begin(store, "young", turns=[TurnRow(0, ANNA, 2, 30), TurnRow(1, BERT, 2, 30)])
    begin(store, "old", turns=[TurnRow(0, ANNA, 2, 20)])
    begin(store, "soon", turns=[TurnRow(0, ANNA, 2, 40, 800)])
    begin(store, "none")
    assert [row.match_id for row in tables.inbox_rows.read_inbox(store, ANNA)] == ["soon", "late", "old", "young"]
    assert [(row.match_id, row.seat, row.version) for row in tables.inbox_rows.read_inbox(store, BERT)] == [
        ("young", 1, 2)
    ]
    assert tables.inbox_rows.read_inbox(store, "nobody") == []


def test_turns_are_those_of_the_last_commit_that_changed_them(store: Store):
    match_no = begin(store, turns=[TurnRow(0, ANNA, 2, 10)]).match_no
    store.append(match_no, commit(3, 1))
    assert [row.version for row in tables.inbox_rows.read_inbox(store, ANNA)] == [2]
    assert tables.inbox_rows.stamp(store, [ANNA, BERT]) == {ANNA: ((match_no, 0, 2, False),)}
    store.append(match_no, commit(4, 1, projected=Projected(turns=[TurnRow(1, BERT, 4, 11)])))
    assert tables.inbox_rows.read_inbox(store, ANNA) == []
    assert tables.inbox_rows.stamp(store, [ANNA, BERT]) == {BERT: ((match_no, 1, 4, False),)}
    store.append(match_no, commit(5, 1, projected=Projected(turns=[])))
    assert tables.inbox_rows.stamp(store, [ANNA, BERT]) == {}
    assert tables.inbox_rows.stamp(store, []) == {}


def test_a_player_on_several_seats_is_waited_for_on_each(store: Store):
    match_no = begin(store, seats=(ANNA, ANNA), turns=[TurnRow(1, ANNA, 2, 1), TurnRow(0, ANNA, 2, 1)]).match_no
    assert tables.inbox_rows.stamp(store, [ANNA]) == {ANNA: ((match_no, 0, 2, False), (match_no, 1, 2, False))}
    assert sorted(row.seat for row in tables.inbox_rows.read_inbox(store, ANNA)) == [0, 1]


def test_finished_match_waits_for_no_one(store: Store):
    match_no = begin(store, turns=[TurnRow(0, ANNA, 2, 10)]).match_no
    over = Projected(match=match_row(status="finished", ended_ms=NOW), turns=[])
    store.append(match_no, commit(3, projected=over))
    assert tables.inbox_rows.read_inbox(store, ANNA) == []
    assert ids(store, player=ANNA) == ["match-1"]


def test_versions_of_many(store: Store):
    a, b = begin(store, "a").match_no, begin(store, "b").match_no
    store.append(b, commit(3, 4))
    assert tables.stream_rows.versions(store, [a, b, 999]) == {a: 2, b: 6}
    assert tables.stream_rows.versions(store, []) == {}


# Pending work


def test_due_work_is_claimed_once_until_its_lease_ends(store: Store):
    match_no = begin(store, due=[DueRow("bot", 100), DueRow("clock", 200), DueRow("expire", 900)]).match_no
    assert tables.pending_rows.next_due(store) == 100
    assert tables.pending_rows.claim_due(store, 99, 10) == []
    claimed = tables.pending_rows.claim_due(store, 200, 10)
    assert [(d.match_no, d.match_id, d.kind, d.due_ms) for d in claimed] == [
        (match_no, "match-1", "bot", 100),
        (match_no, "match-1", "clock", 200),
    ]
    assert tables.pending_rows.claim_due(store, 200, 10) == []
    assert tables.pending_rows.next_due(store) == 900
    assert [d.kind for d in tables.pending_rows.claim_due(store, 199 + LEASE_MS, 10)] == ["expire"]
    assert [d.kind for d in tables.pending_rows.claim_due(store, 200 + LEASE_MS, 10)] == ["bot", "clock"]


def test_a_commit_ends_the_rest_after_failures(store: Store):
    match_no = begin(store, due=[DueRow("bot", 0)]).match_no
    tables.pending_rows.claim_due(store, NOW, 1)
    tables.pending_rows.note_failure(store, "match-1", NOW)
    store.append(match_no, commit(3, 1, projected=Projected(due=[DueRow("bot", 0)])))
    assert store.read(select(due.c.claimable_ms, due.c.attempts)) == [(0, 0)]


def test_work_is_claimed_earliest_first(store: Store):
    for i, when in enumerate((30, 10, 20)):
        begin(store, f"m{i}", due=[DueRow("bot", when)])
    claimed = tables.pending_rows.claim_due(store, 100, 2)
    assert [(d.match_id, d.due_ms) for d in claimed] == [("m1", 10), ("m2", 20)]


def test_work_that_was_not_due_yet_has_not_failed(store: Store):
    begin(store, due=[DueRow("bot", 0), DueRow("clock", 2 * NOW)])
    tables.pending_rows.note_failure(store, "match-1", NOW)
    assert dict(store.read(select(due.c.kind, due.c.attempts))) == {"bot": 1, "clock": 0}


def test_work_written_with_a_lease_is_left_to_its_writer_for_so_long(store: Store):
    begin(store, due=[DueRow("bot", 100, 500)])
    assert tables.pending_rows.next_due(store) == 500
    assert tables.pending_rows.claim_due(store, 499, 10) == []
    assert len(tables.pending_rows.claim_due(store, 500, 10)) == 1


def test_a_commit_replaces_the_pending_work(store: Store):
    match_no = begin(store, due=[DueRow("start", 1), DueRow("expire", 2)]).match_no
    store.append(match_no, commit(3, 1, projected=Projected(due=[DueRow("bot", 3), DueRow("start", 4)])))
    assert tables.pending_rows.read_pending(store, match_no) == [DueRow("bot", 3), DueRow("start", 4)]
    tables.pending_rows.claim_due(store, 3, 10)
    store.append(match_no, commit(4, 1))
    assert [row.kind for row in tables.pending_rows.read_pending(store, match_no)] == ["bot", "start"]
    store.append(match_no, commit(5, 1, projected=Projected(due=[])))
    assert tables.pending_rows.read_pending(store, match_no) == []
    assert tables.pending_rows.next_due(store) is None
    assert tables.pending_rows.claim_due(store, 10**15, 10) == []
    store.write(lambda connection: tables.pending_rows.rest(connection, match_no, "bot", NOW))
    assert tables.pending_rows.next_due(store) is None
    store.append(match_no, commit(6, 1, projected=Projected(due=[DueRow("bot", 7)])))
    assert [d.kind for d in tables.pending_rows.claim_due(store, 7, 10)] == ["bot"]


# Rebuilding


def test_a_rebuild_replaces_what_the_log_says(store: Store):
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
        assert now == tables.stream_rows.head(store, "match-1")
        seen.append((head.match_no, rows))
        return right

    tables.projection_rows.rebuild(store, head.match_no, project)
    assert seen == [(head.match_no, tables.stream_rows.rows(store, head.match_no))]
    row = tables.match_rows.row(store, head.match_no)
    assert row is not None
    assert (row.status, row.match_id, row.created_ms) == ("finished", "match-1", head.created_ms)
    assert tables.seat_rows.of_matches(store, [head.match_no]) == {head.match_no: right.seats}
    assert tables.inbox_rows.read_turns(store, head.match_no) == right.turns
    assert [r for _, r in tables.result_rows.read_results(store, BERT)] == right.results
    assert tables.pending_rows.read_pending(store, head.match_no) == [DueRow("bot", 1)]


def test_rebuilt_seats_of_a_finished_match_are_unchanged(store: Store):
    match_no = begin(store).match_no
    over = Projected(match=match_row(status="finished", ended_ms=NOW), turns=[TurnRow(0, ANNA, 3, 1)])
    store.append(match_no, commit(3, projected=over))
    assert tables.inbox_rows.read_inbox(store, ANNA) == []
    tables.projection_rows.rebuild(store, match_no, lambda _head, _rows: Projected(seats=[SeatRow(0, "player", ANNA)]))
    assert tables.inbox_rows.read_inbox(store, ANNA) == []
    tables.projection_rows.rebuild(store, match_no, lambda _head, _rows: Projected(match=match_row()))
    assert [row.seat for row in tables.inbox_rows.read_inbox(store, ANNA)] == [0]


def test_a_rebuild_that_fails_changes_nothing(store: Store):
    head = begin(store)

    def project(_head: object, _rows: object) -> Projected:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tables.projection_rows.rebuild(store, head.match_no, project)
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

        tables.projection_rows.rebuild(store, head.match_no, project)
        assert appended[0].result(5).status == "ok"
    assert tables.inbox_rows.read_turns(store, head.match_no) == []
    other.close()


def test_match_numbers_in_order(store: Store):
    numbers = [begin(store, f"m{i}").match_no for i in range(5)]
    assert tables.stream_rows.numbers(store) == numbers
    assert tables.stream_rows.numbers(store, numbers[1], 2) == numbers[2:4]
