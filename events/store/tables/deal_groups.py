"""Groups of tables that get the same deals, as they lie in the database."""

from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import Connection, select, update

from events.store.protocol import Store
from events.store.records import GroupOfTables
from events.store.schema import deal_groups, due, stream
from events.store.tables import pending


def find(store: Store, group_id: str) -> GroupOfTables | None:
    """Give a group."""
    found = store.read(select(deal_groups).where(deal_groups.c.group_id == group_id))
    if not found:
        return None
    row = found[0]
    nonces = msgspec.json.decode(row.nonces or "[]", type=tuple[tuple[str, ...], ...])
    tables = msgspec.json.decode(row.tables, type=tuple[str, ...])
    return GroupOfTables(row.group_id, row.creator, row.state, tables, nonces, row.created_ms)


def decide(
    store: Store,
    group: GroupOfTables,
    state: str,
    now_ms: int,
    kinds: Collection[str],
    nonces: Sequence[Sequence[str]] | None = None,
) -> bool:
    """Bring a group into its next state, and make work of these kinds at its tables due; False if it has moved on."""
    here = (deal_groups.c.group_id == group.group_id) & (deal_groups.c.state == group.state)
    noted = {} if nonces is None else {"nonces": msgspec.json.encode(nonces).decode()}
    tables = select(stream.c.match_no).where(stream.c.match_id.in_(group.tables))
    waiting = due.c.match_no.in_(tables) & due.c.kind.in_(kinds) & due.c.claimable_ms.is_not(None)

    def work(connection: Connection) -> bool:
        if not connection.execute(update(deal_groups).where(here).values(state=state, **noted)).rowcount:
            return False
        connection.execute(update(due).where(waiting).values(claimable_ms=now_ms, lease_ms=0, attempts=0))
        return True

    return store.write(work)


def rest(store: Store, match_no: int, kind: str, group: GroupOfTables, until_ms: int) -> None:
    """Let the work of a table rest until then, unless its group has moved on from where it was found."""
    state = select(deal_groups.c.state).where(deal_groups.c.group_id == group.group_id)

    def work(connection: Connection) -> None:
        if connection.execute(state.with_for_update(read=True)).scalar_one() == group.state:
            pending.rest(connection, match_no, kind, until_ms)

    store.write(work)
