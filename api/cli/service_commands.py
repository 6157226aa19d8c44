"""The commands that start a part of the service: `dealt serve`, `api`, `worker` and `scheduler`.

Each imports what it starts when it starts.
"""

import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli.database import describe_database, existing, migrate_to, of_this_state, safe_url, with_database
from api.cli.metric_files import shared_figures
from api.cli.server_address import reachability_lines, url
from api.cli.start_checks import (
    alone_in,
    bind_address,
    check_bots,
    check_games,
    check_mail,
    usable,
    warm_up,
    with_broker,
    with_keys,
)
from events.settings import Settings

if TYPE_CHECKING:
    from mmap import mmap

    from api.http.metrics import Metrics
    from api.http.server import Served
    from events.service.server_load import ServerLoad

log = logging.getLogger(__name__)

_HOST_AND_PORT = [
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option(
        "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 means any free one."
    ),
]


def _on_address(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --host and --port."""
    for option in reversed(_HOST_AND_PORT):
        command = option(command)
    return command


@click.command()
@_on_address
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for all state.  [default: data]",
)
@click.pass_obj
def serve(given: Settings, host: str, port: int, data: Path | None) -> None:
    """Run API, worker and scheduler in one process.

    All state is in the data directory (SQLite), or in the database at DATABASE_URL. Ctrl-C stops everything.

    Example: dealt serve --port 8080
    """
    from api.http import server

    check_games()
    check_bots()
    check_mail(given)
    given = replace(with_database(given), dealt_data=str((data or Path(given.dealt_data)).resolve()))
    with alone_in(Path(given.dealt_data)):
        given = usable(with_keys(of_this_state(given)))
        listener = bind_address(host, port)
        port = listener.getsockname()[1]
        address, more = url(host, port), reachability_lines(given, host, port)
        server.serve(
            lambda: all_in_one(given, address, more),
            listener,
            given,
            server.Processes(count=1, access_log=given.dealt_log == "debug", grace_seconds=1),
        )


def all_in_one(given: Settings, address: str, more: str = "") -> "Served":
    """Make the API, worker and scheduler of one process, with a greeting of the address and what is to say `more`."""
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
    store = open_store(given.url)
    if not store.is_current():
        migrate_to(given)
    if not given.database_url:
        # This process holds the lock of the directory: every process that had claimed anything is dead.
        try:
            claims.end_all(store, times.now())
        except Unavailable as error:
            raise click.ClickException(f"{safe_url(given)} cannot be written to: {error}.") from error
    at_work = UptimeBeats(store, "serve")
    embedded = Embedded(given, store, at_work.beat)
    app = create_app(given, store=store, woken=embedded.wake, make_metrics=_make_metrics(given))
    poller = app.extensions["dealt"].poller
    embedded.moved = poller.hurry
    warm_up(store, app.extensions["dealt"].context)
    greeting = (
        f"Dealt is served at {address}: open {address}/play to play, or {address}/docs to read and try.{more}\n"
        f"Everything is kept in {safe_url(given) if given.database_url else given.dealt_data}. Ctrl-C stops it."
    )

    def up() -> None:
        at_work.start()
        embedded.start()

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
    from api.http import server
    from api.http.late_work_alarm import shared_warning_flag

    check_games()
    given = usable(existing(given))
    listener = bind_address(host, port)
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
    warm_up(here.store, here.context)
    alarm = LateWorkAlarm(here.store, warned)
    at_work = UptimeBeats(here.store, "api")
    greeting = f"The API of Dealt is served at {address}, from {describe_database(given)}.{more}"

    def up() -> None:
        at_work.start()
        alarm.start()

    def last_call() -> None:
        at_work.refuse_requests()
        here.poller.close()

    def down() -> None:
        alarm.stop()
        at_work.stop()

    return Served(app, up=up, last_call=last_call, down=down, greeting=greeting)


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
    from workers import production as fleet

    check_games()
    check_bots()
    check_mail(given)
    given = with_broker(usable(existing(given)))
    log.info("working on %s", describe_database(given))
    sys.exit(fleet.work(given))


@click.command()
@click.pass_obj
def scheduler(given: Settings) -> None:
    """Dispatch due work to the broker.

    You can run any number of schedulers: they coordinate through the database.

    Example: dealt scheduler
    """
    from workers import production as fleet

    check_games()
    given = with_broker(usable(existing(given)))
    log.info("dispatching from %s", describe_database(given))
    fleet.schedule(given)
