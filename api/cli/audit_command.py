"""The command `dealt audit` verifies what is stored, a few matches or all of them, while the service runs."""

import os
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import json

from api.cli.database import open_command_store
from api.cli.keys_command import ring_of
from api.cli.verify_command import STRICT, HeadParam, exit_code, report_lines
from api.safe_text import remove_controls
from events.settings import Settings

if TYPE_CHECKING:
    from events.proof.findings import Verdict
    from events.proof.keys import KeyRing
    from events.store.protocol import Store

INTERRUPTED: Final = 130
CHANGED: Final = "Audit failed: the stored data was altered."


@click.command()
@click.argument("match_ids", metavar="[MATCH]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Audit all streams in the database.")
@click.option(
    "--head",
    "heads",
    type=HeadParam(),
    multiple=True,
    help="A head of MATCH that you saved; repeatable.",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for --all.  [default: one for each core]")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --all: list each stream in this file, and audit only matches that have changed since.",
)
@click.option("--full", is_flag=True, help="With --journal: audit all matches again.")
@STRICT
@click.option("--json", "as_json", is_flag=True, help="Print one report per line, as JSON.")
@click.pass_obj
def audit(
    given: Settings,
    match_ids: tuple[str, ...],
    every: bool,  # noqa: FBT001 -- an option's
    heads: tuple[tuple[int, str], ...],
    jobs: int | None,
    journal: Path | None,
    full: bool,  # noqa: FBT001 -- an option's
    strict: bool,  # noqa: FBT001 -- an option's
    as_json: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Audit matches in the database.

    Runs all checks of a record, and includes secrets that are not disclosed. Also checks that the holder of a match's
    secrets wrote every commit, and that the projections follow from the log. The service can keep running.

    The exit code is 0 if all is right, 1 if a check fails, and 130 after Ctrl-C. It is 3 if a check is not possible
    here: the game is not installed, its rules have another version, or an imported match does not disclose its cards.

    With --journal, a match is audited again only if anything stored of it has changed since. Keep a copy of
    the journal on another machine.

    Example: dealt audit --all --journal audited.jsonl
    """
    one_by_one = bool(match_ids)
    if (
        every == one_by_one
        or (one_by_one and (journal or jobs))
        or (heads and len(match_ids) != 1)
        or full > bool(journal)
    ):
        raise click.UsageError(
            "Name one or more matches, or use --all, optionally with --jobs, --journal and --full. Use --head with one"
            " match."
        )
    from api.cli.audit_all import JournalFile, audit_all
    from events.errors import Unavailable

    ring = ring_of(given)
    with closing(open_command_store(given)) as store:
        if not store.schema_fits():
            raise click.ClickException("The database cannot be reached, or needs `dealt migrate` first.")
        try:
            if every:
                files = JournalFile(journal, full)
                verdict = audit_all(store, given.url, jobs or os.cpu_count() or 1, files, ring, as_json=as_json)
            else:
                verdict = _audit_matches(store, match_ids, heads, ring, as_json=as_json)
        except Unavailable as error:
            raise click.ClickException(f"The database does not answer: {error}") from error
    sys.exit(INTERRUPTED if verdict is None else exit_code(verdict, strict=strict))


def _worst(verdicts: Iterable["Verdict"]) -> "Verdict":
    """Return the overall verdict: a failure comes first, then a match that cannot be judged."""
    found = set(verdicts)
    return "failed" if "failed" in found else "unverifiable" if "unverifiable" in found else "verified"


def _audit_matches(
    store: "Store", match_ids: Iterable[str], heads: tuple[tuple[int, str], ...], ring: "KeyRing", *, as_json: bool
) -> "Verdict":
    from events.operations.audit_streams import audit_stream as audited
    from events.proof.findings import in_json
    from events.proof.own_keys import by_own_keys

    verdicts: list[Verdict] = []
    for i, match_id in enumerate(match_ids):
        report = audited(store, match_id, heads)
        report = report and by_own_keys(report, ring)
        if report is None:
            click.echo(f"There is no match {remove_controls(match_id)}.", err=True)
        elif as_json:
            click.echo(json.encode(in_json(report)))
        else:
            click.echo("\n" * (i > 0) + "\n".join(report_lines(report, CHANGED, _name_subject(store, match_id))))
        verdicts.append(report.verdict if report else "failed")
    return _worst(verdicts)


def _name_subject(store: "Store", stream_id: str) -> str:
    """Return the subject of a report without a known game."""
    from events.store.records import MATCH
    from events.store.tables import stored_rows

    kind = stored_rows.kind_of(store, stream_id)
    return "unknown game" if kind is None or kind == MATCH else kind.replace("_", " ")
