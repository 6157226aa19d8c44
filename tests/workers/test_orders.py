"""Tests the task that checks standing orders, on both databases, with a clock controlled by the test."""

import json
from contextlib import closing
from datetime import datetime
from hashlib import sha256

import pytest
from sqlalchemy import select

from domain import match as life
from domain.core.cards import PACK, card_names
from domain.core.clock import DAY, Clock, Time
from domain.games.catalogue import GAMES
from domain.match.creation import Series
from domain.match.resignations import Resign
from events.notify import ledger, webhooks
from events.notify.notices import ORDER_FAILED
from events.operations import audit
from events.operations.erasure import erase_player
from events.service import order_timing as orders
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.service.order_timing import LATE_MS, LATEST_MS, SHARE, SOONEST_MS, draw_look_delay
from events.service.projections import BOT, LEASE_MS, PACE_MS
from events.store.opening import open_store
from events.store.pending_records import StandingOrders
from events.store.schema.notice_schema import notices
from events.store.tables import order_rows, outage_rows, pending_rows, player_rows, projection_rows, stream_rows
from events.store.tables.order_rows import ORDER
from tests.bound import Matches
from tests.match.table import options
from tests.worked import worked
from workers.tasks import bot_turn_tasks, deadline_tasks
from workers.tasks.order_tasks import look

ANN, BOB = Caller("ann", "token of ann"), Caller("bob", "token of bob")
SLOW = Clock(per_decision_seconds=DAY)
ANY_CARD = {"do": [{"move": "play_card", "card": "lowest"}]}
ANYTHING = {
    "hearts": {"orders": [
        {"if": {"phase": "passing"}, "do": [{"move": "pass_cards", "args": {"cards": ["QS", "KS", "AS"]}}]},
        {
            "if": {"led": "H"},
            "do": [{"move": "play_card", "card": "highest", "suit": "led", "below": "winning"}, ANY_CARD["do"][0]],
        },
        ANY_CARD,
    ]},
    "gin_rummy": {"orders": [
        {"if": {"deadwood": {"max": 5}}, "do": [{"move": "knock"}]},
        {
            "do": [{"move": name} for name in ("pass_upcard", "draw_from_stock", "lay_off")]
            + [{"move": "discard", "card": "highest"}]
        },
    ]},
    "trio": {"orders": [{"do": [{"move": "decline_swap"}]}]},
}  # fmt: skip


class Machine:
    """A clock controlled by the test."""

    def __init__(self):
        self.at = Time(1_750_000_000_000)

    def __call__(self):
        return self.at

    def passes(self, ms):
        self.at = Time(self.at + ms)


@pytest.fixture
def store(url):
    with closing(open_store(url)) as opened:
        for who in (ANN, BOB):
            player_rows.add_player(opened, who.player, who.player, sha256(who.token.encode()).digest(), 0)
        yield opened


@pytest.fixture
def now():
    return Machine()


@pytest.fixture
def matches(store, now):
    return Matches(store, now=now)


@pytest.fixture
def at_work(store, now):
    return Matches(store, now=now, lease_ms=LEASE_MS)


@pytest.fixture
def begin(matches):
    def begin(*kinds, game="hearts", clock=SLOW, standing_orders=True, **chosen):
        places = tuple(SeatRequest(kind, "easy" if kind == "bot" else None) for kind in kinds)
        shorter = {"target_score": 1} if game == "hearts" else {}
        given = options(game, len(kinds), **shorter | chosen) | {"standing_orders": standing_orders}
        return matches.create(ANN, NewMatch(game, given, None, places, "public", clock, Series())).match_id

    return begin


ME_AND_BOTS = ("me", "bot", "bot", "bot")
UNPASSED = {"variant": "1-1-1-1"}
TASKS = {BOT: bot_turn_tasks.play_bot_turns, ORDER: look}


