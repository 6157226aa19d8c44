"""This module writes the rows of projections, in the transaction of a commit, where no database function does it.

Beside them stand the rows of other streams, and the players of an imported match.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, Connection, and_, bindparam, delete, exists, insert, select, text, update

from events.store.protocol import Store
from events.store.records import CommitRow, DueRow, Head, Lines, MatchRow, Projected, SeatRow
from events.store.schema import (
    due,
    group_players,
    involved,
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

TIMES: Final = select(matches.c.started_ms, matches.c.ended_ms).where(matches.c.match_no == THIS)
TURNS: Final = update(stream).where(stream.c.match_no == THIS).values(turns=bindparam("turns"))

_TABLES: Final = (matches, seats, results, reliability, due, match_options, involved, group_players)
REMOVE: Final = {table: delete(table).where(table.c.match_no == THIS) for table in _TABLES}
PUT: Final = {table: insert(table) for table in _TABLES}

_OVER: Final = exists().where(matches.c.match_no == THIS, matches.c.ended_ms.is_not(None))
LIVE: Final = update(seats).where(seats.c.match_no == THIS, seats.c.live == _OVER).values(live=~_OVER)
"""The seats of a match are live until it has ended."""


def replace_projections(connection: Connection, head: Head, projected: Projected) -> None:
    """Put the rows of a match's projections in place of those that are there."""
    this = {"this": head.match_no}
    if (row := projected.match) is not None:
        started, ended = connection.execute(TIMES, this).one_or_none() or (None, None)
        ended = row.ended_ms or (None if row.annulled is None else ended)
        kept = replace(row, started_ms=row.started_ms or started, ended_ms=ended)
        _replace(connection, matches, head, [kept])
    if projected.turns is not None:
        connection.execute(TURNS, {**this, "turns": msgspec.json.encode(projected.turns).decode()})
    for table, rows in (
        (seats, projected.seats),
        (results, projected.results),
        (reliability, projected.reliability),
        (due, projected.due),
    ):
        if rows is not None:
            _replace(connection, table, head, rows)
    if projected.match is not None:
        _replace(connection, match_options, head, options_one_by_one(projected.match))
    if any(rows is not None for rows in (projected.match, projected.seats, projected.results)):
        connection.execute(REMOVE[involved], this)
        connection.execute(INVOLVED, {"match_no": head.match_no})
    if projected.seats is not None:
        connection.execute(REMOVE[group_players], this)
        connection.execute(AT_TABLES, {"match_no": head.match_no})
    if projected.match is not None or projected.seats is not None:
        connection.execute(LIVE, this)


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


INVOLVED: Final = text("""
    INSERT INTO involved (match_no, player_id, public, created_ms, ended_ms, result)
    SELECT m.match_no, p.player_id, m.visibility = 'public', m.created_ms, m.ended_ms,
           (SELECT max(r.result) FROM results r WHERE r.match_no = m.match_no AND r.player_id = p.player_id)
      FROM matches m
      JOIN (SELECT match_no, player_id FROM seats WHERE match_no = :match_no AND player_id IS NOT NULL
            UNION SELECT match_no, creator FROM matches
                   WHERE match_no = :match_no AND visibility <> 'public' AND creator <> '') p ON p.match_no = m.match_no
""")
"""The statement that notes who finds a match: *won* is the greatest of the words for a result, *lost* the least."""


AT_TABLES: Final = text("""
    INSERT INTO group_players (match_no, player_id, deal_group)
    SELECT DISTINCT m.match_no, s.player_id, m.deal_group FROM seats s JOIN matches m ON m.match_no = s.match_no
     WHERE s.match_no = :match_no AND s.player_id IS NOT NULL AND m.deal_group IS NOT NULL
""")
"""The statement that notes who sits at a table of a group."""


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


def _replace(connection: Connection, table: Any, head: Head, rows: Sequence[Any]) -> None:
    connection.execute(REMOVE[table], {"this": head.match_no})
    if rows:
        connection.execute(PUT[table], [_values(row, head) for row in rows])


def _values(row: Any, head: Head) -> dict[str, Any]:
    """Return a row of a projection as it is stored."""
    if isinstance(row, dict):
        return {**row, "match_no": head.match_no, "created_ms": head.created_ms}
    values = {**asdict(row), "match_no": head.match_no}
    if isinstance(row, MatchRow):
        values.update(match_id=head.match_id, created_ms=head.created_ms)
    if isinstance(row, SeatRow):
        values["live"] = True
    if isinstance(row, DueRow):
        values.update(claimable_ms=max(row.due_ms, row.lease_ms), attempts=0)
    return values
