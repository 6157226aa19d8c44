"""Tests the bots of every game: each level plays only by what its seat was shown, and is reproducible."""

from random import Random
from time import thread_time

import pytest

from api.game_checks.secret_checks import both_worlds
from domain.core.game import CHANCE, fold, is_admitted
from domain.core.monte_carlo import SearchBudget
from domain.core.strengths import BOT_LEVELS
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from tests.draws import draws
from tests.laws.games import ENTRIES
from tests.laws.play import steps
from workers.thinking_time import timed_budget

BUDGET = SearchBudget(0, playouts=12)
CASES = [pytest.param(entry, level, id=f"{entry.game.name}-{level}") for entry in ENTRIES for level in BOT_LEVELS]


def some_options(entry, rng):
    return rng.choice([options for block in entry.blocks.values() for options in block])


def moments(entry, rng, hands=1, most=60):
    """Return the seat's table, the seat and what it was shown, at every decision of a game in two worlds."""
    options = some_options(entry, rng)
    for reader in range(entry.seats):
        played = steps(entry, options, Random(rng.random()), hands)
        own = twin = None
        shown, told = [], []
        for n, (step, _, events, _) in enumerate(both_worlds(entry, played, reader, rng)):
            own, twin = own or step.state.copy(), twin or step.state.copy()
            if step.seat == reader:
                yield (own, tuple(shown)), (twin, tuple(told)), reader
            ours = [view_event(event, reader) for event in step.events]
            theirs = [view_event(event, reader) for event in events]
            if ours != theirs or n == most:
                break
            own, twin = fold(entry.game, own, ours), fold(entry.game, twin, theirs)
            shown += ours
            told += theirs


@pytest.mark.parametrize(("entry", "level"), CASES)
def test_hidden_cards_do_not_affect_a_bots_move(entry, level):
    choose = BOTS[entry.game.name]
    for seed in range(draws(1)):
        for (own, shown), (twin, told), seat in moments(entry, Random(seed)):
            here, there = (choose(level, *at, Random(5), BUDGET) for at in ((own, seat, shown), (twin, seat, told)))
            assert here == there
            assert is_admitted(entry.game.legal(own, seat), here)


def decisions(entry, seed, most):
    """Return some decisions of a game: the table as the seat sees it, the seat, and the events shown to it."""
    rng, shown = Random(seed), [[] for _ in range(entry.seats)]
    for step in steps(entry, some_options(entry, rng), rng, 1):
        if step.seat != CHANCE:
            most -= 1
            yield step.own[step.seat], step.seat, tuple(shown[step.seat])
        if not most:
            return
        for seat, told in enumerate(shown):
            told += [view_event(event, seat) for event in step.events]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.game.name)
def test_bot_chooses_the_same_move_with_the_same_seed_and_budget(entry):
    choose = BOTS[entry.game.name]
    for own, seat, shown in decisions(entry, 3, 12):
        first, again = (choose("strong", own.copy(), seat, shown, Random(9), BUDGET) for _ in range(2))
        assert first == again


@pytest.mark.parametrize("game", BOTS)
def test_strong_bot_takes_at_most_twice_its_time(game):
    entry = next(entry for entry in ENTRIES if entry.game.name == game)
    for own, seat, shown in decisions(entry, 4, 6):
        begun = thread_time()
        BOTS[game]("strong", own, seat, shown, Random(1), timed_budget(100))
        assert thread_time() - begun < 0.2
