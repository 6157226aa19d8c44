"""A line that is bad: it cuts connections in the middle, refuses new ones for a while, and is slow."""

import socket
import time
from contextlib import suppress
from random import Random
from threading import Lock, Thread

from tests.services import free_port

BUDGETS = (400, 1_500, 4_000, 20_000, 60_000)
"""A connection is cut after so many bytes from the server, in the middle of what it says."""
REFUSALS = (0.0, 0.0, 0.2, 0.9)
"""After a cut nobody gets through for so many seconds."""
DELAYS = (0.0, 0.0, 0.0, 0.03)
"""A piece of what is said comes later by so many seconds."""


class RoughWire:
    """A TCP connection to a server through us; smooth until it is told to be rough. `cuts` counts what it has cut."""

    def __init__(self, to: tuple[str, int], seed: int) -> None:
        self._to, self._rng, self._lock = to, Random(seed), Lock()
        self._refuses_until = 0.0
        self.is_rough = False
        self.cuts = 0
        self.port = free_port()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self.is_rough and time.monotonic() < self._refuses_until:
                    near.close()
                    continue
                Thread(target=self._joins, args=(near,), daemon=True).start()

    def _joins(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(self._to) as far:
            there = Thread(target=self._carry, args=(near, far, None), daemon=True)
            there.start()
            self._carry(far, near, self._draws(BUDGETS))
            there.join()

    def _draws(self, among: tuple[float, ...]) -> float:
        with self._lock:
            return self._rng.choice(among)

    def _carry(self, source: socket.socket, sink: socket.socket, budget: float | None) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if not self.is_rough:
                    sink.sendall(data)
                    continue
                time.sleep(self._draws(DELAYS))
                if budget is None:
                    sink.sendall(data)
                    continue
                sink.sendall(data[: int(budget)])
                budget -= len(data)
                if budget < 0:
                    self.cuts += 1
                    self._refuses_until = time.monotonic() + self._draws(REFUSALS)
                    break
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
