"""This module says how busy a server is, for its operator."""

from typing import NamedTuple

from events.service.context import Context
from events.service.worker_health import WorkerHealth, look_up_workers
from events.store.tables import load_rows


class ServerLoad(NamedTuple):
    """The counts of waiting and running work, and the state of the processes behind it."""

    counts: load_rows.Load
    health: WorkerHealth


def read_server_load(context: Context) -> ServerLoad:
    """Return the load of the server now. Raises `Unavailable`."""
    now = context.now()
    return ServerLoad(load_rows.read_load(context.store, now), look_up_workers(context.store, now))
