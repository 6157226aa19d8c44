"""Runs the HTTP server: gunicorn's processes around an event loop, started from code, without its own files."""

import asyncio
import gc
import logging
import os
import re
import resource
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from click import ClickException
from flask import Flask, Response
from gunicorn import glogging  # type: ignore[import-untyped]
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
from gunicorn.asgi.parser import ParseError  # type: ignore[import-untyped]
from gunicorn.asgi.protocol import ASGIProtocol  # type: ignore[import-untyped]
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.workers.gasgi import ASGIWorker  # type: ignore[import-untyped]

from api.http import host_header
from api.http.asgi_bridge import CLOSE, AsgiBridge, answer_without_app
from api.http.connection_limits import ConnectionLimits
from api.http.memory_release import MemoryRelease
from api.http.problems import Problem
from domain.core.values import mutable
from events.garbage import few_collections
from events.settings import Settings

log = logging.getLogger(__name__)

BACKLOG: Final = 2048
"""The number of connections that may wait to be accepted."""

ACCEPTED_AT_ONCE: Final = 64
"""The number of connections that are accepted in one batch before any of them is checked."""

KEEP_ALIVE_SECONDS: Final = 75
"""A connection without a request is closed after this time."""

PARTING_SECONDS: Final = 1.0
"""A client that has closed its side gets the answer that it waits for within this time, or none."""

LOST_SECONDS: Final = 8
"""A client that has not confirmed data, such as a heartbeat, for this long counts as lost."""

READ_BYTES: Final = 16_384
"""The size of a read from a connection, in bytes. No more is read while the app has yet to take this much."""

REPORT_SECONDS: Final = 60.0
"""Minimum seconds between two log lines about unreadable requests."""

LEFT: Final = "499"
"""The status in the access log of a request whose client left before the answer; other servers' logs have it too."""

SILENT_SECONDS: Final = 10
"""Idle seconds after which the system probes the client; it is lost four seconds later."""

SOFTWARE: Final = b"\r\nServer: gunicorn/asgi\r\n"
"""Gunicorn adds this line to each head that has no such header."""


def _nothing() -> None:
    pass


@mutable
class Served:
    """Defines what a server process runs, with hooks.

    `up` is called once it is up, `last_call` when it stops accepting requests, `down` right before it ends. `greeting`
    is printed first.
    """

    app: Flask
    up: Callable[[], None] = field(default=_nothing)
    last_call: Callable[[], None] = field(default=_nothing)
    down: Callable[[], None] = field(default=_nothing)
    greeting: str = ""


class QuietLogger(glogging.Logger):  # type: ignore[misc]
    """Writes gunicorn's log to the process's own logging."""

    def setup(self, cfg: Config) -> None:
        self.error_log = logging.getLogger("gunicorn.error")
        self.access_log = logging.getLogger("gunicorn.access")
        self.error_log.propagate = self.access_log.propagate = True

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        """Return the fields of a line of the access log, without the secret part of an address.

        Every answer has headers; without any, the client left before it began.
        """
        shown: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        status = shown["s"] if resp.headers else LEFT
        return shown | {"U": mask_secrets(shown.get("U") or "-"), "s": status}


def mask_secrets(path: str) -> str:
    """Return a path without its secret part, wherever it is."""
    return _LONG.sub("***", _SECRET.sub(r"\1/***", path))


_SECRET: Final = re.compile(r"(feeds|unsubscribe)\W.*", re.IGNORECASE | re.DOTALL)
_LONG: Final = re.compile(r"[\w-]{32,}")
"""A secret in an address has 32 letters; no id has as many."""


