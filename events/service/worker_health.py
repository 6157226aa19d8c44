"""Reports to the operator whether the server's processes are running, and keep up with their work."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from domain.core.clock import Time
from domain.core.values import value
from domain.games.catalogue import GAMES
from events.notify import ledger
from events.service.context import Context
from events.store.protocol import Store
from events.store.tables import (
    checkpoint_rows,
    load_rows,
    pending_rows,
    process_rows,
    rating_rows,
    tournament_rows,
    tree_rows,
)

LATE_MS: Final = 30_000
"""The age in milliseconds at which unclaimed due work, or a commit that no follower has read, is late."""

FOLLOWERS: Final = (ledger.FOLLOWER, rating_rows.FOLLOWER, tournament_rows.FOLLOWER, tree_rows.FOLLOWER)
"""The followers that every scheduler runs."""

Broker = Literal["ok", "unreachable", "unknown"]


@value
class WorkerHealth:
    """Counts the running schedulers and workers, and measures how late their work is.

    `broker` is its state as reported by the schedulers, or unknown. `behind_ms` has for each follower, by name, the age
    of its first unhandled commit, in milliseconds.
    """

    schedulers: int
    workers: int
    broker: Broker
    late_ms: int
    behind_ms: Mapping[str, int]
    witnessed_ms: int | None = None
    """The age of the last checkpoint that a quorum of witnesses cosigned, in milliseconds; None without one."""

    @property
    def is_late(self) -> bool:
        return max(self.late_ms, *self.behind_ms.values()) >= LATE_MS

    @property
    def is_whole(self) -> bool:
        """Return whether nothing is missing."""
        return bool(self.schedulers and self.workers and self.broker == "ok" and not self.is_late)


def look_up_workers(store: Store, now: Time) -> WorkerHealth:
    """Count the running processes. A process of `dealt serve` is a scheduler and a worker. Raises `Unavailable`."""
    alive = process_rows.read_living(store)
    schedulers = [process for process in alive if process.kind != "worker"]
    workers = [process for process in alive if process.kind != "scheduler"]
    broker: Broker = "unknown"
    if schedulers:
        broker = "unreachable" if all(process.trouble == "broker" for process in schedulers) else "ok"
    late_ms = _waited(pending_rows.waiting_since(store, now, GAMES), now)
    behind_ms = {name: _waited(checkpoint_rows.waiting_since(store, name), now) for name in FOLLOWERS}
    witnessed = tree_rows.newest_head(store, witnessed=True)
    witnessed_ms = None if witnessed is None else max(0, now - witnessed.at_ms)
    return WorkerHealth(len(schedulers), len(workers), broker, late_ms, behind_ms, witnessed_ms)


def _waited(since: int | None, now: Time) -> int:
    return 0 if since is None else max(0, now - since)


class ServerLoad(NamedTuple):
    """The counts of waiting and running work, and the state of the processes behind it."""

    counts: load_rows.Load
    health: WorkerHealth


def read_server_load(context: Context) -> ServerLoad:
    """Return the load of the server now. Raises `Unavailable`."""
    now = context.now()
    return ServerLoad(load_rows.read_load(context.store, now), look_up_workers(context.store, now))
