"""This module ends connections to PostgreSQL whose server has fallen silent in the middle of a statement.

A host that vanishes sends no word, and a proxy in between may go on to acknowledge what it cannot deliver: without a
limit the client waits for ever. The server ends each statement after `statement_timeout`, so one that has said nothing
for longer is not there. TCP's own limits (`tcp_user_timeout`, keepalives) notice the first kind alone.
"""

import logging
import os
import socket
import struct
from threading import Event, Lock, Thread
from typing import Any, Final
from weakref import WeakSet

from psycopg import Connection, Error, pq
from sqlalchemy import Engine, event

SILENT_SECONDS: Final = 12.0
"""The time without a word after which a server that has been asked something is given up; statements end after ten."""
LOOK_SECONDS: Final = 1.0
LAST_SENT, LAST_RECEIVED = 44, 52
"""Where the kernel's `struct tcp_info` says how many milliseconds ago data was sent and received."""

log = logging.getLogger(__name__)


class Watchdog:
    """The watchdog looks at the connections of an engine every second, in a thread that starts with the first."""

    def __init__(self, engine: Engine, seconds: float = SILENT_SECONDS) -> None:
        self._seconds = seconds
        self._connections: WeakSet[Connection[Any]] = WeakSet()
        self._lock = Lock()
        self._stopping = Event()
        self._thread: Thread | None = None
        # Only Linux says how long a connection has been silent. Elsewhere TCP's own limits remain.
        if hasattr(socket, "TCP_INFO") and os.uname().sysname == "Linux":
            event.listen(engine, "connect", self._connected, insert=True)

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()

    def _connected(self, connection: Connection[Any], _record: object) -> None:
        with self._lock:
            self._connections.add(connection)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="watchdog", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            with self._lock:
                connections = list(self._connections)
            for connection in connections:
                try:
                    self._look(connection)
                except (OSError, Error):  # it has just been closed
                    continue

    def _look(self, connection: Connection[Any]) -> None:
        if connection.closed or connection.pgconn.transaction_status != pq.TransactionStatus.ACTIVE:
            return
        # A duplicate: the number itself may be another connection's by the time that it is used.
        with socket.socket(fileno=os.dup(connection.pgconn.socket)) as twin:
            if twin.family in (socket.AF_INET, socket.AF_INET6) and _silent_ms(twin) > 1000 * self._seconds:
                log.warning("the database has been silent for %d s in a statement; the connection ends", self._seconds)
                twin.shutdown(socket.SHUT_RDWR)


def _silent_ms(connection: socket.socket) -> int:
    """Return the milliseconds since anything was sent or received."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    sent, received = (struct.unpack_from("I", info, at)[0] for at in (LAST_SENT, LAST_RECEIVED))
    return int(min(sent, received))
