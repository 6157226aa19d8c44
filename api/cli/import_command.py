"""The command `dealt import` imports records and hand histories of matches that were finished on other servers."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click
from msgspec import json, to_builtins

from api.cli.database import opened
from api.cli.keys_command import ring_of
from api.safe_text import clean
from api.terminal import record_files
from events.settings import Settings

if TYPE_CHECKING:
    from events.operations.imports import ImportedMatch, NotImported
    from events.operations.phh_imports import TakenHand
    from events.proof.keys import KeyRing
    from events.service.context import Context

HAND_HISTORIES: Final = (".phh", ".phhs")


@click.command("import")
@click.argument(
    "records", metavar="RECORD...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True)
)
@click.option("--public", "shown", flag_value="public", help="List the matches, whatever the records say.")
@click.option("--unlisted", "shown", flag_value="unlisted", help="Show the matches by their links alone.")
@click.option("--partial", is_flag=True, help="Import also what cannot be verified whole, as some was never disclosed.")
@click.option("--json", "as_json", is_flag=True, help="Tell of each record in one line of JSON.")
@click.pass_obj
def import_(
    given: Settings,
    records: tuple[Path, ...],
    shown: Literal["public", "unlisted"] | None,
    partial: bool,  # noqa: FBT001 -- an option's
    as_json: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Import the matches of RECORDs, files or - for the standard input, into the database at DATABASE_URL.

    A file that ends in .phh or .phhs holds hands of poker in the format Poker Hand History: each becomes a match, all
    of them or none.

    Each must be of a finished match that is not here yet, and is verified first. It can then be read and replayed here,
    marked as imported; its players are nobody's on this server, and nobody's results change. A match is as public as it
    was where it was played, but a private one is unlisted. The exit code is 1 if any record was not imported.
    """
    from events.errors import Unavailable
    from events.service.context import Context

    failed = False
    with closing(opened(given)) as store:
        if not store.ready():
            raise click.ClickException("The database cannot be reached, or needs `dealt migrate` first.")
        context, ring = Context(store), ring_of(given)
        for path in records:
            try:
                found = _taken(context, path, shown, ring, partial=partial)
            except Unavailable as error:
                raise click.ClickException(f"{record_files.name(path)} was not imported: {error}") from error
            for outcome in found:
                failed |= not outcome["imported"]
                if as_json:
                    click.echo(json.encode(outcome))
                else:
                    click.echo(" ".join(_line(outcome)), err=not outcome["imported"])
    sys.exit(1 if failed else 0)


def _taken(
    context: "Context", path: Path, shown: Literal["public", "unlisted"] | None, ring: "KeyRing", *, partial: bool
) -> list[dict[str, Any]]:
    """Import one record, or the hands of one document, and say what became of each."""
    from sqlalchemy.exc import DBAPIError

    from events.operations import phh_imports
    from events.operations.imports import NotImported, take

    try:
        text = record_files.text(path)
        if path.suffix.lower() in HAND_HISTORIES:
            return [_good(path, hand) for hand in phh_imports.take(context, text, shown)]
        return [_good(path, take(context, text, shown, partial=partial, ring=ring))]
    except NotImported as error:
        return [_bad(path, str(error), error)]
    except OSError as error:
        return [_bad(path, f"it cannot be read: {error.strerror}.")]
    except DBAPIError as error:
        return [_bad(path, f"the database does not take it: {type(error.orig).__name__}.")]


def _good(path: Path, taken: "ImportedMatch | TakenHand") -> dict[str, Any]:
    from events.proof.findings import in_json

    outcome: dict[str, Any] = {"record": record_files.name(path), "imported": True, **to_builtins(taken)}
    report = getattr(taken, "report", None)
    return outcome if report is None else {**outcome, "report": in_json(report)}


def _bad(path: Path, why: str, error: "NotImported | None" = None) -> dict[str, Any]:
    from events.proof.findings import in_json

    report = error.report if error else None
    return {
        "record": record_files.name(path),
        "imported": False,
        "detail": why,
        "report": in_json(report) if report else None,
    }


def _line(outcome: dict[str, Any]) -> Iterator[str]:
    if not outcome["imported"]:
        yield f"{outcome['record']}: {click.style('not imported', fg='red')}: {clean(outcome['detail'])}"
        return
    events = f"{outcome['version']} events, {outcome['visibility']}"
    yield f"{outcome['record']}: imported {outcome['game']} {outcome['match_id']} ({events})."
    if outcome["shut"]:
        yield f"{click.style('Not verified', fg='yellow')}: {clean(' '.join(outcome['shut']))}"
