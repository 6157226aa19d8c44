"""Runs the HTTP server: gunicorn with threads, started from code, without its own files and variables."""

import gc
import logging
import os
import re
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from click import ClickException
from flask import Flask
from gunicorn import glogging  # type: ignore[import-untyped]
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http import errors  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from api.http import problems

log = logging.getLogger(__name__)


def _nothing() -> None:
    pass


@dataclass(slots=True)
class Served:
    """Says what a server process runs, and what it does on the way.

    `up` is called once it is up, `last_call` when it is to end and answers what it has begun, `down` right before it
    ends. `greeting` is said first.
    """

    app: Flask
    up: Callable[[], None] = field(default=_nothing)
    last_call: Callable[[], None] = field(default=_nothing)
    down: Callable[[], None] = field(default=_nothing)
    greeting: str = ""


class Quiet(glogging.Logger):  # type: ignore[misc]
    """This logger of gunicorn writes to the process's own logging."""

    def setup(self, cfg: Config) -> None:
        self.error_log = logging.getLogger("gunicorn.error")
        self.access_log = logging.getLogger("gunicorn.access")
        self.error_log.propagate = self.access_log.propagate = True

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        """Give what a line of the access log may show: of an address that is a secret, only what for."""
        shown: dict[str, Any] = super().atoms(resp, req, environ, request_time)
        return shown | {"U": _SECRET.sub(r"\1***", shown.get("U") or "-")}


_SECRET: Final = re.compile(r"^(/v1/(?:feeds|email/unsubscribe)/)[^/]+", re.IGNORECASE)


class Worker(ThreadWorker):  # type: ignore[misc]
    """A worker is a server process that ends when told to, though streams are open and their threads wait for news."""

    served: Served

    def load_wsgi(self) -> None:
        try:
            self.served = self.app.load()
        except ClickException as error:
            error.show()
            sys.exit(Arbiter.WORKER_BOOT_ERROR)
        self.wsgi = self.served.app
        self.served.up()
        if self.age == 1 and self.served.greeting:
            print(self.served.greeting, flush=True)  # noqa: T201 -- to the person who started it
        gc.collect()
        # Objects made until now stay; collections need not look at them again.
        gc.freeze()

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        if self.booted:
            self.method_queue.defer(self.served.last_call)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        """Answer what could not be read or served. What it said stays out of the log: it may be a token."""
        log.warning("A connection failed with %s", type(exc).__name__)
        with suppress(OSError):
            client.sendall(_unread(exc))


def _unread(error: Exception) -> bytes:
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 500)
    answer = problems.answer(problems.Problem("bad_request" if status < 500 else "internal_error"), status)
    answer.headers["Connection"] = "close"
    return f"HTTP/1.1 {answer.status}\r\n{answer.headers}".encode("latin-1") + answer.get_data()


_STATUS: Final = {
    errors.InvalidResponseHeader: 500,
    errors.InvalidResponseHeaderName: 500,
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ParseException: 400,
}


def _leave(arbiter: Any, worker: Worker) -> None:
    """End the process at once: at the usual end Python would wait for the streams' threads."""
    if worker.booted:
        worker.served.down()
        logging.shutdown()
        os._exit(0)


class Server(BaseApplication):  # type: ignore[misc]
    """This is gunicorn around `load`, which is called in each server process after it was forked."""

    def __init__(self, load: Callable[[], Served], settings: dict[str, Any]) -> None:
        self.load_in_process = load
        self.given = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.given.items():
            self.cfg.set(name, value)

    def load(self) -> Served:
        return self.load_in_process()


def listen(host: str, port: int) -> socket.socket:
    """Take the address to serve on. `OSError` if it cannot be had."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(kind)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(2048)
    return listener


def serve(
    load: Callable[[], Served],
    listener: socket.socket,
    *,
    processes: int,
    threads: int,
    access_log: bool,
    grace_seconds: int,
) -> None:
    """Serve until told to stop, and end the process.

    `load` makes what each server process runs, or raises `ClickException`.
    """
    listener.set_inheritable(True)
    settings = {
        "bind": f"fd://{listener.fileno()}",
        "worker_class": Worker,
        "workers": processes,
        "threads": threads,
        "worker_connections": max(1000, 4 * threads),
        "keepalive": 75,
        "timeout": 60,
        "graceful_timeout": grace_seconds,
        "logger_class": Quiet,
        "accesslog": "-" if access_log else None,
        # The path alone: no query, no header, nothing by which anybody could be impersonated.
        "access_log_format": "%(m)s %(U)s %(s)s %(B)s bytes %(M)s ms",
        "control_socket_disable": True,
        "proc_name": "dealt",
        "worker_exit": _leave,
    }
    Server(load, settings).run()
