"""Groups of tables that get the same deals, as they lie in the database: a projection of their streams."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec
from sqlalchemy import Connection, select, update

from events.store.protocol import Store
from events.store.records import Commit, GroupOfTables, Head, NewStream
from events.store.schema import deal_groups, due, stream
from events.store.tables import pending_rows
from events.store.tables.projection_rows import Lines, put

KEY: Final = "group_id"


def find(store: Store, group_id: str) -> GroupOfTables | None:
    """Give a group."""
    found = store.read(select(deal_groups).where(deal_groups.c.group_id == group_id))
    if not found:
        return None
    row = found[0]
    nonces = msgspec.json.decode(row.nonces or "[]", type=tuple[tuple[str, ...], ...])
    tables = msgspec.json.decode(row.tables, type=tuple[str, ...])
    return GroupOfTables(row.group_id, row.creator, row.state, tables, nonces, row.created_ms)


def create(
    store: Store,
    group: NewStream,
    tables: Sequence[NewStream],
    lines: Lines,
    check: Callable[[Connection], None],
) -> bool:
    """Begin a group and the matches at its tables; False if an idempotency key was used before.

    `check` may end the transaction by an exception.
    """

    def write_rows(connection: Connection) -> None:
        check(connection)
        put(connection, KEY, group.match_id, lines)

    return store.create_all([group, *tables], write_rows)


def append(
    store: Store,
    head: Head,
    commit: Commit,
    lines: Lines,
    tables: Collection[str],
    kinds: Collection[str],
) -> bool:
    """Append to a group, and make work of these kinds at its tables due; False if another was faster."""
    numbers = select(stream.c.match_no).where(stream.c.match_id.in_(tables))
    waiting = due.c.match_no.in_(numbers) & due.c.kind.in_(kinds) & due.c.claimable_ms.is_not(None)
    at_once = update(due).where(waiting).values(claimable_ms=commit.at_ms, lease_ms=0, attempts=0)

    def work(connection: Connection) -> bool:
        if store.append_within(connection, head.match_no, commit).status != "ok":
            return False
        put(connection, KEY, head.match_id, lines)
        connection.execute(at_once)
        return True

    return store.write(work)


def rest(store: Store, match_no: int, kind: str, group: GroupOfTables, until_ms: int) -> None:
    """Let the work of a table rest until then, unless its group has moved on from where it was found."""
    state = select(deal_groups.c.state).where(deal_groups.c.group_id == group.group_id)

    def work(connection: Connection) -> None:
        if connection.execute(state.with_for_update(read=True)).scalar_one() == group.state:
            pending_rows.rest(connection, match_no, kind, until_ms)

    store.write(work)
