"""Tests connections of `dealt api` that are slow, wait or vanish: they take up no thread and no other caller's
place."""

import re
import resource
import socket
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from math import inf
from pathlib import Path
from statistics import median

import pytest
import requests

from api.http import asgi_bridge, server
from events.store.migrate import migrate
from tests.services import free_port
from tests.system import processes
from tests.system.processes import Person, Process, answers, running, until

SLOW_HEAD = b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX-Sl"
SLOW_BODY = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"


class Alone:
    """`dealt api` on SQLite, one process."""

    host = "127.0.0.1"

    def __init__(self, path: Path, **settings: str) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        migrate(f"sqlite:///{path}")
        self._env = {"DATABASE_URL": f"sqlite:///{path}", "DEALT_PROCESSES": "1", **settings}
        self.start()

    def start(self) -> None:
        self.process = Process("api", "--host", self.host, "--port", str(self.port), env=self._env)
        until(lambda: answers(self.base) or self.process.popen.poll() is not None, 60)

    def kill(self) -> None:
        self.process.kill()

    @property
    def worker(self) -> int:
        (pid,) = self.process.children()
        return pid

    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.worker}/task").iterdir()))

    def megabytes(self) -> float:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.worker}/status").read_text())
        assert found
        return int(found[1]) / 1024

    def connection(self, near: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=(near, 0))

    def asks(self, path: str, near: str = "127.0.0.1", **headers: str) -> socket.socket:
        """Send a request from one of this machine's addresses."""
        wire = self.connection(near)
        said = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{said}\r\n".encode())
        return wire

    def streams(self, match: str, near: str = "127.0.0.1", **headers: str) -> socket.socket:
        return self.asks(f"/v1/matches/{match}/events", near, Accept="text/event-stream", **headers)


def read(wire: socket.socket, until_said: bytes = b"\r\n\r\n") -> bytes:
    """Read an answer until it contains something, or ends."""
    said = b""
    while until_said not in said and (part := wire.recv(65_536)):
        said += part
    return said


def status(said: bytes) -> int:
    return int(said.split(b" ", 2)[1])


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    settings = {
        "DEALT_READ_SECONDS": "2",
        "DEALT_RATE_PER_SECOND": "0",
        "DEALT_MAX_CONNECTIONS_EACH": str(MANY),
    }
    api = Alone(tmp_path_factory.mktemp("front") / "dealt.sqlite3", **settings)
    with running(api.process):
        yield api


@pytest.fixture(scope="module")
def ann(api):
    ann = Person(api.base)
    with ann.session:
        yield ann


@pytest.fixture
def match(ann):
    return ann.create()


# --- Requests that do not come to their end ---------------------------------------------------------------


@pytest.mark.parametrize("begun", [SLOW_HEAD, SLOW_BODY])
def test_seventy_incomplete_requests_delay_no_one(api, held, begun):
    took = []
    for near in ("127.0.0.21", "127.0.0.22", "127.0.0.23"):  # once in a while the machine is too slow
        for _ in range(70):
            held.enter_context(api.connection(near)).sendall(begun)
        time.sleep(0.2)
        began = time.monotonic()
        assert requests.get(f"{api.base}/healthz", timeout=20).ok
        assert requests.get(f"{api.base}/v1/games", timeout=20).ok
        took.append(time.monotonic() - began)
        if took[-1] < 1.5:
            return
    pytest.fail(f"answered after {took} s")


@pytest.mark.long
@pytest.mark.parametrize("begun", [SLOW_HEAD, SLOW_BODY])
def test_slow_request_is_cut_off(api, held, begun):
    wire = held.enter_context(api.connection())
    wire.sendall(begun)
    began = time.monotonic()
    said = b""
    with suppress(OSError):
        for _ in range(80):
            wire.settimeout(0.1)
            with suppress(TimeoutError):
                if not (part := wire.recv(65_536)):
                    break
                said += part
                continue
            # A byte now and then does not help.
            wire.sendall(b"a")
    assert status(said) == 408
    assert b"Content-Type: application/problem+json" in said
    assert b"Access-Control-Allow-Origin: *" in said
    assert re.search(rb"X-Request-Id: [0-9a-f]{32}\r\n", said)
    assert time.monotonic() - began > 1.5


MANY = 100
"""The maximum number of connections per address."""


