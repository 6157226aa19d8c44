"""Tests the order in which waiting requests are processed."""

from math import inf

import pytest

from api.http import fair_queue
from api.http.connection_limits import AT_ONCE_SECONDS, UploadPace
from api.http.fair_queue import CREDIT, OTHERS_SECONDS, PART, Asker, FairQueue

ANN, BOB, CLEO = Asker("a"), Asker("b"), Asker("c")


def begun(queue, now=0.0):
    return list(queue.begin(now))


def entered(queue, caller, *turns, now=0.0):
    for turn in turns:
        queue.enter(caller, turn, now)


def indebted(queue, caller, now=0.0):
    """Use up the credit of a network."""
    queue.enter(caller, "dear", now)
    assert begun(queue, now) == ["dear"]
    queue.end(caller, 2 * CREDIT, now)


def test_networks_take_turns():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    assert begun(queue) == [1]
    entered(queue, BOB, "b1", "b2")
    entered(queue, CLEO, "c1")
    order = []
    for caller in (ANN, ANN, BOB, CLEO, ANN):
        queue.end(caller, 0.0, 0.0)
        order += begun(queue)
    assert order == [2, "b1", "c1", 3, "b2"]


def test_players_of_a_network_take_turns():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    entered(queue, Asker("a", 7), "seven")
    order = begun(queue)
    for _ in range(3):
        queue.end(ANN, 0.0, 0.0)
        order += begun(queue)
    assert order == [1, "seven", 2, 3]


def test_busy_network_leaves_threads_for_others():
    queue = FairQueue(16)
    entered(queue, ANN, *range(40))
    assert begun(queue) == list(range(8))
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    queue.end(BOB, 0.0, 0.0)
    queue.end(ANN, 0.0, 0.0)
    assert begun(queue) == [8]


def test_delayed_turns_use_a_share_of_the_time_while_others_wait():
    queue = FairQueue(4)
    entered(queue, ANN, *range(1000))
    now, used, each = 0.0, 0.0, 0.002
    while now < 10:
        entered(queue, BOB, "b", now=now)
        turns = begun(queue, now)
        for turn in turns:
            used += each if turn != "b" else 0
            queue.end(BOB if turn == "b" else ANN, each if turn != "b" else 0.0, now)
        assert "b" in turns
        now += 0.01
    assert used == pytest.approx(10 * PART + CREDIT, abs=0.05)


def test_waiting_turns_use_all_time_without_other_requests():
    queue = FairQueue(4)
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    queue.end(BOB, 0.0, 0.0)
    indebted(queue, ANN)
    entered(queue, ANN, 1, 2)
    assert begun(queue) == [1]
    assert begun(queue, OTHERS_SECONDS + 0.01) == [2]


def test_time_used_without_other_networks_is_not_charged_later():
    """Many players at one address had to wait for minutes once a player at another address asked."""
    queue, each, now = FairQueue(4), 0.01, 0.0
    for n in range(1000):
        entered(queue, ANN, n, now=now)
        assert begun(queue, now) == [n]
        queue.end(ANN, each, now + each)
        now += each
    entered(queue, BOB, "b", now=now)
    entered(queue, ANN, "first", "second", now=now)
    assert begun(queue, now) == ["b", "first"]
    queue.end(BOB, each, now)
    queue.end(ANN, each, now)
    assert queue.wait(now) <= 2 * each / PART


def test_players_do_not_wait_for_callers_without_a_token_in_their_network():
    queue, player = FairQueue(8), Asker("a", 7)
    indebted(queue, ANN)
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    entered(queue, ANN, "first", "behind")
    entered(queue, player, "move", "next move")
    assert begun(queue) == ["first", "move", "next move"]


def test_groups_of_one_network_do_not_count_as_other_networks():
    queue, player, now = FairQueue(8), Asker("a", 7), 0.0
    indebted(queue, ANN)
    indebted(queue, player)
    now = 2 * OTHERS_SECONDS
    entered(queue, ANN, 1, 2, now=now)
    entered(queue, player, "move", "next move", now=now)
    assert sorted(map(str, begun(queue, now))) == ["1", "2", "move", "next move"]


def test_idle_network_is_served_immediately_regardless_of_past_use():
    queue = FairQueue(4)
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    queue.end(BOB, 0.0, 0.0)
    indebted(queue, ANN)
    for turn in range(5):
        entered(queue, ANN, turn)
        assert begun(queue) == [turn]
        queue.end(ANN, 0.1, 0.0)


def test_queue_reports_when_the_next_turn_can_begin():
    queue = FairQueue(4)
    assert queue.wait(0.0) == inf
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    queue.end(BOB, 0.0, 0.0)
    indebted(queue, ANN)
    entered(queue, ANN, 1, 2)
    assert begun(queue) == [1]
    seconds = queue.wait(0.0)
    assert 0 < seconds < OTHERS_SECONDS
    assert begun(queue, seconds / 2) == []
    assert begun(queue, seconds + 0.001) == [2]


def test_cancelled_turn_does_not_begin():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    assert begun(queue) == [1]
    queue.leave(ANN, 2)
    queue.end(ANN, 0.0, 0.0)
    assert begun(queue) == [3]
    queue.end(ANN, 0.0, 0.0)
    assert queue.wait(0.0) == inf


def test_queue_forgets_only_idle_networks(monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_GROUPS", 10)
    queue = FairQueue(2)
    indebted(queue, ANN)
    for number in range(100):
        caller = Asker(str(number))
        entered(queue, caller, number)
        assert begun(queue) == [number]
        queue.end(caller, 0.0, 0.0)
    assert len(queue._groups) <= 11
    assert ANN.group in queue._groups


def test_pace_delays_only_its_caller():
    pace = UploadPace(1000)
    assert pace.note("a", int(1000 * AT_ONCE_SECONDS), 50.0) == 0
    assert pace.note("a", 1000, 50.0) == pytest.approx(1)
    assert pace.note("a", 1000, 50.0) == pytest.approx(2)
    assert pace.note("b", 1, 50.0) == 0
    assert pace.note("a", 1, 60.0) == 0
