"""Reads a match from the database as of one moment, for an audit, which trusts none of it.

Values are unchanged from the driver: anyone who can write to the database may have put anything there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, field
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Column, Connection, Select, Table, func, select, type_coerce
from sqlalchemy.types import NullType

from domain.core.values import mutable
from events.store.archive_files import ArchiveUnreadable
from events.store.protocol import Store
from events.store.records import MATCH, CommitRow, Head
from events.store.schema.log_schema import commits, due, secrets, stream
from events.store.schema.match_schema import involved, match_options, matches, reliability, results, seats
from events.store.schema.metadata import metadata
from events.store.schema.tournament_schema import rated_matches
from events.store.tables.archived_rows import add_archived
from events.store.tables.stream_rows import load_within

Line = Mapping[str, Any]
"""A row of a projection, without the number of its match."""


@mutable
class Stored:
    """A match as it is stored. `secrets` are the seal secret and the roots; None if there are none."""

    head: Head
    turns: Any
    commits: list[CommitRow]
    secrets: tuple[Any, Any] | None
    projections: dict[str, list[Line]] = field(default_factory=dict)
    """The rows of the projections, by table."""
    kind: str = MATCH
    lost: str = ""
    """Why the file with the commits of an archived match cannot be read."""


def _raw(columns: Sequence["Column[Any]"]) -> list[Any]:
    return [type_coerce(column, NullType()).label(column.name) for column in columns]


def _select_columns(table: Table, *but: str) -> Select[Any]:
    return select(*_raw([c for c in table.c if c.name not in ("match_no", *but)]))


STREAM: Final = select(*_raw([*(stream.c[name] for name in Head.__dataclass_fields__), stream.c.turns, stream.c.kind]))
COMMITS: Final = select(*_raw([commits.c[name] for name in CommitRow._fields])).order_by(commits.c.first)
SECRETS: Final = select(*_raw([secrets.c.seal_secret, secrets.c.roots]))

PROJECTIONS: Final = {
    **{table: _select_columns(table) for table in (matches, seats, results, reliability, involved, match_options)},
    rated_matches: _select_columns(rated_matches, "place"),
    due: select(*_raw([due.c.kind, due.c.due_ms])).where(due.c.claimable_ms.is_not(None)),
}
"""The queries of the rows of projections.

The claims of pending work are not compared, because they follow from no log.
"""


def unlike_table(there: Mapping[str, Iterable[Line]], due_lines: Mapping[str, Iterable[Line]]) -> str | None:
    """Return the first table whose rows differ from the expected ones, in any order; None if none does."""
    return next((name for name, lines in due_lines.items() if _in_order(there[name]) != _in_order(lines)), None)


def _in_order(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return sorted(map(dict, lines), key=lambda line: str(sorted(line.items())))


def read_stored(store: Store, match_id: str) -> Stored | None:
    """Read all stored data of a match as of one moment; None if there is no such match."""
    return store.look(lambda connection: _read(connection, match_id))


def _read(connection: Connection, match_id: str) -> Stored | None:
    found = connection.execute(STREAM.where(stream.c.match_id == match_id)).one_or_none()
    if found is None:
        return None
    *head, turns, kind = found
    no = head[0]
    kept = connection.execute(SECRETS.where(secrets.c.match_no == no)).one_or_none()
    rows, lost = [CommitRow._make(row) for row in connection.execute(COMMITS.where(commits.c.match_no == no))], ""
    try:
        rows = add_archived(lambda query: connection.execute(query).all(), no, 0, rows)
    except ArchiveUnreadable as error:
        lost = str(error)
    return Stored(
        Head(*head),
        turns,
        rows,
        None if kept is None else (kept[0], kept[1]),
        {
            table.name: [dict(row) for row in connection.execute(query.where(table.c.match_no == no)).mappings()]
            for table, query in PROJECTIONS.items()
        },
        kind,
        lost,
    )


def stored_digest(found: Stored) -> str:
    """Return the SHA-256 of everything that was read of a match, in hexadecimal; the same for either database."""
    tables = {name: sorted(map(_line_text, lines)) for name, lines in sorted(found.projections.items())}
    rows = [tuple(row) for row in found.commits]
    everything = (astuple(found.head), found.turns, rows, found.secrets, tables, found.kind, found.lost)
    return sha256(repr(everything).encode("utf-8", "surrogatepass")).hexdigest()


def _line_text(line: Line) -> str:
    """Return a row as text. SQLite has numbers instead of booleans."""
    return repr([(name, int(value) if isinstance(value, bool) else value) for name, value in sorted(line.items())])


def read_with_others(
    store: Store,
    stream_id: str,
    projections: tuple[Sequence[str], str],
    kind: str,
    others: Callable[[Stored], Iterable[str]],
) -> tuple[Stored, dict[str, tuple[Head, list[CommitRow]]]] | None:
    """Read a stream other than a match, its projections, and the streams that `others` names, in one snapshot.

    None if there is no such stream. `projections` names the tables, and their column that holds the id of a stream.
    """
    tables, key = projections

    def work(connection: Connection) -> tuple[Stored, dict[str, tuple[Head, list[CommitRow]]]] | None:
        found = _read(connection, stream_id)
        if found is None:
            return None
        found.projections = {name: _rows_of(connection, metadata.tables[name], key, stream_id) for name in tables}
        read = {other: load_within(connection, other, kind) for other in others(found)}
        return found, {other: log for other, log in read.items() if log is not None}

    return store.look(work)


def _rows_of(connection: Connection, table: Table, key: str, stream_id: str) -> list[Line]:
    lines = connection.execute(select(*_raw(list(table.c))).where(table.c[key] == stream_id)).mappings()
    return [dict(line) for line in lines]


def kind_of(store: Store, stream_id: str) -> str | None:
    """Return the kind of a stream; None if there is none of this id."""
    found = store.read(select(stream.c.kind).where(stream.c.match_id == stream_id))
    return found[0].kind if found else None


def heads(store: Store, after: int = 0, limit: int = 1_000) -> list[Head]:
    """Return the ends of the logs of all streams with a number after one, in order."""
    query = select(*_raw([stream.c[name] for name in Head.__dataclass_fields__]))
    query = query.where(stream.c.match_no > after).order_by(stream.c.match_no).limit(limit)
    return store.look(lambda connection: [Head(*row) for row in connection.execute(query)])


def count(store: Store) -> int:
    """Return the number of streams."""
    return store.look(lambda connection: connection.scalar(select(func.count()).select_from(stream)) or 0)


def only_matches(store: Store) -> bool:
    """Return whether there is no stream of another kind."""
    other = select(stream.c.match_no).where(stream.c.kind != MATCH).limit(1)
    return store.look(lambda connection: connection.execute(other).first()) is None


def stray(store: Store, after: int, before: int | None) -> int | None:
    """Return the first match number between two that has commits; None if these numbers were never used."""
    query = select(func.min(commits.c.match_no)).where(commits.c.match_no > after)
    if before is not None:
        query = query.where(commits.c.match_no < before)
    found: int | None = store.look(lambda connection: connection.scalar(query))
    return found