@pytest.fixture
def runs(store, at_work, now):
    """Let time pass from one piece of work to the next, as scheduler and worker do, for this many milliseconds."""

    def runs(ms=10 * DAY * 1000, by=at_work, beats=False):
        end = now() + ms
        while (at := pending_rows.next_due(store)) is not None and at <= end:
            if beats:
                worked(store, now.at, at)
            now.at = Time(max(now.at, at))
            for due in pending_rows.claim_due(store, now(), 10):
                TASKS.get(due.kind, deadline_tasks.settle)(by, due.match_id)
        now.at = Time(max(now.at, end))

    return runs


@pytest.fixture
def comes(matches, store, now):
    """Let time pass until the next orders of a match are checked."""

    def comes(match_id):
        loaded = matches.load(match_id)
        held = order_rows.read_orders(store, loaded.head.match_no)
        now.at = Time(max(now(), orders.open_looks(loaded.state, loaded.dealer.seal_secret, held)[0][0]))

    return comes


def feed(matches, match_id, who=ANN):
    return [json.loads(e) for e in matches.feed(matches.see(match_id, who), 0)]


def gives(matches, match_id, document, who=ANN, seat=None):
    return matches.give_orders(match_id, who, seat, json.dumps(document))


def row(store, match_id):
    return order_rows.read_orders(store, stream_rows.head(store, match_id).match_no)


def look_due(store, match_id):
    return [
        due for due in pending_rows.read_pending(store, stream_rows.head(store, match_id).match_no) if due.kind == ORDER
    ]


# --- Carrying out -----------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("game", ["hearts", "gin_rummy"])
def test_match_played_by_orders_passes_the_audit(game, begin, matches, store, runs):
    kinds, chosen = (ME_AND_BOTS, UNPASSED) if game == "hearts" else (("me", "bot"), {"target_score": 20})
    match_id = begin(*kinds, game=game, **chosen)
    gives(matches, match_id, {"auto_play_forced": True} | ANYTHING[game])
    runs(30 * DAY * 1000)
    assert matches.see(match_id, ANN).match.status == "finished"
    events = feed(matches, match_id)
    assert "DecisionTimedOut" not in {e["type"] for e in events}
    mine = [e for e in events if e["type"] == "CauseSealed"]
    assert {(e["data"]["true_cause"], e["cause"]) for e in mine} == {("order", "move")}
    for e in feed(matches, match_id, BOB):  # disclosed to all, once it is over
        if e["type"] == "CauseSealed":
            assert e["disclosed"] == {"true_cause": {"0": "order"}}
    assert row(store, match_id) == []
    report = audit.audit(store, match_id)
    assert report.ok, report
    assert not any(check.skipped for check in report.checks if check.name in ("seals", "rules")), report


def test_running_match_with_orders_passes_the_audit(begin, matches, store, runs):
    match_id = begin(*ME_AND_BOTS, **UNPASSED, target_score=100)
    gives(matches, match_id, ANYTHING["hearts"])
    runs(2 * LATEST_MS)
    assert matches.see(match_id, ANN).match.status == "playing"
    report = audit.audit(store, match_id)
    assert report.ok, report


def test_order_passes_the_named_cards(begin, matches, runs):
    match_id = begin(*ME_AND_BOTS, variant="2-1-1-1")
    hand = matches.see(match_id, ANN).match.table.hands[0]
    these = card_names(hand[:3])
    gives(
        matches,
        match_id,
        {"orders": [{"if": {"phase": "passing"}, "do": [{"move": "pass_cards", "args": {"cards": these}}]}]},
    )
    runs(LATEST_MS)
    passed = [e for e in feed(matches, match_id) if e["type"] == "PassChosen" and e["data"]["seat"] == 0]
    assert [e["data"]["cards"] for e in passed] == [these]


def test_owner_sees_the_order_that_moved(begin, matches, store, runs):
    match_id = begin(*ME_AND_BOTS, **UNPASSED, target_score=100)
    gives(matches, match_id, ANYTHING["hearts"])
    runs(LATEST_MS)
    (orders_row,) = row(store, match_id)
    first = next(e for e in feed(matches, match_id) if e["seq"] == orders_row.carried_version)
    assert first["data"]["seat"] == 0
    assert first["cause"] == "move"


