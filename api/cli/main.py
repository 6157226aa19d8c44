"""The command `dealt` starts the parts of the service, and keeps its database in order.

This is where the parts meet: each command imports what it starts, when it starts.
"""

import ast
import fcntl
import inspect
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from api.cli import audit as audit_cli
from api.cli import imports as import_cli
from api.cli import replay as replay_cli
from api.cli import verify as verify_cli
from api.cli.database import of_this_state, opened, shown, with_database
from api.http import logs
from events.settings import Settings, settings
from events.store import tables

if TYPE_CHECKING:
    from api.http.server import Served
    from events.service.matches import Matches
    from events.store.protocol import Store

log = logging.getLogger(__name__)

PROJECTIONS = ("match", "seats", "turns", "results", "due")

host_and_port = [
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0: a free one."),
]


def on_address(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --host and --port."""
    for option in reversed(host_and_port):
        command = option(command)
    return command


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Configuration is read from the environment (DATABASE_URL, BROKER_URL, DEALT_...);"
    " `dealt settings` lists it.",
)
@click.version_option(package_name="dealt")
@click.pass_context
def main(context: click.Context) -> None:
    """Card games played over REST: every move an event, every shuffle provable."""
    from domain.games.catalogue import REFUSED

    if REFUSED:
        raise click.ClickException("\n".join(REFUSED))
    try:
        context.obj = settings()
        logs.set_up(context.obj.dealt_log)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


# --- Serving ----------------------------------------------------------------------------------------


@main.command()
@on_address
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for all state.  [default: data]",
)
@click.pass_obj
def serve(given: Settings, host: str, port: int, data: Path | None) -> None:
    """Serve API, worker and scheduler in one, on SQLite, with no other server.

    All state lies in the data directory and stays there between starts; or, if DATABASE_URL is set, in that database.
    Ctrl-C stops everything.
    """
    from api.http import server

    given = replace(with_database(given), dealt_data=str((data or Path(given.dealt_data)).resolve()))
    with alone_in(Path(given.dealt_data)):
        of_this_state(given)
        listener = taken(host, port)
        address = url(host, listener.getsockname()[1])
        server.serve(
            lambda: _all_in_one(given, address),
            listener,
            processes=1,
            threads=given.dealt_threads,
            access_log=given.dealt_log == "debug",
            grace_seconds=1,
        )


def _all_in_one(given: Settings, address: str) -> "Served":
    from api.http.app import create_app
    from api.http.server import Served
    from events.store.opening import open_store
    from workers.embedded import Embedded

    store = open_store(given.url)
    if not store.ready():
        migrate_to(given)
    embedded = Embedded(given, store)
    app = create_app(given, store=store, woken=embedded.wake)
    watch = app.extensions["dealt"].watch
    embedded.moved = watch.hurry
    look_round(store, app.extensions["dealt"].matches)
    greeting = (
        f"Dealt is served at {address} (to read and try: {address}/docs).\n"
        f"Everything is kept in {shown(given) if given.database_url else given.dealt_data}. Ctrl-C stops it."
    )
    return Served(app, up=embedded.start, last_call=watch.close, down=embedded.stop, greeting=greeting)


@main.command()
@on_address
@click.option(
    "--access-log/--no-access-log",
    default=True,
    show_default=True,
    help="Log each request's method and path.",
)
@click.pass_obj
def api(given: Settings, host: str, port: int, access_log: bool) -> None:  # noqa: FBT001 -- an option's
    """Serve the API alone: DEALT_PROCESSES processes of DEALT_THREADS threads.

    Bots' moves and deadlines need `dealt worker` and `dealt scheduler` beside it.
    """
    from api.http import server

    of_this_state(with_database(given))
    listener = taken(host, port)
    address = url(host, listener.getsockname()[1])
    server.serve(
        lambda: _api_alone(given, address),
        listener,
        processes=given.dealt_processes,
        threads=given.dealt_threads,
        access_log=access_log,
        grace_seconds=5,
    )


def _api_alone(given: Settings, address: str) -> "Served":
    from api.http.app import create_app
    from api.http.server import Served

    app = create_app(given)
    here = app.extensions["dealt"]
    look_round(here.store, here.matches)
    return Served(app, last_call=here.watch.close, greeting=f"The API of Dealt is served at {address}.")


@main.command()
@click.pass_obj
def worker(given: Settings) -> None:
    """Play bots' turns and settle deadlines, as the broker at BROKER_URL brings the word.

    Runs DEALT_PROCESSES processes; any number of workers may run.
    """
    from workers import production as fleet

    sys.exit(fleet.work(with_broker(of_this_state(with_database(given)))))


@main.command()
@click.pass_obj
def scheduler(given: Settings) -> None:
    """Tell the broker at BROKER_URL of bots' turns and deadlines that are due.

    Any number may run: they agree through the database.
    """
    from workers import production as fleet

    fleet.schedule(with_broker(of_this_state(with_database(given))))


# --- The database -----------------------------------------------------------------------------------


@main.command()
@click.pass_obj
def migrate(given: Settings) -> None:
    """Bring the database's schema up to date.

    Connects as its owner, by MIGRATION_DATABASE_URL, and grants the role in DATABASE_URL what it needs.
    """
    migrate_to(with_database(given))
    click.echo("The schema is up to date.")


def migrate_to(given: Settings) -> None:
    """Migrate the database of these settings."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import DBAPIError

    from events.store.migrate import MadeEarlier, migrate

    owner, user = make_url(given.migration_database_url or given.url), make_url(given.url)
    try:
        migrate(owner.render_as_string(hide_password=False), user.username if user != owner else None)
    except MadeEarlier as error:
        raise click.ClickException(f"{shown(given)} {error}") from error
    except DBAPIError as error:
        raise click.ClickException(f"{owner} cannot be brought up to date: {error.orig}") from error


@main.group()
def projections() -> None:
    """Manage the tables that are made from the log, and can be made anew."""


@projections.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice((*PROJECTIONS, "deal_groups")))
@click.pass_obj
def rebuild(given: Settings, names: tuple[str, ...]) -> None:
    """Make projections anew from the log, all or those named, while the service runs.

    NAME is one of match, seats, turns, results, due; or deal_groups.
    """
    from events.errors import GameNotInstalled
    from events.operations.rebuild import rebuild_all, rebuild_kind
    from events.service.kinds import KINDS
    from events.service.matches import Matches
    from events.store.records import MATCH, CommitRow, Head, Projected

    store = opened(given)
    if not store.ready():
        raise click.ClickException(
            f"{shown(given)} cannot be reached, or needs `dealt migrate` before its projections can be rebuilt."
        )
    matches = Matches(store)
    of_matches = [name for name in PROJECTIONS if name in (names or PROJECTIONS)]

    def project(head: Head, rows: list[CommitRow]) -> Projected:
        whole = matches.projected(head, rows)
        return Projected(**{name: getattr(whole, name) for name in of_matches})

    def match(number: int) -> None:
        with suppress(GameNotInstalled):  # what stands beside such a match stays as it is
            tables.projections.rebuild(store, number, project)

    if of_matches:
        _count("matches", rebuild_all(store, MATCH, match))
    for kind in KINDS.values():
        if not names or kind.table in names:
            _count(kind.table, rebuild_kind(store, kind))
    store.close()


