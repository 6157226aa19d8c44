"""Store projections: rows that follow from the log of a match or another stream, and players of imported matches.

On PostgreSQL an append stores `rows_by_table` by the function `write_rest`, and here it only rebuilds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, Connection, Table, and_, bindparam, delete, insert, select, text, update

from events.store.protocol import Store
from events.store.records import CommitRow, DueRow, Head, Lines, MatchRow, Projected
from events.store.schema import (
    due,
    match_options,
    matches,
    metadata,
    players,
    reliability,
    results,
    seats,
    stream,
)
from events.store.search_records import option_text
from events.store.tables.stream_rows import HEAD, ROWS

# Statements are built once: building one takes as long as carrying it out.
THIS: Final = bindparam("this", type_=BigInteger)
"""The number of the match whose rows are written."""

TURNS: Final = update(stream).where(stream.c.match_no == THIS).values(turns=bindparam("turns"))
WAS: Final = select(matches).where(matches.c.match_no == THIS)

_TABLES: Final = (matches, match_options, seats, results, reliability, due)
REMOVE: Final = {table: delete(table).where(table.c.match_no == THIS) for table in _TABLES}
PUT: Final = {table: insert(table) for table in _TABLES}

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
"""
"""The statements for rows that follow from `matches`, `seats` and `results`: the players who find a match, the players
at the tables of a group, and which seats are live. In PostgreSQL they are part of the function `write_rest`.

*won* is the greatest of the words for a result, *lost* the least.
"""
_FOLLOWING: Final = [
    text(statement)
    for statement in FOLLOWING.replace("public.", "").replace("p_match", ":this").split(";")
    if statement.strip()
]


def rows_by_table(projected: Projected) -> dict[Table, Sequence[Any]]:
    """Return the rows to store in place of those that are there, for each table that changes.

    A column that a row does not name is that of the stream, or in `matches` what it was.
    """
    match = projected.match
    rows: dict[Table, Sequence[Any] | None] = {
        matches: None if match is None else [_changed_columns(match)],
        match_options: None if match is None else options_one_by_one(match),
        seats: projected.seats,
        results: projected.results,
        reliability: projected.reliability,
    }
    return {table: lines for table, lines in rows.items() if lines is not None}


def _changed_columns(row: MatchRow) -> dict[str, Any]:
    stay = {"match_no", "match_id", "created_ms"}
    if row.started_ms is None:
        stay.add("started_ms")
    if row.annulled is not None and row.ended_ms is None:
        stay.add("ended_ms")
    return {name: value for name, value in asdict(row).items() if name not in stay}


def replace_projections(connection: Connection, head: Head, projected: Projected) -> None:
    """Store the rows of a match's projections in place of those that are there."""
    this = {"this": head.match_no}
    if projected.turns is not None:
        connection.execute(TURNS, {**this, "turns": msgspec.json.encode(projected.turns).decode()})
    if projected.due is not None:
        _replace(connection, due, head, [_claimable(work) for work in projected.due])
    rows = rows_by_table(projected)
    for table, lines in rows.items():
        _replace(connection, table, head, lines)
    if rows.keys() & {matches, seats, results}:
        for statement in _FOLLOWING:
            connection.execute(statement, this)


def _replace(connection: Connection, table: Table, head: Head, rows: Sequence[Any]) -> None:
    this = {"this": head.match_no}
    of_stream = {"match_no": head.match_no, "match_id": head.match_id, "created_ms": head.created_ms, "live": True}
    was = connection.execute(WAS, this).mappings().one_or_none() if table is matches else None
    kept = {name: value for name, value in of_stream.items() if name in table.c} | dict(was or {})
    connection.execute(REMOVE[table], this)
    if rows:
        connection.execute(PUT[table], [kept | (row if isinstance(row, dict) else asdict(row)) for row in rows])


def _claimable(work: DueRow) -> dict[str, Any]:
    return {**asdict(work), "claimable_ms": max(work.due_ms, work.lease_ms), "attempts": 0}


def rebuild(store: Store, match_no: int, project: Callable[[Head, list[CommitRow]], Projected]) -> None:
    """Replace a match's projections by what `project` makes of its log, while no other can append to it."""

    def work(connection: Connection) -> None:
        head, rows = _locked(store, connection, match_no)
        replace_projections(connection, head, project(head, rows))

    store.write(work)


def _locked(store: Store, connection: Connection, match_no: int) -> tuple[Head, list[CommitRow]]:
    """Return a stream, to which no other can append until the transaction ends."""
    store.lock(connection, match_no)
    head = Head(*connection.execute(select(*HEAD).where(stream.c.match_no == match_no)).one())
    return head, [CommitRow._make(row) for row in connection.execute(ROWS, {"match_no": match_no, "after": 0})]


def replace_stream_rows(connection: Connection, key: str, stream_id: str, lines: Lines) -> None:
    """Put the rows of a stream that is no match in place of those that are there; the column `key` holds its id."""
    for table, rows in lines.items():
        here = metadata.tables[table]
        connection.execute(delete(here).where(here.c[key] == stream_id))
        if rows:
            connection.execute(insert(here), rows)


def write_changed_rows(connection: Connection, before: Lines, after: Lines) -> None:
    """Put rows of a stream that is no match in place of those before; those that are alike in both stay."""
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
    """Replace the rows of a stream that is no match by what `project` makes of its log, which is locked."""

    def work(connection: Connection) -> None:
        head, rows = _locked(store, connection, stream_no)
        replace_stream_rows(connection, key, head.match_id, project(head, rows))

    store.write(work)


def name_foreign(connection: Connection, head: Head, names: Mapping[str, str]) -> None:
    """Note the names of an imported match's players, who have no token here."""
    rows = [{"player_id": player, "name": name, "created_ms": head.created_ms} for player, name in names.items()]
    if rows:
        connection.execute(insert(players), rows)


def options_one_by_one(row: MatchRow) -> list[dict[str, Any]]:
    """Return the options of a match one by one, and its preset."""
    options = msgspec.json.decode(row.options)
    named = options if row.preset is None else options | {"preset": row.preset}
    about = {"game": row.game, "public": row.visibility == "public"}
    return [{"name": name, "value": option_text(value), **about} for name, value in named.items()]
