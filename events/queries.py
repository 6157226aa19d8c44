"""All of the store that is the same on both databases: everything beside the log, in SQLAlchemy Core."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, replace
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Engine,
    Executable,
    Integer,
    LargeBinary,
    Select,
    Text,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    text,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from domain.vacation import Allowance, Vacation
from events import migrate, stored
from events.schema import (
    OF_A_PLAYER,
    OF_A_WEBHOOK,
    checkpoint,
    commits,
    deal_groups,
    due,
    group_players,
    heartbeat,
    idempotency,
    invites,
    involved,
    match_options,
    matches,
    outages,
    players,
    public,
    results,
    seats,
    secrets,
    snapshots,
    stream,
    vacations,
    webhooks,
)
from events.search import option_text, page
from events.store import (
    OUTAGE_MS,
    START,
    AlreadyThere,
    Due,
    DueRow,
    Found,
    Head,
    Idempotency,
    InboxRow,
    Invitation,
    LastRows,
    MatchRow,
    NewTable,
    Place,
    Player,
    Position,
    Projected,
    Remembered,
    ResultRow,
    Row,
    Search,
    SeatRow,
    Secrets,
    Snapshot,
    Turn,
    TurnRow,
    Unavailable,
)

T = TypeVar("T")

_turns = msgspec.json.Decoder(list[TurnRow]).decode

KEPT_MS: Final = 7 * 24 * 3600 * 1000
"""For so long an idempotency key is remembered (CONTRACT 2)."""

MOST_LEASE_MS: Final = 300_000

PAUSES: Final = (0.0, 0.01, 0.05, 0.2)
"""Seconds before each new try of what failed for a passing reason."""

HEAD = tuple(stream.c[name] for name in Head.__dataclass_fields__)
ROW = (commits.c.first, commits.c.n, commits.c.at_ms, commits.c.events, commits.c.secrets, commits.c.mac)
MATCH = tuple(matches.c[name] for name in MatchRow.__dataclass_fields__)
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

    def load(self, match_id: str, after: int = 0) -> tuple[Head, list[Row]] | None:
        return loaded(self.read_hot(LOAD, match_id=match_id, after=after))

    def enter(
        self, token_hash: bytes, match_id: str, after: int = 0
    ) -> tuple[Player, tuple[Head, list[Row]] | None] | None:
        found = self.read_hot(ENTER, token_hash=token_hash, match_id=match_id, after=after)
        if not found:
            return None
        there = loaded([row[2:] for row in found]) if found[0][2] is not None else None
        return Player._make(found[0][:2]), there

    def rows(
        self, match_no: int, after: int = 0, limit: int | None = None, upto: int | None = None
    ) -> list[Row]:
        if upto is not None:
            found = self.read_hot(ROWS_TO, match_no=match_no, after=after, upto=upto)
        elif limit is None:
            found = self.read_hot(ROWS, match_no=match_no, after=after)
        else:
            found = self.read_hot(FIRST_ROWS, match_no=match_no, after=after, limit=limit)
        return [Row._make(row) for row in found]

    def rows_naming(self, match_no: int, kind: str, *, last: bool = False) -> list[Row]:
        named = commits.c.events.contains(f'"type":"{kind}"', autoescape=True)
        query = select(*ROW).where(commits.c.match_no == match_no, named)
        query = query.order_by(commits.c.first.desc()).limit(1) if last else query.order_by(commits.c.first)
        return [Row._make(row) for row in self.read(query)]

    def snapshot(self, match_no: int, reader: str, upto: int) -> Snapshot | None:
        found = self.read_hot(SNAPSHOT, match_no=match_no, reader=reader, upto=upto)
        return Snapshot._make(found[0]) if found else None

    def keep_snapshots(self, match_no: int, reader: str, kept: Collection[Snapshot]) -> None:
        s = snapshots.c
        here = (s.match_no == match_no) & (s.reader == reader) & s.version.in_([k.version for k in kept])
        rows = [{"match_no": match_no, "reader": reader, **k._asdict()} for k in kept]

        def work(connection: Connection) -> None:
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
        # The new hash counts as the old one too, so that a try after a lost connection finds its own work done.
        mine = (players.c.player_id == player_id) & players.c.token_hash.in_([old_hash, token_hash])
        keys = [{**asdict(idem), "at_ms": at_ms} for idem in remembered]
        used = select(idempotency.c.key_hash).where(idempotency.c.key_hash.in_([k["key_hash"] for k in keys]))

        def work(connection: Connection) -> bool:
            # Whoever sends the same at the same time waits here, and then sees that the keys are used.
            if not connection.execute(update(players).where(mine).values(token_hash=token_hash)).rowcount:
                return False
            if keys and connection.execute(used).first():
                return False
            if keys:
                connection.execute(insert(idempotency), keys)
            return True

        return self.write(work)

    def erase_player(self, player_id: str, at_ms: int) -> None:
        from events import talk  # noqa: PLC0415 -- it imports this module

        here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
        webhook = select(webhooks.c.webhook_id).where(webhooks.c.player_id == player_id)

        def work(connection: Connection) -> None:
            connection.execute(
                update(players).where(here).values(name=None, token_hash=None, erased_ms=at_ms)
            )
            talk.unsay(connection, player_id, at_ms)
            for table in OF_A_WEBHOOK:
                connection.execute(delete(table).where(table.c.webhook_id.in_(webhook)))
            for table in (*OF_A_PLAYER, webhooks):
                connection.execute(delete(table).where(table.c.player_id == player_id))

        self.write(work)

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
        after: Place | None = None,
        limit: int = 50,
    ) -> Found:
        before = None if after is None else (after.at_ms, self._number(after.match_id, viewer))
        keys, until = page(self.read, viewer, search or Search(), before, limit)
        numbers = {no for _, no in keys} | ({until[1]} if until else set())
        query = select(*MATCH).where(matches.c.match_no.in_(numbers))
        rows = {row.match_no: MatchRow(*row) for row in self.read(query)} if numbers else {}
        place = None if until is None else Place(until[0], rows[until[1]].match_id)
        return Found([rows[no] for _, no in keys], place)

    def _number(self, match_id: str, viewer: str | None) -> int:
        """The number of a match; 0 if there is none that the viewer finds, lest a place tell of the others."""
        mine = exists().where(involved.c.match_no == matches.c.match_no, involved.c.player_id == viewer)
        query = select(matches.c.match_no).join(stream, stream.c.match_no == matches.c.match_no)
        found = self.read(query.where(stream.c.match_id == match_id, or_(public, mine)))
        return found[0].match_no if found else 0

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
        found = self.read(select(stream.c.turns).where(stream.c.match_no == match_no))
        return sorted(_turns(found[0].turns), key=lambda turn: turn.seat) if found else []

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
        query = waiting([player_id], stream.c.match_id, matches.c.game)
        query = query.join(matches, matches.c.match_no == stream.c.match_no)
        found = [
            InboxRow(no, match_id, game, seat, turn.version, turn.since_ms, turn.deadline_ms, turn.decision)
            for _, no, seat, written, match_id, game in self.read(query)
            for turn in _turns(written)
            if turn.seat == seat
        ]
        return sorted(found, key=_urgency)

    def invitations(self, player_id: str) -> list[Invitation]:
        query = (
            select(seats.c.match_no, stream.c.match_id, matches.c.game, seats.c.seat, stream.c.created_ms)
            .join(stream, stream.c.match_no == seats.c.match_no)
            .join(matches, matches.c.match_no == seats.c.match_no)
            .where(seats.c.live, seats.c.kind == "invite", seats.c.player_id == player_id)
            .order_by(stream.c.created_ms, seats.c.match_no, seats.c.seat)
        )
        return [Invitation._make(row) for row in self.read(query)]

    def waiting_stamp(self, player_ids: Collection[str]) -> dict[str, tuple[Turn, ...]]:
        found: defaultdict[str, list[Turn]] = defaultdict(list)
        kept = select(seats.c.player_id, seats.c.match_no, seats.c.seat, null()).where(
            seats.c.live, seats.c.kind == "invite", seats.c.player_id.in_(player_ids)
        )
        both = union_all(waiting(player_ids), kept)
        for player_id, match_no, seat, written in self.read(both) if player_ids else ():
            if written is None:
                found[player_id].append((match_no, seat, 0))
            else:
                found[player_id] += [(match_no, seat, t.version) for t in _turns(written) if t.seat == seat]
        return {player_id: tuple(sorted(turns)) for player_id, turns in found.items() if turns}

    def last_rows(self, upto: Mapping[int, int], n: int) -> dict[int, LastRows]:
        asked = msgspec.json.encode(list(upto.items())).decode()
        found: dict[int, LastRows] = {}
        for match_no, held, *row in self.read_bound(LAST[self.engine.dialect.name], asked=asked, skip=n - 1):
            found.setdefault(match_no, LastRows(held, [])).rows.append(Row(*row))
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
        chosen = (
            select(due.c.match_no, due.c.kind)
            .where(due.c.claimable_ms <= now_ms)
            .order_by(due.c.claimable_ms)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        ends = [literal(now_ms + min(lease_ms << i, MOST_LEASE_MS), BigInteger) for i in range(16)]
        until = case(*[(due.c.attempts == i, end) for i, end in enumerate(ends)], else_=ends[-1])
        taking = (
            update(due)
            .where(tuple_(due.c.match_no, due.c.kind).in_(chosen), due.c.claimable_ms <= now_ms)
            .values(claimable_ms=until, lease_ms=until, attempts=due.c.attempts + 1)
            .returning(due.c.match_no, due.c.kind, due.c.due_ms, due.c.attempts)
        )

        def work(connection: Connection) -> list[Due]:
            taken = connection.execute(taking).all()
            named = select(stream.c.match_no, stream.c.match_id).where(
                stream.c.match_no.in_({row.match_no for row in taken})
            )
            ids = {row.match_no: row.match_id for row in connection.execute(named)} if taken else {}
            return [Due(row.match_no, ids[row.match_no], row.kind, row.due_ms, row.attempts) for row in taken]

        return sorted(self.write(work), key=lambda claimed: claimed.due_ms)

    def release(self, match_no: int, kind: str) -> None:
        here = (due.c.match_no == match_no) & (due.c.kind == kind) & due.c.claimable_ms.is_not(None)
        fewer = case((due.c.attempts > 0, due.c.attempts - 1), else_=0)  # what was not tried is no attempt
        self.change(update(due).where(here).values(claimable_ms=due.c.due_ms, lease_ms=0, attempts=fewer))

    def next_due(self) -> int | None:
        earliest: int | None = self.read(select(func.min(due.c.claimable_ms)))[0][0]
        return earliest

    # Absence

    def beat(self, now_ms: int) -> None:
        def work(connection: Connection) -> None:
            last = connection.execute(select(heartbeat.c.at_ms).with_for_update()).scalar_one_or_none()
            if last is None:
                connection.execute(insert(heartbeat).values(one=1, at_ms=now_ms))
            elif now_ms > last:
                connection.execute(update(heartbeat).values(at_ms=now_ms))
                if now_ms - last > OUTAGE_MS:
                    connection.execute(insert(outages).values(from_ms=last, to_ms=now_ms))

        with suppress(IntegrityError):  # another's first beat came first
            self.write(work)

    def outages(self, since_ms: int, now_ms: int) -> list[tuple[int, int]]:
        been = select(outages.c.from_ms, outages.c.to_ms).where(outages.c.to_ms > since_ms)
        on = select(heartbeat.c.at_ms, literal(now_ms, BigInteger)).where(
            heartbeat.c.at_ms < now_ms - OUTAGE_MS
        )
        return sorted((row[0], row[1]) for row in self.read(union_all(been, on)))

    def allowance(self, player_id: str) -> Allowance | None:
        return self.trying(lambda connection: _allowance(connection, player_id))

    def take_vacations(
        self,
        player_id: str,
        change: Callable[[Allowance], Allowance],
        idem: Idempotency | None = None,
        at_ms: int = 0,
    ) -> Allowance | None:
        mine = vacations.c.player_id == player_id

        def work(connection: Connection) -> Allowance | None:
            had = _allowance(connection, player_id, alone=True)
            if had is None:
                return None
            if idem is not None:
                key = idempotency.c.key_hash == idem.key_hash
                if connection.execute(select(idempotency.c.key_hash).where(key)).first():
                    raise AlreadyThere
                connection.execute(insert(idempotency).values(**asdict(idem), at_ms=at_ms))
            has = change(had)
            gone = [v.start for v in had.taken if v not in has.taken]
            rows = [
                {"player_id": player_id, "from_ms": v.start, "to_ms": v.end, "used_ms": v.used}
                for v in has.taken
                if v not in had.taken
            ]
            if gone:
                connection.execute(delete(vacations).where(mine, vacations.c.from_ms.in_(gone)))
            if rows:
                connection.execute(insert(vacations), rows)
            return has

        return self.write(work)

    def away(self, player_ids: Collection[str], now_ms: int) -> dict[str, int]:
        if not player_ids:
            return {}
        on = (vacations.c.from_ms <= now_ms) & (vacations.c.to_ms > now_ms)
        query = select(vacations.c.player_id, vacations.c.to_ms).where(
            vacations.c.player_id.in_(player_ids), on
        )
        return {row.player_id: row.to_ms for row in self.read(query)}

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

    def rebuild(self, match_no: int, project: Callable[[Head, list[Row]], Projected]) -> None:
        def work(connection: Connection) -> None:
            self.lock(connection, match_no)
            found = connection.execute(select(*HEAD).where(stream.c.match_no == match_no)).one()
            rows = [Row._make(row) for row in connection.execute(ROWS, {"match_no": match_no, "after": 0})]
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


def waiting(player_ids: Collection[str], *columns: Any) -> Select[Any]:
    """The live seats of players in matches that wait for somebody: player, match, seat, the match's turns."""
    return (
        select(seats.c.player_id, seats.c.match_no, seats.c.seat, stream.c.turns, *columns)
        .join(stream, stream.c.match_no == seats.c.match_no)
        .where(seats.c.live, seats.c.player_id.in_(player_ids), stream.c.turns != "[]")
    )


