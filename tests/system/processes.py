"""Provides real processes of the service, a person who plays over HTTP, and a connection that can be cut."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from inspect import getsource
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import requests

from domain import match as life
from domain.core.game import is_admitted
from domain.games.catalogue import GAMES
from events.log import commits as log
from events.store.opening import open_store
from events.store.tables import stream_rows
from tests import reaper
from tests.services import free_port

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from api.cli.entry import main; main()"]


class Process:
    """A command `dealt …` in its own process group; `kill` is SIGKILL for all of it."""

    def __init__(self, *args: str, env: Mapping[str, str] | None = None, code: Path = ROOT) -> None:
        self.popen = subprocess.Popen(
            [*COMMAND, *args], cwd=code, env=_clean() | dict(env or {}), start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self._take_back = reaper.note("process group", self.popen.pid)
        self.said: list[str] = []
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.popen.stdout is not None
        with self.popen.stdout as lines:
            for line in lines:
                self.said.append(line)

    @property
    def output(self) -> str:
        return "".join(self.said)

    def children(self) -> list[int]:
        """Return the ids of its child processes."""
        path = Path(f"/proc/{self.popen.pid}/task/{self.popen.pid}/children")
        return [int(pid) for pid in path.read_text().split()]

    def interrupt(self) -> int:
        """Press Ctrl-C; return the exit code."""
        os.killpg(self.popen.pid, signal.SIGINT)
        return self.popen.wait(60)

    def terminate(self) -> int:
        self.popen.send_signal(signal.SIGTERM)
        return self.popen.wait(60)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait(60)
        self._take_back()
        self._reader.join(30)


def _clean() -> dict[str, str]:
    ours = ("DEALT_", "DATABASE_URL", "MIGRATION_DATABASE_URL", "BROKER_URL")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@contextmanager
def running(*processes: Process) -> Iterator[None]:
    """Kill the processes at the end, whatever happens."""
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def until(is_so: Callable[[], Any], seconds: float, pause: float = 0.02) -> float:
    """Wait until a condition holds; return the seconds. Raises AssertionError after `seconds`."""
    start = time.monotonic()
    while not is_so():
        assert time.monotonic() - start < seconds, f"not so within {seconds} s: {' '.join(getsource(is_so).split())}"
        time.sleep(pause)
    return time.monotonic() - start


def answers(base: str) -> bool:
    with suppress(requests.RequestException):
        return requests.get(f"{base}/readyz", timeout=60).ok
    return False


class Person:
    """A player over HTTP who makes random legal moves. `waits` are the seconds from a move to the next turn."""

    def __init__(self, base: str, seed: int = 1) -> None:
        self.base = base
        self.session = requests.Session()
        self.rng = Random(seed)
        self.waits: list[float] = []
        self.session.headers["Authorization"] = f"Bearer {self.call('POST', '/players', json={'name': 'Ann'})['token']}"

    def call(self, method: str, path: str, **kwargs: Any) -> Any:
        answer = self.session.request(method, f"{self.base}/v1{path}", timeout=60, **kwargs)
        answer.raise_for_status()
        return answer.json()

    def create(self, **wanted: Any) -> str:
        match: str = self.call("POST", "/matches", json={"game": "hearts", **wanted})["id"]
        return match

    def see(self, match: str) -> dict[str, Any]:
        seen: dict[str, Any] = self.call("GET", f"/matches/{match}")
        return seen

    def move(self, match: str) -> int:
        """Make a legal move; return the resulting version of the match."""
        moves = self.call("GET", f"/matches/{match}/moves")["moves"]
        example = self.rng.choice(moves)["example"]
        version: int = self.call("POST", f"/matches/{match}/moves", json=example)["version"]
        return version

    def await_turn(self, match: str, seconds: float = 120) -> bool:
        """Wait until it is our turn; return False if the match is over instead."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            seen = self.see(match)
            if seen["status"] != "playing":
                return False
            if seen["your_seat"] in seen["to_act"]:
                return True
            self.call("GET", f"/matches/{match}/events", params={"after": seen["version"], "wait": 1})
        raise AssertionError(f"no turn within {seconds} s: {seen}")

    def turns(self, match: str, most: int = 10_000) -> int:
        """Play on for this many turns, or to the end; return the number of turns."""
        for turn in range(most):
            start = time.monotonic()
            if not self.await_turn(match):
                return turn
            if turn:
                self.waits.append(time.monotonic() - start)
            self.move(match)
        return most


SHORT: Mapping[str, Any] = {"options": {"target_score": 12}}
"""Return the body of a match of few hands."""


def check_log(database_url: str, match_id: str) -> life.Match:
    """Check that every move in the log was legal for a seat that was to act, and that no number is missing."""
    store = open_store(database_url)
    found = stream_rows.load(store, match_id)
    assert found
    head, rows = found
    game, seats = log.game_and_seats(rows[0])
    m: life.Match | None = None
    version = 0
    for row in rows:
        events = list(log.read_match_events([row], game, seats))
        assert (row.first, row.n) == (version + 1, len(events))
        made = m.game.answers.move_of(events[0]) if m is not None and m.table is not None else None
        if m is not None and made:
            assert made[0] in life.to_act(m)
            assert is_admitted(m.game.legal(m.table, made[0]), made[1])
        m = life.fold_from_start(GAMES[events[0].game], match_id, events) if m is None else life.fold(m, events)
        version += row.n
    store.close()
    assert m
    assert version == head.version
    return m


def answers_ms(database_url: str, match_id: str) -> list[int]:
    """Return the times from each move of seat 0 to the last of the three bots' moves after it, by the log."""
    store = open_store(database_url)
    head = stream_rows.head(store, match_id)
    assert head
    rows = stream_rows.rows(store, head.match_no)
    game = log.game_and_seats(rows[0])[0]
    moves = [(log.seat_of_move(row, game), row.at_ms) for row in rows]
    store.close()
    starts = [i for i in range(len(moves) - 3) if [seat == 0 for seat, _ in moves[i : i + 4]] == [True, *[False] * 3]]
    return [moves[i + 3][1] - moves[i][1] for i in starts]


class Wire:
    """A TCP connection to a server through this process, which can be cut and restored."""

    def __init__(self, to: tuple[str, int]) -> None:
        self._to = to
        self.port = free_port()
        self._ends: list[socket.socket] = []
        self._silent: set[socket.socket] = set()
        self._all_silent = False
        self.mend()

    def mend(self) -> None:
        """Let connections through."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """End all connections, and accept no new ones."""
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends = []

    def fall_silent(self, *, also_new: bool = False) -> None:
        """Stop delivering data on the open connections without ending them, and on new ones if wanted."""
        self._silent |= set(self._ends)
        self._all_silent = also_new

    def speak(self) -> None:
        """Deliver the data of new connections."""
        self._all_silent = False

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._to)
                self._ends += near, far
                if self._all_silent:
                    self._silent |= {near, far}
                for source, sink in ((near, far), (far, near)):
                    Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if source not in self._silent:
                    sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
