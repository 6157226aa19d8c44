"""All of the store that is the same on both databases: everything beside the log, in SQLAlchemy Core."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    Select,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from domain.match.vacation import Allowance
from events.errors import Unavailable
from events.store import migrate
from events.store.records import (
    START,
    CommitRow,
    Due,
    DueRow,
    Found,
    Head,
    Idempotency,
    InboxRow,
    Invitation,
    LastRows,
    MatchRow,
    PagePlace,
    Player,
    Position,
    Projected,
    Remembered,
    ResultRow,
    Search,
    SeatRow,
    Secrets,
    Snapshot,
    Turn,
    TurnRow,
)
from events.store.schema import (
    checkpoint,
    commits,
    due,
    idempotency,
    invites,
    matches,
    players,
    results,
    seats,
    secrets,
    snapshots,
    stream,
)
from events.store.statements import (
    BY_TOKEN,
    ENTER,
    FIRST_ROWS,
    HEAD,
    LAST,
    LOAD,
    MATCH,
    ROW,
    ROWS,
    ROWS_TO,
    SNAPSHOT,
    loaded,
)
from events.store.tables import inbox, outages, pending, stored, tokens, vacations
from events.store.tables.projections import replace_projections
from events.store.tables.search import find

T = TypeVar("T")

KEPT_MS: Final = 7 * 24 * 3600 * 1000
"""For so long an idempotency key is remembered (contract 2)."""

PAUSES: Final = (0.0, 0.01, 0.05, 0.2)
"""Seconds before each new try of what failed for a passing reason."""

SEAT = tuple(seats.c[name] for name in SeatRow.__dataclass_fields__)
RESULT = tuple(results.c[name] for name in ResultRow.__dataclass_fields__)


class Queries:
    """A store's dealings with what lies beside the log.

    Each database adds how it begins a transaction (`write`), what failure is worth another try (`passing`), and the
    few statements on which the two differ. A statement read by `read` is a transaction of its own.
    """

    engine: Engine

    def passing(self, error: DBAPIError) -> bool:
        """Whether the same may succeed when tried again: a lost connection, a deadlock, a busy database."""
        raise NotImplementedError

    def begin(self, connection: Connection) -> Connection:
        """Begin a transaction that writes; it is committed by `write`."""
        raise NotImplementedError

    def trying(self, work: Callable[[Connection], T]) -> T:
        """Do work on a connection, again if it fails for a passing reason; `Unavailable` when that does not help."""
        for pause in (*PAUSES, None):
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except PoolTimeout as error:
                raise Unavailable("no connection is free") from error
            except DBAPIError as error:
                if not self.passing(error):
                    raise
                if pause is None:
                    raise Unavailable(str(error.orig)) from error
                time.sleep(pause)
        raise AssertionError

    def read(self, statement: Executable) -> Sequence[Any]:
        """All rows of one statement."""
        return self.trying(lambda connection: connection.execute(statement).all())

    def read_bound(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """All rows of a statement with parameters."""
        return self.trying(lambda connection: connection.execute(statement, values).all())

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        """All rows of one of the statements below that every request asks, as plain tuples at the least."""
        return self.read_bound(statement, **values)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do work in one transaction."""

        def whole(connection: Connection) -> T:
            connection = self.begin(connection)
            done = work(connection)
            connection.commit()
            return done

        return self.trying(whole)

    def change(self, statement: Executable) -> int:
        """Execute one statement that writes; says how many rows it touched."""
        return self.write(lambda connection: connection.execute(statement).rowcount)

    # The log of a match

    def head(self, match_id: str) -> Head | None:
        found = self.read(select(*HEAD).where(stream.c.match_id == match_id))
        return Head(*found[0]) if found else None

    def load(self, match_id: str, after: int = 0) -> tuple[Head, list[CommitRow]] | None:
        return loaded(self.read_hot(LOAD, match_id=match_id, after=after))

    def enter(
        self, token_hash: bytes, match_id: str, after: int = 0
    ) -> tuple[Player, tuple[Head, list[CommitRow]] | None] | None:
        found = self.read_hot(ENTER, token_hash=token_hash, match_id=match_id, after=after)
        if not found:
            return None
        there = loaded([row[2:] for row in found]) if found[0][2] is not None else None
        return Player._make(found[0][:2]), there

    def rows(
        self, match_no: int, after: int = 0, limit: int | None = None, upto: int | None = None
    ) -> list[CommitRow]:
        if upto is not None:
            found = self.read_hot(ROWS_TO, match_no=match_no, after=after, upto=upto)
        elif limit is None:
            found = self.read_hot(ROWS, match_no=match_no, after=after)
        else:
            found = self.read_hot(FIRST_ROWS, match_no=match_no, after=after, limit=limit)
        return [CommitRow._make(row) for row in found]

    def rows_naming(self, match_no: int, kind: str, *, last: bool = False) -> list[CommitRow]:
        named = commits.c.events.contains(f'"type":"{kind}"', autoescape=True)
        query = select(*ROW).where(commits.c.match_no == match_no, named)
        query = query.order_by(commits.c.first.desc()).limit(1) if last else query.order_by(commits.c.first)
        return [CommitRow._make(row) for row in self.read(query)]

    def snapshot(self, match_no: int, reader: str, upto: int) -> Snapshot | None:
        found = self.read_hot(SNAPSHOT, match_no=match_no, reader=reader, upto=upto)
        return Snapshot._make(found[0]) if found else None

    def keep_snapshots(self, match_no: int, reader: str, kept: Collection[Snapshot]) -> None:
        s = snapshots.c
        here = (s.match_no == match_no) & (s.reader == reader) & s.version.in_([k.version for k in kept])
        rows = [{"match_no": match_no, "reader": reader, **k._asdict()} for k in kept]

        def work(connection: Connection) -> None:
            if (
                connection.dialect.name == "postgresql"
            ):  # a cache may be lost; who asks need not wait for the disk
                connection.execute(text("SET LOCAL synchronous_commit TO off"))
            connection.execute(delete(snapshots).where(here))
            connection.execute(insert(snapshots), rows)

        with suppress(IntegrityError):
            self.write(work)

    def secrets(self, match_no: int) -> Secrets:
        found = self.read(
            select(secrets.c.seal_secret, secrets.c.roots).where(secrets.c.match_no == match_no)
        )
        if not found:
            raise KeyError(match_no)
        return Secrets(found[0].seal_secret, msgspec.json.decode(found[0].roots, type=list[str]))

    # Requests that may be repeated

    def idempotent(self, key_hash: bytes) -> Remembered | None:
        columns = [idempotency.c[name] for name in Remembered._fields]
        found = self.read(select(*columns).where(idempotency.c.key_hash == key_hash))
        return Remembered._make(found[0]) if found else None

    def remember(
        self, idem: Idempotency, at_ms: int, match_no: int | None = None, version: int | None = None
    ) -> bool:
        row = {
            "key_hash": idem.key_hash,
            "body_hash": idem.body_hash,
            "match_no": match_no,
            "first": version,
            "n": None if version is None else 0,
            "at_ms": at_ms,
        }
        try:
            self.change(insert(idempotency).values(row))
        except IntegrityError:
            return False
        return True

    def prune(self, now_ms: int) -> int:
        return self.change(delete(idempotency).where(idempotency.c.at_ms < now_ms - KEPT_MS))

    # Players and invites

    def add_player(self, player_id: str, name: str, token_hash: bytes, at_ms: int) -> None:
        row = {"player_id": player_id, "name": name, "token_hash": token_hash, "created_ms": at_ms}
        self.change(insert(players).values(row))

    def player_by_token(self, token_hash: bytes) -> Player | None:
        found = self.read_hot(BY_TOKEN, token_hash=token_hash)
        return Player._make(found[0]) if found else None

    def players(self, player_ids: Collection[str]) -> dict[str, str | None]:
        if not player_ids:
            return {}
        found = self.read(
            select(players.c.player_id, players.c.name).where(players.c.player_id.in_(player_ids))
        )
        return {row.player_id: row.name for row in found}

    def new_token(
        self,
        player_id: str,
        old_hash: bytes,
        token_hash: bytes,
        at_ms: int = 0,
        remembered: Collection[Idempotency] = (),
    ) -> bool:
        return self.write(
            lambda connection: tokens.replace(connection, player_id, old_hash, token_hash, at_ms, remembered)
        )

    def invite(self, match_no: int, seat: int) -> bytes | None:
        return self.invites(match_no).get(seat)

    def set_invite(self, match_no: int, seat: int, code_hash: bytes) -> None:
        def work(connection: Connection) -> None:
            here = (invites.c.match_no == match_no) & (invites.c.seat == seat)
            connection.execute(delete(invites).where(here))
            connection.execute(insert(invites).values(match_no=match_no, seat=seat, code_hash=code_hash))

        self.write(work)

    def invites(self, match_no: int) -> dict[int, bytes]:
        found = self.read(select(invites.c.seat, invites.c.code_hash).where(invites.c.match_no == match_no))
        return {row.seat: row.code_hash for row in found}

    # Projections

    def list_matches(
        self,
        viewer: str | None,
        search: Search | None = None,
        after: PagePlace | None = None,
        limit: int = 50,
    ) -> Found:
        return find(self.read, viewer, search or Search(), after, limit)

    def match_row(self, match_no: int) -> MatchRow | None:
        found = self.read(select(*MATCH).where(matches.c.match_no == match_no))
        return MatchRow(*found[0]) if found else None

    def seat_rows(self, match_nos: Collection[int]) -> dict[int, list[SeatRow]]:
        found: defaultdict[int, list[SeatRow]] = defaultdict(list)
        query = select(seats.c.match_no, *SEAT).where(seats.c.match_no.in_(match_nos)).order_by(seats.c.seat)
        for match_no, *row in self.read(query) if match_nos else ():
            found[match_no].append(SeatRow(*row))
        return dict(found)

    def turn_rows(self, match_no: int) -> list[TurnRow]:
        return inbox.of_match(self.read, match_no)

    def result_rows(self, player_id: str, limit: int = 50) -> list[tuple[str, ResultRow]]:
        query = (
            select(stream.c.match_id, *RESULT)
            .join(stream, stream.c.match_no == results.c.match_no)
            .where(results.c.player_id == player_id)
            .order_by(results.c.ended_ms.desc(), results.c.match_no.desc(), results.c.seat)
            .limit(limit)
        )
        return [(match_id, ResultRow(*row)) for match_id, *row in self.read(query)]

    def due_rows(self, match_no: int) -> list[DueRow]:
        here = (due.c.match_no == match_no) & due.c.claimable_ms.is_not(None)
        query = select(due.c.kind, due.c.due_ms, due.c.lease_ms).where(here).order_by(due.c.kind)
        return [DueRow(*row) for row in self.read(query)]

    def inbox(self, player_id: str) -> list[InboxRow]:
        return inbox.of_player(self.read, player_id)

    def invitations(self, player_id: str) -> list[Invitation]:
        return inbox.invitations(self.read, player_id)

    def waiting_stamp(self, player_ids: Collection[str]) -> dict[str, tuple[Turn, ...]]:
        return inbox.stamp(self.read, player_ids)

    def last_rows(self, upto: Mapping[int, int], n: int) -> dict[int, LastRows]:
        asked = msgspec.json.encode(list(upto.items())).decode()
        found: dict[int, LastRows] = {}
        for match_no, held, *row in self.read_bound(LAST[self.engine.dialect.name], asked=asked, skip=n - 1):
            found.setdefault(match_no, LastRows(held, [])).rows.append(CommitRow(*row))
        for last in found.values():
            last.rows.sort()
        return found

    def versions(self, match_nos: Collection[int]) -> dict[int, int]:
        if not match_nos:
            return {}
        query = select(stream.c.match_no, stream.c.version).where(stream.c.match_no.in_(match_nos))
        return {row.match_no: row.version for row in self.read(query)}

    def imported(self, match_nos: Collection[int]) -> set[int]:
        if not match_nos:
            return set()
        here = stream.c.match_no.in_(match_nos) & stream.c.imported.is_not(None)
        return {row.match_no for row in self.read(select(stream.c.match_no).where(here))}

    # Pending work

    def claim(self, now_ms: int, limit: int, lease_ms: int = 5_000) -> list[Due]:
        return self.write(lambda connection: pending.claim(connection, now_ms, limit, lease_ms))

    def release(self, match_no: int, kind: str) -> None:
        self.change(pending.released(match_no, kind))

    def next_due(self) -> int | None:
        earliest: int | None = self.read(select(func.min(due.c.claimable_ms)))[0][0]
        return earliest

    # Absence

    def beat(self, now_ms: int) -> None:
        try:
            self.write(lambda connection: outages.beat(connection, now_ms))
        except IntegrityError:  # another's first beat came first
            self.write(lambda connection: outages.beat(connection, now_ms))

    def beaten(self) -> int | None:
        return outages.beaten(self.read)

    def outages(self, since_ms: int, now_ms: int) -> list[tuple[int, int]]:
        return outages.since(self.read, since_ms, now_ms)

    def allowance(self, player_id: str, since_ms: int = 0) -> Allowance | None:
        return self.trying(lambda connection: vacations.allowance(connection, player_id, since_ms))

    def take_vacations(
        self,
        player_id: str,
        change: Callable[[Allowance], Allowance],
        idem: Idempotency | None = None,
        at_ms: int = 0,
    ) -> Allowance | None:
        return self.write(lambda connection: vacations.take(connection, player_id, change, idem, at_ms))

    def away(self, player_ids: Collection[str], now_ms: int) -> dict[str, int]:
        return vacations.away(self.read, player_ids, now_ms)

    def set_auto_vacation(self, player_id: str, auto: bool) -> None:  # noqa: FBT001 -- what is set
        self.change(update(players).where(players.c.player_id == player_id).values(auto_vacation=auto))

    # Followers

    def checkpoint(self, name: str) -> Position:
        query = select(checkpoint.c.xid, checkpoint.c.position).where(checkpoint.c.name == name)
        found = self.read(query)
        return Position._make(found[0]) if found else START

    def save_checkpoint(self, name: str, at: Position) -> None:
        def work(connection: Connection) -> None:
            connection.execute(delete(checkpoint).where(checkpoint.c.name == name))
            connection.execute(insert(checkpoint).values(name=name, **at._asdict()))

        self.write(work)

    # Rebuilding projections

    def match_nos(self, after: int = 0, limit: int = 1_000) -> list[int]:
        query = select(stream.c.match_no).where(stream.c.match_no > after).order_by(stream.c.match_no)
        return [row.match_no for row in self.read(query.limit(limit))]

    def lock(self, connection: Connection, match_no: int) -> None:
        """Keep others from appending to a match until the transaction ends."""
        raise NotImplementedError

    def rebuild(self, match_no: int, project: Callable[[Head, list[CommitRow]], Projected]) -> None:
        def work(connection: Connection) -> None:
            self.lock(connection, match_no)
            found = connection.execute(select(*HEAD).where(stream.c.match_no == match_no)).one()
            rows = [
                CommitRow._make(row) for row in connection.execute(ROWS, {"match_no": match_no, "after": 0})
            ]
            head = Head(*found)
            replace_projections(connection, head, project(head, rows))

        self.write(work)

    # Audits

    def at_one_moment(self, connection: Connection) -> AbstractContextManager[Connection]:
        """A transaction that reads, and sees the database as of one moment."""
        raise NotImplementedError

    def looking(self, work: Callable[[Connection], T]) -> T:
        """Read in such a transaction."""

        def whole(connection: Connection) -> T:
            with self.at_one_moment(connection) as still:
                return work(still)

        return self.trying(whole)

    def stored(self, match_id: str) -> stored.Stored | None:
        return self.looking(lambda connection: stored.read(connection, match_id))

    def heads(self, after: int = 0, limit: int = 1_000) -> list[Head]:
        return self.looking(lambda connection: stored.heads(connection, after, limit))

    def match_count(self) -> int:
        return self.looking(stored.count)

    def stray(self, after: int, before: int | None) -> int | None:
        return self.looking(lambda connection: stored.stray(connection, after, before))

    # Operation

    def ready(self) -> bool:
        return migrate.current(self.engine)

    def close(self) -> None:
        self.engine.dispose()
