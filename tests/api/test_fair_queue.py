"""Tests the order in which waiting requests are processed."""

from math import inf

import pytest

from api.http import fair_queue
from api.http.connection_limits import AT_ONCE_SECONDS, UploadPace
from api.http.fair_queue import CREDIT, OTHERS_SECONDS, PART, PLAYER_CREDIT, Asker, FairQueue
from tests.api.busy_server import MOVE, STEP, longest_of, median_of, people, program, serve

ANN, BOB, CLEO = Asker("a"), Asker("b"), Asker("c")
DAN, EVE = Asker("a", "dan"), Asker("a", "eve")
"""Known players in the network of the first caller."""


def begun(queue, now=0.0):
    return list(queue.begin(now))


def entered(queue, caller, *turns, now=0.0):
    for turn in turns:
        queue.enter(caller, turn, now)


def ended(queue, *turns, used=0.0, now=0.0):
    for turn in turns:
        queue.end(turn, used, now)


def asks(queue, caller, now=0.0):
    """Let a caller ask once, so that it counts as active."""
    entered(queue, caller, "asks", now=now)
    assert begun(queue, now) == ["asks"]
    ended(queue, "asks", now=now)


def indebted(queue, caller, now=0.0):
    """Use up the credit of a network and of its player, with a request next to another one."""
    entered(queue, caller, "other", "dear", now=now)
    assert begun(queue, now) == ["other", "dear"]
    ended(queue, "other", now=now)
    ended(queue, "dear", used=2 * PLAYER_CREDIT, now=now)


def test_networks_take_turns():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    assert begun(queue) == [1]
    entered(queue, BOB, "b1", "b2")
    entered(queue, CLEO, "c1")
    order = [1]
    for _ in range(5):
        ended(queue, order[-1])
        order += begun(queue)
    assert order == [1, 2, "b1", "c1", 3, "b2"]


def test_players_of_a_network_take_turns():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    entered(queue, DAN, "dan")
    order = begun(queue)
    for _ in range(3):
        ended(queue, order[-1])
        order += begun(queue)
    assert order == [1, "dan", 2, 3]


def test_player_who_has_used_the_least_is_next():
    queue = FairQueue(1)
    asks(queue, ANN)
    turns = {"dear": ANN, "cheap": DAN}
    for turn, caller in turns.items():
        entered(queue, caller, turn)
    order = []
    for _ in range(9):
        (turn,) = begun(queue)
        order.append(turn)
        ended(queue, turn, used=0.003 if turn == "dear" else 0.001)
        entered(queue, turns[turn], turn)
    assert order[0] == "dear"
    assert order.count("cheap") >= 2 * order.count("dear")


def test_busy_network_leaves_threads_for_others():
    queue = FairQueue(16)
    entered(queue, ANN, *range(40))
    assert begun(queue) == list(range(8))
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    ended(queue, "b", 0)
    assert begun(queue) == [8]


def test_delayed_turns_use_a_share_of_the_time_while_others_wait():
    queue = FairQueue(4)
    entered(queue, ANN, *range(1000))
    now, used, each = 0.0, 0.0, 0.002
    while now < 10:
        entered(queue, BOB, "b", now=now)
        turns = begun(queue, now)
        for turn in turns:
            cost = 0.0 if turn == "b" else each
            used += cost
            queue.end(turn, cost, now)
        assert "b" in turns
        now += 0.01
    assert used == pytest.approx(10 * PART + CREDIT, abs=0.05)


def test_waiting_turns_use_all_time_without_other_requests():
    queue = FairQueue(4)
    asks(queue, BOB)
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
        queue.end(n, each, now + each)
        now += each
    entered(queue, BOB, "b", now=now)
    entered(queue, ANN, "first", "second", now=now)
    assert begun(queue, now) == ["b", "first"]
    ended(queue, "b", "first", used=each, now=now)
    assert queue.wait(now) <= 2 * each / PART


@pytest.mark.parametrize("elsewhere", [True, False])
def test_neighbours_do_not_wait_for_the_parallel_requests_of_another_caller(elsewhere):
    queue = FairQueue(8)
    indebted(queue, ANN)
    asks(queue, BOB if elsewhere else EVE)
    entered(queue, ANN, "first", "second")
    entered(queue, DAN, "move")
    assert set(begun(queue)) == {"first", "move"}
    entered(queue, DAN, "next move")
    seconds = queue.wait(0.0)
    assert begun(queue, seconds + 0.001) == ["next move"]


