"""Compares two documents of one history for `dealt verify --compare`, and reports what their difference proves."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click
from msgspec import json

from api.safe_text import remove_controls
from api.terminal import record_files
from events.proof.compare import Comparison, Incomparable, compare_statements
from events.proof.signed_heads import KnownKey
from events.proof.statements import Statement, Unclear, statement

SAME: Final = 0
CONVICTED: Final = 1
INCOMPARABLE: Final = 3
DIFFERENT: Final = 4
"""The documents contradict each other, and no server is convicted."""


def compare(one: Path, other: Path, keys: Sequence[KnownKey], *, as_json: bool) -> int:
    """Report the comparison of two documents; return the exit code."""
    try:
        found = compare_statements(_statement(one), _statement(other), keys)
    except (Incomparable, Unclear) as error:
        click.echo(_incomparable(str(error), as_json=as_json), err=not as_json)
        return INCOMPARABLE
    click.echo(json.format(json.encode(asdict(found))).decode() if as_json else "\n".join(_lines(found)))
    if found.difference is None:
        return SAME
    return DIFFERENT if found.liar is None else CONVICTED


def _incomparable(why: str, *, as_json: bool) -> str:
    return (
        json.encode({"incomparable": why}).decode() if as_json else f"They cannot be compared. {remove_controls(why)}"
    )


def _lines(found: Comparison) -> list[str]:
    what = remove_controls(found.what)
    if found.difference is None:
        return [f"Both agree on {what} in all {found.common} versions that they have in common."]
    colour = "yellow" if found.liar is None else "red"
    return [click.style(f"{what}: {remove_controls(found.difference)}", fg=colour), remove_controls(found.verdict)]


def _statement(path: Path) -> Statement:
    """Read a document. Raises `Unclear`."""
    try:
        return statement(record_files.text(path))
    except OSError as error:
        raise Unclear(f"{record_files.name(path)} cannot be read: {error.strerror}.") from error
    except Unclear as error:
        raise Unclear(f"{record_files.name(path)}: {error}") from error
