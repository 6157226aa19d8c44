"""The HTTP server: gunicorn with threads, started from code, with nothing read from its own files and variables."""

import gc
import logging
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from click import ClickException
from flask import Flask
from gunicorn import glogging  # type: ignore[import-untyped]
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]


def _nothing() -> None:
    pass


@dataclass(slots=True)
class Served:
    """What a server process runs: the application, what to do once it is up and before it ends, what to say first."""

    app: Flask
    up: Callable[[], None] = field(default=_nothing)
    down: Callable[[], None] = field(default=_nothing)
    greeting: str = ""


class Quiet(glogging.Logger):  # type: ignore[misc]
    """Gunicorn's logger, put out by the process's own logging."""

    def setup(self, cfg: Config) -> None:
        self.error_log = logging.getLogger("gunicorn.error")
        self.access_log = logging.getLogger("gunicorn.access")
        self.error_log.propagate = self.access_log.propagate = True


class Worker(ThreadWorker):  # type: ignore[misc]
    """A server process that ends when told to, though streams are open and their threads wait for news."""

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
            print(self.served.greeting, flush=True)  # noqa: T201 -- to whoever started it
        gc.collect()
        gc.freeze()  # what is there by now stays; collections need not look at it again


def _leave(arbiter: Any, worker: Worker) -> None:
    """End the process at once: at the usual end Python would wait for the streams' threads."""
    if worker.booted:
        worker.served.down()
        logging.shutdown()
        os._exit(0)


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn around `load`, which is called in each server process after it was forked."""

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
    load: Callable[[], Served], listener: socket.socket, *, processes: int, threads: int,
    access_log: bool, grace_seconds: int,
) -> None:  # fmt: skip
    """Serve until told to stop, and end the process. `load` makes what each server process runs, or raises `ClickException`."""
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
