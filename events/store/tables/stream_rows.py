"""Reads streams and their heads: logs of matches or of other kinds. Without a kind it reads matches.

Commits of an archived match are read from its file.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, Connection, Integer, Text, and_, bindparam, func, select, text

from events.store import archive_files
from events.store.player_records import Player
from events.store.protocol import Store
from events.store.records import MATCH, CommitRow, Head, LastRows
from events.store.schema.log_schema import commits, stream
from events.store.tables import archived_rows, token_rows

HEAD = tuple(stream.c[name] for name in Head.__dataclass_fields__)
ROW = (commits.c.first, commits.c.n, commits.c.at_ms, commits.c.events, commits.c.secrets, commits.c.mac)


def later(match_no: Any, after: Any) -> Any:
    """Return the condition that commits are of this match and contain an event later than `after`.

    The index finds the first of them: the last commit that begins no later than the event after `after`.
    """
    inner = commits.alias()
    holding = select(func.max(inner.c.first)).where(inner.c.match_no == match_no, inner.c.first <= after + 1)
    return and_(
        commits.c.match_no == match_no,
        commits.c.first >= func.coalesce(holding.scalar_subquery(), 0),
        commits.c.first + commits.c.n > after + 1,
    )


LOAD: Final = (
    select(*HEAD, *ROW)
    .outerjoin_from(stream, commits, later(stream.c.match_no, bindparam("after", type_=Integer)))
    .where(stream.c.match_id == bindparam("match_id"), stream.c.kind == bindparam("kind", MATCH))
    .order_by(commits.c.first)
)
"""The head of a stream and its commits with an event later than `after`, in one statement, so from one snapshot."""


def _read_loaded(read: archived_rows.Read, found: Sequence[Any], after: int) -> tuple[Head, list[CommitRow]] | None:
    """Read the rows of `LOAD`: the head is in every row, and is the only row without commits."""
    if not found:
        return None
    width = len(HEAD)
    head = Head(*found[0][:width])
    there = [CommitRow._make(row[width:]) for row in found if row[width] is not None]
    if head.version <= after:
        return head, there
    return head, archived_rows.add_archived(read, head.match_no, after, there)


ENTER: Final = (
    select(*token_rows.HOLDER.c, *HEAD, *ROW)
    .outerjoin_from(
        token_rows.HOLDER, stream, and_(stream.c.match_id == bindparam("match_id", type_=Text), stream.c.kind == MATCH)
    )
    .outerjoin(commits, later(stream.c.match_no, bindparam("after", type_=Integer)))
    .order_by(commits.c.first)
)
"""`token_rows.HOLDER` and `LOAD` in one: a player, and the match that the player requests."""

ROWS: Final = (
    select(*ROW)
    .where(later(bindparam("match_no", type_=BigInteger), bindparam("after", type_=Integer)))
    .order_by(commits.c.first)
)
"""The commits of a match with an event later than `after`, in order."""

ROWS_TO: Final = ROWS.where(commits.c.first <= bindparam("upto", type_=Integer))

FIRST_ROWS: Final = ROWS.limit(bindparam("limit", type_=Integer))


def head(store: Store, match_id: str) -> Head | None:
    """Return the head of a match, or None if there is no such match."""
    found = store.read(select(*HEAD).where(stream.c.match_id == match_id, stream.c.kind == MATCH))
    return Head(*found[0]) if found else None


def head_of(store: Store, stream_no: int) -> Head:
    """Return the head of a stream of any kind, by its number."""
    return Head(*store.read(select(*HEAD).where(stream.c.match_no == stream_no))[0])


def load(store: Store, match_id: str, after: int = 0, kind: str = MATCH) -> tuple[Head, list[CommitRow]] | None:
    """Return the head and the commits with an event later than `after`, as of one moment, in one round trip."""
    return _read_loaded(store.read, store.read_hot(LOAD, match_id=match_id, after=after, kind=kind), after)


def load_within(connection: Connection, match_id: str, kind: str = MATCH) -> tuple[Head, list[CommitRow]] | None:
    """Return the head and all commits of a stream of this kind, as part of a transaction."""
    found = connection.execute(LOAD, {"match_id": match_id, "after": 0, "kind": kind}).all()
    return _read_loaded(lambda query: connection.execute(query).all(), found, 0)


def load_for_token(
    store: Store, token_hash: bytes, match_id: str, after: int = 0
) -> tuple[Player, tuple[Head, list[CommitRow]] | None] | None:
    """Return the holder of a token and a loaded match, in one round trip; None if the token is unknown."""
    found = store.read_hot(ENTER, token_hash=token_hash, match_id=match_id, after=after)
    if not found:
        return None
    rows = [row[token_rows.WIDTH :] for row in found]
    return token_rows.holder(found[0]), _read_loaded(store.read, rows, after) if rows[0][0] is not None else None


def rows(
    store: Store, match_no: int, after: int = 0, limit: int | None = None, upto: int | None = None
) -> list[CommitRow]:
    """Return the commits with an event later than number `after`, in order.

    At most `limit` of them; or up to the one that holds event `upto`.
    """
    if upto is not None:
        found = store.read_hot(ROWS_TO, match_no=match_no, after=after, upto=upto)
    elif limit is None:
        found = store.read_hot(ROWS, match_no=match_no, after=after)
    else:
        found = store.read_hot(FIRST_ROWS, match_no=match_no, after=after, limit=limit)
    there = [CommitRow._make(row) for row in found]
    whole = archived_rows.add_archived(store.read, match_no, after, there)
    if whole is there:
        return there
    return [row for row in whole if upto is None or row.first <= upto][:limit]


def openings(store: Store, match_nos: Collection[int]) -> dict[int, CommitRow]:
    """Return the first commits of these matches, by their numbers."""
    if not match_nos:
        return {}
    query = select(commits.c.match_no, *ROW).where(commits.c.match_no.in_(match_nos), commits.c.first == 1)
    found = {row[0]: CommitRow._make(row[1:]) for row in store.read(query)}
    for there in archived_rows.find_archived(store.read, set(match_nos) - found.keys()):
        found[there.match_no] = archive_files.read_commits(there)[0]
    return found


def rows_naming(store: Store, match_no: int, kind: str, *, last: bool = False) -> list[CommitRow]:
    """Return the commits that hold an event of this type, in order; with `last` only the last of them."""
    name = f'"type":"{kind}"'
    named = commits.c.events.contains(name, autoescape=True)
    query = select(*ROW).where(commits.c.match_no == match_no, named)
    query = query.order_by(commits.c.first.desc()).limit(1) if last else query.order_by(commits.c.first)
    found = [CommitRow._make(row) for row in store.read(query)]
    if last and found:
        return found
    for there in archived_rows.find_archived(store.read, [match_no]):
        found = [row for row in archive_files.read_commits(there) if name in row.events] + found
    return found[-1:] if last else found


_LAST = """
    SELECT a.match_no, (SELECT count(*) FROM seats e WHERE e.match_no = a.match_no),
           c.first, c.n, c.at_ms, c.events, c.secrets
      FROM ({asked}) a JOIN commits c ON c.match_no = a.match_no AND c.first <= a.upto AND c.first >= coalesce(
           (SELECT i.first FROM commits i WHERE i.match_no = a.match_no AND i.first <= a.upto
             ORDER BY i.first DESC LIMIT 1 OFFSET :skip), 0)