def test_orders_can_decline_swaps(begin, matches, runs):
    match_id = begin(*["me"] * 4, game="trio", teams=True)
    for seat in range(4):
        gives(matches, match_id, ANYTHING["trio"], seat=seat)
    while life.decision(m := matches.see(match_id, ANN).match) != "swap_window":
        (seat, *_) = life.to_act(m)
        matches.move(match_id, ANN, seat, m.game.timing.default(m.table, seat))
    asked = life.to_act(m)
    runs(LATEST_MS)
    for seat in asked:
        heard = [json.loads(e) for e in matches.feed(matches.see_from(match_id, ANN, seat), 0)]
        mine = [e["data"] for e in heard if e["type"] == "SwapAnswered" and e["data"]["seat"] == seat]
        assert [answered["answer"] for answered in mine] == ["decline"]


# --- Not carrying out ---------------------------------------------------------------------------------------


def test_match_without_orders_is_not_checked_before_the_deadline(begin, matches, store, runs, now):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    runs(LATEST_MS)
    m = matches.see(match_id, ANN).match
    assert life.to_act(m) == (0,)
    assert pending_rows.next_due(store) == m.clocks.asked[0]


def test_cancelled_orders_do_nothing(begin, matches, store, runs):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    gives(matches, match_id, ANYTHING["hearts"])
    version = matches.see(match_id, ANN).version
    matches.cancel_orders(match_id, ANN, None)
    runs(LATEST_MS)
    assert "CauseSealed" not in {e["type"] for e in feed(matches, match_id)[version:]}
    assert life.to_act(matches.see(match_id, ANN).match) == (0,)


@pytest.mark.parametrize("meanwhile", ["cancelled", "replaced"])
def test_orders_cancelled_during_a_check_do_nothing(meanwhile, begin, matches, at_work, store, comes):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    bot_turn_tasks.play_bot_turns(at_work, match_id)
    gives(matches, match_id, ANYTHING["hearts"])
    comes(match_id)
    (due,) = at_work.orders_due(match_id)
    version = stream_rows.head(store, match_id).version

    def choose(seen):
        if meanwhile == "cancelled":
            matches.cancel_orders(match_id, ANN, None)
        else:
            gives(matches, match_id, ANYTHING["hearts"])
        return seen.match.game.timing.default(seen.match.table, 0)

    assert not at_work.order_move(match_id, due, choose)
    assert stream_rows.head(store, match_id).version == version


def test_concurrent_move_by_hand_is_the_only_one(begin, matches, at_work, comes):
    match_id = begin(*["me"] * 4)
    gives(matches, match_id, ANYTHING["hearts"], seat=0)
    comes(match_id)
    (due,) = at_work.orders_due(match_id)

    def choose(seen):
        default = seen.match.game.timing.default(seen.match.table, 0)
        matches.move(match_id, ANN, 0, default)
        return default

    assert not at_work.order_move(match_id, due, choose)
    answered = [e for e in feed(matches, match_id) if e["type"] == "CauseSealed" and e["data"]["seat"] == 0]
    assert [e["data"]["true_cause"] for e in answered] == ["move"]
    assert look(at_work, match_id) == 0


