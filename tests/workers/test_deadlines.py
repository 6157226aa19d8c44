"""Tests the task that settles expired deadlines."""

import json

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.core.game import Refused
from events.service.projections import CLOCK, EXPIRE, LOBBY_MS
from events.store.tables import pending_rows
from tests.driven import ANN
from workers.tasks.bot_turn_tasks import play_bot_turns
from workers.tasks.deadline_tasks import settle


def test_late_player_gets_the_default_move(begin, matches, at_work, store, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10))
    play_bot_turns(at_work, seen.match_id)
    assert settle(at_work, seen.match_id) == 0
    now.passes(10_000)
    assert [due.kind for due in pending_rows.claim_due(store, now(), 10)] == [CLOCK]
    assert settle(at_work, seen.match_id) == 1
    assert settle(at_work, seen.match_id) == 0


def test_seat_of_an_absent_player_is_handed_to_a_bot(begin, matches, at_work, store, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10, max_defaults=2))
    matches.move(seen.match_id, ANN, None, default(seen))
    for _ in range(2):
        play_bot_turns(at_work, seen.match_id)
        now.passes(10_000)
        assert settle(at_work, seen.match_id) == 1
    while play_bot_turns(at_work, seen.match_id):
        pass
    assert matches.see(seen.match_id, ANN).match.status == "finished"
    assert pending_rows.read_pending(store, seen.match_no) == []


def test_unplayed_match_is_abandoned_without_a_result(begin, matches, at_work, store, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10, max_defaults=2))
    for settled in (1, 1, 0):
        play_bot_turns(at_work, seen.match_id)
        now.passes(10_000)
        assert settle(at_work, seen.match_id) == settled
    m = matches.see(seen.match_id, ANN).match
    assert (m.status, m.result, m.clocks.defaults[0]) == ("abandoned", None, 2)
    assert pending_rows.read_pending(store, seen.match_no) == []


def test_bots_answer_a_default_move(begin, matches, at_work, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10))
    play_bot_turns(at_work, seen.match_id)
    now.passes(10_000)
    settle(at_work, seen.match_id)
    assert matches.bot_to_move(seen.match_id) is None


@pytest.mark.parametrize("moves_before", [0, 3])
def test_late_move_finds_that_the_clock_has_moved(moves_before, begin, matches, at_work, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10))
    for _ in range(moves_before):
        play_bot_turns(at_work, seen.match_id)
        matches.move(seen.match_id, ANN, None, default(matches.see(seen.match_id, ANN)))
    play_bot_turns(at_work, seen.match_id)
    late = matches.see(seen.match_id, ANN)
    assert life.to_act(late.match) == (0,)
    now.passes(10_000)
    with pytest.raises(Refused):
        matches.move(seen.match_id, ANN, None, default(late))
    (first, *_) = matches.feed(matches.see(seen.match_id, ANN), late.version)
    assert json.loads(first)["cause"] == "timeout"


def default(seen):
    return seen.match.game.timing.default(seen.match.table, seen.seat)


@pytest.mark.parametrize(("late", "status"), [(-1, "lobby"), (0, "expired")])
def test_lobby_expires_after_thirty_days(late, status, begin, matches, at_work, store, now):
    seen = begin("me", "open", "open", "open")
    now.passes(LOBBY_MS + late)
    assert [due.kind for due in pending_rows.claim_due(store, now(), 10)] == ([EXPIRE] if late == 0 else [])
    settle(at_work, seen.match_id)
    assert matches.see(seen.match_id, ANN).match.status == status
