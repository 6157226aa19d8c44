"""The commands that start a part of the service: `dealt serve`, `api`, `worker` and `scheduler`.

Each imports what it starts when it starts.
"""

import gc
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import click

from api.cli import database, start_checks
from events.garbage import few_collections
from events.settings import Settings

if TYPE_CHECKING:
    from mmap import mmap

    from flask import Flask

    from api.http.metrics import Metrics
    from api.http.server import Served
    from events.service.worker_health import ServerLoad

log = logging.getLogger(__name__)

_HOST_AND_PORT = [
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option(
        "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 means any free one."
    ),
]


def _on_address(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --host and --port to a command."""
    for option in reversed(_HOST_AND_PORT):
        command = option(command)
    return command


@click.command()
@_on_address
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for all data.  [default: data]",
)
@click.pass_obj
def serve(given: Settings, host: str, port: int, data: Path | None) -> None:
    """Run API, worker and scheduler in one process.

    All state is in the data directory (SQLite), or in the database at DATABASE_URL. Ctrl-C stops everything.

    Example: dealt serve --port 8080
    """
    with few_collections():
        from api.http import server

        start_checks.check_games()
        start_checks.check_bots()
        start_checks.check_mail(given)
    given = replace(database.with_database(given), dealt_data=str((data or Path(given.dealt_data)).resolve()))
    with start_checks.alone_in(Path(given.dealt_data)):
        given = start_checks.usable(start_checks.with_keys(database.with_usable_database(given)))
        listener = start_checks.bind_address(host, port)
        port = listener.getsockname()[1]
        address, more = url(host, port), reachability_lines(given, host, port)
        server.serve(
            lambda: all_in_one(given, address, more),
            listener,
            given,
            server.Processes(count=1, access_log=given.dealt_log == "debug", grace_seconds=1),
        )


def all_in_one(given: Settings, address: str, more: str = "") -> "Served":
    """Make the API, worker and scheduler of one process, with a greeting of the address and `more`."""
    from api.app import create_app
    from api.http.server import Served
    from events import times
    from events.errors import Unavailable
    from events.notify import claims
    from events.service.uptime_beats import UptimeBeats
    from events.store.migrate import make_private
    from events.store.opening import open_store
    from workers.embedded import Embedded

    if not given.database_url:
        make_private(Path(given.dealt_data) / "dealt.sqlite3")
    store = open_store(given.url, given.dealt_connections)
    schema = store.schema()
    if not (schema and schema.is_current):
        # This process has locked the directory: no other version uses the database in it.
        database.migrate_to(given, contract=not given.database_url)
    if not given.database_url:
        # This process has locked the directory: every process that had claimed work is dead.
        try:
            claims.end_all(store, times.now())
        except Unavailable as error:
            raise click.ClickException(f"{database.safe_url(given)} cannot be written to: {error}.") from error
    at_work = UptimeBeats(store, "serve")
    embedded = Embedded(given, store, at_work)
    app = create_app(given, store=store, woken=embedded.wake, make_metrics=_make_metrics(given))
    app.extensions["dealt"].context.note_work = at_work.beat_after_freeze
    poller = app.extensions["dealt"].poller
    embedded.moved = poller.hurry
    start_checks.warm_up(store, app.extensions["dealt"].context)
    kept_in = database.safe_url(given) if given.database_url else given.dealt_data
    greeting = (
        f"Dealt is running at {address}: open {address}/play to play, or {address}/docs for guides and API.{more}\n"
        f"All data is in {kept_in}. Press Ctrl-C to stop."
    )

    def up() -> None:
        at_work.start()
        embedded.start()
        _load_routes_meanwhile(app)

    def last_call() -> None:
        at_work.refuse_requests()
        poller.close()

    def down() -> None:
        embedded.stop()
        at_work.stop()

    return Served(app, up=up, last_call=last_call, down=down, greeting=greeting)


@click.command()
@_on_address
@click.option(
    "--access-log/--no-access-log",
    default=True,
    show_default=True,
    help="Log each request's method and path.",
)
@click.pass_obj
def api(given: Settings, host: str, port: int, access_log: bool) -> None:  # noqa: FBT001 -- an option's
    """Run the API.

    Starts DEALT_PROCESSES processes, each with DEALT_THREADS threads. Bots and deadlines also need `dealt worker` and
    `dealt scheduler`.

    Example: dealt api --host 0.0.0.0
    """
    with few_collections():
        from api.http import server
        from api.http.late_work_alarm import shared_warning_flag

    start_checks.check_games()
    given = start_checks.usable(database.existing(given))
    start_checks.check_connections(given, given.dealt_processes)
    listener = start_checks.bind_address(host, port)
    port = listener.getsockname()[1]
    address, more = url(host, port), reachability_lines(given, host, port)
    warned = shared_warning_flag()
    with shared_figures(given, given.dealt_processes) as process_ended:
        server.serve(
            lambda: _api_alone(given, address, more, warned),
            listener,
            given,
            server.Processes(count=given.dealt_processes, access_log=access_log, grace_seconds=5, ended=process_ended),
        )


def _api_alone(given: Settings, address: str, more: str, warned: "mmap") -> "Served":
    from api.app import create_app
    from api.http.late_work_alarm import LateWorkAlarm
    from api.http.server import Served
    from events.service.uptime_beats import UptimeBeats

    app = create_app(given, make_metrics=_make_metrics(given))
    here = app.extensions["dealt"]
    start_checks.warm_up(here.store, here.context)
    alarm = LateWorkAlarm(here.store, warned)
    at_work = UptimeBeats(here.store, "api")
    here.context.note_work = at_work.beat_after_freeze
    greeting = f"The API of Dealt is running at {address}, with the database {database.describe_database(given)}.{more}"

    def up() -> None:
        at_work.start()
        alarm.start()
        _load_routes_meanwhile(app)

    def last_call() -> None:
        at_work.refuse_requests()
        here.poller.close()

    def down() -> None:
        alarm.stop()
        at_work.stop()

    return Served(app, up=up, last_call=last_call, down=down, greeting=greeting)


def _load_routes_meanwhile(app: "Flask") -> None:
    """Load the routes while requests are already served. A request whose route is not loaded yet loads it."""
    from api.app import load_routes

    def load() -> None:
        load_routes(app)
        # As after a start: collections need not look at these modules again.
        gc.freeze()
        log.debug("all routes are loaded")

    Thread(target=load, name="load-routes", daemon=True).start()


def _make_metrics(given: Settings) -> "Callable[[Callable[[], ServerLoad]], Metrics] | None":
    if not given.dealt_metrics_token:
        return None
    from api.http.metrics import make_metrics

    return make_metrics


@click.command()
@click.pass_obj
def worker(given: Settings) -> None:
    """Run bot turns and deadlines from the broker.

    Starts DEALT_PROCESSES processes. You can run any number of workers.

    Example: dealt worker
    """
    with few_collections():
        from workers import production as fleet

    start_checks.check_games()
    start_checks.check_bots()
    start_checks.check_mail(given)
    given = start_checks.with_broker(start_checks.usable(database.with_fitting_schema(given)))
    start_checks.check_connections(given, given.dealt_processes)
    log.info("worker started; database %s", database.describe_database(given))
    sys.exit(fleet.work(given))


@click.command()
@click.pass_obj
def scheduler(given: Settings) -> None:
    """Dispatch due work to the broker.

    You can run any number of schedulers: they coordinate through the database.

    Example: dealt scheduler
    """
    with few_collections():
        from workers import production as fleet

    start_checks.check_games()
    given = start_checks.with_broker(start_checks.usable(database.with_fitting_schema(given)))
    start_checks.check_connections(given, 1)
    log.info("scheduler started; database %s", database.describe_database(given))
    fleet.schedule(given)


FILES = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which Prometheus's library finds the directory. It reads it when it is imported."""


@contextmanager
def shared_figures(given: Settings, processes: int) -> Iterator[Callable[[Any, Any], None]]:
    """Share the metrics of the processes started in the context, if the server is measured.

    Yields a hook for gunicorn, which drops the gauges of an ended process.
    """
    if not given.dealt_metrics_token or processes == 1:
        yield lambda _server, _worker: None
        return
    with TemporaryDirectory(prefix="dealt-metrics-") as directory:
        os.environ[FILES] = directory
        from prometheus_client.multiprocess import mark_process_dead

        yield lambda _server, worker: mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- a name
"""The hosts that stand for all addresses of the machine, with the one that the machine itself uses."""

ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses in no network, used to ask the system for its outgoing address; nothing is sent."""


def url(host: str, port: int) -> str:
    """Write the address for a browser on this machine."""
    return _written(EVERYWHERE.get(host, host), port)


def reachability_lines(given: Settings, host: str, port: int) -> str:
    """Return lines for a greeting: how others reach the server, or why they cannot."""
    if given.dealt_public_url.startswith("https://"):
        return f"\nOthers can reach it at {given.dealt_public_url}."
    reached = [_written(own, port) for own in _own_addresses(host) if not _is_loopback(own)]
    if not reached:
        return ""
    return (
        f"\nOthers can reach it at {' or '.join(reached)}, unless a firewall blocks it."
        "\nIt uses HTTP without TLS, so anyone on the network path can read tokens and cards. On an open network, put a"
        " proxy with TLS in front of it and set DEALT_PUBLIC_URL to its address."
    )


def _own_addresses(host: str) -> Iterator[str]:
    """Return the addresses of a server on this host."""
    if host not in EVERYWHERE:
        yield host
        return
    for family, elsewhere in ELSEWHERE.items():
        if family is socket.AF_INET6 and host != "::":
            return
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asks:
                asks.connect((elsewhere, 9))
                yield asks.getsockname()[0]
        except OSError:  # there is no route to the network with this address family
            continue


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _written(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