def test_only_a_client_with_too_many_connections_is_refused(api, held):
    greedy = [held.enter_context(api.asks("/healthz", "127.0.0.5")) for _ in range(MANY)]
    assert {status(read(wire)) for wire in greedy} == {200}
    refused = read(held.enter_context(api.connection("127.0.0.5")), b"never")
    assert status(refused) == 429
    assert b"\r\nRetry-After: 5\r\n" in refused
    assert b"Your address has 100 open connections." in refused
    assert status(read(held.enter_context(api.asks("/healthz", "127.0.0.6")))) == 200
    greedy[0].close()
    until(lambda: status(read(held.enter_context(api.asks("/healthz", "127.0.0.5")))) == 200, 30)


@pytest.fixture
def small(tmp_path, held, monkeypatch):
    """Return a server with few file descriptors."""
    monkeypatch.setattr(processes, "COMMAND", ["prlimit", "--nofile=360", *processes.COMMAND])
    small = Alone(tmp_path / "dealt.sqlite3", DEALT_RATE_PER_SECOND="0")
    held.enter_context(running(small.process))
    return small


@pytest.mark.long
def test_connections_leave_enough_file_descriptors(small, held):
    inside = held.enter_context(requests.Session())
    assert inside.get(f"{small.base}/readyz", timeout=20).ok
    answered = [read(held.enter_context(small.asks("/healthz"))) for _ in range(200)]
    # There are 180 connections, and one belongs to the session.
    assert [status(said) for said in answered] == [200] * 179 + [429] * 21
    assert inside.get(f"{small.base}/readyz", timeout=20).ok
    assert small.process.output.count("Connections are refused: network ") == 1
    assert "out of system resource" not in small.process.output


