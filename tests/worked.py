"""Records in the database that processes were running, as their heartbeats do."""

from events.store.revisions import REVISIONS
from events.store.schema.log_schema import work_spans
from events.store.tables import outage_rows
from events.store.upserts import upsert


def worked(store, start, end, process=outage_rows.ONLY, role="scheduler"):
    """Record that a process was running all the time; its next heartbeat continues from there."""

    def work(connection):
        values = {"process": process, "role": role, "from_ms": start, "to_ms": end, "revision": REVISIONS[-1]}
        adding = upsert(connection, work_spans).values(values)
        connection.execute(adding.on_conflict_do_update(index_elements=["process", "from_ms"], set_={"to_ms": end}))

    store.write(work)
