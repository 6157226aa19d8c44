"""Tests the task that plays bots' turns: delivered twice, or too late."""

import logging
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from domain import match as life
from domain.games.catalogue import GAMES
from domain.games.hearts.events import PlayCard
from domain.match.resignations import Resign
from events.service.commands import bot_seed
from events.service.projections import BOT, LEASE_MS
from events.store.tables import pending_rows
from tests.bound import Matches
from tests.driven import ANN
from tests.system.processes import check_log
from workers import thinking_time
from workers.tasks import bot_turn_tasks, deadline_tasks, repair
from workers.tasks.bot_turn_tasks import SECONDS, TURNS, choose, play_bot_turns

ME_AND_BOTS = ("me", "bot", "bot", "bot")
BOTS = ("bot",) * 4


def due_kinds(store, seen):
    return [row.kind for row in pending_rows.read_pending(store, seen.match_no)]


def test_bots_play_until_a_person_is_to_move(begin, matches, at_work, store):
    seen = begin(*ME_AND_BOTS)
    play_bot_turns(at_work, seen.match_id)
    assert matches.bot_to_move(seen.match_id) is None
    assert due_kinds(store, seen) == []
    assert life.to_act(matches.see(seen.match_id, ANN).match) == (0,)


def test_repeated_bot_turn_does_nothing(begin, matches, at_work):
    seen = begin(*ME_AND_BOTS)
    play_bot_turns(at_work, seen.match_id)
    version = matches.see(seen.match_id, ANN).version
    assert play_bot_turns(at_work, seen.match_id) == 0
    assert matches.see(seen.match_id, ANN).version == version


def test_bot_turn_of_an_unknown_match_does_nothing(at_work):
    assert play_bot_turns(at_work, "nowhere") == 0
    assert deadline_tasks.settle(at_work, "nowhere") == 0


@pytest.fixture
def passing(monkeypatch):
    """Make each turn take this many seconds."""
    took = [0.0]

    def monotonic():
        at[0] += took[0]
        return at[0]

    at = [0.0]
    monkeypatch.setattr(bot_turn_tasks, "monotonic", monotonic)
    return took


def test_bot_only_match_is_played_only_for_a_moment_at_a_time(begin, matches, at_work, store, now, passing):
    seen = begin(*BOTS)
    passing[0] = SECONDS / 2.5
    assert play_bot_turns(at_work, seen.match_id) == 3
    passing[0] = 10 * SECONDS
    assert play_bot_turns(at_work, seen.match_id) == 1
    assert [due.match_id for due in pending_rows.claim_due(store, now(), 10)] == [seen.match_id]


def test_bots_of_a_match_with_a_person_are_played_without_a_break(begin, matches, at_work, passing):
    seen = begin(*ME_AND_BOTS)
    passing[0] = 10 * SECONDS
    play_bot_turns(at_work, seen.match_id)
    assert matches.bot_to_move(seen.match_id) is None


def test_long_bot_match_yields_to_other_matches(begin, matches, at_work, store, now, passing):
    seen = begin(*BOTS)
    assert play_bot_turns(at_work, seen.match_id) == TURNS
    assert [due.match_id for due in pending_rows.claim_due(store, now(), 10)] == [seen.match_id]
    while play_bot_turns(at_work, seen.match_id):
        pass
    assert matches.see(seen.match_id, ANN).match.status == "finished"
    assert due_kinds(store, seen) == []


def test_worker_renews_the_lease_of_the_turn_it_continues(begin, matches, at_work, store, now):
    seen = begin(*BOTS)
    bot = at_work.bot_to_move(seen.match_id)
    at_work.bot_move(bot, choose(bot, Random(1)))
    assert pending_rows.claim_due(store, now(), 10) == []
    now.passes(LEASE_MS)
    assert [due.kind for due in pending_rows.claim_due(store, now(), 10)] == [BOT]


