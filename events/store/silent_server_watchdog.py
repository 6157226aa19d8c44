"""Ends connections to PostgreSQL whose server stopped answering in the middle of a statement.

A vanished host sends nothing, and a proxy may keep acknowledging data that it cannot deliver; without a limit, the
client would wait forever. The server ends each statement after `statement_timeout`, so longer silence means that it is
gone. TCP's own limits (`tcp_user_timeout`, keepalives) only notice a vanished host.
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
"""Seconds of silence after which a busy server counts as lost; statements end after ten."""
LOOK_SECONDS: Final = 1.0
LAST_SENT, LAST_RECEIVED = 44, 52
"""The offsets in the kernel's `struct tcp_info` of the milliseconds since data was sent and received."""

log = logging.getLogger(__name__)


class Watchdog:
    """Checks the connections of an engine every second, in a thread that starts with the first connection."""

    def __init__(self, engine: Engine, seconds: float = SILENT_SECONDS) -> None:
        self._seconds = seconds
        self._connections: WeakSet[Connection[Any]] = WeakSet()
        self._lock = Lock()
        self._stopping = Event()
        self._thread: Thread | None = None
        # Only Linux reports how long a connection has been silent. On other systems, TCP's own limits remain.
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
                except (OSError, Error):  # The connection has just been closed.
                    continue

    def _look(self, connection: Connection[Any]) -> None:
        if connection.closed or connection.pgconn.transaction_status != pq.TransactionStatus.ACTIVE:
            return
        # This is a duplicate: the number itself may belong to another connection by the time it is used.
        with socket.socket(fileno=os.dup(connection.pgconn.socket)) as twin:
            if twin.family in (socket.AF_INET, socket.AF_INET6) and _silent_ms(twin) > 1000 * self._seconds:
                log.warning("the database did not answer a statement for %d s; closing the connection", self._seconds)
                twin.shutdown(socket.SHUT_RDWR)


def _silent_ms(connection: socket.socket) -> int:
    """Return the milliseconds since anything was sent or received."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    sent, received = (struct.unpack_from("I", info, at)[0] for at in (LAST_SENT, LAST_RECEIVED))
    return int(min(sent, received))
