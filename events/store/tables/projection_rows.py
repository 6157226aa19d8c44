"""Stores projections: rows that follow from the log of a match or another stream, and players of imported matches.

The rows of a match are written by the same statements wherever they come from: a move, an import or a rebuild. On
PostgreSQL they are the function `write_projections`, so that an append takes one round trip.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, Connection, Table, and_, bindparam, delete, insert, select, update

from events.store.protocol import Store
from events.store.records import CommitRow, Head, Lines, MatchRow, Projected, TurnRow
from events.store.schema.log_schema import due, stream
from events.store.schema.match_schema import match_options, matches, reliability, results, seats
from events.store.schema.metadata import metadata
from events.store.schema.player_schema import players
from events.store.search_records import option_text
from events.store.tables.stream_rows import HEAD, ROWS

# Built once: building a statement takes as long as executing it.
_TURNS: Final = (
    update(stream).where(stream.c.match_no == bindparam("this", type_=BigInteger)).values(turns=bindparam("turns"))
)

# --- Rows of matches ----------------------------------------------------------------------------------------

OF_STREAM: Final = frozenset({"match_no", "match_id", "created_ms"})
"""The columns of projections that come from the stream, not from the rows."""
STAYING: Final = frozenset({"started_ms", "ended_ms"})
"""The columns of `matches` that later rows only fill in."""

PENDING: Final = """
    INSERT INTO public.due (match_no, kind, claimable_ms, due_ms, lease_ms, attempts)
      SELECT p_match, r.kind, CASE WHEN r.lease_ms > r.due_ms THEN r.lease_ms ELSE r.due_ms END, r.due_ms, r.lease_ms, 0
        FROM {given} r WHERE true
      ON CONFLICT (match_no, kind) DO UPDATE SET claimable_ms = excluded.claimable_ms, due_ms = excluded.due_ms,
        lease_ms = excluded.lease_ms, attempts = 0;
    UPDATE public.due SET claimable_ms = NULL
      WHERE match_no = p_match AND claimable_ms IS NOT NULL AND kind {none};
"""
"""The statements for pending work. A row that is no longer needed stays idle until the match ends. Deleting and
inserting it at every move would leave dead entries in each index of PostgreSQL, which cost more than the rest of an
append.
"""

FOLLOWING: Final = """
    DELETE FROM public.involved WHERE match_no = p_match;
    INSERT INTO public.involved (match_no, player_id, public, created_ms, ended_ms, result)
      SELECT m.match_no, p.player_id, m.visibility = 'public', m.created_ms, m.ended_ms,
             (SELECT max(r.result) FROM public.results r WHERE r.match_no = p_match AND r.player_id = p.player_id)
        FROM public.matches m
        JOIN (SELECT match_no, player_id FROM public.seats WHERE match_no = p_match AND player_id IS NOT NULL
              UNION SELECT match_no, creator FROM public.matches
                     WHERE match_no = p_match AND visibility <> 'public' AND creator <> '') p
          ON p.match_no = m.match_no;
    DELETE FROM public.group_players WHERE match_no = p_match;
    INSERT INTO public.group_players (match_no, player_id, deal_group)
      SELECT DISTINCT m.match_no, s.player_id, m.deal_group
        FROM public.seats s JOIN public.matches m ON m.match_no = s.match_no
       WHERE s.match_no = p_match AND s.player_id IS NOT NULL AND m.deal_group IS NOT NULL;
    UPDATE public.seats SET live = NOT live
     WHERE match_no = p_match
       AND live = EXISTS (SELECT 1 FROM public.matches m WHERE m.match_no = p_match AND m.ended_ms IS NOT NULL);
    DELETE FROM public.due WHERE match_no = p_match AND claimable_ms IS NULL
       AND EXISTS (SELECT 1 FROM public.matches m WHERE m.match_no = p_match AND m.ended_ms IS NOT NULL);
"""
"""The statements for data derived from `matches`, `seats` and `results`: the players who find a match, the players at
the tables of a group, and the live seats. They also delete the idle rows of pending work at the end of the match.

