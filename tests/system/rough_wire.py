"""A line that is bad: it cuts connections in the middle, refuses new ones for a while, and is slow."""

import socket
import time
from contextlib import suppress
from random import Random
from threading import Lock, Thread

from tests.services import free_port

BUDGETS = (1_500, 8_000, 20_000, 60_000)
"""A connection is cut after so many bytes from the server, in the middle of what it says."""
REFUSALS = (0.0, 0.0, 0.2, 0.9)
"""After a cut nobody gets through for so many seconds."""
LOST, BEGINNING = 4, 30
"""Of so many requests that change something, one gets but so many bytes of its answer, though it has arrived."""
DELAYS = (0.0, 0.0, 0.0, 0.03)
"""A piece of what is said comes later by so many seconds."""


class RoughWire:
    """A TCP connection to a server through us; smooth until it is told to be rough. `cuts` counts what it has cut."""

    def __init__(self, to: tuple[str, int], seed: int) -> None:
        self._to, self._rng, self._lock = to, Random(seed), Lock()
        self._refuses_until = 0.0
        self.is_rough = False
        self.cuts = 0
        self._sent = 0
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
            left = [self._draws(BUDGETS)]
            there = Thread(target=self._asks, args=(near, far, left), daemon=True)
            there.start()
            self._answers(far, near, left)
            there.join()

    def _draws(self, among: tuple[float, ...]) -> float:
        with self._lock:
            return self._rng.choice(among)

    def _asks(self, near: socket.socket, far: socket.socket, left: list[float]) -> None:
        with suppress(OSError):
            while data := near.recv(65_536):
                if self.is_rough and data.startswith(b"POST "):
                    self._sent += 1
                    left[0] = left[0] if self._sent % LOST else BEGINNING
                far.sendall(data)
        _ends(near, far)

    def _answers(self, far: socket.socket, near: socket.socket, left: list[float]) -> None:
        """Carry what the server says; `left` has the number of bytes that come through yet."""
        with suppress(OSError):
            while data := far.recv(65_536):
                if not self.is_rough:
                    near.sendall(data)
                    continue
                time.sleep(self._draws(DELAYS))
                near.sendall(data[: int(left[0])])
                left[0] -= len(data)
                if left[0] < 0:
                    self.cuts += 1
                    self._refuses_until = time.monotonic() + self._draws(REFUSALS)
                    break
        _ends(near, far)


def _ends(*both: socket.socket) -> None:
    for end in both:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