def test_several_workers_play_each_turn_once(begin, store, now, sqlite_path):
    seen = begin(*BOTS)
    workers = [Matches(store, now=now, lease_ms=LEASE_MS) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        while workers[0].bot_to_move(seen.match_id):
            list(threads.map(lambda worker: play_bot_turns(worker, seen.match_id), workers))
    assert check_log(f"sqlite:///{sqlite_path}", seen.match_id).status == "finished"


@pytest.mark.parametrize("remembers", [True, False])
def test_bot_with_memory_gets_the_events_of_its_seat(remembers, begin, at_work, monkeypatch):
    handed = []

    def bot(level, table, seat, shown, rng, budget):
        handed.append([type(event).__name__ for event in shown])
        return at_work.bot_to_move(seen.match_id).match.game.timing.default(table, seat)

    game = next(name for name, g in GAMES.items() if bool(g.memory) is remembers and 4 in g.setup.seats)
    monkeypatch.setattr(bot_turn_tasks, "BOTS", {game: bot})
    seen = begin(*BOTS, game=game)
    play_bot_turns(at_work, seen.match_id)
    assert handed
    assert all("HandDealt" in shown if remembers else not shown for shown in handed)


@pytest.mark.parametrize("fault", ["fails", "cheats"])
def test_clock_plays_for_a_bot_that_fails_or_cheats(fault, begin, matches, at_work, monkeypatch, caplog):
    def bot(level, table, seat, shown, rng, budget):
        if fault == "fails":
            raise KeyError(table.hands[seat])
        return PlayCard(99)

    monkeypatch.setattr(bot_turn_tasks, "BOTS", {"hearts": bot})
    seen = begin(*ME_AND_BOTS)
    with caplog.at_level(logging.ERROR):
        play_bot_turns(at_work, seen.match_id)
    assert life.to_act(matches.see(seen.match_id, ANN).match) == (0,)
    assert seen.match_id in caplog.text
    assert ("KeyError" if fault == "fails" else "PlayCard") in caplog.text
    assert "(" not in caplog.messages[0]  # no hand, no move


def test_bot_plays_a_seat_that_was_handed_over(begin, matches, at_work):
    seen = begin(*ME_AND_BOTS)
    matches.move(seen.match_id, ANN, None, Resign())
    while play_bot_turns(at_work, seen.match_id):
        pass
    assert matches.see(seen.match_id, ANN).match.over


def test_obsolete_work_is_removed(begin, at_work, store, now, monkeypatch):
    seen = begin(*ME_AND_BOTS)
    monkeypatch.setattr(life, "bots_to_act", lambda m: ())
    now.passes(repair.OLD_MS + 1)
    assert due_kinds(store, seen) == [BOT]
    assert play_bot_turns(at_work, seen.match_id) == 0
    assert due_kinds(store, seen) == []


def test_work_that_was_just_written_remains(begin, store, matches, monkeypatch):
    seen = begin(*ME_AND_BOTS)
    assert not repair.drop_unfounded(matches, seen.match_id, (BOT,))
    assert due_kinds(store, seen) == [BOT]


def test_turn_delivered_twice_makes_the_same_move(begin, at_work):
    """Random draws of a bot follow from the match and its version, with a secret of the match."""
    seen = begin(*BOTS)
    for _ in range(20):
        bot = at_work.bot_to_move(seen.match_id)
        again = at_work.bot_to_move(seen.match_id)
        moves = [choose(one, Random(bot_seed(at_work, one))) for one in (bot, again)]
        assert moves[0] == moves[1]
        at_work.bot_move(bot, moves[0])


def test_bots_of_two_matches_use_different_random_numbers(begin, at_work):
    first, second = (at_work.bot_to_move(begin(*BOTS).match_id) for _ in range(2))
    assert bot_seed(at_work, first) != bot_seed(at_work, second)


def test_slow_machine_makes_bots_weaker_but_not_slower(monkeypatch):
    """The search is stopped once it has computed or waited for a multiple of its time."""
    limits = {"thread_time": 0.15, "monotonic": 0.3}
    clocks = dict.fromkeys(limits, 0.0)
    for name, most in limits.items():
        monkeypatch.setattr(thinking_time, name, lambda name=name: clocks[name])
        budget = thinking_time.timed_budget(100)
        begun = clocks[name]
        clocks[name] = begun + 0.95 * most
        assert not budget.is_over()
        clocks[name] = begun + 1.05 * most
        assert budget.is_over()
