"""Tests takebacks, and how long they are possible (rules 1.13)."""

from typing import Any

import pytest

from domain import match as life
from domain.core.clock import Clock, first_budget
from domain.games.catalogue import GAMES
from domain.games.gin_rummy.events import DrawFromDiscard
from domain.match.clocks import Credit, TimeOut
from domain.match.match_parts import ENDS_UNDO
from domain.match.match_shuffles import SeedRevealed
from domain.match.resignations import Resign, SeatHandedToBot, SeatResigned
from domain.match.take_backs import GrantTakeBack, MoveTakenBack, RequestTakeBack, consequences_losing_undo
from tests.match.table import Table, last_state

CLAIMS = {"mode": "replenish", "revoke_mode": "honour", "revoke_detection": "claim", "take_backs": True}


def claiming():
    """Return a match of Two-Handed Hearts with one trick taken and a card led to the next: the table, the leader,
    the other."""
    table = Table("two_handed_hearts", ("me", "me"), CLAIMS)
    for _ in range(3):
        leader = life.to_act(table.match)[0]
        table.defaults(leader)
    assert table.match.undo.seat == leader
    return table, leader, 1 - leader


def claim(table, accused):
    return table.match.game.moves["claim_revoke"](1, accused)


def test_takeback_keeps_other_seats_moves():
    """A false claim counts: three are allowed per hand, however many moves are taken back."""
    table, leader, other = claiming()
    assert table.does(other, claim(table, leader)) == ["ClaimRejected", "UndoLost"]
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"
    assert table.match.table.false_claims[other] == 1


def test_action_of_another_seat_cancels_the_takeback_request():
    table, leader, other = claiming()
    table.does(leader, RequestTakeBack())
    assert table.does(other, claim(table, leader)) == ["ClaimRejected", "UndoLost"]
    assert table.refuses(other, GrantTakeBack()) == "wrong_phase"
    assert life.open_requests(table.match) == ()
    assert table.match == last_state(table)


def test_own_claim_makes_the_move_final():
    table, leader, other = claiming()
    assert table.does(leader, claim(table, other)) == ["ClaimRejected", "UndoLost"]
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"


def test_only_three_false_claims_per_hand_are_accepted():
    table, leader, other = claiming()
    for _ in range(3):
        table.does(other, claim(table, leader))
    assert table.refuses(other, claim(table, leader)) == "too_many_claims"
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"


@pytest.mark.parametrize("game", sorted(name for name, game in GAMES.items() if game.answers.takes_back))
def test_move_is_final_after_any_other_action(game):
    """After any event of the game in another commit, the move can no longer be taken back."""
    table = Table(game, ("me",) * GAMES[game].setup.usual, {"take_backs": True}, seed=3)
    lost = 0
    for _ in range(60):
        if table.match.over:
            break
        before = table.match.undo
        seat = life.to_act(table.match)[0]
        table.defaults(seat)
        after = table.match.undo
        assert after is None or after.seat == seat
        lost += before is not None and after is not before
    assert lost
    assert table.match == last_state(table)


def test_last_pass_reveals_the_received_cards_and_cannot_be_taken_back():
    table = Table("hearts", ("me",) * 4, {"variant": "2-2-2-3", "take_backs": True})
    for seat in range(3):
        assert "UndoKept" in table.defaults(seat)
    assert "UndoLost" in table.defaults(3)
    assert table.match.undo is None
    assert table.refuses(3, RequestTakeBack()) == "wrong_phase"


def test_discard_is_final_once_the_next_card_is_drawn():
    table = Table("gin_rummy", ("me", "me"), {"take_backs": True})
    while table.kinds()[-1] != "UndoKept" or "CardDiscarded" not in table.kinds():
        table.defaults(life.to_act(table.match)[0])
    mover = table.match.undo.seat
    draw = table.match.game.moves["draw_from_stock"]()
    assert table.does(1 - mover, draw) == ["StockDrawn", "UndoLost"]
    assert table.refuses(mover, RequestTakeBack()) == "wrong_phase"


@pytest.mark.parametrize("ends", [SeatResigned, SeatHandedToBot, SeedRevealed])
def test_end_of_play_ends_a_possible_takeback(ends: Any):
    assert all(ends in consequences_losing_undo(game, ENDS_UNDO) for game in GAMES.values())


def at_play(seats=("me",) * 4, **more):
    """Return a match of Hearts without passing, after the first lead, and the leader."""
    table = Table("hearts", seats, {"variant": "1-1-1-1", "take_backs": True}, **more)
    leader = life.to_act(table.match)[0]
    table.defaults(leader)
    return table, leader


def test_resignation_cancels_the_takeback_request():
    table, leader = at_play()
    table.does(leader, RequestTakeBack())
    assert "UndoLost" in table.does((leader + 1) % 4, Resign())
    assert life.open_requests(table.match) == ()


def test_takeback_is_requested_once_and_only_by_the_mover():
    table, leader = at_play()
    assert table.refuses((leader + 1) % 4, RequestTakeBack()) == "wrong_phase"
    table.does(leader, RequestTakeBack())
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"
    assert life.open_requests(table.match) == tuple((s, "answer_take_back") for s in range(4) if s != leader)


