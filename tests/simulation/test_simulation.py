"""Tests weeks of matches by mail, with everything that happens to players and servers.

`python -m tests.simulation` plays a year of them.
"""

from contextlib import closing
from random import Random

import pytest
from sqlalchemy import delete, insert, make_url, select

from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.schema.log_schema import due, work_spans
from events.store.tables import outage_rows, stream_rows
from tests.simulation.reckoning import reckoned, report
from tests.simulation.servers import Servers
from tests.simulation.timeline import DAY, HOUR, MINUTE, SECOND, Timeline, outside
from tests.simulation.world import BEGINNING, lived


@pytest.fixture
def sqlite(sqlite_path):
    url = f"sqlite:///{sqlite_path}"
    migrate(url)
    return url


@pytest.fixture
def postgresql(postgres):
    database = postgres.new_database()
    migrate(database.owner_url, make_url(database.app_url).username)
    return database.app_url


@pytest.mark.long
@pytest.mark.parametrize(
    ("database", "seed", "matches", "days"),
    [
        pytest.param("sqlite", 1, 12, 16, marks=pytest.mark.long),
        pytest.param("postgresql", 4, 3, 4, marks=pytest.mark.both_databases),
    ],
)
def test_simulated_weeks_end_without_faults(database, seed, matches, days, request):
    url = request.getfixturevalue(database)
    world = lived(url, seed, matches=matches, players=12, days=days)
    found = reckoned(world)
    world.servers.close()
    assert found.wrong == [], "\n".join(report(found))
    assert found.counted["matches"] >= matches
    assert found.counted["decisions answered"] > 20
    assert found.counted["decisions expired"] > 2


# --- The reckoning finds what is wrong --------------------------------------------------------------------


@pytest.fixture
def world(sqlite):
    world = lived(sqlite, 3, matches=2, players=6, days=4)
    yield world
    world.servers.close()


@pytest.mark.long
def test_premature_expiry_of_a_decision_is_found(world):
    world.servers.outages.append((BEGINNING, BEGINNING + 300 * DAY))  # as if no event had counted
    wrong = reckoned(world).wrong
    assert any("before its time" in line or "was given" in line for line in wrong), wrong


@pytest.mark.long
def test_simulation_finds_wrong_heads(world):
    kept = next(iter(world.matches.values()))
    kept.heads.append((1, "0" * 64))
    assert any("its audit is bad" in line for line in reckoned(world).wrong)


@pytest.mark.long
def test_remaining_work_is_found(world):
    match_id = next(iter(world.matches))
    store = world.servers.store
    left = {
        "match_no": stream_rows.head(store, match_id).match_no,
        "kind": "clock",
        "due_ms": 1,
        "claimable_ms": 1,
        "lease_ms": 0,
    }
    store.change(insert(due).values(left | {"attempts": 0}))
    wrong = reckoned(world).wrong
    assert any("has work left" in line for line in wrong)
    assert any("projections" in line for line in wrong)


# --- How the world is made -----------------------------------------------------------------------------------


@pytest.mark.parametrize("passes", [MINUTE, HOUR])
def test_skipped_heartbeats_have_the_same_effect_as_real_ones(passes, sqlite):
    clock = Timeline(BEGINNING)
    servers = Servers(sqlite, clock, Random(1), until=BEGINNING)
    clock.at += passes
    servers.beat()
    assert outage_rows.outages_since(servers.store, 0, clock()) == []
    with closing(open_store(sqlite)) as real:
        left = real.read(select(work_spans))
        real.change(delete(work_spans))
        for at in range(BEGINNING, clock.at + 1, SECOND):
            outage_rows.beat(real, at, servers.name)
        assert real.read(select(work_spans)) == left
        assert outage_rows.outages_since(real, 0, clock()) == []
    servers.close()


def test_time_outside_outages_is_measured():
    assert outside(0, 10, [(4, 6), (2, 5), (9, 12)]) == [(0, 2), (6, 9)]
    assert outside(3, 5, [(2, 6)]) == []
