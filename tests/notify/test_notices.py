"""Tests notifications from the log: each once, in order, without secrets."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain import match as life
from domain.core.cards import BACK
from domain.core.clock import Clock, Time
from domain.match.creation import Series
from domain.match.take_backs import GrantTakeBack, RefuseTakeBack, RequestTakeBack
from domain.match.vacation_days import DAY_MS
from events.follow.follower import SKIP_MS, Follower
from events.notify import ledger
from events.notify.handler import NoticeHandler
from events.notify.notices import (
    ASKED,
    DEADLINE_NEAR,
    INVITED,
    MATCH_OVER,
    MATCH_STARTED,
    ORDER_FAILED,
    YOUR_TURN,
    Notice,
    payload,
)
from events.service import vacations
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.store.follow_records import START
from events.store.tables import checkpoint_rows, inbox_rows, outage_rows, stream_rows
from tests.match.table import options
from tests.notify.log import follow, noted
from tests.worked import worked
from workers.tasks import deadline_tasks

DAY = 24 * 3600
HOUR_MS = 3_600_000


def kinds(store, player="ann"):
    return [notice.kind for notice in noted(store, player)]


def test_checkpoint_moves_on_without_a_listener_and_sends_nothing(store, table, now):
    table()
    follower = Follower(store, NoticeHandler(store, now=now), now=now)
    assert follower.step() is None
    assert noted(store) == []
    assert checkpoint_rows.read_position(store, NoticeHandler.name) > START
    at = checkpoint_rows.read_position(store, NoticeHandler.name)
    now.passes(SKIP_MS - 1)
    table()
    assert follower.step() is None
    assert checkpoint_rows.read_position(store, NoticeHandler.name) == at


@pytest.mark.both_databases
def test_players_are_notified_of_their_turn_at_the_start(store, office, hook, table):
    hook("ann"), hook("ben")
    match_id = table()
    office.look()
    for player, seat in (("ann", 0), ("ben", 1)):
        started, turn = noted(store, player)
        assert (started.kind, turn.kind) == (MATCH_STARTED, YOUR_TURN)
        assert (turn.seat, turn.match_id, turn.game) == (seat, match_id, "hearts")
        assert turn.version == stream_rows.head(store, match_id).version
    assert noted(store, "cat") == []


def test_turn_notification_is_not_repeated_when_others_pass_cards(store, office, hook, table, plays):
    hook("ann")
    match_id = table()
    for seat in (1, 2, 3):
        plays(match_id, seat)
    office.look()
    assert kinds(store) == [MATCH_STARTED, YOUR_TURN]


def test_each_turn_before_the_notifier_ran_is_notified_once(store, office, hook, table, plays, matches):
    hook("ann")
    match_id = table()
    turns = 1
    for _ in range(4 + 12):
        waited = set(life.to_act(matches.see(match_id, Caller("ann", "token")).match))
        made = plays(match_id)
        turns += 0 in made.to_act and (0 not in waited or len(waited) == 1)
    office.look()
    assert turns > 3
    assert kinds(store).count(YOUR_TURN) == turns


def test_turns_of_bots_are_not_notified_and_the_end_comes_last(store, office, hook, begin, at_work, plays, matches):
    from workers.tasks.bot_turn_tasks import play_bot_turns

    hook("ann")
    match_id = begin("me", "bot", "bot", "bot").match_id
    while not (m := matches.see(match_id, Caller("ann", "token")).match).over:
        plays(match_id) if 0 in life.to_act(m) else play_bot_turns(at_work, match_id)
    while office.look() or len(noted(store)) == 0 or kinds(store)[-1] != MATCH_OVER:
        pass
    assert kinds(store).count(MATCH_OVER) == 1
    assert kinds(store)[-1] == MATCH_OVER
    assert {notice.player_id for notice in noted(store)} == {"ann"}


@pytest.mark.both_databases
def test_several_or_restarted_followers_notify_everything_once(store, hook, table, plays, now):
    followers = [Follower(store, NoticeHandler(store, now=now), now=now) for _ in range(2)]
    hook("ann")
    match_id = table()
    for _ in range(12):
        plays(match_id)
        follow(store, *(follower.step for follower in followers))
    once = noted(store)
    checkpoint_rows.save_position(store, NoticeHandler.name, START)
    follow(store, Follower(store, NoticeHandler(store, now=now), now=now).step)
    assert noted(store) == once
    assert len({notice.notice_id for notice in once}) == len(once)


@pytest.mark.both_databases
def test_follower_killed_during_a_page_has_sent_nothing(store, hook, table, now, monkeypatch):
    hook("ann")
    table()
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "set_alarms", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            follow(store, Follower(store, NoticeHandler(store, now=now), now=now).step)
    assert noted(store) == []
    follow(store, Follower(store, NoticeHandler(store, now=now), now=now).step)
    assert kinds(store) == [MATCH_STARTED, YOUR_TURN]


def test_unreadable_match_does_not_delay_other_notifications(store, hook, table, now, monkeypatch, caplog):
    hook("ann")
    bad, good = table(), table()
    written = NoticeHandler._handle_commit
    monkeypatch.setattr(
        NoticeHandler,
        "_handle_commit",
        lambda self, no, match_id, *r: written(self, no, match_id, *r) if match_id == good else 1 / 0,
    )
    follow(store, Follower(store, NoticeHandler(store, now=now), now=now).step)
    assert {notice.match_id for notice in noted(store)} == {good}
    assert bad in caplog.text


def test_webhook_gets_notifications_from_its_creation_on(store, office, hook, table, now):
    early = table()
    now.passes(60_000)
    hook("ann")
    late = table()
    checkpoint_rows.save_position(store, NoticeHandler.name, START)
    office.look()
    assert {notice.match_id for notice in noted(store)} == {late} != {early}


def test_only_players_with_a_reserved_seat_are_notified_of_an_invitation(store, office, hook, matches):
    for player in ("ann", "ben", "cat"):
        hook(player)
    places = (
        SeatRequest("me", player="ann"),
        SeatRequest("invite", player="ben"),
        SeatRequest("invite"),
        SeatRequest("open"),
    )
    new = NewMatch("hearts", options("hearts"), None, places, "private", Clock(), Series())
    match_id = matches.create(Caller("ann", "token"), new).match_id
    office.look()
    (written,) = noted(store)
    assert (written.player_id, written.kind, written.match_id, written.seat) == ("ben", INVITED, match_id, 1)
    matches.sit(match_id, Caller("ben", "token"), 1)
    office.look()
    assert len(noted(store)) == 1


def test_takeback_request_notifies_each_asked_player_once(store, office, hook, table, plays, matches):
    for player in ("ann", "ben", "cat", "dan"):
        hook(player)
    match_id = table(take_backs=True)
    for _ in range(4):
        plays(match_id)
    (seat,) = life.to_act(matches.see(match_id, Caller("ann", "token")).match)
    plays(match_id)
    office.look()
    names = ("ann", "ben", "cat", "dan")

    def command(seat, what):
        matches.move(match_id, Caller(names[seat], "token"), seat, what)
        office.look()

    command(seat, RequestTakeBack())
    others = [other for other in range(4) if other != seat]
    version = stream_rows.head(store, match_id).version
    asked = [n for n in noted(store) if n.kind == ASKED]
    assert sorted((n.player_id, n.seat, n.version) for n in asked) == [(names[s], s, version) for s in others]
    requests = {s: [row for row in inbox_rows.read_inbox(store, names[s]) if row.asked] for s in range(4)}
    assert [len(requests[s]) for s in range(4)] == [int(s != seat) for s in range(4)]
    command(others[0], GrantTakeBack())
    assert not [row for row in inbox_rows.read_inbox(store, names[others[0]]) if row.asked]
    command(others[1], RefuseTakeBack())
    assert not [row for name in names for row in inbox_rows.read_inbox(store, name) if row.asked]
    assert len([n for n in noted(store) if n.kind == ASKED]) == 3


# --- Deadlines ----------------------------------------------------------------------------------------


def test_deadline_notification_is_half_a_day_before_by_default(store, office, hook, table, now):
    hook("ann"), hook("ben")
    ledger.set_near_seconds(store, "ben", 3600)
    table(clock=Clock(per_decision_seconds=2 * DAY))
    office.look()
    now.passes(1000 * (2 * DAY - 12 * 3600) - 1_000)
    office.look()
    assert DEADLINE_NEAR not in kinds(store, "ann")
    now.passes(1_000)
    office.look(), office.look()
    (near,) = [notice for notice in noted(store, "ann") if notice.kind == DEADLINE_NEAR]
    (turn,) = [notice for notice in noted(store, "ann") if notice.kind == YOUR_TURN]
    assert (near.version, near.deadline_ms) == (turn.version, turn.deadline_ms)
    assert DEADLINE_NEAR not in kinds(store, "ben")
    now.passes(11 * 3600 * 1000)
    office.look()
    assert kinds(store, "ben").count(DEADLINE_NEAR) == 1
    assert kinds(store, "ann").count(DEADLINE_NEAR) == 1


@pytest.mark.parametrize("near_already", [False, True])
def test_webhook_added_after_a_turn_began_still_gets_its_deadline(store, office, hook, table, now, near_already):
    hook("zoe")
    table(clock=Clock(per_decision_seconds=7 * DAY))
    office.look()
    now.passes(1000 * (7 * DAY - 3600 if near_already else DAY))
    hook("ann")
    office.look()
    now.passes(1000 * (0 if near_already else 6 * DAY - 3600))
    for _ in range(3):
        office.look()
    assert kinds(store) == [DEADLINE_NEAR]
    (turn,) = inbox_rows.read_inbox(store, "ann")
    assert noted(store, "ann")[0].deadline_ms == turn.deadline_ms


def test_new_webhook_repeats_no_earlier_notifications(store, office, hook, table, now):
    hook("ann")
    table(clock=Clock(per_decision_seconds=2 * DAY))
    office.look()
    now.passes(1000 * (2 * DAY - 3600))
    office.look(), office.look()
    hook("ann", mark="2")
    office.look(), office.look()
    assert kinds(store).count(DEADLINE_NEAR) == 1


def near(store, player="ann"):
    return [notice.deadline_ms for notice in noted(store, player) if notice.kind == DEADLINE_NEAR]


@pytest.fixture
def passes(now, at_work, office):
    """Let hours pass; in each, the scheduler settles due work, and the notifier runs."""

    def passes(hours, match_id):
        for _ in range(hours):
            now.passes(HOUR_MS)
            deadline_tasks.settle(at_work, match_id)
            office.look(), office.look()

    return passes


@pytest.mark.both_databases
def test_notifications_name_the_deadline_that_a_vacation_has_moved(store, office, hook, table, matches, now, passes):
    hook("ann"), hook("ben")
    began = now()
    vacations.begin_vacation(matches, "ann", Time(began + 3 * DAY_MS), None)
    match_id = table(clock=Clock(per_decision_seconds=2 * DAY, vacation=True))
    office.look()
    turns = {player: noted(store, player)[-1].deadline_ms - began for player in ("ann", "ben")}
    assert turns == {"ann": 5 * DAY_MS, "ben": 2 * DAY_MS}
    passes(36, match_id)
    assert (near(store), near(store, "ben")) == ([], [began + 2 * DAY_MS])
    passes(4 * 24 + 11 - 36, match_id)
    assert near(store) == []
    passes(1, match_id)
    assert near(store) == [began + 5 * DAY_MS]
    passes(12, match_id)
    assert near(store) == [began + 5 * DAY_MS]


@pytest.mark.both_databases
def test_early_end_of_a_vacation_moves_the_deadline_notification_back(store, office, hook, table, matches, now, passes):
    """The deadline is near before the log moves the old one."""
    hook("ann")
    began = now()
    match_id = table(clock=Clock(per_decision_seconds=2 * DAY, vacation=True))
    passes(33, match_id)
    vacations.begin_vacation(matches, "ann", Time(now() + 6 * DAY_MS), None)
    passes(3, match_id)
    vacations.end_vacation(matches, "ann")
    passes(2, match_id)
    assert near(store) == []
    passes(1, match_id)
    assert near(store) == [began + 2 * DAY_MS + 3 * HOUR_MS]
    passes(12, match_id)
    assert len(near(store)) == 1


def test_deadline_moved_by_a_vacation_is_notified_again(store, office, hook, table, matches, now, passes):
    """The new deadline is near before the log moves the old one."""
    hook("ann")
    began = now()
    match_id = table(clock=Clock(per_decision_seconds=2 * DAY, vacation=True))
    passes(37, match_id)
    vacations.begin_vacation(matches, "ann", Time(now() + 2 * HOUR_MS), None)
    passes(1, match_id)
    assert near(store) == [began + 2 * DAY_MS, began + 2 * DAY_MS + 2 * HOUR_MS]
    passes(12, match_id)
    assert len(near(store)) == 2


def test_deadline_moved_by_an_automatic_vacation_day_is_notified_again(store, office, hook, table, now, passes):
    """Ann is away when her time is up: vacation days are taken automatically until none is left."""
    hook("ann")
    began = now()
    match_id = table(clock=Clock(per_decision_seconds=2 * DAY, vacation=True))
    passes(36, match_id)
    assert near(store) == [began + 2 * DAY_MS]
    passes(36, match_id)
    assert near(store) == [began + 2 * DAY_MS, began + 3 * DAY_MS]


def test_deadline_notification_moves_even_if_a_vacation_ends_during_an_update(
    store, office, hook, table, matches, now, passes, monkeypatch
):
    hook("ann")
    began = now()
    match_id = table(clock=Clock(per_decision_seconds=2 * DAY, vacation=True))
    passes(33, match_id)
    vacations.begin_vacation(matches, "ann", Time(now() + 6 * DAY_MS), None)
    passes(2, match_id)
    now.passes(HOUR_MS)
    move = ledger._move

    def late(*args):
        now.passes(1)
        vacations.end_vacation(matches, "ann")
        monkeypatch.setattr(ledger, "_move", move)
        move(*args)

    monkeypatch.setattr(ledger, "_move", late)
    office.look()
    assert ledger._move is move
    passes(3, match_id)
    assert near(store) == []
    passes(1, match_id)
    assert near(store) == [began + 2 * DAY_MS + 3 * HOUR_MS + 1000]


@pytest.mark.both_databases
def test_outage_moves_the_deadline_notification(store, office, hook, table, now):
    hook("ann")
    began = now()
    outage_rows.beat(store, began, "first")
    table(clock=Clock(per_decision_seconds=2 * DAY))
    office.look()
    now.passes(5 * HOUR_MS)
    outage_rows.beat(store, now(), "second")
    now.passes(36 * HOUR_MS - 1)
    worked(store, began + 5 * HOUR_MS, now(), "second")
    office.look(), office.look()
    assert near(store) == []
    now.passes(1)
    office.look(), office.look()
    assert near(store) == [began + 2 * DAY_MS + 5 * HOUR_MS]


def test_unreadable_match_does_not_delay_other_deadline_notifications(
    store, office, hook, table, matches, now, monkeypatch, caplog
):
    hook("ann")
    vacations.begin_vacation(matches, "ann", Time(now() + HOUR_MS), None)
    bad, good = (table(clock=Clock(per_decision_seconds=2 * DAY, vacation=True)) for _ in range(2))
    office.look()
    now.passes(37 * HOUR_MS)
    fold = ledger.fold_commits
    monkeypatch.setattr(ledger, "fold_commits", lambda head, *r: fold(head, *r) if head.match_id == good else 1 / 0)
    office.look(), office.look()
    assert good in {n.match_id for n in noted(store) if n.kind == DEADLINE_NEAR}
    assert "cannot read the deadline" in caplog.text
    assert bad != good


def test_no_deadline_notification_is_sent_for_a_decision_already_made(store, office, hook, table, plays, now):
    hook("ann")
    match_id = table(clock=Clock(per_decision_seconds=DAY))
    office.look()
    plays(match_id, 0)
    now.passes(1000 * (DAY - 3600))
    office.look()
    assert DEADLINE_NEAR not in kinds(store)


def test_deadline_notification_waits_for_a_follower_that_is_behind(store, office, hook, table, plays, now, settings):
    """The seat has moved and is asked again: the old decision's deadline notification is not sent."""
    hook("ann")
    match_id = table(clock=Clock(per_decision_seconds=DAY))
    office.look()
    now.passes(1000 * (DAY - 13 * 3600))
    for _ in range(8):
        plays(match_id)
    now.passes(2 * 3600 * 1000)
    ledger.write_due_notices(store, now(), 0)
    assert DEADLINE_NEAR not in kinds(store)
    office.look()
    assert DEADLINE_NEAR not in kinds(store)


