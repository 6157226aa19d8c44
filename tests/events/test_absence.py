"""Absence in matches that are stored: outages, vacations, deadlines settled once; and what the log says of it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from domain import match as life
from domain.clock import DAY, HOUR, Clock, Time
from domain.game import Refused
from domain.match_events import ClockCredited, DecisionTimedOut, Series
from domain.vacation import DAY_MS, Vacation, begun, ended
from events import log
from events.audit import audit
from events.matches import Caller, Matches, NewMatch, Place
from events.store import Unavailable
from tests.domain.table import options

NAMES = ("ann", "bob", "eve", "joe")
ANN = Caller("ann", "token of ann")
START = 1_750_000_000_000
MAIL = Clock(per_decision_seconds=HOUR, bank_seconds=HOUR, vacation=True)
HOUR_MS = 1000 * HOUR


class Machine:
    """A clock that a test sets."""

    at = START

    def __call__(self):
        return Time(self.at)

    def passes(self, hours):
        self.at += round(hours * HOUR_MS)


@pytest.fixture
def now():
    return Machine()


@pytest.fixture
def matches(store, now):
    for name in NAMES:
        store.add_player(name, name.title(), name.encode() * 8, START)
    return Matches(store, now=now)


@pytest.fixture
def begin(matches):
    """Create a match between people, or between Ann and bots; its id."""

    def begin(clock=MAIL, people=1, **chosen):
        places = (Place("me"), *[Place("open")] * (people - 1), *[Place("bot", "random")] * (4 - people))
        given = options("hearts", target_score=20) | chosen
        seen = matches.create(ANN, NewMatch("hearts", given, None, places, "public", clock, Series()))
        for seat, name in enumerate(NAMES[1:people], 1):
            matches.sit(seen.match_id, Caller(name, f"token of {name}"), seat)
        return seen.match_id

    return begin


def happened(matches, match_id, *kinds):
    """The events of these types, as the server knows them."""
    _, rows = matches.store.load(match_id)
    assert audit(matches.store, match_id).ok
    return [event for event in log.events(rows, "hearts", 4) if type(event) in kinds]


def passes(matches, match_id, caller=ANN, if_match=None):
    seen = matches.see(match_id, caller)
    move = seen.match.game.default(seen.match.table, seen.seat)
    return matches.move(match_id, caller, seen.seat, move, if_match)


def deadline(matches, match_id, seat=0):
    return (matches.see(match_id, ANN).match.asked[seat] - START) / HOUR_MS


# --- Outages ----------------------------------------------------------------------------------------------


def test_nobody_times_out_while_no_scheduler_ran(store, matches, begin, now):
    store.beat(START)
    match_id = begin(Clock(per_decision_seconds=2 * HOUR))
    now.passes(5)
    store.beat(now())
    assert store.outages(START, now()) == [(START, now())]
    assert matches.settle(match_id) == 1
    assert happened(matches, match_id, ClockCredited, DecisionTimedOut) == [
        ClockCredited(0, 5 * HOUR, "outage", Time(START + 7 * HOUR_MS))
    ]
    assert matches.settle(match_id) == 0
    for _ in range(180):
        now.passes(2 / 180)
        store.beat(now())
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_what_was_due_before_the_gap_is_settled_on_return(store, matches, begin, now):
    store.beat(START)
    match_id = begin(Clock(per_decision_seconds=30))
    for _ in range(2):
        now.passes(45 / 3600)
        store.beat(now())
    now.passes(5)
    store.beat(now())
    assert len(store.outages(START, now())) == 1
    matches.settle(match_id)
    assert happened(matches, match_id, ClockCredited) == []
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_a_gap_of_a_minute_is_none(store, matches, now):
    store.beat(START)
    now.passes(1 / 60)
    store.beat(now())
    assert store.outages(0, now()) == []


def test_a_short_deadline_in_a_long_gap_is_no_exception(store, matches, begin, now):
    store.beat(START)
    match_id = begin(Clock(per_decision_seconds=30))
    now.passes(3)
    assert matches.settle(match_id) == 1  # before the scheduler is back
    assert happened(matches, match_id, DecisionTimedOut) == []
    assert deadline(matches, match_id) == pytest.approx(3 + 30 / 3600)


@pytest.mark.parametrize("after", [1.5, 5])
def test_a_players_own_request_that_comes_first_finds_its_time_unspent(after, store, matches, begin, now):
    store.beat(START)
    match_id = begin()
    version = matches.see(match_id, ANN).version
    now.passes(after)
    if after > 2:
        store.beat(now())
    passes(matches, match_id, if_match=version if after < 2 else None)
    assert [credit.why for credit in happened(matches, match_id, ClockCredited)] == ["outage"]
    assert matches.see(match_id, ANN).match.banks[0].left == HOUR_MS


def test_time_that_is_used_is_charged(store, matches, begin, now):
    match_id = begin()
    for _ in range(180):
        now.passes(1.5 / 180)
        store.beat(now())
    passes(matches, match_id)
    assert happened(matches, match_id, ClockCredited) == []
    assert matches.see(match_id, ANN).match.banks[0].left == HOUR_MS / 2


# --- Once and only once -----------------------------------------------------------------------------------


def test_two_workers_settle_a_deadline_once(store, matches, begin, now):
    match_id = begin(people=4, clock=Clock(per_decision_seconds=HOUR))
    now.passes(10)
    workers = [Matches(store, now=now) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda worker: worker.settle(match_id), workers)) == 4
    timed_out = happened(matches, match_id, DecisionTimedOut)
    assert sorted(event.seat for event in timed_out) == [0, 1, 2, 3]


def test_a_simultaneous_phase_expires_seat_by_seat(matches, begin, now):
    match_id = begin(people=4, clock=Clock(per_decision_seconds=HOUR))
    passes(matches, match_id, Caller("bob", ""))
    now.passes(1)
    assert matches.settle(match_id) == 3
    assert [event.seat for event in happened(matches, match_id, DecisionTimedOut)] == [0, 2, 3]
    assert matches.see(match_id, ANN).match.defaults == (1, 0, 1, 1)


def test_the_deadlines_of_a_match_are_settled_in_their_order(store, matches, begin, now):
    match_id = begin(people=4)
    for name in NAMES:
        store.set_auto_vacation(name, False)
    store.take_vacations("ann", lambda a: begun(a, now(), Time(now() + DAY_MS)))
    store.take_vacations("bob", lambda a: begun(a, now(), Time(now() + 3 * HOUR_MS)))
    now.passes(2)
    assert matches.settle(match_id) == 4
    now.passes(30)
    matches.settle(match_id)
    assert [event.seat for event in happened(matches, match_id, DecisionTimedOut)] == [2, 3, 1, 0]


# --- Vacations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "left"), [(3, 30), (1, 100), (2, 1)])
def test_a_vacation_moves_a_deadline_by_all_of_its_time(days, left, store, matches, begin, now):
    match_id = begin(Clock(per_decision_seconds=left * HOUR, vacation=True))
    store.set_auto_vacation("ann", False)
    store.take_vacations("ann", lambda a: begun(a, now(), Time(now() + days * DAY_MS)))
    while not happened(matches, match_id, DecisionTimedOut):
        assert now() - START < 300 * HOUR_MS
        now.at = int(matches.see(match_id, ANN).match.asked[0])
        matches.settle(match_id)
    assert (now() - START) / HOUR_MS == 24 * days + left


def test_a_deadline_that_falls_into_a_vacation_moves_day_by_day(store, matches, begin, now):
    match_id = begin()
    store.take_vacations("ann", lambda a: begun(a, now(), Time(now() + 2 * DAY_MS)))
    now.passes(2)
    assert matches.settle(match_id) == 1
    assert deadline(matches, match_id) == 26
    now.passes(1)
    with pytest.raises(Refused):
        store.take_vacations("ann", lambda a: begun(a, now(), Time(now() + DAY_MS)))
    now.passes(23)
    assert matches.settle(match_id) == 1
    assert deadline(matches, match_id) == 50
    now.passes(24)
    store.set_auto_vacation("ann", False)
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_who_comes_back_early_has_gained_nothing(store, matches, begin, now):
    match_id = begin()
    store.take_vacations("ann", lambda a: begun(a, now(), Time(now() + 5 * DAY_MS)))
    now.passes(3)
    matches.settle(match_id)
    back = store.take_vacations("ann", lambda a: ended(a, now()))
    assert back.taken == (Vacation(Time(START), Time(START + DAY_MS), Time(START + DAY_MS)),)
    assert deadline(matches, match_id) == 26


def test_a_player_on_vacation_may_move_and_is_not_charged(store, matches, begin, now):
    match_id = begin()
    now.passes(0.5)
    store.take_vacations("ann", lambda a: begun(a, now(), Time(now() + DAY_MS)))
    now.passes(1)
    passes(matches, match_id)
    assert [credit.seconds for credit in happened(matches, match_id, ClockCredited)] == [HOUR]
    assert matches.see(match_id, ANN).match.banks[0].left == HOUR_MS


def test_at_flag_fall_a_day_is_taken_by_itself(store, matches, begin, now):
    match_id = begin()
    now.passes(2)
    assert matches.settle(match_id) == 1
    assert happened(matches, match_id, ClockCredited) == [
        ClockCredited(0, DAY, "vacation", Time(START + 2 * HOUR_MS + DAY_MS))
    ]
    assert store.away(["ann", "bob"], now()) == {"ann": now() + DAY_MS}


@pytest.mark.parametrize("why", ["opted out", "not allowed", "none left", "erased"])
def test_a_day_is_not_taken(why, store, matches, begin, now):
    match_id = begin(Clock(per_decision_seconds=2 * HOUR) if why == "not allowed" else MAIL)
    if why == "opted out":
        store.set_auto_vacation("ann", False)
    if why == "none left":
        store.take_vacations("ann", lambda a: begun(a, Time(START - 7 * DAY_MS), Time(START)))
    if why == "erased":
        store.erase_player("ann", now())
    now.passes(2)
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1
    assert store.away(["ann"], now()) == {}


def test_a_worker_that_dies_between_taking_the_day_and_saying_so_costs_no_other(
    store, matches, begin, now, monkeypatch
):
    store.take_vacations("ann", lambda a: begun(a, Time(START - 6 * DAY_MS), Time(START)))
    match_id = begin()
    now.passes(2)
    with monkeypatch.context() as broken:
        broken.setattr(store, "append", _dies)
        with pytest.raises(Unavailable):
            matches.settle(match_id)
    assert matches.settle(match_id) == 1
    assert deadline(matches, match_id) == 26
    assert len(store.allowance("ann").taken) == 2


def _dies(*args):
    raise Unavailable


def test_one_day_serves_all_matches(store, matches, begin, now):
    ids = [begin() for _ in range(5)]
    now.passes(2)
    workers = [Matches(store, now=now) for _ in ids]
    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(lambda w, match_id: w.settle(match_id), workers, ids)) == [1] * 5
    assert len(store.allowance("ann").taken) == 1
    assert {deadline(matches, match_id) for match_id in ids} == {26}


def test_requests_at_once_cannot_overdraw_the_pool(store, matches, now):
    def ask(i):
        start = Time(now() + i * 4 * DAY_MS)
        try:
            store.take_vacations("bob", lambda a: begun(a, start, Time(start + 4 * DAY_MS)))
        except Refused as refused:
            return refused.code
        return "taken"

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, [0] * 8))
    assert sorted(answers) == ["on_vacation"] * 7 + ["taken"]
    assert len(store.allowance("bob").taken) == 1


# --- Nobody comes -----------------------------------------------------------------------------------------


def test_a_match_that_nobody_ever_played_is_abandoned_and_disclosed(matches, begin, now):
    match_id = begin(people=4, clock=Clock(per_decision_seconds=HOUR, max_defaults=2))
    while not matches.see(match_id, ANN).match.over:
        now.passes(1)
        matches.settle(match_id)
    seen = matches.see(match_id, ANN)
    assert (seen.match.status, seen.match.result) == ("abandoned", None)
    assert life.disclosed(seen.match) >= {0, 1}
    assert audit(matches.store, match_id).ok
    assert matches.store.due_rows(seen.match_no) == []
    assert matches.replay(matches.past(match_id, ANN), seen.version, "all").match.table is not None