def _count(what: str, rebuilt: Iterator[int]) -> None:
    """Say how many have been rebuilt, while they are."""
    done = 0
    for done in rebuilt:
        click.echo(f"\r{done} {what}", nl=False, err=True)
    click.echo(f"\r{done} {what} rebuilt", err=True)


main.add_command(verify_cli.verify)
main.add_command(audit_cli.audit)
main.add_command(replay_cli.replay)
main.add_command(import_cli.import_)


# --- The rest ---------------------------------------------------------------------------------------


@main.command()
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
def openapi(file: IO[str]) -> None:
    """Write the description of the API as YAML, to FILE or to standard output."""
    from api.http.app import routed
    from api.http.openapi import written

    file.write(written(routed()))


@main.command("settings")
@click.pass_obj
def show_settings(given: Settings) -> None:
    """List what the environment may say, with the values that hold now."""
    for name, meaning in described(Settings):
        value = getattr(given, name)
        shown = "(set)" if name.endswith(("url", "password")) and value else value
        click.echo(f"{name.upper()} = {shown}")
        click.echo(click.wrap_text(meaning, width=90, initial_indent="    ", subsequent_indent="    "))


def described(table: type) -> Iterator[tuple[str, str]]:
    """Give the fields of a class with the docstrings that its source has below each."""
    body = ast.parse(inspect.getsource(table)).body[0].body  # type: ignore[attr-defined]
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            yield field.target.id, " ".join(ast.literal_eval(below.value).split())


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bench(arguments: tuple[str, ...]) -> None:
    """Measure, and compare with what the machine can do; see `dealt bench --help`."""
    try:
        measurements = import_module("bench")
    except ImportError as error:
        raise click.ClickException(
            f"the measurements need the source tree and its bench dependencies ({error}): python3 dev.py bench"
        ) from error
    sys.exit(measurements.main(list(arguments)))


# --- What commands share ----------------------------------------------------------------------------


def with_broker(given: Settings) -> Settings:
    """Give the settings back if they name a broker."""
    if not given.broker_url:
        raise click.ClickException("BROKER_URL is not set; without a broker, `dealt serve` does it all in one.")
    return given


def taken(host: str, port: int) -> Any:
    """Take the address, or say why it cannot be had."""
    from api.http.server import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}.") from error


def look_round(store: "Store", matches: "Matches") -> None:
    """Warn if commits cannot be followed in their order, and warm up, where the database is there already."""
    from events.errors import Unavailable

    # The part that needs the database reports that it is missing.
    with suppress(Unavailable):
        if not store.ready():
            return
        if not store.follow_is_sound():
            log.error("restored from another cluster: run `dealt migrate` before anything follows this database")
        matches.warm()


def url(host: str, port: int) -> str:
    """Write the address for a person's browser."""
    written = f"[{host}]" if ":" in host else host
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, written)  # noqa: S104 -- a name
    return f"http://{name}:{port}"


@contextmanager
def alone_in(directory: Path) -> Iterator[IO[str]]:
    """Hold the data directory for this process and its children."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise click.ClickException(f"{directory} cannot be the data directory: {reason}.") from error
    with (directory / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise click.ClickException(f"another `dealt serve` is running on {directory}.") from error
        yield lock
