"""Measures pages of the search of matches, among a thousand stored matches and among a million."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psycopg
from psycopg import sql

from bench.database import database, migrated, plain
from bench.rounds import rate, rounds
from bench.tables import Line, Table
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.search_records import PagePlace, Search
from events.store.tables import search_rows
from tests.services import Database

FEW, MANY, MANY_IN_A_FILE = 1_000, 1_000_000, 200_000
MOST_MS = 25.0
"""Maximum milliseconds of a page, for any query."""

BEGAN = 1_700_000_000_000
EVERY_MS = 10_000
"""A match was created once in this many milliseconds, and lasted ten minutes."""


def measure(*, quick: bool) -> Table:
    """Compare pages among many matches with the same pages among few, on PostgreSQL and on SQLite."""
    many, in_a_file = (MANY // 10, MANY_IN_A_FILE // 10) if quick else (MANY, MANY_IN_A_FILE)
    made = Table(f"search: pages of 50, beside {many:,} matches ({in_a_file:,} on SQLite); floor: beside {FEW:,}")
    with database() as found:
        few = _on_postgresql(found, FEW)
        with _stores(few, _on_postgresql(migrated(found.new_database()), many)) as stores:
            _compare(made, "PostgreSQL", *stores, many)
    with TemporaryDirectory() as folder:
        few = _in_file(Path(folder) / "few", FEW)
        with _stores(few, _in_file(Path(folder) / "many", in_a_file)) as stores:
            _compare(made, "SQLite", *stores, in_a_file)
    return made


@contextmanager
def _stores(few: str, many: str) -> Iterator[tuple[Store, Store]]:
    with closing(open_store(few)) as small, closing(open_store(many)) as large:
        yield small, large


def _compare(made: Table, where: str, small: Store, large: Store, many: int) -> None:
    for what, (viewer, search) in SEARCHES.items():
        for deep in (False, True):
            pages = {
                name: partial(_page, store, viewer, search, _middle(n) if deep else None)
                for name, store, n in (("few", small, FEW), ("many", large, many))
            }
            for page in pages.values():
                page()
            took = rounds(5, {name: partial(_ms, page) for name, page in pages.items()})
            ms, floor = median(took["many"]), median(took["few"])
            name = f"{where}: {what}{', deep' if deep else ''}"
            made.lines.append(Line(name, ms, "ms", floor, ms / floor, f"≤ {MOST_MS:g} ms", ms <= MOST_MS))


def _ms(page: Callable[[], int]) -> float:
    return 1000 / rate(page, 0.02)


def _page(store: Store, viewer: str | None, search: Search, after: PagePlace | None) -> int:
    search_rows.find_matches(store, viewer, search, after, 50)
    return 1


def _middle(matches: int) -> PagePlace:
    return PagePlace(BEGAN + EVERY_MS * (matches // 2), "m" * 20)


# --- What is looked for -----------------------------------------------------------------------------------

BUSY, RARE, VIEWER = "busy", "rare", "viewer"
"""These players are in every tenth match, in ten matches, and in thirty private ones."""

RARE_VARIANT = {"variant": "4-1-3-2"}
"""Ten matches have these options."""

SEARCHES: dict[str, tuple[str | None, Search]] = {
    "nothing, by a stranger": (None, Search()),
    "nothing, with 30 private matches": (VIEWER, Search()),
    "one's own, of 30 private": (VIEWER, Search(player=VIEWER)),
    "nothing, with many private matches": (BUSY, Search()),
    "a player of 10": (VIEWER, Search(player=RARE)),
    "a player of every tenth": (VIEWER, Search(player=BUSY)),
    "a player of every tenth, won": (None, Search(player=BUSY, result="won")),
    "a player of every tenth, shared (never)": (None, Search(player=BUSY, result="shared")),
    "an option of 10": (VIEWER, Search(game="hearts", options=RARE_VARIANT)),
    "an option of half": (None, Search(game="hearts", options={"tie_break": "share"})),
    "an option of 10, a player of every tenth, won": (
        VIEWER,
        Search(game="hearts", options=RARE_VARIANT, player=BUSY, result="won"),
    ),
    "an option of half, that a player of every tenth never has": (
        None,
        Search(game="hearts", options={"tie_break": "extra_hand"}, player=BUSY),
    ),
    "one's many private matches, an option of 10": (BUSY, Search(game="hearts", options=RARE_VARIANT)),
    "a game": (VIEWER, Search(game="trio")),
    "a game, finished": (VIEWER, Search(game="trio", status="finished")),
    "a rare status": (VIEWER, Search(status="lobby")),
    "a game that is not there": (VIEWER, Search(game="two_handed_hearts")),
    "a time of creation": (VIEWER, Search(created_after=BEGAN + 2_000_000, created_before=BEGAN + 4_000_000)),
    "a time of ending": (VIEWER, Search(ended_after=BEGAN + 2_000_000, ended_before=BEGAN + 4_000_000)),
    "ended long since, a player of every tenth": (None, Search(ended_after=BEGAN, player=BUSY)),
    "ended long since, a player of 10": (None, Search(ended_after=BEGAN, player=RARE)),
    "a time before all": (VIEWER, Search(created_before=BEGAN)),
}


# --- Filling ----------------------------------------------------------------------------------------------


def _on_postgresql(found: Database, matches: int) -> str:
    with psycopg.connect(plain(found.owner_url)) as owner:
        owner.execute("SET LOCAL synchronous_commit = off")
        owner.execute("SET LOCAL work_mem = '256MB'")
        indexes = owner.execute(INDEXES).fetchall()
        for name, _ in indexes:
            owner.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
        for statement in _filling(matches, "generate_series(CAST(1 AS bigint), {n}) AS t (i)"):
            owner.execute(statement)
            # Otherwise the next statement is planned for empty tables.
            owner.execute("ANALYZE")
        for _, again in indexes:
            owner.execute(again)
    with psycopg.connect(plain(found.admin_url), autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE")
    return found.app_url


INDEXES = """
    SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
       AND tablename IN ('matches', 'seats', 'results', 'involved', 'match_options')
       AND indexdef NOT LIKE 'CREATE UNIQUE%'