def test_worker_killed_after_the_move_causes_no_second_move(begin, matches, at_work, store, comes, monkeypatch):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    bot_turn_tasks.play_bot_turns(at_work, match_id)
    gives(matches, match_id, ANYTHING["hearts"])
    comes(match_id)
    with monkeypatch.context() as patch:
        patch.setattr(at_work, "keep", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            look(at_work, match_id)
    version = stream_rows.head(store, match_id).version
    assert order_rows.read_orders(store, 1)[0].carried_version is not None
    assert look(at_work, match_id) == 0
    assert stream_rows.head(store, match_id).version == version


def test_work_of_a_worker_killed_before_the_move_is_done_by_another(
    begin, matches, at_work, store, now, comes, monkeypatch
):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    bot_turn_tasks.play_bot_turns(at_work, match_id)
    gives(matches, match_id, ANYTHING["hearts"])
    comes(match_id)
    assert [due.kind for due in pending_rows.claim_due(store, now(), 10)] == [ORDER]
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            look(at_work, match_id)
    assert pending_rows.claim_due(store, now(), 10) == []
    now.passes(LEASE_MS)
    assert [due.kind for due in pending_rows.claim_due(store, now(), 10)] == [ORDER]
    assert look(at_work, match_id) == 1


def test_owner_is_notified_once_of_orders_that_no_longer_fit(begin, matches, at_work, store, runs, monkeypatch):
    heard = []
    monkeypatch.setattr(ledger, "write_failed_order", lambda *args: heard.append(args))
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    seen = matches.see_from(match_id, ANN, 1)
    theirs = GAMES["hearts"].view(seen.match.table, 1)["hand"][:3]
    gives(matches, match_id, {"orders": [{"do": [{"move": "pass_cards", "args": {"cards": theirs}}]}]}, seat=0)
    version = stream_rows.head(store, match_id).version
    runs(LATEST_MS)
    look(at_work, match_id)
    (orders_row,) = row(store, match_id)
    assert orders_row.failed_version == version
    assert [(n.player_id, n.seat, n.version) for _, n in heard] == [("ann", 0, version)]
    assert stream_rows.head(store, match_id).version == version


def test_notification_of_failed_orders_survives_a_killed_worker(begin, matches, at_work, store, comes, monkeypatch):
    wanted = webhooks.Subscription("https://ann.example", "ann.example", ORDER_FAILED)
    webhooks.add(store, "hook", "ann", wanted, b"k" * 32, 0)
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    bot_turn_tasks.play_bot_turns(at_work, match_id)
    mine = matches.see(match_id, ANN).match.table.hands[0]
    other = card_names(c for c in PACK if c not in mine)[0]
    gives(matches, match_id, {"orders": [{"do": [{"move": "play_card", "args": {"card": other}}]}]})
    comes(match_id)
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "write", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            look(at_work, match_id)
    assert row(store, match_id)[0].failed_version is None
    for _ in range(3):
        assert look(at_work, match_id) == 0
    assert row(store, match_id)[0].failed_version == stream_rows.head(store, match_id).version
    assert [kind for (kind,) in store.read(select(notices.c.kind))] == [ORDER_FAILED]


def test_orders_for_other_decisions_notify_no_one(begin, matches, store, runs, monkeypatch):
    monkeypatch.setattr(ledger, "write_failed_order", lambda *args: pytest.fail("told"))
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    gives(matches, match_id, {"auto_play_forced": True, "orders": [{"if": {"led": "H"}, **ANY_CARD}]}, seat=0)
    runs(LATEST_MS)
    assert row(store, match_id)[0].failed_version is None


def test_orders_of_a_seat_played_by_a_bot_are_not_carried_out(begin, matches, at_work, store, now):
    match_id = begin(*["me"] * 3, "bot", clock=Clock(per_decision_seconds=DAY, max_defaults=1), variant="2-1-1-1")
    now.passes(DAY * 1000)
    deadline_tasks.settle(at_work, match_id)
    m = matches.see(match_id, ANN).match
    assert m.over or all(m.by_bot)
    assert at_work.orders_due(match_id) == []


# --- When they are looked at --------------------------------------------------------------------------------


def test_matches_with_and_without_orders_are_checked_at_the_same_times(begin, matches, store, now):
    """The pending work is the same, and does not reveal which match has orders."""
    match_id = begin(*["me"] * 4)
    without = look_due(store, match_id)
    before = pending_rows.next_due(store)
    gives(matches, match_id, ANYTHING["hearts"], seat=0)
    assert look_due(store, match_id) == without
    assert pending_rows.next_due(store) == before
    assert SOONEST_MS <= without[0].due_ms - now() <= LATEST_MS


def test_orders_are_not_checked_without_the_option(begin, store):
    assert look_due(store, begin(*["me"] * 4, standing_orders=False)) == []


def test_delays_depend_only_on_the_secret():
    secrets = [sha256(bytes([i])).digest() for i in range(200)]
    drawn = sorted(draw_look_delay(s, 0, Time(1_000), DAY * 1000) for s in secrets)
    assert SOONEST_MS <= drawn[0] < 2 * SOONEST_MS
    assert LATEST_MS / 2 < drawn[-1] <= LATEST_MS
    assert drawn[100] < LATEST_MS / 4  # mostly soon
    assert len(set(drawn)) > 190
    seats = {draw_look_delay(secrets[0], seat, Time(at), DAY * 1000) for seat in range(4) for at in (1_000, 2_000)}
    assert len(seats) == 8
    assert draw_look_delay(secrets[0], 0, Time(1_000), DAY * 1000) == draw_look_delay(
        secrets[0], 0, Time(1_000), DAY * 1000
    )


@pytest.mark.parametrize("seconds", [0, 1, 8, 60, 3600])
def test_delay_leaves_most_of_the_decision_time(seconds):
    drawn = [draw_look_delay(bytes([i]) * 32, 0, Time(5), 1000 * seconds) for i in range(50)]
    assert max(drawn) <= 1000 * seconds / SHARE
    assert len(set(drawn)) > 40 or seconds == 0


def test_simultaneous_decisions_are_checked_separately(begin, matches, store, runs, now):
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    passing(matches, match_id, range(4))
    runs(LATEST_MS)
    passes = [e for e in feed(matches, match_id) if e["type"] == "PassChosen"]
    assert sorted(e["data"]["seat"] for e in passes) == [0, 1, 2, 3]
    assert len({e["at"] for e in passes}) == 4


# --- As after a move by hand --------------------------------------------------------------------------------


def test_bots_answer_orders_like_moves_by_hand(begin, matches, at_work, store, now, comes):
    """The worker leaves the consequences to the next visitor, like a process that has a move by hand to write."""
    leads = (begin(*ME_AND_BOTS, **UNPASSED) for _ in range(200))
    match_id = next(m for m in leads if life.to_act(matches.see(m, ANN).match) == (0,))
    gives(matches, match_id, ANYTHING["hearts"])
    comes(match_id)
    pending_rows.claim_due(store, now(), 10)
    before = stream_rows.head(store, match_id)
    assert look(at_work, match_id) == 1
    (commit,) = stream_rows.rows(store, before.match_no, before.version)
    assert stream_rows.head(store, match_id).version == commit.first + commit.n - 1
    assert life.bots_to_act(matches.see(match_id, ANN).match)
    now.passes(2 * PACE_MS)
    assert BOT in [due.kind for due in pending_rows.claim_due(store, now(), 10)]


def test_bots_answer_at_the_same_times_as_possible_orders(begin, matches, store, now):
    """Bots answer at a set time, and not sooner because the server needed less time for the move."""
    for orders_too in (True, False):
        match_id = begin("me", "me", "me", "bot", variant="2-1-1-1", standing_orders=orders_too)
        (bot,) = (
            due
            for due in pending_rows.read_pending(store, stream_rows.head(store, match_id).match_no)
            if due.kind == BOT
        )
        assert (bot.due_ms > now() and bot.due_ms % PACE_MS == 0) == orders_too
        assert bot.due_ms - now() <= 2 * PACE_MS


def test_one_task_carries_out_only_one_order(begin, matches, at_work, store, now):
    match_id = begin(*["me"] * 4, variant="2-1-1-1", clock=Clock(per_decision_seconds=120))
    passing(matches, match_id, (0, 1))
    now.passes(120_000 // SHARE)  # both moments have come, neither long ago
    for _ in (0, 1):
        assert ORDER in [due.kind for due in pending_rows.claim_due(store, now(), 10)]
        assert look(at_work, match_id) == 1


# --- Late ---------------------------------------------------------------------------------------------------


def passing(matches, match_id, seats):
    for seat in seats:
        hand = GAMES["hearts"].view(matches.see_from(match_id, ANN, seat).match.table, seat)["hand"][:3]
        gives(
            matches,
            match_id,
            {"orders": [{"do": [{"move": "pass_cards", "args": {"cards": hand}}]}]},
            seat=seat,
        )


@pytest.mark.parametrize("scheduler", [True, False])
def test_orders_are_carried_out_at_separate_times_after_an_outage(scheduler, begin, matches, at_work, store, runs, now):
    """Orders that all moved at the moment of the server's return would not look like players."""
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    passing(matches, match_id, (0, 1))
    if scheduler:
        outage_rows.beat(store, now())
    now.passes(5 * 3_600_000)
    if scheduler:
        outage_rows.beat(store, now())
    back = now()
    assert look(at_work, match_id) == 0
    runs(LATEST_MS, beats=scheduler)
    passed = [e for e in feed(matches, match_id) if e["type"] == "PassChosen"]
    assert sorted(e["data"]["seat"] for e in passed) == [0, 1]
    times = [datetime.fromisoformat(e["at"]).timestamp() * 1000 for e in passed]
    assert min(times) >= back + SOONEST_MS
    assert len(set(times)) == 2


def test_check_postponed_briefly_by_an_outage_is_made_later(begin, matches, at_work, store, now, comes, runs):
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    passing(matches, match_id, (0,))
    began = now()
    comes(match_id)
    due = now()
    outage_rows.beat(store, Time(min(began, due - LATE_MS)))
    outage_rows.beat(store, Time(due + 5_000))  # the server is back right after the moment has passed
    now.passes(5_000)
    back = now()
    assert look(at_work, match_id) == 0
    runs(LATEST_MS, beats=True)
    (passed,) = [e for e in feed(matches, match_id) if e["type"] == "PassChosen"]
    assert datetime.fromisoformat(passed["at"]).timestamp() * 1000 >= back + SOONEST_MS


def test_slightly_late_check_is_made(begin, matches, at_work, now, comes):
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    passing(matches, match_id, (0,))
    comes(match_id)
    now.passes(LATE_MS)
    assert look(at_work, match_id) == 1


def test_new_orders_for_an_open_decision_are_checked_after_a_delay(begin, matches, store, runs, now):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    runs(2 * LATEST_MS)
    given = now()
    gives(matches, match_id, ANYTHING["hearts"])
    version = stream_rows.head(store, match_id).version
    assert SOONEST_MS <= pending_rows.next_due(store) - given <= LATEST_MS
    runs(LATEST_MS)
    assert stream_rows.head(store, match_id).version > version


def test_orders_are_checked_once_per_decision(begin, matches, at_work, store, runs, now):
    """Another seat's move does not trigger them: this would reveal that they exist."""
    match_id = begin(*["me"] * 4, variant="2-1-1-1")
    gives(matches, match_id, {"orders": [{"if": {"phase": "playing"}, **ANY_CARD}]}, seat=0)
    runs(LATEST_MS)
    m = matches.see_from(match_id, ANN, 1).match
    matches.move(match_id, ANN, 1, m.game.timing.default(m.table, 1))
    assert at_work.orders_due(match_id) == []


def test_pending_checks_are_rebuilt_from_the_log(begin, matches, store, runs):
    match_id = begin(*["me"] * 4)
    before = [
        (due.kind, due.due_ms) for due in pending_rows.read_pending(store, stream_rows.head(store, match_id).match_no)
    ]
    runs(LATEST_MS)
    projection_rows.rebuild(store, stream_rows.head(store, match_id).match_no, matches.projected)
    assert [
        (due.kind, due.due_ms) for due in pending_rows.read_pending(store, stream_rows.head(store, match_id).match_no)
    ] == before


# --- Where they lie -----------------------------------------------------------------------------------------


def test_orders_are_deleted_with_the_match(begin, matches, store):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    gives(matches, match_id, ANYTHING["hearts"])
    matches.move(match_id, ANN, None, Resign())
    while bot_turn_tasks.play_bot_turns(matches, match_id):
        pass
    assert matches.see(match_id, ANN).match.over
    assert row(store, match_id) == []
    late = StandingOrders(stream_rows.head(store, match_id).match_no, 0, "late", "ann", "{}", 0)
    assert not order_rows.write_orders(store, late, None, lambda _: True)


def test_orders_are_deleted_with_the_player(begin, matches, store):
    match_id = begin(*ME_AND_BOTS, **UNPASSED)
    gives(matches, match_id, ANYTHING["hearts"])
    erase_player(store, "ann", 1)
    assert row(store, match_id) == []
