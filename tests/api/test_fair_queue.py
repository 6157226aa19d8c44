"""Tests the order in which waiting requests are processed."""

from math import inf

import pytest

from api.http import fair_queue
from api.http.connection_limits import AT_ONCE_SECONDS, UploadPace
from api.http.fair_queue import (
    CALLERS_CREDIT,
    CALLERS_PART,
    NETWORKS_CREDIT,
    NETWORKS_PART,
    OTHERS_SECONDS,
    Asker,
    FairQueue,
)
from tests.api.busy_server import MOVE, Sender, people, serve, usual_time

ANN, BOB, CLEO = Asker("a"), Asker("b"), Asker("c")
ANNS_PLAYER, ANNS_NEIGHBOUR, BOBS_PLAYER = Asker("a", 7), Asker("a", 8), Asker("b", 9)


def begun(queue, now=0.0):
    return list(queue.begin(now))


def entered(queue, caller, *turns, now=0.0):
    for turn in turns:
        queue.enter(caller, turn, now)


def ended(queue, *turns, used=0.0, now=0.0):
    for turn in turns:
        queue.end(turn, used, now)


def asked(queue, *callers, now=0.0):
    """Let each of these callers send a request that takes no time."""
    for caller in callers:
        entered(queue, caller, caller, now=now)
        assert begun(queue, now) == [caller]
        ended(queue, caller, now=now)


def indebted(queue, caller, now=0.0, used=2 * CALLERS_CREDIT):
    """Let a caller use up its credit with two parallel requests."""
    entered(queue, caller, "first", "second", now=now)
    assert begun(queue, now) == ["first", "second"]
    ended(queue, "first", "second", used=used, now=now)


# --- Turns ------------------------------------------------------------------------------------------------


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


def test_callers_of_a_network_take_turns():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    entered(queue, ANNS_PLAYER, "seven")
    order = begun(queue)
    for _ in range(3):
        ended(queue, order[-1])
        order += begun(queue)
    assert order == [1, "seven", 2, 3]


def test_busy_network_leaves_threads_for_others():
    queue = FairQueue(16)
    players = [Asker("a", number) for number in range(1, 41)]
    for caller in players:
        entered(queue, caller, caller)
    assert begun(queue) == players[:8]
    entered(queue, BOB, "b")
    assert begun(queue) == ["b"]
    ended(queue, "b", players[0])
    assert begun(queue) == [players[8]]


def test_busy_caller_leaves_threads_for_its_neighbours():
    queue = FairQueue(16)
    entered(queue, ANN, *range(40))
    assert begun(queue) == list(range(6))
    entered(queue, ANNS_PLAYER, "next door")
    assert begun(queue) == ["next door"]
    ended(queue, "next door", 0)
    assert begun(queue) == [6]


def test_cancelled_turn_does_not_begin():
    queue = FairQueue(1)
    entered(queue, ANN, 1, 2, 3)
    assert begun(queue) == [1]
    queue.leave(2)
    ended(queue, 1)
    assert begun(queue) == [3]
    ended(queue, 3)
    assert queue.wait(0.0) == inf
    assert queue.counts() == (0, 0)


def test_queue_counts_working_and_waiting_turns():
    queue = FairQueue(4)
    entered(queue, ANN, 1, 2, 3)
    entered(queue, BOB, "b")
    assert begun(queue) == [1, "b"]
    assert queue.counts() == (2, 2)


# --- Budgets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [BOB, BOBS_PLAYER, ANNS_NEIGHBOUR])
def test_player_waits_with_parallel_requests_while_others_ask(other):
    queue = FairQueue(16)
    asked(queue, other)
    indebted(queue, ANNS_PLAYER, used=CALLERS_PART * 2 * OTHERS_SECONDS)
    entered(queue, ANNS_PLAYER, 1, 2)
    assert begun(queue) == [1]
    assert begun(queue, OTHERS_SECONDS + 0.01) == [2]


def test_player_does_not_wait_for_unknown_callers_of_the_network():
    """A program registers without a token, and its page loads without one."""
    queue = FairQueue(16)
    asked(queue, ANN)
    indebted(queue, ANNS_PLAYER)
    entered(queue, ANNS_PLAYER, 1, 2, 3)
    assert begun(queue) == [1, 2, 3]


def test_unknown_callers_wait_only_while_other_networks_ask():
    """A class opens the page: the server has not recognised any of its tokens yet."""
    queue = FairQueue(16)
    asked(queue, ANNS_PLAYER)
    indebted(queue, ANN)
    entered(queue, ANN, 1, 2)
    assert begun(queue) == [1, 2]
    asked(queue, BOBS_PLAYER)
    entered(queue, ANN, 3, 4)
    assert begun(queue) == []
    ended(queue, 1, 2, used=2 * CALLERS_CREDIT)
    assert begun(queue) == []


def test_idle_caller_is_served_immediately_regardless_of_past_use():
    queue = FairQueue(4)
    asked(queue, BOB, ANNS_NEIGHBOUR)
    indebted(queue, ANNS_PLAYER)
    for turn in range(5):
        entered(queue, ANNS_PLAYER, turn)
        assert begun(queue) == [turn]
        ended(queue, turn, used=0.1)