def test_takeback_among_bots_reopens_the_decision_immediately():
    for seed in range(20):
        table = Table("hearts", ("me", "bot", "bot", "bot"), {"variant": "1-1-1-1", "take_backs": True}, seed=seed)
        if life.to_act(table.match) == (0,):
            before = table.match.table
            table.defaults(0)
            assert table.does(0, RequestTakeBack()) == ["TakeBackRequested", "MoveTakenBack"]
            assert (table.match.table, life.to_act(table.match)) == (before, (0,))
            assert table.refuses(0, RequestTakeBack()) == "wrong_phase"
            return
    pytest.fail("seat 0 never led")


def test_takeback_restores_the_remaining_time_and_the_bank():
    clock = Clock(per_decision_seconds=60, bank_seconds=60)
    table = Table("hearts", ("me",) * 4, {"variant": "1-1-1-1", "take_backs": True}, clock)
    leader = life.to_act(table.match)[0]
    table.now += 80_000
    table.defaults(leader)
    assert table.match.clocks.banks[leader].left == 40_000
    table.now += 5_000
    table.does(leader, RequestTakeBack())
    for seat in (s for s in range(4) if s != leader):
        table.does(seat, GrantTakeBack())
    assert table.match.clocks.banks[leader].left == 60_000
    assert table.match.clocks.asked[leader] == table.now + 40_000
    assert [s for s in range(4) if table.match.clocks.asked[s] is not None] == [leader]


def two_tables(clock: Clock) -> Table:
    """Return a match of Gin Rummy at two tables, after one of the seats with the first offer has passed."""
    seats = ("me",) * 4
    table = Table("gin_rummy", seats, {"take_backs": True, "seats_per_player": 4, "target_score": 1000}, clock)
    table.defaults(life.to_act(table.match)[0])
    return table


def taken_back(table: Table, seat: int) -> list[str]:
    table.does(seat, RequestTakeBack())
    return [kind for s in table.match.seats if s != seat for kind in table.does(s, GrantTakeBack())]


FISCHER = Clock(kind="fischer", bank_seconds=60, increment_seconds=5, minor_seconds=15)


def test_reopened_minor_decision_stays_minor():
    """The other table has moved to another phase since the minor decision was requested."""
    table = two_tables(FISCHER)
    mover = life.to_act(table.match)[1]
    assert table.match.clocks.decisions[mover] == "offer_nondealer"
    table.defaults(mover)
    taken_back(table, mover)
    assert table.match.clocks.decisions[mover] == "offer_nondealer"
    table.now += 10_000
    assert "BankSpent" not in table.defaults(mover)


def test_takeback_withdraws_the_decisions_that_the_move_opened():
    table = two_tables(FISCHER)
    mover, before = life.to_act(table.match)[1], table.match.clocks.copy()
    table.now += 5_000
    table.defaults(mover)
    asked = table.match.clocks.asked
    (next_one,) = (s for s in table.match.seats if asked[s] is not None and before.asked[s] is None)
    table.does(next(s for s in table.match.seats if before.asked[s] and s != mover), Credit(30, "outage"), "timeout")
    taken_back(table, mover)
    clocks = table.match.clocks
    assert clocks.asked[next_one] is None
    assert [getattr(clocks, name)[next_one] for name in NAMES] == [getattr(before, name)[next_one] for name in NAMES]
    assert clocks.credited == tuple(30 * (s not in (mover, next_one) and before.asked[s] is not None) for s in range(4))
    assert table.match == last_state(table)


NAMES = ("opened", "decisions", "credited", "on_answer", "banks")


@pytest.mark.parametrize(
    "clock",
    [
        Clock(kind="fischer", bank_seconds=60, increment_seconds=5),
        Clock(kind="byo_yomi", bank_seconds=10, period_seconds=20, periods=3),
        Clock(kind="canadian", bank_seconds=10, period_seconds=90, period_moves=3),
    ],
    ids=lambda clock: clock.kind,
)
def test_takeback_restores_increments_and_periods(clock):
    table = Table("hearts", ("me",) * 4, {"variant": "1-1-1-1", "take_backs": True}, clock)
    leader = life.to_act(table.match)[0]
    before = table.match.clocks.banks
    table.now += 35_000
    assert "BankSpent" in table.defaults(leader)
    table.now += 5_000
    taken_back(table, leader)
    left = first_budget(clock) - 35_000
    assert (table.match.clocks.banks, table.match.clocks.asked[leader]) == (before, table.now + left)


def test_takeback_reports_only_deadlines_that_continue():
    """A decision that the mover has after the move is withdrawn like those of other seats."""
    table = Table("gin_rummy", ("me", "me"), {"take_backs": True}, Clock(60))
    while True:
        mover = life.to_act(table.match)[0]
        legal = {choice.make: choice for choice in life.legal_answers(table.match, mover)}
        if DrawFromDiscard in legal:
            break
        table.defaults(mover)
    table.does(mover, DrawFromDiscard())
    assert life.to_act(table.match) == (mover,)
    taken_back(table, mover)
    (told,) = [event for event in table.events if type(event) is MoveTakenBack]
    assert told.deadlines == (None, None)


def test_a_move_by_the_clock_cannot_be_taken_back():
    table = Table("hearts", ("me",) * 4, {"variant": "1-1-1-1", "take_backs": True}, Clock(per_decision_seconds=60))
    leader = life.to_act(table.match)[0]
    table.now += 60_000
    table.does(leader, TimeOut(), "timeout")
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"
