"""Processes that were at work for a while, as their beats leave it in the database."""

from events.store.schema import work_spans
from events.store.tables import outage_rows
from events.store.upserts import upsert


def worked(store, start, end, process=outage_rows.ONLY, role="scheduler"):
    """Store that a process was at work all the time; its next beat goes on from there."""

    def work(connection):
        values = {"process": process, "role": role, "from_ms": start, "to_ms": end}
        adding = upsert(connection, work_spans).values(values)
        connection.execute(adding.on_conflict_do_update(index_elements=["process", "from_ms"], set_={"to_ms": end}))

    store.write(work)