def test_decision_of_less_than_a_minute_has_no_deadline_notification(store, office, hook, table, now):
    hook("ann")
    table(clock=Clock(per_decision_seconds=59))
    office.look()
    now.passes(50_000)
    office.look()
    assert DEADLINE_NEAR not in kinds(store)


# --- What they say ------------------------------------------------------------------------------------


def test_notification_has_only_public_data(store, office, hook, table, plays):
    hook("ann")
    match_id = table()
    for _ in range(10):
        plays(match_id)
    office.look()
    for notice in noted(store):
        written = json.loads(payload(notice, notice.notice_id, "https://cards.example"))
        assert set(written) == {"type", "timestamp", "data"}
        about = {"notice", "match", "tournament", "round", "game", "seat", "version", "deadline", "link"}
        assert set(written["data"]) == about
        assert (written["data"]["tournament"], written["data"]["round"]) == (None, None)
        assert written["data"]["link"] == f"https://cards.example/v1/matches/{match_id}"


def test_follower_never_sees_a_hidden_card(store, office, hook, table, plays):
    """It reads as spectators do: its state of the match has only the backs of all hands."""
    hook("ann")
    match_id = table()
    for _ in range(6):
        plays(match_id)
    office.look()
    ((_, m, _),) = office.notifier._follower._handler._kept.values()
    assert sorted(len(hand) for hand in m.table.hands) == [12, 12, 13, 13]
    assert {card for hand in m.table.hands for card in hand} == {BACK}