def test_single_requests_are_not_charged():
    queue = FairQueue(4)
    asked(queue, BOB)
    for turn in range(100):
        entered(queue, ANNS_PLAYER, turn)
        assert begun(queue) == [turn]
        ended(queue, turn, used=1.0)
    entered(queue, ANNS_PLAYER, "first", "second")
    assert begun(queue) == ["first", "second"]


def test_time_used_without_others_is_not_charged_later():
    """Many players at one address had to wait for minutes once a player at another address asked."""
    queue = FairQueue(16)
    for turns in ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]):
        entered(queue, ANNS_PLAYER, *turns)
        assert begun(queue) == turns
        ended(queue, *turns, used=1.0)
    asked(queue, ANNS_NEIGHBOUR)
    entered(queue, ANNS_PLAYER, "first", "second")
    assert begun(queue) == ["first"]
    assert queue.wait(0.0) <= 1.0 / CALLERS_PART


def test_network_waits_while_other_networks_ask():
    """Anyone can register many players, each of whom sends one request at a time."""
    queue = FairQueue(16)
    asked(queue, BOB)
    players = [Asker("a", number) for number in (1, 2, 3)]
    for caller in players:
        entered(queue, caller, caller.player)
    assert begun(queue) == [1, 2, 3]
    ended(queue, 1, 2, 3, used=NETWORKS_CREDIT)
    for caller in players:
        entered(queue, caller, caller.player)
    assert begun(queue) == [1]
    seconds = queue.wait(0.0)
    assert seconds == pytest.approx(NETWORKS_CREDIT / NETWORKS_PART)
    assert begun(queue, seconds + 0.001) == [2]


def test_queue_reports_when_the_next_turn_can_begin():
    queue = FairQueue(4)
    assert queue.wait(0.0) == inf
    asked(queue, BOB)
    indebted(queue, ANN)
    entered(queue, ANN, 1, 2)
    assert begun(queue) == [1]
    seconds = queue.wait(0.0)
    assert 0 < seconds < OTHERS_SECONDS
    assert begun(queue, seconds / 2) == []
    assert begun(queue, seconds + 0.001) == [2]


def test_queue_forgets_idle_callers_and_networks(monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_ACCOUNTS", 10)
    queue = FairQueue(300)
    entered(queue, ANNS_PLAYER, "working")
    assert begun(queue) == ["working"]
    for number in range(100):
        asked(queue, Asker(str(number), number))
    entered(queue, ANNS_PLAYER, "behind")
    ended(queue, "working")
    for level in (queue._networks, queue._callers):
        assert len(level.accounts) <= 10


# --- A busy server ----------------------------------------------------------------------------------------


def is_fast(*senders):
    """Return whether requests take at most 1.3 times as long as on an idle server."""
    return usual_time(senders) <= 1.3 * MOVE


@pytest.mark.parametrize("network", ["a", "b"])
def test_program_with_a_token_does_not_slow_down_others(network):
    program, other = Sender(ANNS_PLAYER, 64), Sender(Asker(network, 1), pause=0.02)
    used = serve(program, other, seconds=5.0)
    assert is_fast(other)
    assert used[ANNS_PLAYER] == pytest.approx(5 * CALLERS_PART + CALLERS_CREDIT, abs=0.05)


def test_programs_with_tokens_share_their_part():
    programs, near = [Sender(Asker("a", number), 8) for number in range(10, 15)], people("a", 1, 0.02)
    used = serve(*programs, *near, seconds=5.0)
    assert is_fast(*near)
    assert sum(used[program.caller] for program in programs) < 5 * CALLERS_PART + 6 * CALLERS_CREDIT


def test_club_is_not_slowed_down_while_another_network_asks():
    club, far = people("a", 40, 0.9), people("b", 1, 0.02)
    serve(*club, *far)
    assert is_fast(*club)
    assert is_fast(*far)


@pytest.mark.parametrize("network", ["a", "b"])
def test_class_opens_the_page_at_full_speed(network):
    pages = [Sender(Asker("a", number), 10, most=10) for number in range(30)]
    serve(*pages, Sender(Asker(network, 99), pause=0.1), seconds=3.0)
    assert max(page.ended for page in pages) <= 1.2 * 300 * MOVE


def test_accounts_of_one_network_leave_half_of_the_time_to_others():
    accounts, far = people("a", 64, 0.0), people("b", 1, 0.02)
    used = serve(*accounts, *far)
    assert usual_time(far) <= 2 * MOVE
    share = sum(used[account.caller] for account in accounts)
    assert share == pytest.approx(10 * NETWORKS_PART + NETWORKS_CREDIT, abs=0.1)


def test_callers_without_a_token_do_not_slow_down_other_networks():
    far = people("b", 1, 0.02)
    serve(Sender(ANN, 64), *far, seconds=5.0)
    assert is_fast(*far)


def test_pace_delays_only_its_caller():
    pace = UploadPace(1000)
    assert pace.note("a", int(1000 * AT_ONCE_SECONDS), 50.0) == 0
    assert pace.note("a", 1000, 50.0) == pytest.approx(1)
    assert pace.note("a", 1000, 50.0) == pytest.approx(2)
    assert pace.note("b", 1, 50.0) == 0
    assert pace.note("a", 1, 60.0) == 0
