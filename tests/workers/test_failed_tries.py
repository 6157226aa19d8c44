"""A task that was tried and failed makes its work rest, longer each time; nothing else does."""

import pytest
from sqlalchemy import select

from domain.core.game_guard import GameFailed
from domain.games.catalogue import GAMES
from events.errors import Unavailable
from events.log.codec import shapes
from events.service.projections import LEASE_MS
from events.settings import Settings
from events.store import schema, tables
from workers.celery_app import LOOK, PLAY, SETTLE, celery_app
from workers.in_process import BROKER
from workers.tasks import bot_turn_tasks, deadline_tasks, order_tasks

BOTS = ("bot",) * 4
WORK = {PLAY: (bot_turn_tasks, "play_bot_turns"), SETTLE: (deadline_tasks, "settle"), LOOK: (order_tasks, "look")}


@pytest.fixture
def run(at_work):
    """Run a task as a worker does."""
    app = celery_app(Settings(), BROKER, lambda: at_work)
    return lambda task, match_id: app.tasks[task](match_id)


def rests(store, now):
    """Give the time for which no work can be claimed, in milliseconds, and claim the work that then can be."""
    after = tables.pending_rows.next_due(store) - now()
    now.passes(after)
    assert tables.pending_rows.claim_due(store, now(), 10)
    return after


@pytest.mark.parametrize("task", WORK)
@pytest.mark.parametrize("error", [GameFailed("the game's fault"), RuntimeError("ours")])
def test_failed_task_rests_longer_each_time(begin, run, store, now, monkeypatch, task, error):
    match_id = begin(*BOTS).match_id
    tables.pending_rows.claim_due(store, now(), 10)

    def fails(*_):
        raise error

    monkeypatch.setattr(*WORK[task], fails)
    found = []
    for _ in range(3):
        if isinstance(error, GameFailed):
            run(task, match_id)
        else:
            with pytest.raises(RuntimeError):
                run(task, match_id)
        found.append(rests(store, now))
    assert found == [5_000, 10_000, 20_000]


def test_a_database_that_is_away_lets_nothing_fail(begin, run, store, now, monkeypatch):
    match_id = begin(*BOTS).match_id
    tables.pending_rows.claim_due(store, now(), 10)

    def fails(*_):
        raise Unavailable

    monkeypatch.setattr(bot_turn_tasks, "play_bot_turns", fails)
    for _ in range(3):
        with pytest.raises(Unavailable):
            run(PLAY, match_id)
        assert rests(store, now) == LEASE_MS


@pytest.fixture
def removed():
    """Remove a game, until the test is over."""
    before = dict(GAMES)

    def removed(game):
        del GAMES[game]
        shapes.cache_clear()

    yield removed
    GAMES.clear()
    GAMES.update(before)
    shapes.cache_clear()


@pytest.mark.parametrize("task", [PLAY, SETTLE])
def test_task_of_an_uninstalled_game_rests_too(begin, run, store, now, removed, task):
    match_id = begin(*BOTS).match_id
    tables.pending_rows.claim_due(store, now(), 10)
    removed("hearts")
    found = []
    for _ in range(3):
        run(task, match_id)
        found.append(rests(store, now))
    assert found == [5_000, 10_000, 20_000]


def test_work_done_after_a_failure_has_no_failure_left(begin, run, store, now, monkeypatch):
    match_id = begin(*BOTS).match_id
    with monkeypatch.context() as patch:
        patch.setattr(bot_turn_tasks, "play_bot_turns", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(PLAY, match_id)
    now.passes(5_000)
    run(PLAY, match_id)
    assert store.read(select(schema.due.c.attempts))[0][0] == 0
