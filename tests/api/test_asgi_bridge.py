"""Tests the bridge as an ASGI app: what it accepts, and how it waits."""

import asyncio
import threading
from dataclasses import replace

import pytest
from flask import Flask, Response, request

from api.http import asgi_bridge as bridge_module
from api.http.asgi_bridge import AsgiBridge
from api.http.change_poller import ChangePoller
from api.http.long_polling import HEARTBEAT
from events.settings import Settings
from events.store.tables import stream_rows

SETTINGS = Settings(dealt_threads=2, dealt_max_body=100, dealt_read_seconds=1)


@pytest.fixture(autouse=True)
def nothing_waits_long(monkeypatch):
    monkeypatch.setattr(bridge_module, "LINGER_SECONDS", 0.01)
    monkeypatch.setattr(bridge_module, "REFUSE_SECONDS", (0.01, 0.01))


class Asked:
    """Sends a request to an app, with the body in these pieces, and then continues or falls silent."""

    def __init__(self, path="/", *pieces, silent=False, near="127.0.0.1", **headers):
        self.scope = {
            "type": "http",
            "method": "POST" if pieces else "GET",
            "http_version": "1.1",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "server": ("127.0.0.1", 80),
            "client": (near, 9),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }
        if pieces:
            self.scope["headers"].append((b"transfer-encoding", b"chunked"))
        self._pieces = [
            {"type": "http.request", "body": piece, "more_body": silent or number < len(pieces)}
            for number, piece in enumerate(pieces, 1)
        ]
        self.sent = []

    async def receive(self):
        if not self._pieces:
            await asyncio.sleep(60)
        return self._pieces.pop(0)

    async def send(self, message):
        self.sent.append(message)

    def of(self, bridge):
        return bridge(self.scope, self.receive, self.send)

    @property
    def status(self):
        return self.sent[0]["status"]

    @property
    def headers(self):
        return {name.lower(): value for name, value in self.sent[0]["headers"]}

    @property
    def body(self):
        return b"".join(message.get("body", b"") for message in self.sent)


@pytest.fixture
def app():
    app = Flask("asked")
    app.config["MAX_CONTENT_LENGTH"] = SETTINGS.dealt_max_body

    @app.post("/")
    def length():
        return {"length": len(request.get_data())}

    return app


def answered(bridge, *asked):
    async def ask():
        await asyncio.gather(*(each.of(bridge) for each in asked))

    asyncio.run(ask())
    return asked[0]


def test_body_is_passed_on_completely(app):
    asked = answered(AsgiBridge(app, SETTINGS), Asked("/", b"a" * 50, b"b" * 50))
    assert (asked.status, asked.body) == (200, b'{"length":100}\n')


def test_body_over_the_limit_is_refused_without_reading_it_all(app):
    asked = answered(AsgiBridge(app, SETTINGS), Asked("/", b"a" * 101, silent=True))
    assert (asked.status, asked.headers[b"connection"]) == (413, b"close")


def test_slowly_read_body_does_not_time_out(app, monkeypatch):
    monkeypatch.setattr(bridge_module, "MOST_BYTES_A_SECOND", 100)
    monkeypatch.setattr(bridge_module, "BYTES_A_SECOND", 1_000)
    asked = answered(
        AsgiBridge(app, replace(SETTINGS, dealt_read_seconds=0.1)), Asked("/", b"a" * 50, b"b" * 25, b"c" * 25)
    )
    assert asked.status == 200


def test_stalled_body_times_out(app):
    asked = answered(AsgiBridge(app, replace(SETTINGS, dealt_read_seconds=0)), Asked("/", b"a", silent=True))
    assert asked.status == 408


def test_body_that_pauses_too_long_is_refused_before_the_deadline(app, monkeypatch):
    monkeypatch.setattr(bridge_module, "PAUSE_SECONDS", 0.05)
    asked = answered(AsgiBridge(app, replace(SETTINGS, dealt_read_seconds=30)), Asked("/", b"a", silent=True))
    assert asked.status == 408


@pytest.fixture
def released(app):
    """Return an event that makes the path `/slow` answer once it is set."""
    goes_on = threading.Event()

    @app.post("/slow")
    @app.get("/slow")
    def slow():
        goes_on.wait(60)
        return ""

    @app.get("/fast")
    def fast():
        return ""

    return goes_on


