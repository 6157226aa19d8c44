"""Simulates a bad connection: it cuts connections in the middle, refuses new ones for a while, and is slow."""

import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from random import Random
from threading import Lock, Thread

from tests.services import free_port

BUDGETS = (1_500, 8_000, 20_000, 60_000)
"""Numbers of bytes from the server after which a connection is cut."""
REFUSALS = (0.0, 0.0, 0.2, 0.9)
"""The seconds after a cut in which no connection gets through."""
LOST, BEGINNING = 4, 30
"""Of this many changing requests, the first gets only this many bytes of its answer, although it has arrived."""
DELAYS = (0.0, 0.0, 0.0, 0.03)
"""The seconds by which a piece of an answer is delayed."""


@dataclass
class Line:
    """One connection: the bytes from the server that still get through if it is rough, and those in any case."""

    if_rough: float
    left: float = inf


class RoughWire:
    """A TCP connection to a server through this process, reliable until `is_rough` is set. `cuts` counts the cuts."""

    def __init__(self, to: tuple[str, int], seed: int) -> None:
        self._to, self._rng, self._lock = to, Random(seed), Lock()
        self._refuses_until = 0.0
        self.is_rough = False
        self.cuts = 0
        self._sent = 0
        self._cut_next: tuple[bytes, int] | None = None
        self._cuts_left = 0
        self.port = free_port()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        Thread(target=self._accept, daemon=True).start()

    def cuts_next(self, asked: str, at: int, times: int = 1) -> None:
        """Cut the answers to the next requests whose first line begins in this way, after this many bytes."""
        self._cut_next, self._cuts_left = (asked.encode(), at), times

    @property
    def has_cut(self) -> bool:
        """Return whether all such requests have arrived."""
        return self._cut_next is None

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
            line = Line(self._draws(BUDGETS))
            there = Thread(target=self._asks, args=(near, far, line), daemon=True)
            there.start()
            self._answers(far, near, line)
            there.join()

    def _draws(self, among: tuple[float, ...]) -> float:
        with self._lock:
            return self._rng.choice(among)

    def _asks(self, near: socket.socket, far: socket.socket, line: Line) -> None:
        with suppress(OSError):
            while data := near.recv(65_536):
                if self.is_rough and data.startswith(b"POST "):
                    line.if_rough = line.if_rough if self._sent % LOST else BEGINNING
                    self._sent += 1
                if self._cut_next and data.startswith(self._cut_next[0]):
                    line.left, self._cuts_left = self._cut_next[1], self._cuts_left - 1
                    self._cut_next = self._cut_next if self._cuts_left else None
                far.sendall(data)
        _ends(near, far)

    def _answers(self, far: socket.socket, near: socket.socket, line: Line) -> None:
        """Forward the server's data, as far as the connection allows."""
        with suppress(OSError):
            while data := far.recv(65_536):
                if self.is_rough:
                    time.sleep(self._draws(DELAYS))
                    line.left, line.if_rough = min(line.left, line.if_rough), line.if_rough - len(data)
                near.sendall(data if line.left == inf else data[: int(line.left)])
                line.left -= len(data)
                if line.left < 0:
                    self.cuts += 1
                    self._refuses_until = time.monotonic() + self._draws(REFUSALS)
                    break
        _ends(near, far)


def _ends(*both: socket.socket) -> None:
    for end in both:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