class Connection(ASGIProtocol):  # type: ignore[misc]
    """A connection has a deadline for each head, and ends soon after its client."""

    _deadline: asyncio.TimerHandle | None = None
    _network = ""
    _refusing: "asyncio.Task[None] | None" = None

    def connection_made(self, transport: Any) -> None:
        try:
            self._network = self.worker.limits.take(_address_of(transport), self)
        except Problem as problem:
            transport.set_protocol(asyncio.Protocol())
            transport.write(_written(answer_without_app(problem, self.worker.asgi.public)))
            transport.close()
            return
        self.worker.connections.add(self)
        # Unread data stays in the system's buffer, not here.
        transport.max_size = self._max_buffer_size = READ_BYTES
        super().connection_made(transport)
        self._arm_keepalive_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self.worker.connections.discard(self)
        self.worker.limits.leave(self._network, self)
        self._head_is_here()
        if self._refusing:
            self._refusing.cancel()
        super().connection_lost(exc)

    def _feed_callback_parser(self, data: bytes) -> bool:
        # Data that arrived during the previous answer is fed after it, and its deadline begins then.
        if self._current_request is None and self._deadline is None:
            self._deadline = self.worker.loop.call_later(self.worker.read_seconds, self._late)
        return bool(super()._feed_callback_parser(data))

    def eof_received(self) -> bool:
        """Finish the current answer and close, since the client has closed its side."""
        if self._closed or self._awaiting_request or self._current_request is None:
            return False
        self._keepalive = 0
        self.worker.loop.call_later(PARTING_SECONDS, self.transport.abort)
        return True

    @property
    def is_idle(self) -> bool:
        """Whether the process is idle."""
        return bool(self._awaiting_request)

    def end(self) -> None:
        """Close after the current answer, or immediately if there is none."""
        if self.is_idle:
            self._give_up()

    def evict(self) -> None:
        """Close immediately, even if the client has not received all that was sent."""
        self.transport.abort()

    def _head_is_here(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _on_headers_complete(self) -> Any:
        self._head_is_here()
        parser = self._callback_parser
        if not host_header.has_valid_host(parser.http_version, parser.headers):
            raise ParseError(host_header.HOW)
        return super()._on_headers_complete()

    def _late(self) -> None:
        self._send_error_response(408, "")
        self._give_up()

    def _close_transport(self) -> None:
        # A refusal closes the connection when it has been sent.
        if self._refusing is None:
            super()._close_transport()

    def _give_up(self) -> None:
        self._close_transport()
        self._request_ready.set()

    def _will_close(self, request: Any, response_requires_close: bool) -> bool:  # noqa: FBT001 -- gunicorn's
        # Not every answer has a length, and HTTP/1.0 has no other way to mark its end.
        return request.version < (1, 1) or bool(super()._will_close(request, response_requires_close))

    def _is_websocket_upgrade(self, request: Any) -> bool:
        return False

    def _send_response_start(self, status: int, headers: Any, request: Any, **close: bool) -> None:
        if CLOSE in headers:
            self._keepalive = 0
        # Without TLS, browsers treat an answer that was cut off within its headers as complete. `Cache-Control` comes
        # last, so that they do not cache it.
        ordered = sorted(headers, key=lambda header: header[0].lower() == b"cache-control")
        super()._send_response_start(status, ordered, request, **close)
        # The name of the software helps only attackers.
        self._response_buffer: bytes = self._response_buffer.replace(SOFTWARE, b"\r\n", 1)

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        """Refuse a request that could not be read.

        Its text stays out of the log and the answer, since it may contain a token. Only our own messages are passed on.
        """
        if self._closed or self._refusing:
            # The client left before its request had arrived: no answer is needed, and nothing has failed.
            return
        self._pause_reading()
        if self._body_receiver is not None:
            self._body_receiver.signal_disconnect()
        self.worker.unread[status] += 1
        detail = message if message == host_header.HOW else None
        self._refusing = self.worker.loop.create_task(self._refuse(status, detail))

    async def _refuse(self, status: int, detail: str | None) -> None:
        """Send the refusal of a request that could not be read, when its network has its turn."""
        refusal = await self.worker.asgi.refuse_unread(_address_of(self.transport), status, detail)
        self._safe_write(_written(refusal))
        self._refusing = None
        self._close_transport()


def _address_of(transport: Any) -> str | None:
    """Return the address at the other end of a connection."""
    address: str | None = (transport.get_extra_info("peername") or (None,))[0]
    return address


def _written(refusal: Response) -> bytes:
    """Write the answer that ends a connection."""
    refusal.headers["Connection"] = "close"
    head = f"HTTP/1.1 {refusal.status}\r\n{refusal.headers}"
    return head.encode("latin-1") + refusal.get_data()


class Worker(ASGIWorker):  # type: ignore[misc]
    """A worker is a server process: an event loop that holds the connections, and threads that work on requests."""

    alive: bool
    served: Served
    read_seconds: int

    def load_wsgi(self) -> None:
        try:
            with few_collections():
                self.served = self.app.load()
        except ClickException as error:
            error.show()
            sys.exit(Arbiter.WORKER_BOOT_ERROR)
        settings = self.app.settings
        self.read_seconds = settings.dealt_read_seconds
        self.connections: set[Connection] = set()
        self.unread: Counter[int] = Counter()
        self._reported = -REPORT_SECONDS
        # Proxies open connections for all clients.
        each = None if settings.dealt_trusted_proxies else settings.dealt_max_connections_each or None
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self.limits = ConnectionLimits(each, sys.maxsize if files == resource.RLIM_INFINITY else files)
        self.asgi = AsgiBridge(self.served.app, settings)
        self.served.up()
        if self.age == 1 and self.served.greeting:
            print(self.served.greeting, flush=True)  # noqa: T201 -- to the person who started it
        gc.collect()
        # Objects created so far stay; the garbage collector need not examine them again.
        gc.freeze()

    def init_signals(self) -> None:
        super().init_signals()
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            self.loop.add_signal_handler(number, self._stop)

    def _stop(self) -> None:
        self._quick_shutdown = not self.alive
        self.alive = False
        self.stopping.set()

    async def _serve(self) -> None:
        """Serve until a signal, then finish running requests within the time of grace."""
        self.servers = [
            await self.loop.create_server(partial(Connection, self), sock=taken.sock, backlog=ACCEPTED_AT_ONCE)
            for taken in self.sockets
        ]
        for taken in self.sockets:
            taken.sock.listen(BACKLOG)
        trim = MemoryRelease()
        while self.alive and self.ppid == os.getppid():
            self.notify()
            trim.note(len(self.connections))
            self._report_unread()
            self.asgi.measure_load()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), 1)
        self.alive = False
        for server in self.servers:
            server.close()
        self.served.last_call()
        until = self.loop.time() + self.cfg.graceful_timeout
        while self.connections and not self._quick_shutdown and self.loop.time() < until:
            for connection in list(self.connections):
                connection.end()
            await asyncio.sleep(0.02)

    def _report_unread(self) -> None:
        """Log how many requests could not be read, if that is due."""
        now = self.loop.time()
        if self.unread and now - self._reported >= REPORT_SECONDS:
            self._reported = now
            counts = ", ".join(f"{count} x {status}" for status, count in sorted(self.unread.items()))
            log.warning("Requests could not be read: %s", counts)
            self.unread.clear()

    def _setup_event_loop(self) -> None:
        super()._setup_event_loop()
        self.stopping = asyncio.Event()