"""
LAST: Final = {
    "postgresql": text(
        _LAST.format(
            asked="SELECT CAST(x ->> 0 AS bigint) AS match_no, CAST(x ->> 1 AS integer) AS upto"
            " FROM json_array_elements(CAST(:asked AS json)) x"
        )
    ),
    "sqlite": text(
        _LAST.format(
            asked="SELECT json_extract(value, '$[0]') AS match_no, json_extract(value, '$[1]') AS upto"
            " FROM json_each(:asked)"
        )
    ),
}
"""The last commits of matches that begin by a version. One parameter names all matches, which is faster than many.

It does not find archived matches, which have no open turns.
"""


def last_rows(store: Store, upto: Mapping[int, int], n: int) -> dict[int, LastRows]:
    """Return the last `n` commits of each of these matches that begin by a version, in order, without their codes."""
    values = {"asked": msgspec.json.encode(list(upto.items())).decode(), "skip": n - 1}
    rows = store.ask(lambda connection: connection.execute(LAST[connection.dialect.name], values).all())
    found: dict[int, LastRows] = {}
    for match_no, held, *row in rows:
        found.setdefault(match_no, LastRows(held, [])).rows.append(CommitRow(*row))
    for last in found.values():
        last.rows.sort()
    return found


def versions(store: Store, match_nos: Collection[int]) -> dict[int, int]:
    """Return the versions of matches, by match number. One query for all."""
    if not match_nos:
        return {}
    query = select(stream.c.match_no, stream.c.version).where(stream.c.match_no.in_(match_nos))
    return {row.match_no: row.version for row in store.read(query)}


def find_imported(store: Store, match_nos: Collection[int]) -> set[int]:
    """Return which of these matches were imported. One query for all."""
    if not match_nos:
        return set()
    here = stream.c.match_no.in_(match_nos) & stream.c.imported.is_not(None)
    return {row.match_no for row in store.read(select(stream.c.match_no).where(here))}


def numbers(store: Store, after: int = 0, limit: int = 1_000, kind: str = MATCH) -> list[int]:
    """Return the numbers of the streams of a kind after one, in order."""
    later_ones = (stream.c.match_no > after) & (stream.c.kind == kind)
    query = select(stream.c.match_no).where(later_ones).order_by(stream.c.match_no)
    return [row.match_no for row in store.read(query.limit(limit))]
