"""Reads duplicate groups, a projection of their streams."""

from typing import Final

import msgspec
from sqlalchemy import Connection, select

from events.store.protocol import Store
from events.store.records import GroupOfTables
from events.store.schema.match_schema import deal_groups
from events.store.tables import pending_rows

KEY: Final = "group_id"


def find_deal_group(store: Store, group_id: str) -> GroupOfTables | None:
    """Return a group."""
    found = store.read(select(deal_groups).where(deal_groups.c.group_id == group_id))
    if not found:
        return None
    row = found[0]
    nonces = msgspec.json.decode(row.nonces or "[]", type=tuple[tuple[str, ...], ...])
    tables = msgspec.json.decode(row.tables, type=tuple[str, ...])
    return GroupOfTables(row.group_id, row.creator, row.state, tables, nonces, row.created_ms)


def postpone_table(store: Store, match_no: int, kind: str, group: GroupOfTables, until_ms: int) -> None:
    """Postpone the work of a table, unless its group has changed since it was read."""
    state = select(deal_groups.c.state).where(deal_groups.c.group_id == group.group_id)

    def work(connection: Connection) -> None:
        if connection.execute(state.with_for_update(read=True)).scalar_one() == group.state:
            pending_rows.postpone(connection, match_no, kind, until_ms)

    store.write(work)