def test_parallel_requests_use_all_time_of_a_server_with_one_caller():
    queue = FairQueue(8)
    indebted(queue, ANN)
    entered(queue, ANN, 1, 2, 3)
    assert begun(queue) == [1, 2, 3]


@pytest.mark.parametrize(("outstanding", "elsewhere"), [(64, 0), (64, 7), (300, 0)])
@pytest.mark.parametrize("player", ["eve", ""])
def test_neighbours_time_does_not_depend_on_the_requests_of_a_program(outstanding, elsewhere, player):
    """A program with a player's token made its neighbours wait ten times as long."""
    few, many, quiet = people("home"), people("home"), people("home")
    serve(*quiet, *people("far", elsewhere))
    serve(*few, *people("far", elsewhere), program("home", player, 2))
    serve(*many, *people("far", elsewhere), program("home", player, outstanding))
    assert median_of(many) <= max(median_of(few), 1.3 * median_of(quiet))
    assert longest_of(many) <= 10 * MOVE


@pytest.mark.parametrize(("accounts", "outstanding"), [(8, 1), (64, 1), (64, 8)])
def test_many_accounts_at_a_network_slow_others_no_more_than_one_connection(accounts, outstanding):
    one, many = people("home"), people("home")
    serve(*one, program("far", "eve", 1))
    used = serve(*many, *(program("far", f"eve {n}", outstanding) for n in range(accounts)))
    assert median_of(many) <= 1.3 * median_of(one)
    assert used["home"] == pytest.approx(sum(len(each.times) for each in one) * MOVE, rel=0.05)


def test_many_accounts_of_a_neighbour_slow_a_player_no_more_than_a_few():
    """As long as the player asks for less than the share of one account."""
    few, many = people("home", pause=1.0), people("home", pause=1.0)
    serve(*few, *(program("home", f"eve {n}", 1) for n in range(8)))
    serve(*many, *(program("home", f"eve {n}", 1) for n in range(64)))
    assert median_of(many) <= median_of(few) + STEP
    assert median_of(many) <= 3 * MOVE


def test_club_is_served_although_another_network_asks():
    """Once a club used a tenth of a processor, each of its players waited for seconds."""
    club = people("club", 80)
    used = serve(*club, *people("far"))
    assert used["club"] > 3 * PART * 10
    assert median_of(club) <= 3 * MOVE


def test_player_with_slow_requests_leaves_threads_to_neighbours_and_to_other_networks():
    queue = FairQueue(16)
    entered(queue, ANN, *range(40))
    assert len(begun(queue)) == 8
    entered(queue, DAN, *"abcdef")
    assert begun(queue) == ["a", "b", "c"]
    entered(queue, EVE, "eve")
    assert begun(queue) == []
    entered(queue, BOB, 100, 101)
    assert begun(queue) == [100, 101]


def test_idle_network_is_served_immediately_regardless_of_past_use():
    queue = FairQueue(4)
    asks(queue, BOB)
    indebted(queue, ANN)
    for turn in range(5):
        entered(queue, ANN, turn)
        assert begun(queue) == [turn]
        queue.end(turn, 0.1, 0.0)


def test_queue_reports_when_the_next_turn_can_begin():
    queue = FairQueue(4)
    assert queue.wait(0.0) == inf
    asks(queue, BOB)
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
    queue.leave(2)
    ended(queue, 1)
    assert begun(queue) == [3]
    ended(queue, 3)
    assert queue.wait(0.0) == inf


def test_queue_forgets_only_idle_networks(monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_NETWORKS", 10)
    queue = FairQueue(4)
    indebted(queue, ANN)
    for number in range(100):
        caller = Asker(str(number))
        entered(queue, caller, number)
        assert begun(queue) == [number]
        queue.end(number, 0.0, 0.0)
    assert len(queue._networks) <= 11
    assert ANN.network in queue._networks


def test_queue_remembers_a_limited_number_of_players(monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_RESTING", 10)
    queue = FairQueue(4)
    for number in range(100):
        asks(queue, Asker("a", str(number)))
    (network,) = queue._networks.values()
    assert not network.present
    assert [caller.player for caller in network.resting] == [str(number) for number in range(90, 100)]


def test_pace_delays_only_its_caller():
    pace = UploadPace(1000)
    assert pace.note("a", int(1000 * AT_ONCE_SECONDS), 50.0) == 0
    assert pace.note("a", 1000, 50.0) == pytest.approx(1)
    assert pace.note("a", 1000, 50.0) == pytest.approx(2)
    assert pace.note("b", 1, 50.0) == 0
    assert pace.note("a", 1, 60.0) == 0