def _leave(arbiter: Any, worker: Worker) -> None:
    """End the process immediately. Otherwise Python would wait for its threads."""
    if worker.booted:
        worker.served.down()
        logging.shutdown()
        os._exit(0)


class Server(BaseApplication):  # type: ignore[misc]
    """Runs gunicorn around `load`, which is called in each forked server process."""

    def __init__(self, load: Callable[[], Served], settings: Settings, given: dict[str, Any]) -> None:
        self.load_in_process = load
        self.settings = settings
        self.given = given
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.given.items():
            self.cfg.set(name, value)

    def load(self) -> Served:
        return self.load_in_process()


def listen(host: str, port: int) -> socket.socket:
    """Take the address to serve on. Raises `OSError` if it is not available."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _end_with_clients(listener)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _end_with_clients(listener: socket.socket) -> None:
    """Close connections whose client has vanished; accepted connections inherit this setting."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_USER_TIMEOUT", LOST_SECONDS * 1000),
        ("TCP_KEEPIDLE", SILENT_SECONDS),
        ("TCP_KEEPINTVL", 2),
        ("TCP_KEEPCNT", 2),
    ):
        # Not every system has all of them.
        if hasattr(socket, name):
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _many_files() -> None:
    """Raise the process's limit of open connections to the system's maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """How many processes serve, whether they log requests, and how long they finish answers when told to stop.

    `ended` is called with gunicorn's arbiter and the worker when a process has ended, however it did.
    """

    count: int
    access_log: bool
    grace_seconds: int
    ended: Callable[[Any, Any], None] = lambda _arbiter, _worker: None


def serve(load: Callable[[], Served], listener: socket.socket, settings: Settings, processes: Processes) -> None:
    """Serve until told to stop, and end the process.

    `load` makes what each server process runs, or raises `ClickException`.
    """
    listener.set_inheritable(True)
    _many_files()
    given = {
        "bind": f"fd://{listener.fileno()}",
        "worker_class": Worker,
        "workers": processes.count,
        "keepalive": KEEP_ALIVE_SECONDS,
        "timeout": 60,
        "graceful_timeout": processes.grace_seconds,
        "asgi_loop": "asyncio",
        "asgi_lifespan": "off",
        # A request is given up as soon as its client has gone.
        "asgi_disconnect_grace_period": 0,
        "logger_class": QuietLogger,
        "accesslog": "-" if processes.access_log else None,
        # Only the path: queries and headers may contain tokens.
        "access_log_format": "%(m)s %(U)s %(s)s %(B)s bytes %(M)s ms",
        "control_socket_disable": True,
        "proc_name": "dealt",
        "worker_exit": _leave,
        "child_exit": processes.ended,
    }
    # All processes share the modules loaded so far, and need not search them for garbage.
    gc.freeze()
    Server(load, settings, given).run()
