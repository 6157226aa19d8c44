"""The command `dealt import` imports records and hand histories of matches that were finished on other servers."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click
from msgspec import json, to_builtins

from api.cli.database import open_command_store
from api.cli.keys_command import ring_of
from api.safe_text import remove_controls
from api.terminal import record_files
from events.settings import Settings

if TYPE_CHECKING:
    from events.operations.imports import ImportedMatch, NotImported
    from events.operations.phh_imports import TakenHand
    from events.proof.keys import KeyRing
    from events.service.context import Context

HAND_HISTORIES: Final = (".phh", ".phhs")
STATUSES: Final = ("imported", "duplicate", "unsupported", "malformed")
"""The outcomes of importing a hand."""


def _unit(_: click.Context, __: click.Parameter, given: str | None) -> Decimal | None:
    from events.formats.phh.chip_amounts import read_unit

    try:
        return None if given is None else read_unit(given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command("import")
@click.argument(
    "records", metavar="RECORD...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True)
)
@click.option("--public", "shown", flag_value="public", help="Make the matches public, regardless of the records.")
@click.option(
    "--unlisted", "shown", flag_value="unlisted", help="Make the matches visible only to people with the link."
)
@click.option("--partial", is_flag=True, help="Also import records that can only be verified in part.")
@click.option("--unit", metavar="AMOUNT", callback=_unit, help="The value of a chip in hand histories, such as 0.01.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line per record.")
@click.pass_obj
def import_(
    given: Settings,
    records: tuple[Path, ...],
    shown: Literal["public", "unlisted"] | None,
    partial: bool,  # noqa: FBT001 -- an option's
    unit: Decimal | None,
    as_json: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Import records and poker hands.

    A RECORD is a file, or - for standard input. A file that ends in .phh or .phhs has poker hands in the Poker Hand
    History format. Each hand becomes a match, or is refused as duplicate, unsupported or malformed, with the reason. A
    summary follows. Amounts are whole chips, unless --unit sets the value of a chip.

    Any other file is the record of a finished match, which is verified first. You can then read and replay the match,
    marked as imported. It belongs to no accounts of this server, and changes no results. It keeps its visibility, but a
    private match becomes unlisted.

    The exit code is 0 if every match was imported, and 1 otherwise, even for duplicates.

    Example: dealt import record.json
    """
    from events.errors import Unavailable
    from events.service.context import Context

    failed = False
    with closing(open_command_store(given)) as store:
        if not store.ready():
            raise click.ClickException("The database cannot be reached, or needs `dealt migrate` first.")
        context, ring = Context(store), ring_of(given)
        for path in records:
            hands = path.suffix.lower() in HAND_HISTORIES
            found = (
                _hands(context, path, shown, unit) if hands else _record(context, path, shown, ring, partial=partial)
            )
            try:
                for outcome in _within_reach(path, found):
                    failed |= not outcome.get("imported", True)
                    if as_json:
                        click.echo(json.encode(outcome))
                    else:
                        click.echo(" ".join(_line(outcome)), err=not outcome.get("imported", True))
            except Unavailable as error:
                raise click.ClickException(f"{record_files.name(path)} was not imported: {error}") from error
    sys.exit(1 if failed else 0)


Outcome = dict[str, Any]
"""The outcome of a record or of a hand; or a `summary` of the hands of a file, which has no `imported`."""


def _within_reach(path: Path, found: Iterator[Outcome]) -> Iterator[Outcome]:
    """Pass on the outcomes of a file, with one more if it cannot be read or the database refuses it."""
    from sqlalchemy.exc import DBAPIError

    from events.operations.imports import NotImported

    try:
        yield from found
    except NotImported as error:
        yield _failed_outcome(path, str(error), error)
    except OSError as error:
        yield _failed_outcome(path, f"it cannot be read: {error.strerror}.")
    except DBAPIError as error:
        yield _failed_outcome(path, f"the database rejected it: {type(error.orig).__name__}.")


def _record(
    context: "Context", path: Path, shown: Literal["public", "unlisted"] | None, ring: "KeyRing", *, partial: bool
) -> Iterator[Outcome]:
    from events.operations.imports import import_record

    yield _imported_outcome(path, import_record(context, record_files.text(path), shown, partial=partial, ring=ring))


def _hands(
    context: "Context", path: Path, shown: Literal["public", "unlisted"] | None, unit: Decimal | None
) -> Iterator[Outcome]:
    """Import the hands of a document, and sum up the outcomes if there are several."""
    from events.operations import phh_imports
    from events.operations.imports import NotImported

    summary = Counter[str]()
    try:
        for hand in phh_imports.import_hands(context, record_files.text(path), shown, unit):
            if isinstance(hand, phh_imports.TakenHand):
                summary["imported"] += 1
                yield {**_imported_outcome(path, hand), "status": "imported"}
            else:
                summary[hand.status] += 1
                yield {**_failed_outcome(path, hand.detail), "hand": hand.hand, "status": hand.status}
    except NotImported as error:
        summary["malformed"] += 1
        yield {**_failed_outcome(path, str(error), error), "status": "malformed"}
    if summary.total() > 1:
        yield {"record": record_files.name(path), "summary": {status: summary[status] for status in STATUSES}}


def _imported_outcome(path: Path, taken: "ImportedMatch | TakenHand") -> Outcome:
    from events.proof.findings import in_json

    outcome: Outcome = {"record": record_files.name(path), "imported": True, **to_builtins(taken)}
    report = getattr(taken, "report", None)
    return outcome if report is None else {**outcome, "report": in_json(report)}


def _failed_outcome(path: Path, why: str, error: "NotImported | None" = None) -> Outcome:
    from events.proof.findings import in_json

    report = error.report if error else None
    return {
        "record": record_files.name(path),
        "imported": False,
        "detail": why,
        "report": in_json(report) if report else None,
    }


def _line(outcome: Outcome) -> Iterator[str]:
    name = outcome["record"]
    if "summary" in outcome:
        yield f"{name}: {', '.join(f'{count} {status}' for status, count in outcome['summary'].items())}."
        return
    if hand := outcome.get("hand"):
        name = f"{name}, hand {remove_controls(hand[:40])}"
    if not outcome["imported"]:
        status = f" ({outcome['status']})" if "status" in outcome else ""
        yield f"{name}: {click.style(f'not imported{status}', fg='red')}: {remove_controls(outcome['detail'])}"
        return
    events = f"{outcome['version']} events, {outcome['visibility']}"
    yield f"{name}: imported {outcome['game']} {outcome['match_id']} ({events})."
    yield from map(remove_controls, outcome.get("assumed", ()))
    if outcome["shut"]:
        yield f"{click.style('Not verified', fg='yellow')}: {remove_controls(' '.join(outcome['shut']))}"