"""
"""Selects the indexes. They are created after the filling, which would otherwise take several times as long."""


def _in_file(path: Path, matches: int) -> str:
    migrate(f"sqlite:///{path}")
    numbers = "(WITH RECURSIVE t (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < {n}) SELECT i FROM t) AS t"
    with closing(sqlite3.connect(path)) as connection:
        for statement in _filling(matches, numbers):
            connection.execute(statement)
        connection.commit()
        connection.execute("ANALYZE")
    return f"sqlite:///{path}"


def _filling(n: int, numbers: str) -> list[str]:
    """Write the statements that fill a database with this many matches between people, a third of them private."""
    tenth, thirtieth = n // 10, n // 30
    return [
        statement.format(
            numbers=numbers.format(n=n),
            began=BEGAN,
            every=EVERY_MS,
            mine=f"i % {thirtieth} = 3 AND i / {thirtieth} < 30",
            rare=f"i % {tenth} = 7",
            rare_player=f"i % {tenth} = 5",
        )
        for statement in FILLING
    ]


FILLING = (
    """INSERT INTO stream (match_id, version, head, created_ms)
       SELECT 'm' || CAST(1000000000000000000 + i AS text), 1, '', {began} + i * {every} FROM {numbers}""",
    """INSERT INTO matches (match_no, match_id, game, status, visibility, creator, options, created_ms, started_ms,
                            ended_ms, owner, bots_alone)
       SELECT i, 'm' || CAST(1000000000000000000 + i AS text),
              CASE WHEN {rare} OR i % 10 < 6 THEN 'hearts' WHEN i % 10 < 8 THEN 'crazy_eights'
                   WHEN i % 10 = 8 THEN 'gin_rummy' ELSE 'trio' END,
              CASE WHEN i % 997 = 500 THEN 'lobby' WHEN i % 100 = 1 THEN 'playing' ELSE 'finished' END,
              CASE WHEN ({mine}) OR i % 3 = 0 AND NOT {rare} THEN 'private' ELSE 'public' END,
              'p' || (i % 50000), '{{"target_score":100,"tie_break":"share","variant":"2-2-2-3"}}',
              {began} + i * {every},
              CASE WHEN i % 997 <> 500 THEN {began} + i * {every} END,
              CASE WHEN i % 997 <> 500 AND i % 100 <> 1 THEN {began} + i * {every} + 600000 END, '', false
         FROM {numbers}""",
    """INSERT INTO seats (match_no, seat, kind, player_id, live)
       SELECT i, 0, 'player', CASE WHEN {mine} THEN 'viewer' WHEN {rare_player} THEN 'rare'
              WHEN {rare} OR i % 10 = 0 THEN 'busy' ELSE 'p' || (i % 50000) END, false FROM {numbers}
       UNION ALL SELECT i, 1, 'player', 'q' || (i * 7 % 50000), false FROM {numbers}""",
    """INSERT INTO results (match_no, seat, player_id, game, place, score, ended_ms, result)
       SELECT s.match_no, s.seat, s.player_id, m.game, 1 + (s.match_no / 10 + s.seat) % 2, 0, m.ended_ms,
              CASE (s.match_no / 10 + s.seat) % 2 WHEN 0 THEN 'won' ELSE 'lost' END
         FROM seats s JOIN matches m ON m.match_no = s.match_no WHERE m.ended_ms IS NOT NULL""",
    """INSERT INTO involved (match_no, player_id, public, created_ms, ended_ms, result)
       SELECT s.match_no, s.player_id, m.visibility = 'public', m.created_ms, m.ended_ms, r.result
         FROM matches m JOIN seats s ON s.match_no = m.match_no
         LEFT JOIN results r ON r.match_no = s.match_no AND r.seat = s.seat""",
    """INSERT INTO involved (match_no, player_id, public, created_ms, ended_ms)
       SELECT match_no, creator, visibility = 'public', created_ms, ended_ms FROM matches m WHERE visibility <> 'public'
          AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.match_no = m.match_no AND s.player_id = m.creator)""",
    """INSERT INTO match_options (match_no, name, game, value, public, created_ms)
       SELECT i, 'variant', game, CASE WHEN {rare} THEN '4-1-3-2' ELSE '2-2-2-3' END, visibility = 'public', created_ms
         FROM {numbers} JOIN matches ON match_no = i
       UNION ALL SELECT i, 'tie_break', game, CASE i % 2 WHEN 0 THEN 'share' ELSE 'extra_hand' END,
              visibility = 'public', created_ms FROM {numbers} JOIN matches ON match_no = i
       UNION ALL SELECT i, 'target_score', game, '100', visibility = 'public', created_ms
         FROM {numbers} JOIN matches ON match_no = i""",
)