*won* is the greatest of the words for a result, *lost* the least.
"""


def _projection_statements(dialect: str) -> list[tuple[tuple[str, ...], str]]:
    """Return the statements that write the projections of a match, each group with the tables whose rows it needs.

    `p_match` is the number of the match, `p_due` its pending work, `p_rows` the other rows as JSON by their table.
    """
    replaced = (matches, match_options, seats, results, reliability)
    return [
        ((due.name,), _write_pending(_select_given(due, dialect), dialect)),
        *(((table.name,), _replace_rows(table, _select_given(table, dialect))) for table in replaced),
        ((matches.name, seats.name, results.name), FOLLOWING),
    ]


def sqlite_statements() -> list[tuple[tuple[str, ...], list[str]]]:
    """Return the statements one by one, with the parameters that SQLite takes."""
    return [
        (needs, [one for one in re.sub(r"\b(p_\w+)", r":\1", sql.replace("public.", "")).split(";") if one.strip()])
        for needs, sql in _projection_statements("sqlite")
    ]


def postgresql_body() -> str:
    """Return the statements of the function `write_projections`."""
    return "".join(_postgresql_blocks())


def postgresql_pending() -> str:
    """Return the statements for pending work: most moves write no other rows, and a call would cost as much."""
    return next(_postgresql_blocks())


def _postgresql_blocks() -> Iterator[str]:
    for needs, sql in _projection_statements("postgresql"):
        yield f"  IF {' OR '.join(map(_is_given, needs))} THEN\n    {sql.strip()}\n  END IF;\n"


def _is_given(table: str) -> str:
    return "p_due IS NOT NULL" if table == due.name else f"p_rows -> '{table}' IS NOT NULL"


def _write_pending(given: str, dialect: str) -> str:
    kinds = f"SELECT r.kind FROM {given} r"
    # PostgreSQL computes an array in half the time of a set, and SQLite has no arrays.
    none = f"<> ALL (ARRAY({kinds}))" if dialect == "postgresql" else f"NOT IN ({kinds})"
    return PENDING.format(given=given, none=none)


def _replace_rows(table: Table, given: str) -> str:
    """Return the statements that replace the stored rows by the given ones."""
    names = table.c.keys()
    values = ", ".join(f"{'s' if name in OF_STREAM else 'r'}.{name}" for name in names)
    adding = (
        f"INSERT INTO public.{table} ({', '.join(names)}) SELECT {values}"
        f" FROM public.stream s CROSS JOIN {given} r WHERE s.match_no = p_match"
    )
    if table is not matches:
        return f"DELETE FROM public.{table} WHERE match_no = p_match; {adding};"
    stays = {name: f"coalesce(excluded.{name}, matches.{name})" for name in STAYING}
    changed = ", ".join(f"{name} = {stays.get(name, f'excluded.{name}')}" for name in names if name not in OF_STREAM)
    return f"{adding} ON CONFLICT (match_no) DO UPDATE SET {changed};"


def _select_given(table: Table, dialect: str) -> str:
    """Return the given rows of a table, as a part of a query."""
    if dialect == "postgresql":
        every = f"json_populate_recordset(NULL::public.{table}, p_rows -> '{table}')"
        return "unnest(p_due)" if table is due else every
    names = table.c.keys()
    columns = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in names)
    return f"(SELECT {columns} FROM json_each(" + ("p_due" if table is due else f"p_rows, '$.{table}'") + "))"


def rows_by_table(projected: Projected) -> dict[str, Sequence[Any]]:
    """Return the rows that replace the stored ones, by their table, without pending work."""
    match, held = projected.match, projected.seats
    rows: dict[str, Sequence[Any] | None] = {
        matches.name: None if match is None else [match],
        match_options.name: None if match is None else options_one_by_one(match),
        seats.name: None if held is None else [asdict(seat) | {"live": True} for seat in held],
        results.name: projected.results,
        reliability.name: projected.reliability,
    }
    return {table: lines for table, lines in rows.items() if lines is not None}


def in_json(rows: Any) -> str:
    """Return rows as JSON."""
    return msgspec.json.encode(rows).decode()


def write_turns(connection: Connection, match_no: int, turns: Sequence[TurnRow]) -> None:
    """Store the open turns of a match."""
    connection.execute(_TURNS, {"this": match_no, "turns": in_json(turns)})


def rebuild(store: Store, match_no: int, project: Callable[[Head, list[CommitRow]], Projected]) -> None:
    """Replace a match's projections by those that `project` returns for its log, which is locked."""

    def write(connection: Connection, head: Head, rows: list[CommitRow]) -> None:
        projected = project(head, rows)
        if projected.match is not None:
            connection.execute(delete(matches).where(matches.c.match_no == match_no))  # Its times are replaced too.
        store.write_projections(connection, match_no, projected)

    _rebuild(store, match_no, write)