def _allowance(connection: Connection, player_id: str, *, alone: bool = False) -> Allowance | None:
    """What a player may take and has taken; `alone` keeps others from changing it until the transaction ends."""
    here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
    who = select(players.c.created_ms, players.c.auto_vacation).where(here)
    found = connection.execute(who.with_for_update() if alone else who).first()
    if found is None:
        return None
    query = select(vacations.c.from_ms, vacations.c.to_ms, vacations.c.used_ms)
    taken = connection.execute(query.where(vacations.c.player_id == player_id).order_by(vacations.c.from_ms))
    return Allowance(found.created_ms, found.auto_vacation, tuple(Vacation(*row) for row in taken))


def _urgency(row: InboxRow) -> tuple[float, int, int]:
    return (float("inf") if row.deadline_ms is None else row.deadline_ms, row.since_ms, row.match_no)


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


def loaded(found: Sequence[Any]) -> tuple[Head, list[Row]] | None:
    """What `LOAD` found: the head stands in every row, and alone where there are no commits to read."""
    if not found:
        return None
    width = len(HEAD)
    return Head(*found[0][:width]), [Row._make(row[width:]) for row in found if row[width] is not None]


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


def name_foreign(connection: Connection, head: Head, names: Mapping[str, str]) -> None:
    """Note the names of an imported match's players, who have no token and so are nobody."""
    rows = [
        {"player_id": player, "name": name, "created_ms": head.created_ms} for player, name in names.items()
    ]
    if rows:
        connection.execute(insert(players), rows)


