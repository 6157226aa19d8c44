"""The command `dealt verify` checks a record on this machine, with nothing but the record."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec import json

if TYPE_CHECKING:
    from events.proof.facts import Finding, Report

HEAD: Final = r"[1-9][0-9]{0,9}:[0-9a-f]{64}"
WIDTH: Final = 100
CHANGED: Final = "This record is not what happened, or has been changed since."


class HeadParam(click.ParamType[tuple[int, str]]):
    """The parameter is a head that the user has kept."""

    name = "VERSION:DIGEST"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        import re

        if isinstance(value, tuple):
            return value
        if not re.fullmatch(HEAD, value):
            self.fail("write it as the version, a colon, and the 64 digits of the digest.", param, ctx)
        version, _, digest = value.partition(":")
        return int(version), digest


@click.command()
@click.argument("record", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--head", "heads", type=HeadParam(), multiple=True, help="A head that you kept; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def verify(record: Path, heads: tuple[tuple[int, str], ...], as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """Verify the RECORD of a match: a file, or - for the standard input.

    Needs no server, no network and no configuration. The exit code is 0 if all that can be checked holds, 1 if
    something does not, or if this is no record.
    """
    from api.cli import files
    from events import proof
    from events.proof import record as records

    try:
        read = records.read(files.text(record))
    except records.Unreadable as error:
        raise click.ClickException(f"{files.name(record)} cannot be read: {error}") from error
    except OSError as error:
        raise click.ClickException(f"{files.name(record)} cannot be read: {error.strerror}.") from error
    report = proof.verify(read.match.id, records.facts(read), records.claims(read, heads))
    if as_json:
        click.echo(json.format(json.encode(asdict(report))))
    else:
        click.echo("\n".join(report_lines(report, CHANGED)))
    sys.exit(0 if report.ok else 1)


def report_lines(report: "Report", wrong: str, what: str = "unknown game") -> Iterator[str]:
    """Tell a report to a person, line by line.

    `wrong` says what it means that it is not good, `what` stands for the game where none is known.
    """
    name = click.style(f"{report.game or what} {report.match}", bold=True)
    yield f"{name}, {report.version} events"
    yield f"head {report.version}:{report.head}"
    yield ""
    width = max(len(check.name) for check in report.checks)
    for check in report.checks:
        yield _line(check, width)
    yield ""
    left = [check.name for check in report.checks if check.skipped]
    if not report.ok:
        yield click.style(wrong, fg="red", bold=True)
    elif left:
        yield f"What could be checked holds; not checked: {', '.join(left)}."
    else:
        yield click.style("All of it holds.", fg="green", bold=True)


def _line(check: "Finding", width: int) -> str:
    sign, colour = ("✗", "red") if not check.ok else ("–", "yellow") if check.skipped else ("✓", "green")
    where = f"Event {check.seq}: " if check.seq is not None and not check.ok else ""
    indent = " " * (width + 5)
    text = click.wrap_text(where + check.detail, WIDTH, indent, indent)
    return f"  {click.style(sign, fg=colour)} {check.name:<{width}} {text.lstrip()}"
