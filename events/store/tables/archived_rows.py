"""Finds and reads the commits of archived matches, and moves commits out of the log once a file has them."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, delete, exists, func, insert, select, text

from events.store import archive_files
from events.store.protocol import Store
from events.store.records import MATCH, ArchivedLog, CommitRow
from events.store.schema.log_schema import archived, commits, stream
from events.store.schema.match_schema import matches

Read = Callable[[Select[Any]], Sequence[Any]]
"""Executes a query and returns its rows."""

PLACE: Final = tuple(archived.c[name] for name in ArchivedLog._fields)
MAY_DELETE: Final = text(
    "SELECT has_table_privilege('commits', 'DELETE') AND has_table_privilege('archived', 'INSERT')"
)


class Candidate(NamedTuple):
    """A match that can be archived."""

    match_no: int
    match_id: str


def find_archived(read: Read, match_nos: Collection[int]) -> list[ArchivedLog]:
    """Return the places of those of these matches that are archived."""
    if not match_nos:
        return []
    return [ArchivedLog._make(row) for row in read(select(*PLACE).where(archived.c.match_no.in_(match_nos)))]


def add_archived(read: Read, match_no: int, after: int, found: list[CommitRow]) -> list[CommitRow]:
    """Return commits from the table, preceded by archived ones if the event later than `after` is not among them.

    The table is read first. A match that is archived in the meantime is then read either from the table or the file.
    """
    if found and found[0].first <= after + 1:
        return found
    for there in find_archived(read, [match_no]):
        if there.version > after:
            return [row for row in archive_files.read_commits(there) if row.first + row.n > after + 1] + found
    return found


def count_archived(store: Store) -> int:
    """Return the number of archived matches."""
    return int(store.read(select(func.count()).select_from(archived))[0][0])


def last_file(store: Store) -> str:
    """Return the last of the files with archived matches, by its name; empty if there is none."""
    return store.read(select(func.max(archived.c.file)))[0][0] or ""


def any_in_file(store: Store, file: str) -> bool:
    """Return whether a file has the commits of an archived match."""
    return bool(store.read(select(exists().where(archived.c.file == file)))[0][0])


def find_candidates(store: Store, ended_before_ms: int, upto: int, after: int, limit: int) -> list[Candidate]:
    """Return matches later than number `after` that ended before a time and are not archived yet, in order.

    Imported matches stay, because they cannot be fully audited.
    All their commits are at positions up to `upto`. The newest commit of the log stays, because it has the position at
    which the log ends.
    """
    inside = exists().where(archived.c.match_no == stream.c.match_no)
    last = select(func.max(commits.c.position)).where(commits.c.match_no == stream.c.match_no).scalar_subquery()
    newest = select(func.max(commits.c.position)).scalar_subquery()
    query = (
        select(stream.c.match_no, stream.c.match_id)
        .join(matches, matches.c.match_no == stream.c.match_no)
        .where(stream.c.kind == MATCH, stream.c.imported.is_(None), stream.c.match_no > after)
        .where(stream.c.turns == "[]", ~inside)
        .where(matches.c.ended_ms < ended_before_ms, last <= upto, last < newest)
        .order_by(stream.c.match_no)
        .limit(limit)
    )
    return [Candidate._make(row) for row in store.read(query)]


def may_detach(store: Store) -> bool:
    """Return whether the role of this connection can move commits out of the log. On SQLite every process can."""

    def work(connection: Connection) -> bool:
        return connection.dialect.name == "sqlite" or bool(connection.execute(MAY_DELETE).scalar_one())

    return store.ask(work)


def detach(store: Store, there: ArchivedLog) -> bool:
    """List a match as archived and delete its commits, in one transaction.

    Returns False and changes nothing if it is archived already, or has grown.
    """
    head = select(stream.c.version, stream.c.head).where(stream.c.match_no == there.match_no).with_for_update()

    def work(connection: Connection) -> bool:
        found = connection.execute(head).one_or_none()
        if found is None or tuple(found) != (there.version, there.head):
            return False
        if connection.execute(select(archived.c.file).where(archived.c.match_no == there.match_no)).first():
            return False
        connection.execute(insert(archived).values(there._asdict()))
        connection.execute(delete(commits).where(commits.c.match_no == there.match_no))
        return True

    return store.write(work)
