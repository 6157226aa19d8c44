"""The statements that every request asks: the log of a match, its head, its reader's snapshots, a player by his token."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Executable, Integer, LargeBinary, Text, and_, bindparam, func, select, text

from events.store.records import (
    CommitRow,
    Head,
    MatchRow,
    Snapshot,
)
from events.store.schema import commits, matches, players, snapshots, stream

Read = Callable[[Executable], Sequence[Any]]
"""Reads all rows of one statement."""

HEAD = tuple(stream.c[name] for name in Head.__dataclass_fields__)
ROW = (commits.c.first, commits.c.n, commits.c.at_ms, commits.c.events, commits.c.secrets, commits.c.mac)
MATCH = tuple(matches.c[name] for name in MatchRow.__dataclass_fields__)


def later(match_no: Any, after: Any) -> Any:
    """The condition on commits that they are of this match and hold an event later than `after`.

    The first of them is found by the index: the last that begins no later than the event after `after`.
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
    .where(stream.c.match_id == bindparam("match_id"))
    .order_by(commits.c.first)
)
"""The head of a match and its commits with an event later than `after`, in one statement, so as of one moment."""


def loaded(found: Sequence[Any]) -> tuple[Head, list[CommitRow]] | None:
    """What `LOAD` found: the head stands in every row, and alone where there are no commits to read."""
    if not found:
        return None
    width = len(HEAD)
    return Head(*found[0][:width]), [CommitRow._make(row[width:]) for row in found if row[width] is not None]


ENTER: Final = (
    select(players.c.player_id, players.c.name, *HEAD, *ROW)
    .outerjoin_from(players, stream, stream.c.match_id == bindparam("match_id", type_=Text))
    .outerjoin(commits, later(stream.c.match_no, bindparam("after", type_=Integer)))
    .where(players.c.token_hash == bindparam("token_hash", type_=LargeBinary))
    .order_by(commits.c.first)
)
"""`BY_TOKEN` and `LOAD` in one: a player, and what he asks about."""

ROWS: Final = (
    select(*ROW)
    .where(later(bindparam("match_no", type_=BigInteger), bindparam("after", type_=Integer)))
    .order_by(commits.c.first)
)
"""The commits of a match with an event later than `after`, in order."""

_LAST = """
    SELECT a.match_no, (SELECT count(*) FROM seats e WHERE e.match_no = a.match_no), c.first, c.n, c.at_ms, c.events, c.secrets
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
            asked="SELECT json_extract(value, '$[0]') AS match_no, json_extract(value, '$[1]') AS upto FROM json_each(:asked)"
        )
    ),
}
"""The last commits of matches that begin by a version; one parameter names all matches, which is quicker than many."""

ROWS_TO: Final = ROWS.where(commits.c.first <= bindparam("upto", type_=Integer))

FIRST_ROWS: Final = ROWS.limit(bindparam("limit", type_=Integer))

SNAPSHOT: Final = (
    select(*(snapshots.c[name] for name in Snapshot._fields))
    .where(
        snapshots.c.match_no == bindparam("match_no", type_=BigInteger),
        snapshots.c.reader == bindparam("reader", type_=Text),
        snapshots.c.version <= bindparam("upto", type_=Integer),
    )
    .order_by(snapshots.c.version.desc())
    .limit(1)
)

BY_TOKEN: Final = select(players.c.player_id, players.c.name).where(
    players.c.token_hash == bindparam("token_hash", type_=LargeBinary)
)
