"""Promises of nonces that are not kept are counted with the commit that shows it, and from logs that are there."""

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from events.service.new_match import NewMatch
from events.store import tables
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from tests.bound import Matches
from tests.service.test_group_commitments import HASHES, committed
from tests.service.test_groups import ANN, BOB, CEM, EVE, NONCES, Machine, asked, holds, matches, now, places, work

__all__ = ["matches", "now"]

pytestmark = pytest.mark.both_databases

WHO = ("ann", "bob", "cem", "eve")


def counted(store: Store) -> dict[str, tuple[int, int]]:
    return tables.reliability_rows.of_players(store, WHO)


def of(**chosen: Any) -> NewMatch:
    return replace(asked(**chosen), places=places("me", "open", "open"))


def some_promises(matches: Matches, now: Machine) -> list[str]:
    """Bob does not open his nonce at one table, and leaves his seat at another; there Ann does not. Bob cancels one."""
    one, two = committed(matches, now)
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    now.passes(61_000)
    work(matches, now)
    alone = matches.create(ANN, of(nonce_commit=True, nonce_seconds=60)).match_id
    matches.sit(alone, BOB, 1, nonce_hash=HASHES[1])
    matches.leave(alone, BOB, 1)
    matches.sit(alone, CEM, 1, nonce_hash=HASHES[0])
    matches.sit(alone, ANN, 0, nonce_hash=HASHES[0])
    matches.sit(alone, EVE, 2)
    now.passes(61_000)
    work(matches, now)
    matches.sit(alone, CEM, 1, nonce=NONCES[0])
    now.passes(61_000)
    work(matches, now)
    cancelled = matches.create(BOB, of(nonce_commit=True)).match_id
    matches.sit(cancelled, CEM, 1, nonce_hash=HASHES[0])
    matches.cancel(cancelled, BOB)
    return [one, two, alone, cancelled]


def test_each_is_counted_where_it_is_seen(matches: Matches, now: Machine) -> None:
    made = some_promises(matches, now)
    assert counted(matches.store) == {"ann": (0, 1), "bob": (1, 1)}
    for match_id in made:
        holds(matches.store, match_id)


MADE_SINCE = (
    *(f"DROP TABLE {name}" for name in ("reliability", "handles", "tokens", "recoveries_asked", "recovery_codes")),
    *(f"DROP TABLE {name}" for name in ("former_addresses", "decks", "trades")),
    *(f"DROP TABLE {name}" for name in ("tournaments", "tournament_players", "tournament_tables")),
    *(f"DROP TABLE {name}" for name in ("rated_matches", "rating_changes", "ratings", "rating_state", "decisions")),
    "DROP INDEX players_by_handle",
    "ALTER TABLE players DROP COLUMN handle",
    "ALTER TABLE players DROP COLUMN listed",
    "ALTER TABLE matches DROP COLUMN annulled",
    "ALTER TABLE mailboxes DROP COLUMN recovery_ms",
    "ALTER TABLE notices DROP COLUMN tournament_id",
    "ALTER TABLE notices DROP COLUMN round",
    "CREATE INDEX matches_cancelled ON matches (creator)",
)
"""What undoes the migrations since that state."""


@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_database_of_the_state_before_counts_them_from_its_logs(
    database: str, request: pytest.FixtureRequest, now: Machine
) -> None:
    url = f"sqlite:///{request.getfixturevalue('sqlite_path')}"
    url = url if database == "sqlite" else request.getfixturevalue("bare").owner_url
    migrate(url)
    with closing(open_store(url)) as store:
        made = some_promises(Matches(store, now=now), now)
        before = counted(store)
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        for undone in MADE_SINCE:
            connection.exec_driver_sql(undone)
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '2026_11_5'")
    migrate(url)
    with closing(open_store(url)) as store:
        assert counted(store) == before == {"ann": (0, 1), "bob": (1, 1)}
        for match_id in made:
            holds(store, match_id)