def replace_projections(connection: Connection, head: Head, projected: Projected) -> None:
    """Put the rows of a match's projections in place of those that are there."""
    if (row := projected.match) is not None:
        here = matches.c.match_no == head.match_no
        started = row.started_ms or connection.scalar(select(matches.c.started_ms).where(here))
        _replace(connection, matches, head, [replace(row, started_ms=started)])
    if projected.turns is not None:
        turns = msgspec.json.encode(projected.turns).decode()
        connection.execute(update(stream).where(stream.c.match_no == head.match_no).values(turns=turns))
    for table, rows in ((seats, projected.seats), (results, projected.results), (due, projected.due)):
        if rows is not None:
            _replace(connection, table, head, rows)
    if projected.match is not None:
        _replace(connection, match_options, head, options_one_by_one(projected.match))
    if any(rows is not None for rows in (projected.match, projected.seats, projected.results)):
        connection.execute(delete(involved).where(involved.c.match_no == head.match_no))
        connection.execute(INVOLVED, {"match_no": head.match_no})
    if projected.seats is not None:
        connection.execute(delete(group_players).where(group_players.c.match_no == head.match_no))
        connection.execute(AT_TABLES, {"match_no": head.match_no})
    if projected.match is not None or projected.seats is not None:
        over = exists().where(matches.c.match_no == head.match_no, matches.c.ended_ms.is_not(None))
        connection.execute(
            update(seats).where(seats.c.match_no == head.match_no, seats.c.live == over).values(live=~over)
        )


