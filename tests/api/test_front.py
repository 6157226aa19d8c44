"""The front as an ASGI app: what it admits, and how it waits."""

import asyncio
import threading
from dataclasses import replace

import pytest
from flask import Flask, Response, request

from api.http import front as front_module
from api.http.front import Front
from api.http.waiting import HEARTBEAT
from api.http.watch import Watch
from events.settings import Settings
from events.store import tables

SETTINGS = Settings(dealt_threads=2, dealt_max_body=100, dealt_read_seconds=1)


class Asked:
    """A request to an app, by a client that sends its body in these pieces, and goes on or falls silent."""

    def __init__(self, path="/", *pieces, silent=False, **headers):
        self.scope = {
            "type": "http",
            "method": "POST" if pieces else "GET",
            "http_version": "1.1",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 9),
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

    def of(self, front):
        return front(self.scope, self.receive, self.send)

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


def answered(front, *asked):
    async def ask():
        await asyncio.gather(*(each.of(front) for each in asked))

    asyncio.run(ask())
    return asked[0]


def test_a_body_is_handed_over_whole(app):
    asked = answered(Front(app, SETTINGS), Asked("/", b"a" * 50, b"b" * 50))
    assert (asked.status, asked.body) == (200, b'{"length":100}\n')


def test_a_body_that_is_too_large_is_refused_by_the_app_and_not_read_to_its_end(app, monkeypatch):
    monkeypatch.setattr(front_module, "LINGER_SECONDS", 0.01)
    asked = answered(Front(app, SETTINGS), Asked("/", b"a" * 101, silent=True))
    assert (asked.status, asked.headers[b"connection"]) == (413, b"close")


def test_a_body_that_stops_is_refused_after_its_time(app, monkeypatch):
    monkeypatch.setattr(front_module, "LINGER_SECONDS", 0.01)
    asked = answered(Front(app, replace(SETTINGS, dealt_read_seconds=0)), Asked("/", b"a", silent=True))
    assert asked.status == 408


def test_bodies_have_so_much_room_together(app, monkeypatch):
    monkeypatch.setattr(front_module, "MOST_HELD_BYTES", 150)
    monkeypatch.setattr(front_module, "LINGER_SECONDS", 0.01)
    front = Front(app, SETTINGS)
    held = Asked("/", b"a" * 90, silent=True)
    asked = answered(front, Asked("/", b"a" * 90, silent=True), held)
    assert sorted([asked.status, held.status]) == [408, 503]
    assert front._held == 0
    assert answered(front, Asked("/", b"a" * 90)).status == 200


def test_more_requests_than_can_queue_are_refused_at_once(app, monkeypatch):
    monkeypatch.setattr(front_module, "MOST_QUEUED", 1)
    goes_on = threading.Event()

    @app.get("/slow")
    def slow():
        goes_on.wait(10)
        return ""

    front = Front(app, SETTINGS)
    refused, stream = Asked("/slow"), Asked("/slow", accept="text/event-stream")

    async def ask():
        begun = [asyncio.ensure_future(Asked("/slow").of(front)) for _ in range(3)]
        await asyncio.sleep(0.05)
        await asyncio.gather(refused.of(front), stream.of(front))
        goes_on.set()
        await asyncio.gather(*begun)

    monkeypatch.setattr(front_module, "LINGER_SECONDS", 0.01)
    asyncio.run(ask())
    assert (refused.status, refused.headers[b"content-type"]) == (503, b"application/problem+json")
    assert int(refused.headers[b"retry-after"]) >= 1
    assert stream.status == 200
    assert b"retry: 1000\n" in stream.body


@pytest.fixture
def watch(monkeypatch):
    monkeypatch.setattr(
        tables.stream_rows, "versions", lambda store, match_nos: dict.fromkeys(match_nos, store["version"])
    )
    store = {"version": 0}
    watch = Watch(store, period=0.01)
    watch.store = store
    yield watch
    watch.close()


def test_a_quiet_stream_shows_that_it_lives_and_goes_on_when_there_is_news(app, watch, monkeypatch):
    monkeypatch.setattr(front_module, "HEARTBEAT_SECONDS", 0.02)

    @app.get("/stream")
    def stream():
        def news():
            yield b"begins"
            yield watch.match(1, 0, 10, HEARTBEAT)
            yield b"ends"

        return Response(news())

    asked = Asked("/stream")

    async def ask():
        begun = asyncio.ensure_future(asked.of(Front(app, SETTINGS)))
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


def test_what_an_answer_holds_is_freed_when_its_client_goes(app, watch):
    freed = threading.Event()

    @app.get("/stream")
    def stream():
        response = Response(iter([b"begins", watch.match(1, 0, 10)]))
        response.call_on_close(freed.set)
        return response

    async def ask():
        asked = asyncio.ensure_future(Asked("/stream").of(Front(app, SETTINGS)))
        await until(lambda: watch._waits)
        asked.cancel()
        await asyncio.wait([asked])

    asyncio.run(asyncio.wait_for(ask(), 10))
    assert freed.wait(60)
    assert not watch._waits


def test_an_app_that_fails_is_a_problem_without_what_it_said(app, caplog):
    @app.get("/fails")
    def fails():
        return Response(str(1 / 0) for _ in range(1))

    asked = answered(Front(app, SETTINGS), Asked("/fails"))
    assert (asked.status, asked.headers[b"content-type"]) == (500, b"application/problem+json")
    assert "ZeroDivisionError" in caplog.text
    assert "division by" not in caplog.text
