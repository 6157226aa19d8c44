"""This module says whether the processes that do the server's work are there, and do it in time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from domain.core.clock import Time
from domain.games.catalogue import GAMES
from events.notify import ledger
from events.service.tournament_ends import TournamentEndHandler
from events.store.protocol import Store
from events.store.tables import checkpoint_rows, pending_rows, process_rows, rating_rows, tree_rows

LATE_MS: Final = 30_000
"""The time after which due work that nobody has done is late, and a commit that no follower has read, in ms."""

FOLLOWERS: Final = (ledger.FOLLOWER, rating_rows.FOLLOWER, TournamentEndHandler.name, tree_rows.FOLLOWER)
"""The followers that every scheduler runs."""

Broker = Literal["ok", "unreachable", "unknown"]


@dataclass(slots=True, frozen=True)
class WorkerHealth:
    """Counts the schedulers and workers that are running, and says how late their work is.

    `broker` is what the schedulers say of it; unknown if there is none. `behind_ms` says of each follower, by name,
    for how long the first commit that it has not handled has been waiting, in milliseconds.
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
        """Say whether nothing is missing."""
        return bool(self.schedulers and self.workers and self.broker == "ok" and not self.is_late)


def look_up_workers(store: Store, now: Time) -> WorkerHealth:
    """Look who is there. A process of `dealt serve` is a scheduler and a worker. Raises `Unavailable`."""
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