def _rebuild(store: Store, stream_no: int, write: Callable[[Connection, Head, list[CommitRow]], None]) -> None:
    """Call `write` with a stream, which is locked until the transaction ends."""

    def work(connection: Connection) -> None:
        store.lock(connection, stream_no)
        head = Head(*connection.execute(select(*HEAD).where(stream.c.match_no == stream_no)).one())
        rows = connection.execute(ROWS, {"match_no": stream_no, "after": 0})
        write(connection, head, [CommitRow._make(row) for row in rows])

    store.write(work)


def options_one_by_one(row: MatchRow) -> list[dict[str, Any]]:
    """Return the options of a match as separate rows, and its preset."""
    options = msgspec.json.decode(row.options)
    named = options if row.preset is None else options | {"preset": row.preset}
    about = {"game": row.game, "public": row.visibility == "public"}
    return [{"name": name, "value": option_text(value), **about} for name, value in named.items()]


def name_foreign(connection: Connection, head: Head, names: Mapping[str, str]) -> None:
    """Store the names of an imported match's players, who have no token here."""
    rows = [{"player_id": player, "name": name, "created_ms": head.created_ms} for player, name in names.items()]
    if rows:
        connection.execute(insert(players), rows)


# --- Rows of other streams ----------------------------------------------------------------------------------


def write_changed_rows(connection: Connection, before: Lines, after: Lines) -> None:
    """Replace earlier rows of a stream other than a match; equal rows stay."""
    for table, rows in after.items():
        here = metadata.tables[table]
        keys = [column.name for column in here.primary_key]
        was, now = (
            {tuple(line[name] for name in keys): line for line in part} for part in (before.get(table, ()), rows)
        )
        gone = [key for key, line in was.items() if now.get(key) != line]
        new = [line for key, line in now.items() if was.get(key) != line]
        if gone:
            this = and_(*(here.c[name] == bindparam(f"its_{name}") for name in keys))
            named = [{f"its_{name}": value for name, value in zip(keys, key, strict=True)} for key in gone]
            connection.execute(delete(here).where(this), named)
        if new:
            connection.execute(insert(here), new)


def rebuild_stream_rows(
    store: Store,
    stream_no: int,
    key: str,
    project: Callable[[Head, list[CommitRow]], Lines],
) -> None:
    """Replace the rows of a stream other than a match by those that `project` returns for its log, which is locked.

    The column `key` of its tables holds its id.
    """

    def write(connection: Connection, head: Head, rows: list[CommitRow]) -> None:
        due_lines = project(head, rows)
        there = {name: _rows_of_stream(connection, name, key, head.match_id) for name in due_lines}
        write_changed_rows(connection, there, due_lines)

    _rebuild(store, stream_no, write)


def _rows_of_stream(connection: Connection, table: str, key: str, stream_id: str) -> list[dict[str, Any]]:
    here = metadata.tables[table]
    return [dict(row) for row in connection.execute(select(here).where(here.c[key] == stream_id)).mappings()]
