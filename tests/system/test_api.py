"""Tests `dealt api` as a single process: its output, its behaviour without a database, and its end."""

import socket
import time
from contextlib import suppress
from threading import Thread

import pytest
import requests

from events.store.migrate import migrate
from tests.services import free_port
from tests.system.processes import Person, Process, running, until

GRACE_SECONDS = 5
"""The seconds for which the server finishes its answers before it ends."""


class Alone:
    """`dealt api` on a database."""

    def __init__(self, database: str, **settings: str) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        env = {"DATABASE_URL": database, "DEALT_PROCESSES": "1", **settings}
        self.process = Process("api", "--port", str(self.port), env=env)
        until(lambda: "is running" in self.process.output or self.process.popen.poll() is not None, 60)

    def says(self, data: bytes) -> bytes:
        """Send these bytes; return the whole answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as wire:
            wire.sendall(data)
            answered = b""
            while part := wire.recv(65_536):
                answered += part
            return answered


@pytest.fixture
def alone(sqlite_path):
    migrate(f"sqlite:///{sqlite_path}")
    api = Alone(f"sqlite:///{sqlite_path}")
    with running(api.process):
        yield api


@pytest.fixture(scope="module")
def lasting(empty_sqlite, tmp_path_factory):
    """Return a server for all tests that do not change it."""
    api = Alone(empty_sqlite(tmp_path_factory.mktemp("alone") / "dealt.sqlite3"))
    with running(api.process):
        yield api


def test_api_prints_its_address(lasting):
    assert f"running at {lasting.base}, with the database sqlite:" in lasting.process.output


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization : Bearer dealt_secret\r\n\r\n", 400),
        (b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer dealt_secret\x00\r\n\r\n", 400),
        (b"GET /v1/games?dealt_secret HTTP/x\r\n\r\n", 400),
        (b"GET /v1/" + b"dealt_secret" * 1_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nX: " + b"dealt_secret" * 1_000 + b"\r\n\r\n", 431),
    ],
)
def test_unreadable_request_is_a_problem_and_not_logged(lasting, request_, status):
    head, _, body = lasting.says(request_).decode().partition("\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert "Content-Type: application/problem+json" in head
    assert f'"status":{status}' in body
    assert '"code":"bad_request"' in body
    assert "dealt_secret" not in head + body
    assert "dealt_secret" not in lasting.process.output


def test_log_counts_requests_that_cannot_be_read_in_one_line(lasting):
    for _ in range(50):
        assert lasting.says(b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    until(lambda: "Requests could not be read: " in lasting.process.output, 30)
    time.sleep(1.5)
    assert lasting.process.output.count("could not be read") == 1


@pytest.mark.long
def test_api_stops_immediately_with_open_streams(alone):
    ann = Person(alone.base)
    match = ann.create()
    ended = []

    def listen() -> None:
        headers = {"Accept": "text/event-stream", "Authorization": str(ann.session.headers["Authorization"])}
        url = f"{alone.base}/v1/matches/{match}/events"
        with suppress(requests.RequestException), requests.get(url, headers=headers, stream=True) as answer:
            for _ in answer.iter_lines():
                heard.add(url)
            ended.append(True)

    heard: set[str] = set()
    stream = Thread(target=listen, daemon=True)
    stream.start()
    until(lambda: heard, 60)
    ann.session.close()
    start = time.monotonic()
    assert alone.process.terminate() == 0
    assert time.monotonic() - start < GRACE_SECONDS
    stream.join(30)
    assert ended  # ended ended by us, not cut off


@pytest.mark.long
def test_api_waits_for_a_database_that_is_not_migrated(sqlite_path):
    api = Alone(f"sqlite:///{sqlite_path}")
    with running(api.process):
        for path in ("/v1/matches", "/readyz"):
            refused = requests.get(api.base + path, timeout=30)
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            assert "dealt migrate" in refused.json()["detail"]
        assert requests.get(f"{api.base}/v1/games", timeout=30).ok
        migrate(f"sqlite:///{sqlite_path}")
        assert requests.get(f"{api.base}/v1/matches", timeout=30).ok


def test_metrics_of_all_processes_are_added_up(empty_sqlite, tmp_path):
    database = empty_sqlite(tmp_path / "dealt.sqlite3")
    api = Alone(database, DEALT_PROCESSES="2", DEALT_METRICS_TOKEN="t")
    with running(api.process):
        for _ in range(20):  # each on a connection of its own, so that both processes answer some
            requests.get(f"{api.base}/v1/games", timeout=60)
        for _ in range(4):
            answer = requests.get(f"{api.base}/metrics", headers={"Authorization": "Bearer t"}, timeout=60)
            assert (
                'dealt_http_requests_total{method="GET",operation="game_routes.list_games",status="200"} 20.0'
                in answer.text
            )
