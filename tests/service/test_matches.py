"""Tests the application service on real databases: races, repeats, readers' views, projections and their rebuild."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from hashlib import sha256
from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import Choices, Refused
from domain.games.catalogue import GAMES
from domain.match.creation import Series
from domain.match.resignations import Resign
from events.errors import BadInvite, Conflict, NotDisclosed, NotFound, Repeated
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.service.projections import LOBBY_MS
from events.service.views import Seen
from events.store.protocol import Store
from events.store.records import Idempotency
from events.store.search_records import Search
from events.store.tables import (
    idempotency_rows,
    inbox_rows,
    invite_rows,
    match_rows,
    pending_rows,
    projection_rows,
    search_rows,
    seat_rows,
    stream_rows,
)
from tests.bound import Matches
from tests.match.table import options
from tests.store.result_rows import read_results

pytestmark = pytest.mark.both_databases

ANN, BOB, EVE = (Caller(name, f"token of {name}") for name in ("ann", "bob", "eve"))


class Machine:
    """A clock controlled by the test."""

    def __init__(self) -> None:
        self.at = 1_750_000_000_000

    def __call__(self) -> Time:
        return Time(self.at)


@pytest.fixture
def now() -> Machine:
    return Machine()


@pytest.fixture
def matches(store: Store, now: Machine) -> Matches:
    return Matches(store, now=now)


def new(*kinds: str, clock: Clock | None = None, visibility: str = "public", **chosen: object) -> NewMatch:
    places = tuple(SeatRequest(kind, "random" if kind == "bot" else None) for kind in kinds)
    given = options("hearts", target_score=20) | chosen
    return NewMatch("hearts", given, None, places, visibility, clock or Clock(), Series())


ALONE = new("me", "bot", "bot", "bot")


def legal(seen: Seen) -> Choices:
    assert seen.seat is not None
    return life.legal(seen.match, seen.seat)


def bots_play(matches: Matches, match_id: str, rng: Random) -> None:
    while seen := matches.bot_to_move(match_id):
        assert seen.seat is not None
        choices = seen.match.game.legal(seen.match.table, seen.seat)
        assert matches.bot_move(seen, choices[0].sample(rng))


def plays_out(matches: Matches, match_id: str, *callers: Caller) -> None:
    rng = Random(5)
    while True:
        bots_play(matches, match_id, rng)
        acted = False
        for caller in callers:
            seen = matches.see(match_id, caller)
            if choices := legal(seen):
                matches.move(match_id, caller, None, choices[0].sample(rng))
                acted = True
        if not acted:
            return


def key(name: str, body: str = "") -> Idempotency:
    return Idempotency(sha256(name.encode()).digest(), sha256(body.encode()).digest())


# --- Moving ---------------------------------------------------------------------------------------


def test_whole_match_can_be_played_and_read_back(matches: Matches, store: Store):
    match_id = matches.create(ANN, ALONE).match_id
    plays_out(matches, match_id, ANN)
    seen = matches.see(match_id, ANN)
    assert seen.match.status == "finished"
    fresh = Matches(store).see(match_id, ANN)  # from the log alone
    assert fresh == seen
    feed = [json.loads(event) for event in matches.feed(seen, 0)]
    assert [e["seq"] for e in feed] == list(range(1, seen.version + 1))
    assert feed[-1]["type"] == "MatchEnded"
    assert feed[-1]["digest"] == seen.head


def test_simultaneous_moves_of_two_seats_both_succeed(url: str, store: Store, now: Machine):
    """These are two processes as far as the database can tell: each move is checked against the fresh state."""
    one, other = Matches(store, now=now), Matches(store, now=now)
    match_id = one.create(ANN, new("me", "open", "bot", "bot")).match_id
    other.sit(match_id, BOB, 1)
    for round_ in range(20):
        rng = Random(round_)
        moves = [
            (service, caller, choices[0].sample(rng))
            for service, caller in ((one, ANN), (other, BOB))
            if (choices := legal(service.see(match_id, caller)))
        ]
        with ThreadPoolExecutor(2) as pool:
            done = [pool.submit(s.move, match_id, c, None, m) for s, c, m in moves]
            assert all(d.result().events for d in done)
        bots_play(one, match_id, rng)
    log = [json.loads(e) for e in one.feed(one.see(match_id, EVE), 0)]
    assert [e["seq"] for e in log] == list(range(1, len(log) + 1))


def test_concurrent_identical_moves_are_made_once(store: Store, now: Machine):
    one, other = Matches(store, now=now), Matches(store, now=now)
    match_id = one.create(ANN, ALONE).match_id
    bots_play(one, match_id, Random(0))
    move = legal(one.see(match_id, ANN))[0].sample(Random(0))

    def tries(service: Matches) -> str:
        try:
            service.move(match_id, ANN, None, move)
        except Refused as refused:
            return refused.code
        return "made"

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(tries, (one, other)))
    assert outcomes.count("made") == 1
    assert set(outcomes) & {"already_done", "wrong_phase"}


def test_refused_move_does_not_change_the_log(matches: Matches, store: Store):
    match_id = matches.create(ANN, ALONE).match_id
    head = stream_rows.head(store, match_id)
    with pytest.raises(Refused, match="wrong_phase"):
        matches.move(match_id, ANN, None, GAMES["hearts"].moves["play_card"](0))
    with pytest.raises(Refused, match="not_seated"):
        matches.move(match_id, EVE, None, Resign())
    with pytest.raises(Refused, match="not_seated"):
        matches.move(match_id, ANN, 2, Resign())
    assert stream_rows.head(store, match_id) == head


def test_a_stale_if_match_is_refused_with_the_version(matches: Matches):
    match_id = matches.create(ANN, ALONE).match_id
    with pytest.raises(Conflict) as stale:
        matches.move(match_id, ANN, None, Resign(), if_match=1)
    assert stale.value.version == matches.see(match_id, ANN).version


# --- Repeats ----------------------------------------------------------------------------------------


def test_a_repeated_move_is_answered_from_the_log(matches: Matches):
    match_id = matches.create(ANN, ALONE).match_id
    move = legal(matches.see(match_id, ANN))[0].sample(Random(0))
    done = matches.move(match_id, ANN, None, move, idempotency=key("once"))
    bots_play(matches, match_id, Random(0))  # the match goes on
    with pytest.raises((Repeated, Refused)):
        matches.move(match_id, ANN, None, move, idempotency=key("once"))
    remembered = idempotency_rows.find_key(matches.store, key("once").key_hash)
    assert remembered is not None
    assert matches.done_before(match_id, ANN, remembered) == done


def test_repeated_creation_does_not_make_a_second_match(matches: Matches):
    first = matches.create(ANN, ALONE, key("create"))
    bots_play(matches, first.match_id, Random(0))
    with pytest.raises(Repeated):
        matches.create(ANN, ALONE, key("create"))
    remembered = idempotency_rows.find_key(matches.store, key("create").key_hash)
    assert remembered is not None
    assert matches.created_before(ANN, remembered) == first


# --- Readers ------------------------------------------------------------------------------------------


def test_private_match_is_visible_only_to_players_creator_and_guests(matches: Matches):
    seen = matches.create(ANN, new("me", "open", "invite", "bot", visibility="private"))
    code = matches.invites(seen, ANN)[2]
    guest = Caller("bob", "token of bob", code)
    for stranger in (EVE, Caller(), BOB, Caller("eve", "t", "no such code")):
        with pytest.raises(NotFound):
            matches.see(seen.match_id, stranger)
    assert matches.see(seen.match_id, guest).reader == "spectators"
    matches.sit(seen.match_id, guest, 2)
    assert matches.see(seen.match_id, BOB).seat == 2
    with pytest.raises(NotFound):
        matches.see(seen.match_id, Caller("eve", "t", code))  # spent


def test_reissued_invite_invalidates_the_old_one(matches: Matches):
    seen = matches.create(ANN, new("me", "invite", "bot", "bot"))
    old = matches.invites(seen, ANN)[1]
    fresh, _ = matches.invite(seen.match_id, ANN, 1)
    assert fresh != old
    with pytest.raises(BadInvite):
        matches.sit(seen.match_id, Caller("bob", "t", old), 1)
    assert matches.sit(seen.match_id, Caller("bob", "t", fresh), 1).seat == 1


def test_database_contains_no_invite_code(matches: Matches, store: Store):
    seen = matches.create(ANN, new("me", "invite", "bot", "bot"))
    code = matches.invites(seen, ANN)[1]
    assert code is not None
    assert invite_rows.read_invites(store, seen.match_no) == {1: sha256(code.encode()).digest()}


def replayed(matches: Matches, match_id: str, caller: Caller, version: int | None, seat: str | None) -> Seen:
    past = matches.past(match_id, caller)
    return matches.replay(past, version or past.head.version, seat)


def test_table_of_another_seat_is_disclosed_hand_by_hand(matches: Matches):
    match_id = matches.create(ANN, new("me", "bot", "bot", "bot", target_score=60)).match_id
    dealt = matches.see(match_id, ANN).version
    with pytest.raises(NotDisclosed):
        replayed(matches, match_id, ANN, dealt, "1")
    with pytest.raises(NotDisclosed):
        replayed(matches, match_id, ANN, None, "all")
    plays_out(matches, match_id, ANN)
    every = replayed(matches, match_id, EVE, dealt, "all").match
    assert [len(hand) for hand in every.table.hands] == [13] * 4
    assert all(card >= 0 for hand in every.table.hands for card in hand)
    assert replayed(matches, match_id, EVE, dealt, "1").match.table.hands[1] == every.table.hands[1]
    assert replayed(matches, match_id, EVE, dealt, "1").match.table.hands[2] == (-1,) * 13


def test_replay_shows_the_table_at_its_version(matches: Matches):
    match_id = matches.create(ANN, ALONE).match_id
    tables = {(seen := matches.see(match_id, ANN)).version: seen}
    rng = Random(3)
    while seen.match.status == "playing":
        bots_play(matches, match_id, rng)
        seen = matches.see(match_id, ANN)
        tables[seen.version] = seen
        if choices := legal(seen):
            matches.move(match_id, ANN, None, choices[0].sample(rng))
            seen = matches.see(match_id, ANN)
            tables[seen.version] = seen
    for version, then in tables.items():
        assert replayed(matches, match_id, ANN, version, None) == then


# --- Time -----------------------------------------------------------------------------------------------


def test_a_lobby_expires_after_thirty_days(matches: Matches, store: Store, now: Machine):
    match_id = matches.create(ANN, new("me", "open", "bot", "bot")).match_id
    now.at += LOBBY_MS - 1
    assert matches.settle(match_id) == 0
    now.at += 1
    assert matches.settle(match_id) == 1
    assert matches.see(match_id, ANN).match.status == "expired"
    assert pending_rows.read_pending(store, matches.see(match_id, ANN).match_no) == []


def test_overdue_decisions_are_settled_once(matches: Matches, now: Machine):
    match_id = matches.create(ANN, new("me", "bot", "bot", "bot", clock=Clock(60))).match_id
    now.at += 59_999
    assert matches.settle(match_id) == 0
    now.at += 1
    assert matches.settle(match_id) == 1
    assert matches.settle(match_id) == 0
    causes = [(e["type"], e["cause"]) for e in map(json.loads, matches.feed(matches.see(match_id, EVE), 0))]
    assert causes.count(("DecisionTimedOut", "timeout")) == 1
    assert ("PassChosen", "timeout") in causes


# --- Projections -------------------------------------------------------------------------------------------


def projected(store: Store, match_no: int) -> list[object]:
    """Return all projections of a match, except pending work, whose leases are not stored in the log."""
    row = match_rows.row(store, match_no)
    assert row is not None
    results = [r for player in ("ann", "bob") for r in read_results(store, player)]
    return [
        asdict(row),
        seat_rows.of_matches(store, [match_no])[match_no],
        inbox_rows.read_turns(store, match_no),
        results,
    ]


@pytest.mark.parametrize("played", ["lobby", "begun", "finished"])
def test_rebuild_produces_the_same_rows(matches: Matches, store: Store, now: Machine, played: str):
    match_id = matches.create(ANN, new("me", "open", "bot", "bot", clock=Clock(3600))).match_id
    now.at += 777
    if played != "lobby":
        matches.sit(match_id, BOB, 1)
        now.at += 777
        bots_play(matches, match_id, Random(0))
    if played == "finished":
        plays_out(matches, match_id, ANN, BOB)
    match_no = matches.see(match_id, ANN).match_no
    before = projected(store, match_no)
    projection_rows.rebuild(store, match_no, matches.projected)
    assert projected(store, match_no) == before


def test_inbox_and_lists_follow_the_moves(matches: Matches, store: Store):
    match_id = matches.create(ANN, ALONE).match_id
    assert [row.match_id for row in inbox_rows.read_inbox(store, "ann")] == [match_id]
    assert inbox_rows.read_inbox(store, "bob") == []
    plays_out(matches, match_id, ANN)
    assert inbox_rows.read_inbox(store, "ann") == []
    (row,) = search_rows.find_matches(store, None, Search(status="finished")).rows
    assert row.match_id == match_id
    assert row.started_ms is not None
    assert row.ended_ms is not None
    ((found, result),) = read_results(store, "ann")
    assert found == match_id
    assert result.place in (1, 2, 3, 4)


def test_pending_work_remains_until_it_is_done(matches: Matches, store: Store):
    seen = matches.create(ANN, ALONE)
    assert [row.kind for row in pending_rows.read_pending(store, seen.match_no)] == ["bot"]
    bots_play(matches, seen.match_id, Random(0))
    assert pending_rows.read_pending(store, seen.match_no) == []
