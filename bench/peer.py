"""Makes the same move with pyeventsourcing: four events of an aggregate, saved into PostgreSQL."""

from collections.abc import Callable
from fcntl import LOCK_EX, flock
from importlib import import_module
from itertools import cycle
from pathlib import Path
from tempfile import gettempdir
from typing import Any

# The package is only installed for measurements, so the type checker lacks it.
_domain: Any = import_module("eventsourcing.domain")
event = _domain.event


class Trick(_domain.Aggregate):  # type: ignore[misc]
    @event("CardPlayed")
    def play(self, seat: int, card: str, trick_no: int) -> None:
        pass

    @event("TrickTaken")
    def take(self, trick_no: int, winner: int, cards: list[str]) -> None:
        pass

    @event("HeartsOpened")
    def open(self, after_trick: int) -> None:
        pass

    @event("DecisionRequested")
    def request(self, seat: int, decision: str, deadline: str) -> None:
        pass


def saver(host: str, port: str, database: str, user: str, password: str, matches: int) -> Callable[[], None]:
    """Return a function that makes one move in the next of this many matches, and saves it."""
    application = _application(
        {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_HOST": host,
            "POSTGRES_PORT": port,
            "POSTGRES_DBNAME": database,
            "POSTGRES_USER": user,
            "POSTGRES_PASSWORD": password,
        }
    )
    tables = [Trick() for _ in range(matches)]
    application.save(*tables)
    turn = cycle(tables)

    def save() -> None:
        table = next(turn)
        table.play(1, "2D", 5)
        table.take(5, 2, ["7D", "QD", "4H", "2D"])
        table.open(5)
        table.request(2, "playing", "2026-11-22T20:57:12.345Z")
        application.save(table)

    return save


def _application(settings: dict[str, str]) -> Any:
    """Start the application, one process after the other: processes that make its tables concurrently fail."""
    with (Path(gettempdir()) / "dealt-bench-peer.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        return import_module("eventsourcing.application").Application(settings)
