"""Tests that a failed task delays its work, longer each time, and that nothing else does."""

import pytest
from sqlalchemy import select

from domain.core.game_guard import GameFailed
from domain.games.catalogue import GAMES
from events.errors import Unavailable
from events.log.codec import shapes
from events.service.projections import LEASE_MS
from events.settings import Settings
from events.store.schema import log_schema
from events.store.tables import pending_rows
from workers.celery_app import LOOK, PLAY, SETTLE, celery_app
from workers.embedded import BROKER
from workers.tasks import bot_turn_tasks, deadline_tasks, order_tasks

BOTS = ("bot",) * 4
WORK = {PLAY: (bot_turn_tasks, "play_bot_turns"), SETTLE: (deadline_tasks, "settle"), LOOK: (order_tasks, "look")}


@pytest.fixture
def run(at_work):
    """Run a task as a worker does."""
    app = celery_app(Settings(), BROKER, lambda: at_work)
    return lambda task, match_id: app.tasks[task](match_id)


def rests(store, now):
    """Return the time for which no work can be claimed, in milliseconds, and claim the work available then."""
    after = pending_rows.next_due(store) - now()
    now.passes(after)
    assert pending_rows.claim_due(store, now(), 10)
    return after


@pytest.mark.parametrize("task", WORK)
@pytest.mark.parametrize("error", [GameFailed("the game's fault"), RuntimeError("ours")])
def test_failed_task_is_delayed_longer_each_time(begin, run, store, now, monkeypatch, task, error):
    match_id = begin(*BOTS).match_id
    pending_rows.claim_due(store, now(), 10)

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


def test_unreachable_database_does_not_count_as_a_failed_task(begin, run, store, now, monkeypatch):
    match_id = begin(*BOTS).match_id
    pending_rows.claim_due(store, now(), 10)

    def fails(*_):
        raise Unavailable

    monkeypatch.setattr(bot_turn_tasks, "play_bot_turns", fails)
    for _ in range(3):
        with pytest.raises(Unavailable):
            run(PLAY, match_id)
        assert rests(store, now) == LEASE_MS


@pytest.fixture
def removed():
    """Remove a game until the end of the test."""
    before = dict(GAMES)

    def removed(game):
        del GAMES[game]
        shapes.cache_clear()

    yield removed
    GAMES.clear()
    GAMES.update(before)
    shapes.cache_clear()


@pytest.mark.parametrize("task", [PLAY, SETTLE])
def test_task_of_an_uninstalled_game_is_delayed_too(begin, run, store, now, removed, task):
    match_id = begin(*BOTS).match_id
    pending_rows.claim_due(store, now(), 10)
    removed("hearts")
    found = []
    for _ in range(3):
        run(task, match_id)
        found.append(rests(store, now))
    assert found == [5_000, 10_000, 20_000]


def test_success_after_a_failure_resets_the_failure_count(begin, run, store, now, monkeypatch):
    match_id = begin(*BOTS).match_id
    with monkeypatch.context() as patch:
        patch.setattr(bot_turn_tasks, "play_bot_turns", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(PLAY, match_id)
    now.passes(5_000)
    run(PLAY, match_id)
    assert store.read(select(log_schema.due.c.attempts))[0][0] == 0