INVOLVED: Final = text("""
    INSERT INTO involved (match_no, player_id, public, created_ms, ended_ms, result)
    SELECT m.match_no, p.player_id, m.visibility = 'public', m.created_ms, m.ended_ms,
           (SELECT max(r.result) FROM results r WHERE r.match_no = m.match_no AND r.player_id = p.player_id)
      FROM matches m
      JOIN (SELECT match_no, player_id FROM seats WHERE match_no = :match_no AND player_id IS NOT NULL
            UNION SELECT match_no, creator FROM matches
                   WHERE match_no = :match_no AND visibility <> 'public' AND creator <> '') p ON p.match_no = m.match_no
""")
"""Who finds a match, as `write_rest` notes it: *won* is the greatest of the words for a result, *lost* the least."""


AT_TABLES: Final = text("""
    INSERT INTO group_players (match_no, player_id, deal_group)
    SELECT DISTINCT m.match_no, s.player_id, m.deal_group FROM seats s JOIN matches m ON m.match_no = s.match_no
     WHERE s.match_no = :match_no AND s.player_id IS NOT NULL AND m.deal_group IS NOT NULL
""")
"""Who sits at a table of a group, as `write_rest` notes it."""


def write_group(connection: Connection, group_id: str, creator: str, tables: Sequence[NewTable]) -> None:
    """Note a group whose matches are being created."""
    connection.execute(
        insert(deal_groups).values(
            group_id=group_id, creator=creator, state="open", created_ms=tables[0].commit.at_ms,
            tables=msgspec.json.encode([table.match_id for table in tables]).decode(),
        )
    )  # fmt: skip


def options_one_by_one(row: MatchRow) -> list[dict[str, Any]]:
    """The options of a match one by one, and its preset."""
    options = msgspec.json.decode(row.options)
    named = options if row.preset is None else options | {"preset": row.preset}
    about = {"game": row.game, "public": row.visibility == "public"}
    return [{"name": name, "value": option_text(value), **about} for name, value in named.items()]


def _replace(connection: Connection, table: Any, head: Head, rows: Sequence[Any]) -> None:
    connection.execute(delete(table).where(table.c.match_no == head.match_no))
    if rows:
        connection.execute(insert(table), [_values(row, head) for row in rows])


def _values(row: Any, head: Head) -> dict[str, Any]:
    """A row of a projection as it is stored."""
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