@pytest.fixture
def bridge(app, monkeypatch):
    """Return a bridge with room for 6,400 bytes of bodies, 64 uploads and 100 waiting requests."""
    monkeypatch.setattr(bridge_module, "MOST_HELD_BYTES", 6_400)
    monkeypatch.setattr(bridge_module, "MOST_QUEUED", 100)
    app.config["MAX_CONTENT_LENGTH"] = 1000
    bridge = AsgiBridge(app, SETTINGS)
    monkeypatch.setattr(bridge, "_most", lambda scope: 1000)
    return bridge


UPLOAD, BODY = b"a" * 200, b"a" * 90
HOLDS = {
    "an upload": (lambda near: Asked("/", UPLOAD, silent=True, near=near), lambda: Asked("/", UPLOAD, near="::1")),
    "a body": (lambda near: Asked("/", BODY, silent=True, near=near), lambda: Asked("/", BODY, near="::1")),
    "a place": (lambda near: Asked("/slow", near=near), lambda: Asked("/fast", near="::1")),
    "a body that waits": (lambda near: Asked("/slow", BODY, near=near), lambda: Asked("/", BODY, near="::1")),
}


@pytest.mark.parametrize("kind", HOLDS)
@pytest.mark.parametrize("addresses", [1, 2, 6, 12, 50])
def test_newcomer_is_answered_while_many_addresses_are_at_their_limit(bridge, released, addresses, kind):
    theirs, mine = HOLDS[kind][0], HOLDS[kind][1]()

    async def ask():
        held = []
        for number in range(addresses):
            asked = [theirs(f"192.0.2.{number}") for _ in range(max(6, 200 // addresses))]
            held += [asyncio.ensure_future(each.of(bridge)) for each in asked]
            await asyncio.sleep(0.005)
        newcomer = asyncio.ensure_future(mine.of(bridge))
        await asyncio.sleep(0.02)
        released.set()
        await newcomer
        for each in held:
            each.cancel()
        await asyncio.wait(held)

    asyncio.run(asyncio.wait_for(ask(), 30))
    assert mine.status == 200


@pytest.mark.parametrize("kind", HOLDS)
def test_one_network_with_too_many_requests_is_refused_after_a_while(bridge, released, kind):
    refused, stream = HOLDS[kind][0]("192.0.2.1"), HOLDS[kind][0]("192.0.2.1")
    stream.scope["headers"].append((b"accept", b"text/event-stream"))

    async def ask():
        held = [asyncio.ensure_future(HOLDS[kind][0]("192.0.2.1").of(bridge)) for _ in range(110)]
        await asyncio.sleep(0.02)
        await asyncio.gather(refused.of(bridge), stream.of(bridge))
        released.set()
        for each in held:
            each.cancel()
        await asyncio.wait(held)

    asyncio.run(asyncio.wait_for(ask(), 30))
    assert (refused.status, refused.headers[b"content-type"]) == (429, b"application/problem+json")
    assert int(refused.headers[b"retry-after"]) >= 1
    assert (b"connection" in refused.headers) is (kind != "a place")
    assert stream.status == 200
    assert b"retry: " in stream.body


def test_evicted_request_is_refused(bridge, released):
    greedy = [Asked("/slow", near="192.0.2.1") for _ in range(101)]
    modest = Asked("/fast", near="192.0.2.2")

    async def ask():
        begun = [asyncio.ensure_future(each.of(bridge)) for each in greedy]
        await asyncio.sleep(0.02)
        other = asyncio.ensure_future(modest.of(bridge))
        await begun[-1]
        released.set()
        await asyncio.gather(other, *begun)

    asyncio.run(asyncio.wait_for(ask(), 30))
    assert greedy[-1].status == 429
    assert [each.status for each in greedy[:-1]] == [200] * 100
    assert modest.status == 200


def test_unreadable_request_counts_against_its_network(bridge, released):
    answers = []

    async def ask():
        begun = [asyncio.ensure_future(Asked("/slow", near="192.0.2.1").of(bridge)) for _ in range(100)]
        await asyncio.sleep(0.02)
        unread = [asyncio.ensure_future(bridge.refuse_unread("192.0.2.1", 400, None)) for _ in range(3)]
        answers.append(await bridge.refuse_unread("192.0.2.2", 400, "Send a host."))
        assert not any(each.done() for each in unread[:1])
        released.set()
        answers.extend(await asyncio.gather(*unread))
        await asyncio.gather(*begun)

    asyncio.run(asyncio.wait_for(ask(), 30))
    assert [answer.status_code for answer in answers] == [400, 400, 429, 429]
    assert answers[0].json["detail"] == "Send a host."


def test_request_that_gets_no_turn_is_refused(app, monkeypatch):
    monkeypatch.setattr(bridge_module, "QUEUE_SECONDS", 0.01)
    goes_on = threading.Event()

    @app.get("/slow")
    def slow():
        goes_on.wait(60)
        return ""

    bridge, refused = AsgiBridge(app, replace(SETTINGS, dealt_threads=1)), Asked("/slow", near="127.0.0.2")

    async def ask():
        begun = asyncio.ensure_future(Asked("/slow").of(bridge))
        await asyncio.sleep(0)
        await refused.of(bridge)
        goes_on.set()
        await begun

    asyncio.run(ask())
    assert refused.status == 503


def test_waiting_requests_end_when_their_clients_disconnect(app):
    goes_on = threading.Event()

    @app.get("/slow")
    def slow():
        goes_on.wait(60)
        return ""

    bridge = AsgiBridge(app, replace(SETTINGS, dealt_threads=1))
    last = Asked("/slow")

    async def ask():
        asked = [asyncio.ensure_future(each.of(bridge)) for each in (Asked("/slow"), Asked("/slow"), last)]
        await asyncio.sleep(0)
        for each in asked[:2]:
            each.cancel()
        await asyncio.wait(asked[:2])
        goes_on.set()
        await asked[2]

    asyncio.run(asyncio.wait_for(ask(), 10))
    assert last.status == 200


@pytest.fixture
def watch(monkeypatch):
    monkeypatch.setattr(stream_rows, "versions", lambda store, match_nos: dict.fromkeys(match_nos, store["version"]))
    store = {"version": 0}
    watch = ChangePoller(store, period=0.01)
    watch.store = store
    yield watch
    watch.close()


def test_idle_stream_sends_heartbeats_and_then_news(app, watch, monkeypatch):
    monkeypatch.setattr(bridge_module, "HEARTBEAT_SECONDS", 0.02)

    @app.get("/stream")
    def stream():
        def news():
            yield b"begins"
            yield watch.match(1, 0, 10, HEARTBEAT)
            yield b"ends"

        return Response(news())

    asked = Asked("/stream")

    async def ask():
        begun = asyncio.ensure_future(asked.of(AsgiBridge(app, SETTINGS)))
        await until(lambda: asked.body.count(HEARTBEAT) >= 2)
        watch.store["version"] = 1
        await begun

    asyncio.run(asyncio.wait_for(ask(), 10))
    assert asked.body.startswith(b"begins" + HEARTBEAT)
    assert asked.body.endswith(b"ends")
    assert not asked.sent[-1]["more_body"]


async def until(is_so):
    while not is_so():  # noqa: ASYNC110 -- other threads bring it about
        await asyncio.sleep(0.01)


def test_resources_are_freed_when_the_client_disconnects(app, watch):
    freed = threading.Event()

    @app.get("/stream")
    def stream():
        response = Response(iter([b"begins", watch.match(1, 0, 10)]))
        response.call_on_close(freed.set)
        return response

    async def ask():
        asked = asyncio.ensure_future(Asked("/stream").of(AsgiBridge(app, SETTINGS)))
        await until(lambda: watch._waits)
        asked.cancel()
        await asyncio.wait([asked])

    asyncio.run(asyncio.wait_for(ask(), 10))
    assert freed.wait(60)
    assert not watch._waits


def test_app_failure_is_a_problem_without_the_error_message(app, caplog):
    @app.get("/fails")
    def fails():
        return Response(str(1 / 0) for _ in range(1))

    asked = answered(AsgiBridge(app, SETTINGS), Asked("/fails"))
    assert (asked.status, asked.headers[b"content-type"]) == (500, b"application/problem+json")
    assert "ZeroDivisionError" in caplog.text
    assert "division by" not in caplog.text
