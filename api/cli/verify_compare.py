"""Compares two documents of one match for `dealt verify --compare`, and says what their difference proves."""

from pathlib import Path

import click
from msgspec import DecodeError, json

from api.safe_text import clean
from api.terminal import record_files
from events import proof
from events.proof import record as records
from events.proof.compare import Statement, compared, statement


def differ(one: Path, other: Path) -> bool:
    """Tell what two documents say of one match; gives whether they differ. Raises `ClickException`."""
    a, b = _statement(one), _statement(other)
    try:
        found = compared(a, b)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    if found.differs is None:
        click.echo(f"Both say the same of match {clean(found.match)}, as far as both speak: {found.common} versions.")
        return False
    click.secho(
        f"They tell different histories of match {clean(found.match)}, from event {found.differs} on.", fg="red"
    )
    if found.liar is None:
        click.echo("One key has not signed both, so this does not say who lied.")
    else:
        click.echo(f"{clean(found.liar)} has signed both with one key, {found.key}: it has lied to somebody.")
    return True


def _statement(path: Path) -> Statement:
    """Read a document. A record must hold by itself, for then its signed head covers all that is before it."""
    try:
        text = record_files.text(path)
        document = json.decode(text)
        if isinstance(document, dict) and "format" in document:
            _check(records.read(text))
        return statement(document)
    except OSError as error:
        raise click.ClickException(f"{record_files.name(path)} cannot be read: {error.strerror}.") from error
    except (DecodeError, ValueError, RecursionError, records.Unreadable) as error:
        raise click.ClickException(f"{record_files.name(path)} cannot be compared: {clean(str(error))}") from error


def _check(record: records.Record) -> None:
    """Raise `ValueError` for a record whose events do not lead to its head, or whose signature does not hold."""
    report = proof.verify(record.match.id, records.facts(record), records.claims(record))
    if fault := next((c for c in report.checks if not c.ok and c.name in ("chain", "signatures")), None):
        raise ValueError(f"It does not hold by itself: {fault.name}: {fault.detail}")
