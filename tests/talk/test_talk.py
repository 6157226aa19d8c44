"""Tests the chat at a table and private notes, in the store."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from events.errors import Gone, Repeated
from events.operations.erasure import erase_player
from events.store.protocol import Store
from events.store.records import Projected
from events.store.tables import idempotency_rows, player_rows, projection_rows
from events.talk import messages as talk
from events.talk.messages import Changed, Message, TooFast
from tests.store.commits import ANNA, BERT, NOW, begin, key, match_row

pytestmark = pytest.mark.both_databases

CARA = "cara-3456789012345678"
MINUTE = 60_000


@pytest.fixture
def table(store: Store) -> int:
    """Return the number of a match of three people who know each other."""
    for n, player in enumerate((ANNA, BERT, CARA)):
        player_rows.add_player(store, player, player[:4], bytes([n]) * 32, NOW)
    return begin(store, seats=(ANNA, BERT, CARA)).match_no


def said(store: Store, table: int, after: int = 0) -> list[Message]:
    return talk.messages_changed_after(store, table, after, 1_000)


def texts(store: Store, table: int) -> dict[int, str | None]:
    return {m.no: m.text for m in said(store, table)}


# Chat


def test_messages_are_numbered_from_one_in_each_match(store: Store, table: int):
    other = begin(store, "match-2").match_no
    first = talk.say(store, table, talk.Speaker(0, ANNA), "Hello", NOW, None)
    talk.say(store, other, talk.Speaker(1, BERT), "Elsewhere", NOW, None)
    second = talk.say(store, table, talk.Speaker(1, BERT), "Hello Anna", NOW + 5, None)
    assert said(store, table) == [first, second]
    assert (first.no, second.no, second.seat, second.player_id, second.at_ms) == (1, 2, 1, BERT, NOW + 5)
    assert talk.changes(store, [table, other, 99]) == {table: 2, other: 1}


def test_deleted_message_is_listed_again_without_its_text(store: Store, table: int):
    for text in ("one", "two", "three"):
        talk.say(store, table, talk.Speaker(0, ANNA), text, NOW)
    talk.unsay_one(store, table, 2, BERT, NOW + 9)
    gone = Message(2, 4, 0, ANNA, NOW, None, NOW + 9, BERT)
    assert said(store, table, after=3) == [gone]
    assert [m.no for m in said(store, table)] == [1, 3, 2]
    talk.unsay_one(store, table, 2, ANNA, NOW + 99)
    talk.unsay_one(store, table, 7, ANNA, NOW + 99)
    assert talk.message(store, table, 2) == gone
    assert talk.changes(store, [table]) == {table: 4}


def test_concurrent_messages_and_deletions_leave_no_gaps(store: Store, table: int):
    done, seen = Event(), list[Message]()

    def follow() -> None:
        while not done.is_set() or said(store, table, seen[-1].change if seen else 0):
            seen.extend(said(store, table, seen[-1].change if seen else 0))

    def talks(player: str) -> Iterator[int]:
        for n in range(12):
            spoken = talk.say(store, table, talk.Speaker(0, player), f"{player} {n}", NOW)
            if n % 3 == 0:
                talk.unsay_one(store, table, spoken.no, player, NOW)
            yield spoken.no

    with ThreadPoolExecutor(4) as pool:
        reader = pool.submit(follow)
        numbers = list(pool.map(lambda player: list(talks(player)), (ANNA, BERT, CARA)))
        done.set()
        reader.result()
    assert sorted(no for of_player in numbers for no in of_player) == list(range(1, 37))
    assert sorted(m.no for m in said(store, table)) == list(range(1, 37))
    changes = [m.change for m in seen]
    assert changes == sorted(changes)
    assert talk.changes(store, [table]) == {table: 36 + 12}
    last = {m.no: m for m in seen}
    assert sorted(last.values(), key=lambda m: m.no) == sorted(said(store, table), key=lambda m: m.no)
    assert sum(m.text is None for m in last.values()) == 12


def test_too_many_messages_are_refused_with_the_time_to_wait(store: Store, table: int):
    for n in range(talk.MOST_A_MINUTE):
        talk.say(store, table, talk.Speaker(0, ANNA), f"{n}", NOW + n * 1000)
    with pytest.raises(TooFast) as refused:
        talk.say(store, table, talk.Speaker(0, ANNA), "more", NOW + 20_500)
    assert refused.value.seconds == 40
    assert talk.say(store, table, talk.Speaker(1, BERT), "I may", NOW + 20_500).no == 21
    talk.unsay_one(store, table, 1, ANNA, NOW + 20_500)
    with pytest.raises(TooFast):
        talk.say(store, table, talk.Speaker(0, ANNA), "what is deleted counts too", NOW + 59_999)
    assert talk.say(store, table, talk.Speaker(0, ANNA), "again", NOW + MINUTE).no == 22


def test_concurrent_messages_respect_the_limit(store: Store, table: int):
    def one(n: int) -> int | None:
        try:
            return talk.say(store, table, talk.Speaker(0, ANNA), f"{n}", NOW).no
        except TooFast:
            return None

    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(one, range(30)))
    assert sorted(no for no in numbers if no is not None) == list(range(1, 21))


def test_message_sent_twice_appears_once(store: Store, table: int):
    def one(_: int) -> int | None:
        try:
            return talk.say(store, table, talk.Speaker(0, ANNA), "Hello", NOW, key("k")).no
        except Repeated:
            return None

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(8)), key=str) == [1, *[None] * 7]
    remembered = idempotency_rows.find_key(store, key("k").key_hash)
    assert remembered is not None
    assert (remembered.match_no, remembered.first) == (table, 1)


def test_repeated_message_does_not_count_towards_the_limit(store: Store, table: int):
    for n in range(talk.MOST_A_MINUTE):
        talk.say(store, table, talk.Speaker(0, ANNA), f"{n}", NOW, key(f"{n}"))
    with pytest.raises(Repeated):
        talk.say(store, table, talk.Speaker(0, ANNA), "19", NOW, key("19"))
    with pytest.raises(TooFast):
        talk.say(store, table, talk.Speaker(0, ANNA), "20", NOW, key("20"))
    assert idempotency_rows.find_key(store, key("20").key_hash) is None


# Notes


def test_notes_are_one_text_per_player_and_match(store: Store, table: int):
    other = begin(store, "match-2").match_no
    for match_no, player, text in (
        (table, ANNA, "a"),
        (table, BERT, "b"),
        (other, ANNA, "c"),
        (table, ANNA, "d"),
    ):
        talk.note(store, match_no, player, text, NOW, lambda _: True)
    found = [talk.notes_of_player(store, *of) for of in ((table, ANNA), (table, BERT), (other, ANNA), (other, BERT))]
    assert [n and n.text for n in found] == ["d", "b", "c", None]
    talk.note(store, table, ANNA, None, NOW, lambda _: True)
    assert talk.notes_of_player(store, table, ANNA) is None
    assert talk.notes_of_player(store, table, BERT) is not None


def test_one_of_many_concurrent_first_notes_succeeds(store: Store, table: int):
    def one(n: int) -> str | None:
        try:
            talk.note(store, table, ANNA, f"{n}", NOW, lambda there: there is None)
        except Changed:
            return None
        return f"{n}"

    with ThreadPoolExecutor(4) as pool:
        (written,) = [text for text in pool.map(one, range(12)) if text is not None]
    kept = talk.notes_of_player(store, table, ANNA)
    assert kept is not None
    assert kept.text == written


# Erasing a player, rebuilding


def test_erasing_a_player_deletes_their_messages_and_notes(store: Store, table: int):
    other = begin(store, "match-2").match_no
    for match_no, player in ((table, ANNA), (table, BERT), (table, ANNA), (other, ANNA), (table, ANNA)):
        talk.say(store, match_no, talk.Speaker(0, player), "text", NOW)
        talk.note(store, match_no, player, "note", NOW, lambda _: True)
    talk.unsay_one(store, table, 1, CARA, NOW + 1)
    erase_player(store, ANNA, NOW + 2)
    assert texts(store, table) == {1: None, 2: "text", 3: None, 4: None}
    assert texts(store, other) == {1: None}
    assert [(m.no, m.deleted_ms, m.deleted_by) for m in said(store, table, after=4)] == [
        (1, NOW + 1, CARA), (3, NOW + 2, ANNA), (4, NOW + 2, ANNA),
    ]  # fmt: skip
    assert [m.change for m in said(store, table, after=4)] == [5, 6, 7]
    assert talk.changes(store, [table, other]) == {table: 7, other: 2}
    assert [talk.notes_of_player(store, no, ANNA) for no in (table, other)] == [None, None]
    assert talk.notes_of_player(store, table, BERT) is not None


def test_player_erased_during_a_chat_leaves_no_messages(store: Store, table: int):
    def talks(n: int) -> bool:
        try:
            talk.say(store, table, talk.Speaker(0, ANNA), f"{n}", NOW + n * MINUTE)
            talk.note(store, table, ANNA, f"{n}", NOW, lambda _: True)
        except Gone:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        spoken = [pool.submit(talks, n) for n in range(20)]
        spoken[3].result()
        pool.submit(erase_player, store, ANNA, NOW)
    assert not talks(99)
    assert set(texts(store, table).values()) == {None}
    assert talk.notes_of_player(store, table, ANNA) is None
    assert list(texts(store, table)) == list(range(1, len(texts(store, table)) + 1))


def test_rebuild_keeps_messages(store: Store, table: int):
    talk.say(store, table, talk.Speaker(0, ANNA), "Hello", NOW)
    talk.note(store, table, ANNA, "note", NOW, lambda _: True)
    before = said(store, table), talk.notes_of_player(store, table, ANNA), talk.changes(store, [table])
    projection_rows.rebuild(
        store, table, lambda _head, _rows: Projected(match=match_row(status="finished", ended_ms=NOW))
    )
    assert (said(store, table), talk.notes_of_player(store, table, ANNA), talk.changes(store, [table])) == before
