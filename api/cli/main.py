"""The command `dealt` starts the parts of the service, and keeps its database in order.

This is where the parts meet: each command imports what it starts, when it starts.
"""

import fcntl
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from api.cli.database import existing, migrate_to, named, of_this_state, opened, shown, with_database
from api.cli.server_address import others, url
from api.http import logs
from domain.core.field_docs import field_docs
from events.settings import Settings, settings

if TYPE_CHECKING:
    from mmap import mmap

    from api.http.server import Served
    from events.service.context import Context
    from events.store.protocol import Store

log = logging.getLogger(__name__)

BROKERS = ("amqp", "amqps", "redis", "rediss")
BROKER_FORMS = "amqp://, amqps://, redis:// or rediss://"
PROJECTIONS = ("match", "seats", "turns", "results", "reliability", "due")

host_and_port = [
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0: a free one."),
]


def on_address(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --host and --port."""
    for option in reversed(host_and_port):
        command = option(command)
    return command


IN_MODULES = {
    "audit": ("audit_command", "audit"),
    "backup": ("backup_commands", "backup"),
    "cards": ("cards_command", "cards"),
    "import": ("import_command", "import_"),
    "keys": ("keys_command", "keys"),
    "play": ("play_command", "play"),
    "replay": ("replay_command", "replay"),
    "restore": ("backup_commands", "restore"),
    "verify": ("verify_command", "verify"),
}
"""The module in this folder and the function of each command that does not stand in this file."""


SERVICES = ("serve", "api", "worker", "scheduler")
"""These commands start a part of the service. They refuse to while an installed game is not admitted; others warn."""


class Commands(click.Group):
    """The group of all commands imports the module of one when it is asked for.

    It says in a sentence what the system refuses: a full disk, a file that is none.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *IN_MODULES])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in IN_MODULES:
            return super().get_command(ctx, cmd_name)
        module, function = IN_MODULES[cmd_name]
        command: click.Command = getattr(import_module(f"api.cli.{module}"), function)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command. Its output goes nowhere if there is no standard output, and never fails for a letter."""
        if sys.stdout is None:
            sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 -- it is open as long as the process
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # a terminal without a sign shows another in its place
                stream.reconfigure(errors="replace")
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {where}{error.strerror or str(error) or type(error).__name__}.", err=True)
            sys.exit(1)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Configuration is read from the environment (DATABASE_URL, BROKER_URL, DEALT_...);"
    " `dealt settings` lists it.",
)
@click.version_option(package_name="dealt")
@click.pass_context
def main(context: click.Context) -> None:
    """Card games played over REST: every move an event, every shuffle provable."""
    from domain.games.catalogue import REFUSED

    if context.invoked_subcommand not in SERVICES:
        for sentence in REFUSED:
            click.echo(f"Warning: {sentence}", err=True)
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

    check_games()
    check_bots()
    check_mail(given)
    given = replace(with_database(given), dealt_data=str((data or Path(given.dealt_data)).resolve()))
    with alone_in(Path(given.dealt_data)):
        given = usable(with_keys(of_this_state(given)))
        listener = taken(host, port)
        port = listener.getsockname()[1]
        address, more = url(host, port), others(given, host, port)
        server.serve(
            lambda: _all_in_one(given, address, more),
            listener,
            given,
            processes=1,
            access_log=given.dealt_log == "debug",
            grace_seconds=1,
        )


def _all_in_one(given: Settings, address: str, more: str = "") -> "Served":
    from api.app import create_app
    from api.http.server import Served
    from events import times
    from events.errors import Unavailable
    from events.notify import claims
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
            raise click.ClickException(f"{shown(given)} cannot be written to: {error}.") from error
    embedded = Embedded(given, store)
    app = create_app(given, store=store, woken=embedded.wake)
    watch = app.extensions["dealt"].watch
    embedded.moved = watch.hurry
    look_round(store, app.extensions["dealt"].context)
    greeting = (
        f"Dealt is served at {address}: open it to play, or {address}/docs to read and try.{more}\n"
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
    """Serve the API alone: DEALT_PROCESSES processes, which work on DEALT_THREADS requests each.

    Bots' moves and deadlines need `dealt worker` and `dealt scheduler` beside it.
    """
    from api.http import server
    from api.http.lookout import shared

    check_games()
    given = usable(existing(given))
    listener = taken(host, port)
    port = listener.getsockname()[1]
    address, more = url(host, port), others(given, host, port)
    warned = shared()
    server.serve(
        lambda: _api_alone(given, address, more, warned),
        listener,
        given,
        processes=given.dealt_processes,
        access_log=access_log,
        grace_seconds=5,
    )


def _api_alone(given: Settings, address: str, more: str, warned: "mmap") -> "Served":
    from api.app import create_app
    from api.http.lookout import Lookout
    from api.http.server import Served

    app = create_app(given)
    here = app.extensions["dealt"]
    look_round(here.store, here.context)
    lookout = Lookout(here.store, warned)
    greeting = f"The API of Dealt is served at {address}, from {named(given)}.{more}"
    return Served(app, up=lookout.start, last_call=here.watch.close, down=lookout.stop, greeting=greeting)


@main.command()
@click.pass_obj
def worker(given: Settings) -> None:
    """Play bots' turns and settle deadlines, as the broker at BROKER_URL brings the word.

    Runs DEALT_PROCESSES processes; any number of workers may run.
    """
    from workers import production as fleet

    check_games()
    check_bots()
    check_mail(given)
    given = with_broker(usable(existing(given)))
    log.info("working on %s", named(given))
    sys.exit(fleet.work(given))


@main.command()
@click.pass_obj
def scheduler(given: Settings) -> None:
    """Tell the broker at BROKER_URL of bots' turns and deadlines that are due.

    Any number may run: they agree through the database.
    """
    from workers import production as fleet

    check_games()
    given = with_broker(usable(existing(given)))
    log.info("dispatching from %s", named(given))
    fleet.schedule(given)


# --- The database -----------------------------------------------------------------------------------


@main.command()
@click.pass_obj
def migrate(given: Settings) -> None:
    """Bring the database's schema up to date.

    Connects as its owner, by MIGRATION_DATABASE_URL, and grants the role in DATABASE_URL what it needs.
    """
    migrate_to(with_database(given))
    click.echo(f"The schema of {named(given)} is up to date.")


@main.group()
def projections() -> None:
    """Manage the tables that are made from the log, and can be made anew."""


@projections.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice((*PROJECTIONS, "deal_groups")))
@click.pass_obj
def rebuild(given: Settings, names: tuple[str, ...]) -> None:
    """Make projections anew from the log, all or those named, while the service runs.

    NAME is one of match, seats, turns, results, reliability, due; or deal_groups.
    """
    from domain.core.guarded import GameFailed
    from events.errors import GameNotInstalled
    from events.operations.rebuild import rebuild_all, rebuild_kind
    from events.service.context import Context
    from events.service.kinds import KINDS
    from events.service.projections import rebuilt
    from events.store import tables
    from events.store.records import MATCH, CommitRow, Head, Projected

    store = opened(given)
    if not store.is_current():
        raise click.ClickException(
            f"{shown(given)} cannot be reached, or needs `dealt migrate` before its projections can be rebuilt."
        )
    context = Context(store)
    of_matches = [name for name in PROJECTIONS if name in (names or PROJECTIONS)]

    def project(head: Head, rows: list[CommitRow]) -> Projected:
        whole = rebuilt(context, head, rows)
        return Projected(**{name: getattr(whole, name) for name in of_matches})

    def match(number: int) -> None:
        # What stands beside a match that its game cannot read stays as it is.
        try:
            tables.projection_rows.rebuild(store, number, project)
        except GameNotInstalled:
            pass
        except GameFailed as failed:
            click.echo(f"\rmatch number {number} is left as it is, for its game has failed: {failed}", err=True)

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


# --- The rest ---------------------------------------------------------------------------------------


@main.command()
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
def openapi(file: IO[str]) -> None:
    """Write the description of the API as YAML, to FILE or to standard output."""
    from api.app import routed
    from api.http.openapi import written

    file.write(written(routed()))


@main.command("settings")
@click.pass_obj
def show_settings(given: Settings) -> None:
    """List what the environment may say, with the values that hold now."""
    docs = field_docs(Settings)
    for name in (field.name for field in fields(Settings)):
        value = getattr(given, name)
        shown = "(set)" if name.endswith(("url", "password", "signing_keys")) and value else value
        click.echo(f"{name.upper()} = {shown}")
        click.echo(click.wrap_text(docs[name], width=90, initial_indent="    ", subsequent_indent="    "))


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


def check_broker(url: str) -> None:
    """Raise `ValueError` unless this is the address of a broker."""
    from urllib.parse import urlsplit

    try:
        address = urlsplit(url)
        known = address.scheme in BROKERS and (address.port is None or address.port > 0)
        if known and address.scheme.startswith("redis"):
            known = re.fullmatch(r"/{0,2}\d{0,9}", address.path, re.ASCII) is not None
    except ValueError:
        known = False
    if not known:
        raise ValueError(
            f"BROKER_URL names no broker that Dealt can use; begin it with {BROKER_FORMS}, and end it with no more than"
            " the number of a database, if it is one of Redis."
        )


def usable(given: Settings) -> Settings:
    """Give the settings back if what their texts say can be read: the broker, the keys, and where webhooks may be."""
    from events.notify.addresses import allowed
    from events.proof.keys import key_ring

    try:
        if given.broker_url:
            check_broker(given.broker_url)
        allowed(given)
        key_ring(given)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    return given


def taken(host: str, port: int) -> Any:
    """Take the address, or say why it cannot be had."""
    from api.http.server import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror or error}.") from error


def with_keys(given: Settings) -> Settings:
    """Give settings that name keys to sign with: a file in the data directory, made now, unless others are named."""
    from events.proof import keys

    if given.dealt_signing_keys or given.dealt_signing_keys_file:
        return given
    path = Path(given.dealt_data) / keys.FILE
    keys.ensure(path)
    return replace(given, dealt_signing_keys_file=str(path))


def check_games() -> None:
    """Refuse to start a part of the service while an installed game breaks the contract."""
    from domain.games.catalogue import REFUSED

    if REFUSED:
        raise click.ClickException("\n".join(REFUSED))


def check_bots() -> None:
    """Refuse to start what plays bots' turns while the bot of an installed game cannot be loaded."""
    from workers.tasks.bot_turn_tasks import refused

    if sentences := refused():
        raise click.ClickException("\n".join(sentences))


def check_mail(given: Settings) -> None:
    """Refuse to start what sends mail while the password for it cannot be read."""
    from workers.tasks.mail_tasks import password

    try:
        password(given)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def look_round(store: "Store", context: "Context") -> None:
    """Warn if commits cannot be followed in their order, and warm up, where the database is there already."""
    from events.errors import Unavailable
    from events.service.warm import warm

    # The part that needs the database reports that it is missing.
    with suppress(Unavailable):
        if not store.is_current():
            return
        if not store.follow_is_sound():
            log.error("restored from another cluster: run `dealt migrate` before anything follows this database")
        warm(context)


@contextmanager
def alone_in(directory: Path) -> Iterator[IO[str]]:
    """Hold the data directory for this process and its children."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened_lock = (directory / "lock").open("w")
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(f"{directory} cannot be the data directory: {reason}.") from error
    with opened_lock as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise click.ClickException(f"another `dealt serve` is running on {directory}.") from error
        yield lock
