"""Tests the limit of bot-only matches per player."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from domain.core.clock import Clock
from domain.match.creation import Series
from domain.match.resignations import TakeSeatBack
from events.errors import TooManyBotMatches
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.store.schema.match_schema import matches as match_table
from events.store.tables import match_rows
from tests.bound import Matches
from tests.driven import Machine
from tests.factories import StoredPlayer
from tests.match.table import options
from workers.tasks.bot_turn_tasks import play_bot_turns

pytestmark = pytest.mark.both_databases

BOTS = tuple(SeatRequest("bot", "easy") for _ in range(4))
ME = (SeatRequest("me"), *BOTS[1:])
OPEN = (SeatRequest("open"), *BOTS[1:])


@pytest.fixture
def now():
    return Machine()


@pytest.fixture
def limited(store, now):
    return Matches(store, now=now, bot_matches=3)


@pytest.fixture
def player(store):
    def made():
        stored = StoredPlayer(store=store)
        return Caller(stored["player_id"], stored["token"])

    return made


@pytest.fixture
def ann(player):
    return player()


def of(places, **chosen):
    return NewMatch("hearts", options("hearts", target_score=1, **chosen), None, places, "public", Clock(), Series())


def count(store):
    return store.read(select(func.count()).select_from(match_table))[0][0]


def test_match_over_the_limit_is_refused_without_a_trace(limited, store, ann, player):
    for _ in range(3):
        limited.create(ann, of(BOTS))
    with pytest.raises(TooManyBotMatches):
        limited.create(ann, of(BOTS))
    assert count(store) == 3
    assert limited.create(ann, of(ME)).match.status == "playing"
    assert limited.create(player(), of(BOTS)).match.status == "playing"


def test_finished_matches_do_not_count(limited, ann):
    ids = [limited.create(ann, of(BOTS)).match_id for _ in range(3)]
    while play_bot_turns(limited, ids[0]):
        pass
    limited.create(ann, of(BOTS))
    with pytest.raises(TooManyBotMatches):
        limited.create(ann, of(BOTS))


def test_match_left_to_a_bot_counts_until_the_player_returns(limited, store, ann, now):
    seen = limited.create(ann, replace(of(ME), clock=Clock(per_decision_seconds=10, max_defaults=1)))
    limited.move(seen.match_id, ann, None, seen.match.game.timing.default(seen.match.table, 0))
    limited.create(ann, of(BOTS))
    limited.create(ann, of(BOTS))
    while not limited.see(seen.match_id, ann).match.by_bot[0]:
        play_bot_turns(limited, seen.match_id)
        now.passes(10_000)
        limited.settle(seen.match_id)
    assert not match_rows.row(store, seen.match_no).ended_ms
    with pytest.raises(TooManyBotMatches):
        limited.create(ann, of(BOTS))
    limited.move(seen.match_id, ann, None, TakeSeatBack())
    assert limited.create(ann, of(BOTS))
    assert match_rows.row(store, seen.match_no).started_ms == seen.created


def test_tables_of_a_group_count_from_its_creation(limited, store, ann, player):
    with pytest.raises(TooManyBotMatches):
        limited.create_group(ann, of(()), [BOTS] * 4)
    assert count(store) == 0
    limited.create_group(ann, of(()), [OPEN, BOTS, BOTS])
    limited.create(ann, of(BOTS))
    with pytest.raises(TooManyBotMatches):
        limited.create(ann, of(BOTS))
    limited.create_group(ann, of(()), [ME, OPEN])


def test_concurrent_requests_respect_the_limit(limited, ann):
    def ask(_):
        try:
            return limited.create(ann, of(BOTS)).match_id
        except TooManyBotMatches:
            return None

    with ThreadPoolExecutor(8) as pool:
        made = [found for found in pool.map(ask, range(16)) if found]
    assert len(made) == 3


def test_missing_limit_allows_any_number(store, ann):
    unlimited = Matches(store)
    for _ in range(40):
        unlimited.create(ann, of(BOTS))
    assert count(store) == 40
