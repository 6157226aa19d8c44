"""Moves that are taken back, and until when they can be (rules 1.13)."""

from typing import Any

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.match.bot_seats import SeatHandedToBot
from domain.match.match_shuffles import SeedRevealed
from domain.match.resignations import Resign, SeatResigned
from domain.match.take_backs import GrantTakeBack, RequestTakeBack, consequences_losing_undo
from domain.match.time_outs import TimeOut
from tests.match.table import Table, last_state

CLAIMS = {"mode": "replenish", "revoke_mode": "honour", "revoke_detection": "claim", "take_backs": True}


def claiming():
    """Two-Handed Hearts, the first trick taken and a card led to the next: the table, who led, and the other."""
    table = Table("two_handed_hearts", ("me", "me"), CLAIMS)
    for _ in range(3):
        leader = life.to_act(table.match)[0]
        table.defaults(leader)
    assert table.match.undo.seat == leader
    return table, leader, 1 - leader


def claim(table, accused):
    return table.match.game.moves["claim_revoke"](1, accused)


def test_takeback_keeps_other_seats_moves():
    """A false claim counts: three are allowed in a hand, however many moves are taken back."""
    table, leader, other = claiming()
    assert table.does(other, claim(table, leader)) == ["ClaimRejected", "UndoLost"]
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"
    assert table.match.table.false_claims[other] == 1


def test_a_request_falls_with_what_another_seat_does():
    table, leader, other = claiming()
    table.does(leader, RequestTakeBack())
    assert table.does(other, claim(table, leader)) == ["ClaimRejected", "UndoLost"]
    assert table.refuses(other, GrantTakeBack()) == "wrong_phase"
    assert life.open_requests(table.match) == ()
    assert table.match == last_state(table)


def test_ones_own_claim_too_says_something_and_the_move_stands():
    table, leader, other = claiming()
    assert table.does(leader, claim(table, other)) == ["ClaimRejected", "UndoLost"]
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"


def test_of_a_hand_no_more_than_three_false_claims_are_heard():
    table, leader, other = claiming()
    for _ in range(3):
        table.does(other, claim(table, leader))
    assert table.refuses(other, claim(table, leader)) == "too_many_claims"
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"


@pytest.mark.parametrize("game", sorted(name for name, game in GAMES.items() if game.answers.takes_back))
def test_a_move_stands_once_any_other_act_follows(game):
    """Whatever happens in the game after the commit of a move, by another commit, it can be taken back no longer."""
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


def test_the_last_pass_shows_all_what_they_got_and_stands():
    table = Table("hearts", ("me",) * 4, {"variant": "2-2-2-3", "take_backs": True})
    for seat in range(3):
        assert "UndoKept" in table.defaults(seat)
    assert "UndoLost" in table.defaults(3)
    assert table.match.undo is None
    assert table.refuses(3, RequestTakeBack()) == "wrong_phase"


def test_a_discard_stands_once_the_next_card_is_drawn():
    table = Table("gin_rummy", ("me", "me"), {"take_backs": True})
    while table.kinds()[-1] != "UndoKept" or "CardDiscarded" not in table.kinds():
        table.defaults(life.to_act(table.match)[0])
    mover = table.match.undo.seat
    draw = table.match.game.moves["draw_from_stock"]()
    assert table.does(1 - mover, draw) == ["StockDrawn", "UndoLost"]
    assert table.refuses(mover, RequestTakeBack()) == "wrong_phase"


@pytest.mark.parametrize("ends", [SeatResigned, SeatHandedToBot, SeedRevealed])
def test_end_of_play_ends_a_possible_takeback(ends: Any):
    assert all(ends in consequences_losing_undo(game) for game in GAMES.values())


def at_play(seats=("me",) * 4, **more):
    """Hearts without passing, after the first lead; and who led."""
    table = Table("hearts", seats, {"variant": "1-1-1-1", "take_backs": True}, **more)
    leader = life.to_act(table.match)[0]
    table.defaults(leader)
    return table, leader


def test_a_resignation_lets_the_request_fall():
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


def test_the_time_that_was_left_is_left_again_and_the_bank_is_what_it_was():
    clock = Clock(per_decision_seconds=60, bank_seconds=60)
    table = Table("hearts", ("me",) * 4, {"variant": "1-1-1-1", "take_backs": True}, clock)
    leader = life.to_act(table.match)[0]
    table.now += 80_000
    table.defaults(leader)
    assert table.match.banks[leader].left == 40_000
    table.now += 5_000
    table.does(leader, RequestTakeBack())
    for seat in (s for s in range(4) if s != leader):
        table.does(seat, GrantTakeBack())
    assert table.match.banks[leader].left == 60_000
    assert table.match.asked[leader] == table.now + 40_000
    assert [s for s in range(4) if table.match.asked[s] is not None] == [leader]


def test_a_move_by_the_clock_cannot_be_taken_back():
    table = Table("hearts", ("me",) * 4, {"variant": "1-1-1-1", "take_backs": True}, Clock(per_decision_seconds=60))
    leader = life.to_act(table.match)[0]
    table.now += 60_000
    table.does(leader, TimeOut(), "timeout")
    assert table.refuses(leader, RequestTakeBack()) == "wrong_phase"
