"""Provides an app on SQLite and on PostgreSQL, players who call it, and bots that play in between."""

import random
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import make_url

from api.app import create_app
from api.http.app_state import store_app_state
from api.http.change_poller import ChangePoller
from api.http.waiting_limits import WaitingLimits
from domain.core.clock import Time
from domain.games.bots import BOTS
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from tests.api.client import Client
from tests.api.driven import blocking
from tests.bound import Matches
from tests.factories import StoredPlayer


class Clock:
    """The time, which changes only when a test says so."""

    def __init__(self):
        self.at = 1_790_000_000_000

    def __call__(self):
        return Time(self.at)

    def passes(self, seconds):
        self.at += int(seconds * 1000)


USUAL = Settings(dealt_rate_per_second=0)


@pytest.fixture(scope="session")
def postgresql(postgres):
    database = postgres.new_database()
    migrate(database.owner_url, make_url(database.app_url).username)
    with closing(open_store(database.app_url)) as store:
        yield store


@pytest.fixture(scope="session")
def sqlite(empty_sqlite, tmp_path_factory):
    with closing(open_store(empty_sqlite(tmp_path_factory.mktemp("api") / "dealt.sqlite3"))) as store:
        yield store


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request):
    """Return a store that all tests share. Each test has its own players and matches in it."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def settings():
    return USUAL


@pytest.fixture(scope="session")
def usual_apps():
    """Return the app of each store with the default settings: creating one takes longer than most tests."""
    return {}


@pytest.fixture
def app(store, settings, clock, usual_apps):
    """An app with the test's own clock and its own waiting requests."""
    if settings is not USUAL:
        app = driven(create_app(settings, store=store, now=clock))
        store_app_state(app, replace(app.extensions["dealt"], context=Matches(store, now=clock)))
        return app
    if store not in usual_apps:
        usual_apps[store] = driven(create_app(settings, store=store, now=clock))
    app = usual_apps[store]
    own = {
        "context": Matches(store, now=clock),
        "poller": ChangePoller(store),
        "waiting_limits": WaitingLimits(100, 100, 100),
    }
    store_app_state(app, replace(app.extensions["dealt"], **own))
    return app


def driven(app):
    """Let clients call the app that block their thread while they wait."""
    app.wsgi_app = blocking(app.wsgi_app)
    return app


@pytest.fixture
def player(app, store):
    """Create players with clients."""

    def made(**known):
        stored = StoredPlayer(store=store, **known)
        return Client(app, stored["token"], stored["player_id"], stored["name"], stored["handle"])

    return made


@pytest.fixture
def ada(player):
    return player(name="Ada")


@pytest.fixture
def ben(player):
    return player(name="Ben")


@pytest.fixture
def stranger(app):
    return Client(app)


@pytest.fixture
def bots(app):
    """Let the bots of a match play until it waits for a person."""
    matches = app.extensions["dealt"].context
    rng = random.Random(7)

    def play(table):
        while (seen := matches.bot_to_move(table["id"])) is not None:
            level = seen.match.created.seats[seen.seat].level or "steady"
            choose = BOTS[seen.match.game.name]
            matches.bot_move(seen, choose(level, seen.match.table, seen.seat, matches.shown(seen), rng))

    return play


@pytest.fixture
def full_table(ada, player):
    """Return a match of four people, and the players by seat."""

    def made(**traits):
        table = ada.creates(open_table=True, **traits)
        others = [player() for _ in range(3)]
        for seat, other in enumerate(others, 1):
            assert other.put(f"{table.path}/seats/{seat}").status_code == 200
        return table, [ada, *others]

    return made


@pytest.fixture
def playing(full_table):
    """Return a match of four people who have passed cards: the match, the players, and the seat to act."""

    def made(**traits):
        table, players = full_table(**traits)
        for p in players:
            assert p.plays(table).status_code == 200
        return table, players, players[0].sees(table)["to_act"][0]

    return made
