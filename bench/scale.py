"""Measures a move posted to the production server, among few and among very many stored matches."""

import psycopg
from psycopg import sql

from bench.clients import table
from bench.crew import Done, crew
from bench.database import database, migrated, plain
from bench.moves import TABLES
from bench.played import played, stored
from bench.servers import api
from bench.tables import Line, Table, compared
from events.store.opening import open_store
from tests.services import Database

FEW, MANY = 100, 200_000
MOST = 1.3
PATTERNS = 50
"""Number of matches that are really played; the others are copies with their own ids, players and times."""

EVENTS = 24
"""Each stored match has at least this many events: its beginning, the exchange of cards, the first cards."""

PLAYERS = 50_000


def measure(*, quick: bool) -> Table:
    """Compare latencies at two servers that differ only in the size of their databases."""
    seconds, count = (1.0, 3) if quick else (1.5, 8)
    many = MANY // 10 if quick else MANY
    made = Table(f"scale: POST moves, {TABLES} tables, beside {many:,} stored matches; floor: beside {FEW}")
    with database() as small:
        large = migrated(small.new_database())
        fill(small, FEW)
        rows = fill(large, many)
        with api(small) as few, api(large) as full:
            servers = {"few": (few, small.app_url), "many": (full, large.app_url)}
            with crew(TABLES, table, servers) as clients:
                done: dict[str, list[Done]] = {name: [] for name in servers}
                for name in servers:
                    clients.work(name, 1.0)
                for i in range(2 * count):
                    # The order alternates: few, many; many, few; and so on.
                    name = ("few", "many")[(i + i // 2) % 2]
                    done[name].append(clients.work(name, seconds))
    for name, q in (("median", 0.5), ("p99", 0.99)):
        made.lines.append(_at_most(name, q, done["many"], done["few"]))
    made.lines.append(compared("requests", [d.rate for d in done["many"]], [d.rate for d in done["few"]], "/s"))
    made.notes.append(f"{rows:,} rows of {many:,} matches lie in the larger database.")
    return made


def _at_most(name: str, q: float, many: list[Done], few: list[Done]) -> Line:
    line = compared(name, [1000 * d.quantile(q) for d in many], [1000 * d.quantile(q) for d in few], "ms")
    assert line.ratio is not None
    return Line(name, line.figure, "ms", line.floor, line.ratio, f"≤ {MOST:g} of it", held=line.ratio <= MOST)


# --- Filling ------------------------------------------------------------------------------------------------


def fill(found: Database, matches: int) -> int:
    """Store this many running matches, and their players; return the resulting number of rows."""
    store = open_store(found.app_url)
    for i in range(PATTERNS):
        stored(store, played(f"pattern {i}", most=EVENTS))
    store.close()
    with psycopg.connect(plain(found.owner_url)) as owner:
        owner.execute("SET LOCAL synchronous_commit = off")
        owner.execute(PEOPLE, [PLAYERS])
        tables = [name for (name,) in owner.execute(OF_A_MATCH).fetchall()]
        for name in tables:
            owner.execute(_copies(owner, name), {"patterns": PATTERNS, "matches": matches})
        owner.execute("SELECT setval(pg_get_serial_sequence('stream', 'match_no'), %s)", [matches])
    with psycopg.connect(plain(found.admin_url), autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE")
        admin.execute("CHECKPOINT")
        counts = [
            admin.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))).fetchone() for name in tables
        ]
    return sum(int(row[0]) for row in counts if row)


PEOPLE = """
    INSERT INTO players (player_id, name, handle, token_hash, created_ms)
    SELECT 'p' || lpad(i::text, 19, '0'), 'Player ' || i, 'player-' || i, sha256(('token ' || i)::bytea), 0
      FROM generate_series(1, %s) i
"""

OF_A_MATCH = """
    SELECT c.table_name
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'match_no' AND t.table_type = 'BASE TABLE' ORDER BY 1
"""

COLUMNS = """
    SELECT column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = %s AND column_name <> 'position'
     ORDER BY ordinal_position
"""
"""Selects all columns except the database's own number of a commit."""


def _copies(owner: psycopg.Connection[tuple[str]], name: str) -> sql.Composed:
    """Write the statement that fills a table with matches like the first ones, up to a number."""
    columns = [column for (column,) in owner.execute(COLUMNS, [name]).fetchall()]
    return sql.SQL(
        "INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {values}"
        " FROM generate_series(%(patterns)s + 1, %(matches)s) i JOIN {name} t ON t.match_no = 1 + i %% %(patterns)s"
        " ON CONFLICT DO NOTHING"  # The same player may have been drawn twice for a match.
    ).format(
        name=sql.Identifier(name),
        columns=sql.SQL(", ").join(map(sql.Identifier, columns)),
        values=sql.SQL(", ").join(map(_value, columns)),
    )


def _value(column: str) -> sql.Composable:
    """Write the value of a copy's column: its own number, id, player or time, else its pattern's value."""
    if column in ("match_no", "match_id"):
        return sql.SQL({"match_no": "i", "match_id": "'m' || lpad(i::text, 19, '0')"}[column])
    of_pattern = sql.SQL("t.") + sql.Identifier(column)
    if column in ("player_id", "creator"):
        return sql.SQL("'p' || lpad((1 + abs(hashtext({} || i)) %% {})::text, 19, '0')").format(of_pattern, PLAYERS)
    return of_pattern + sql.SQL(" + i") if column.endswith("_ms") else of_pattern