def test_newcomer_can_connect_while_many_addresses_are_at_their_limit(small):
    for addresses in (1, 6, 12, 50):
        with ExitStack() as theirs, ExitStack() as mine:
            for number in range(1, addresses + 1):
                for _ in range(360 // addresses + 1):
                    theirs.enter_context(small.connection(f"127.0.1.{number}"))
            answered = [read(mine.enter_context(small.asks("/healthz", "127.0.0.9"))) for _ in range(2)]
        assert [status(said) for said in answered] == [200, 200]


@pytest.mark.long
def test_connections_of_trusted_proxies_are_not_limited(tmp_path, held):
    behind = Alone(tmp_path / "dealt.sqlite3", DEALT_TRUSTED_PROXIES="1", DEALT_MAX_CONNECTIONS_EACH="2")
    held.enter_context(running(behind.process))
    assert {status(read(held.enter_context(behind.asks("/healthz")))) for _ in range(10)} == {200}


def test_second_request_of_a_connection_has_its_own_deadline(api, held):
    after, before = held.enter_context(api.asks("/v1/games")), held.enter_context(api.connection())
    read(after)
    after.sendall(SLOW_HEAD)
    before.sendall(b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n" + SLOW_HEAD)
    began = time.monotonic()
    for wire in (after, before):
        while wire.recv(65_536):
            pass
    assert time.monotonic() - began < 19


# --- What was asked is answered ---------------------------------------------------------------------------


def posts(body: bytes, *headers: bytes) -> bytes:
    lines = (b"POST /v1/players HTTP/1.1", b"Host: x", b"Content-Type: application/json", *headers)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunked(body: bytes) -> bytes:
    pieces = [body[at : at + 8000] for at in range(0, len(body), 8000)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


NAMED = b'{"name": "Cleo"}'
LARGE = b'{"name": "%s"}' % (b"x" * 200_000)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (posts(NAMED, b"Content-Length: %d" % len(NAMED)), 201),
        (posts(chunked(NAMED), b"Transfer-Encoding: chunked"), 201),
        (posts(LARGE, b"Content-Length: %d" % len(LARGE)), 413),
        (posts(chunked(LARGE), b"Transfer-Encoding: chunked"), 413),
        (posts(b"", b"Content-Length: %d" % len(LARGE), b"Expect: 100-continue"), 413),
        (posts(b"zz\r\n", b"Transfer-Encoding: chunked"), 400),
        (b"GET http://x/v1/games HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET /v1/games HTTP/1.0\r\n\r\n", 200),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: \r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: x/y\r\n\r\n", 400),
        (b"GET /v1/games HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 200),
    ],
)  # fmt: skip
def test_request_in_any_valid_form_is_answered(api, held, sent, expected):
    wire = held.enter_context(api.connection())
    wire.sendall(sent)
    said = read(wire)
    assert status(said) == expected
    assert b"\r\nDate: " in said or expected == 400
    if expected >= 400:
        said += read(wire, b"}") if b"}" not in said else b""
        assert b"application/problem+json" in said


def test_expect_100_continue_is_answered(api, held):
    wire = held.enter_context(api.connection())
    wire.sendall(posts(b"", b"Content-Length: %d" % len(NAMED), b"Expect: 100-continue"))
    assert read(wire).startswith(b"HTTP/1.1 100 ")
    wire.sendall(NAMED)
    assert status(read(wire)) == 201


def test_one_connection_carries_many_requests_sent_together(api, held):
    wire = held.enter_context(api.connection())
    wire.sendall(b"GET /v1/games/hearts HTTP/1.1\r\nHost: x\r\n\r\n" * 3 + b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    said = b""
    while said.count(b"HTTP/1.1 200 ") < 4:
        said += wire.recv(65_536)
    assert said.endswith(b"\r\n\r\n")


@pytest.mark.parametrize("path", ["/healthz", "/v1/games", "/play", "/nothing"])
def test_answers_do_not_name_the_server_software(api, path):
    answer = requests.get(f"{api.base}{path}", timeout=20)
    assert "Server" not in answer.headers
    assert "Date" in answer.headers


def test_half_closed_client_still_gets_the_answer(api, held):
    wire = held.enter_context(api.asks("/v1/games"))
    wire.shutdown(socket.SHUT_WR)
    assert status(read(wire, b"never")) == 200


# --- Streams ----------------------------------------------------------------------------------------------


def is_stream(said: bytes) -> bool:
    """Return whether a stream continues; otherwise it has said when to reconnect."""
    assert status(said) == 200
    assert b"text/event-stream" in said
    if b"retry: " not in said:
        return True
    assert re.search(rb"\r\nRetry-After: \d+\r\n", said)
    assert re.search(rb"retry: \d+000\n", said)
    return False


def begins(wire: socket.socket) -> bool:
    return is_stream(read(wire, b"\n\n"))


def test_anonymous_streams_take_no_slots_from_others(api, ann, match, held):
    began = [begins(held.enter_context(api.streams(match))) for _ in range(40)]
    assert began.count(True) == 8
    assert began[:8] == [True] * 8
    own = str(ann.session.headers["Authorization"])
    assert begins(held.enter_context(api.streams(match, Authorization=own)))
    assert begins(held.enter_context(api.asks("/v1/inbox", Accept="text/event-stream", Authorization=own)))
    assert begins(held.enter_context(api.streams(match, near="127.0.0.9")))
    version = ann.see(match)["version"]
    refused = requests.get(f"{api.base}/v1/matches/{match}/events?after={version}&wait=1", timeout=20)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert int(refused.headers["Retry-After"]) > 0
    assert ann.call("GET", f"/matches/{match}/events", params={"after": version, "wait": 1})["items"] == []


def resets(wire: socket.socket) -> None:
    """End a connection without closing it properly."""
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wire.close()


@pytest.mark.parametrize("ends", [resets, socket.socket.close])
def test_slot_of_a_disconnected_client_is_free_immediately(api, match, held, ends):
    near = {resets: "127.0.0.7"}.get(ends, "127.0.0.8")
    gone = [held.enter_context(api.streams(match, near)) for _ in range(8)]
    assert all(begins(wire) for wire in gone)
    assert not begins(held.enter_context(api.streams(match, near)))
    for wire in gone:
        ends(wire)
    until(lambda: begins(held.enter_context(api.streams(match, near))), 9, 0.2)  # before the next heartbeat


def test_connection_of_a_silent_client_is_closed():
    with server.listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            lost = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) / 1000
            assert asgi_bridge.HEARTBEAT_SECONDS + lost < 20
            names = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            idle, interval, count = (accepted.getsockopt(socket.IPPROTO_TCP, name) for name in names)
            assert idle + interval * count < 20


# --- The log ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [resets, socket.socket.close])
def test_client_that_leaves_during_a_body_logs_no_error(api, held, ends):
    wire = held.enter_context(api.connection())
    said = len(api.process.said)
    wire.sendall(posts(b"", b"Content-Length: 90", b"Expect: 100-continue"))
    assert read(wire).startswith(b"HTTP/1.1 100 ")
    wire.sendall(b"{")
    ends(wire)
    until(lambda: "POST /v1/players 499 0 bytes" in "".join(api.process.said[said:]), 30)
    # The server counts clients that were too slow in an earlier test, and may log their number now.
    lines = [line for line in api.process.said[said:] if not re.search(r"could not be read: \d+ x 408$", line.strip())]
    assert not re.search("WARNING|ERROR|Traceback", "".join(lines))


@pytest.mark.parametrize("path", ["//v1/feeds/s3cret/turns.atom", "/v1//feeds/s3cret", "/v1%2Ffeeds%2Fs3cret/x"])
def test_secret_address_is_not_logged_in_any_spelling(api, held, path):
    read(held.enter_context(api.asks(path)))
    read(held.enter_context(api.asks("/v1/games/known")))
    until(lambda: "/v1/games/known" in api.process.output, 30)
    assert "s3cret" not in api.process.output


def test_path_cannot_write_a_log_line(api, held):
    read(held.enter_context(api.asks("/v1/x%0a2026-01-01T00:00:00.000Z%20ERROR%20forged%0d%1b[31m")))
    until(lambda: "forged" in api.process.output, 30)
    (line,) = [line for line in api.process.said if "forged" in line]
    assert "GET /v1/x\\n2026" in line
    assert "\x1b" not in line


# --- Many -------------------------------------------------------------------------------------------------


def crowd(api: Alone, match: str, many: int) -> Iterator[socket.socket]:
    """Return players who follow a match with 50 streams each."""
    for number in range(many):
        if number % 50 == 0:
            made = requests.post(f"{api.base}/v1/players", json={"name": f"P{number}"}, timeout=20)
            token = made.json()["token"]
        wire = api.streams(match, Authorization=f"Bearer {token}")
        assert begins(wire)
        yield wire


class Table:
    """Return a player in all seats of a match."""

    def __init__(self, api: Alone, held: ExitStack) -> None:
        self.person = Person(api.base)
        held.enter_context(self.person.session)
        self.match = self.person.create(seats=[{"kind": "me"}] * 4)

    def moves(self, count: int) -> list[float]:
        """Make this many moves; return how long each took, in seconds."""
        took = []
        for _ in range(count):
            seat = self.person.see(self.match)["to_act"][0]
            moves = self.person.call("GET", f"/matches/{self.match}/moves", params={"seat": seat})["moves"]
            move = {**moves[0]["example"], "seat": seat}
            began = time.monotonic()
            self.person.call("POST", f"/matches/{self.match}/moves", json=move)
            took.append(time.monotonic() - began)
        return took


MOST = 1.3
"""The maximum factor by which moves may slow down while thousands of connections wait."""


@pytest.mark.long
@pytest.mark.parametrize("part", [10, 1])
def test_thousands_of_waiting_and_incomplete_requests_delay_no_one(tmp_path, api, held, part):
    """There are 2,000 incomplete requests and 5,000 streams, or a part of them, compared with a server without them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
    crowded = Alone(
        tmp_path / "dealt.sqlite3", DEALT_RATE_PER_SECOND="0", DEALT_READ_SECONDS="600", DEALT_MAX_CONNECTIONS_EACH="0"
    )
    held.enter_context(running(crowded.process))
    watched = Table(crowded, held).match
    here, elsewhere = Table(crowded, held), Table(api, held)
    here.moves(5)
    for wire in crowd(crowded, watched, 5000 // part):
        held.enter_context(wire)
    with ThreadPoolExecutor(32) as asking:
        list(asking.map(lambda _: requests.get(f"{crowded.base}/v1/matches/{watched}", timeout=20), range(200)))
    threads = crowded.threads()
    for number in range(2000 // part):
        held.enter_context(crowded.connection()).sendall(SLOW_BODY if number % 2 else SLOW_HEAD)
    ratio = slower_in_all(here, elsewhere)
    figures = f"moves take x{ratio:.2f}; {crowded.megabytes():.0f} MB, {threads} threads"
    print(f"\n{5000 // part} streams: {figures}")  # noqa: T201
    assert crowded.megabytes() <= 400
    # The server starts its threads when they are first needed, so a few may be new. None belongs to a connection.
    assert crowded.threads() - threads < 2000 // part // 10
    assert ratio <= MOST


def slower_in_all(one: Table, other: Table) -> float:
    """Return how much longer moves take at one table, or infinity if it is too long in ten measurements.

    Other work on this machine spoils some measurements. If the server is slow, all of them are too long.
    """
    return next((found for _ in range(10) if (found := slower(one, other)) <= MOST), inf)


def slower(one: Table, other: Table) -> float:
    """Return how much longer moves take at one table than at another, by the medians of moves made in turn.

    Each move is made next to one at the other table, so that other work of the machine slows both.
    """
    at_one, at_other = [], []
    for _ in range(40):
        at_one += one.moves(1)
        at_other += other.moves(1)
    return median(at_one) / median(at_other)
