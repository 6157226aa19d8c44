"""Tests a client that vanishes silently: its host is cut off, so that nothing sent to it is ever answered."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.system.processes import Person, running, until
from tests.system.test_open_connections import Alone, begins

HERE, THERE = "10.213.7.1", "10.213.7.2"

ASKS = """
import socket, sys, time
held = []
for path, form in zip(sys.argv[3::2], sys.argv[4::2]):
    held.append(socket.create_connection((sys.argv[1], int(sys.argv[2]))))
    held[-1].sendall(f"GET {path} HTTP/1.1\\r\\nHost: x\\r\\nAccept: {form}\\r\\n\\r\\n".encode())
time.sleep(1)
print("asked", flush=True)
time.sleep(100)
"""


class Host:
    """Another host on this machine: a network namespace connected to us."""

    def __init__(self) -> None:
        self.name = f"dealt-{os.getpid()}"
        self._wire = f"dealt{os.getpid()}"
        self._ip("netns", "add", self.name)
        self._ip("link", "add", self._wire, "type", "veth", "peer", "name", "there", "netns", self.name)
        self._ip("addr", "add", f"{HERE}/30", "dev", self._wire)
        self._ip("link", "set", self._wire, "up")
        self._ip("-n", self.name, "addr", "add", f"{THERE}/30", "dev", "there")
        self._ip("-n", self.name, "link", "set", "there", "up")

    def run(self, *command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(["ip", "netns", "exec", self.name, *command], stdout=subprocess.PIPE, text=True)

    def vanish(self) -> None:
        self._ip("-n", self.name, "link", "set", "there", "down")

    def remove(self) -> None:
        self._ip("link", "del", self._wire)
        self._ip("netns", "del", self.name)

    def _ip(self, *args: str) -> None:
        subprocess.run(["ip", *args], check=True, capture_output=True)


@contextmanager
def another_host() -> Iterator[Host]:
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("no other host to be had: that takes root and `ip`")
    try:
        host = Host()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no other host to be had: {error.stderr}")
    try:
        yield host
    finally:
        host.remove()


class Public(Alone):
    host = "0.0.0.0"


@pytest.mark.long
def test_slot_of_a_vanished_client_is_free_within_twenty_seconds(tmp_path, held):
    """A stream and a waiting request use all places; the stream gets a heartbeat after the client has gone."""
    api = Public(tmp_path / "dealt.sqlite3", DEALT_MAX_WAITERS="2", DEALT_RATE_PER_SECOND="0")
    held.enter_context(running(api.process))
    ann = Person(api.base)
    held.enter_context(ann.session)
    match = ann.create(seats=[{"kind": "me"}] * 4)
    version = ann.see(match)["version"]
    events = f"/v1/matches/{match}/events"
    asked = [events, "text/event-stream", f"{events}?wait=30&after={version}", "application/json"]
    host = held.enter_context(another_host())
    client = held.enter_context(host.run(sys.executable, "-c", ASKS, HERE, str(api.port), *asked))
    assert client.stdout
    assert client.stdout.readline() == "asked\n"
    assert not begins(held.enter_context(api.streams(match)))
    host.vanish()
    client.kill()
    began = time.monotonic()
    for _ in range(2):
        until(lambda: begins(held.enter_context(api.streams(match))), 20 - time.monotonic() + began, 0.5)
        print(f"\na place is free after {time.monotonic() - began:.1f} seconds")  # noqa: T201