@pytest.mark.both_databases
def test_concurrent_writers_store_notifications_in_order(store, office, hook, now, table, monkeypatch):
    """Otherwise, a later number could be seen and delivered before an earlier one exists."""
    hook("ann")
    match_id = table()
    head = stream_rows.head(store, match_id)
    notice = Notice("ann", head.match_no, match_id, "hearts", ORDER_FAILED, 0, head.version, now())
    route, following = ledger._route, []
    with ThreadPoolExecutor(1) as pool:

        def slowly(*args):
            """The notification has its number, but no slot yet."""
            if not following:
                following.append(pool.submit(office.look))
                time.sleep(0.5)
                assert not following[0].done()
            route(*args)

        monkeypatch.setattr(ledger, "_route", slowly)
        store.write(lambda connection: ledger.write_failed_order(connection, notice))
        following[0].result(timeout=60)
    assert kinds(store) == [ORDER_FAILED, MATCH_STARTED, YOUR_TURN]


def test_failed_order_is_notified_once(store, hook, now, table):
    hook("ann")
    match_id = table()
    head = stream_rows.head(store, match_id)
    for _ in range(2):
        notice = Notice("ann", head.match_no, match_id, "hearts", ORDER_FAILED, 0, head.version, now())
        store.write(lambda connection, written=notice: ledger.write_failed_order(connection, written))
    assert kinds(store) == ["order_failed"]
