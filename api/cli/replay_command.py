"""The command `dealt replay` steps through a match in the terminal, or prints its log in a pipe."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from api.cli.verify_command import KeyParam

if TYPE_CHECKING:
    from api.terminal.replay_player import Bookmark, Tape
    from events.proof.signed_heads import KnownKey


@click.command()
@click.argument("what", metavar="RECORD|MATCH")
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="Address of the server of a MATCH.")
@click.option("--token", envvar="DEALT_TOKEN", help="Your token at the server.  [env: DEALT_TOKEN]")
@click.option(
    "--key",
    "keys",
    type=KeyParam(),
    multiple=True,
    help="Keys of the server that signed a RECORD, as in `dealt verify`.",
)
@click.option("--seat", help="The view: a seat, `spectators`, or `all` disclosed cards.")
@click.option("--from", "first", metavar="MARK", help="The first event: 57, hand:3 or trick:2.7.")
@click.option("--to", "last", metavar="MARK", help="The last event of the printed log.")
@click.option("--plain", is_flag=True, help="Print the log, as when the output is a pipe.")
@click.option("--ascii", "letters", is_flag=True, help="Use ASCII only.")
@click.pass_context
def replay(
    context: click.Context,
    what: str,
    server: str,
    token: str | None,
    keys: "tuple[tuple[KnownKey, ...], ...]",
    seat: str | None,
    first: str | None,
    last: str | None,
    plain: bool,  # noqa: FBT001 -- an option's
    letters: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Step through a match, from any seat.

    RECORD is a file, or - for standard input; MATCH is an id or an address. Into a pipe, the command prints the log. It
    verifies the record first: that of a MATCH with the keys of its server, that of a file with the keys in --key. Press
    ? for the list of keys.

    Example: dealt replay record.json
    """
    from rich.console import Console

    from api.terminal.plain import log_text
    from api.terminal.replay_player import first_reader

    named = [key for some in keys for key in some]
    tape = _tape(what, server, token, named, everywhere=context.get_parameter_source("token") is not _ENVIRONMENT)
    reader = first_reader(tape) if seat is None else seat
    if reader not in tape.readers:
        raise click.BadParameter(f"one of {', '.join(tape.readers)}", param_hint="--seat")
    begin = _mark(tape, first, "--from")
    console = Console(highlight=False)
    if not plain and console.is_terminal and not console.is_dumb_terminal and has_keys():
        from api.terminal.steps import TapePosition
        from api.terminal.tty import step_through

        position = TapePosition(begin.version if begin else 1, reader)
        step_through(tape, position, console, signs=not letters and shows_signs(console.encoding))
        return
    end = _mark(tape, last, "--to")
    if begin and end and end.last < begin.first:
        raise click.BadParameter(f"{last} is before {first}.", param_hint="--to")
    lines = log_text(tape, reader, begin.first if begin else 1, end.last if end else None)
    for line in lines:
        click.echo(line.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8"))


_ENVIRONMENT = click.core.ParameterSource.ENVIRONMENT


def _tape(what: str, server: str, token: str | None, named: "list[KnownKey]", *, everywhere: bool) -> "Tape":
    """Get the record, verify it with the named keys or those of its server, and prepare it."""
    from rich.console import Console

    from api.safe_text import remove_controls
    from api.terminal.replay_player import Tape
    from api.terminal.source import NotThere, keys_for, text_of
    from events import proof
    from events.proof.findings import Evidence
    from events.proof.record import Unreadable, claims, facts, read_record

    try:
        text = text_of(what, server, token, token_for_all=everywhere)
        with Console(stderr=True).status("Verifying the record ..."):
            record = read_record(text)
            trusted = [*named, *keys_for(what, server)]
            return Tape(
                record, proof.verify_match(record.match.id, facts(record), claims(record, Evidence(keys=trusted)))
            )
    except NotThere as error:
        raise click.ClickException(remove_controls(str(error))) from error
    except Unreadable as error:
        raise click.ClickException(remove_controls(f"{what} cannot be replayed: {error}")) from error


def _mark(tape: "Tape", at: str | None, option: str) -> "Bookmark | None":
    try:
        return None if at is None else tape.find(at)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from error


def has_keys() -> bool:
    """Return whether there is a keyboard: the standard input may be the record."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


def shows_signs(encoding: str) -> bool:
    """Return whether the terminal can show symbols.

    In the C locale, Python uses UTF-8 anyway, and the terminal may not.
    """
    locale: Any = os.environ.get("LC_ALL")
    return encoding.lower().startswith("utf") and locale not in ("C", "POSIX")
