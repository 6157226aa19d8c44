"""The command `dealt archive` moves finished matches out of the database, into files."""

import fcntl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click

from api.cli.backup_commands import in_a_sentence
from api.cli.database import open_command_store
from api.cli.keys_command import ring_of
from api.safe_text import remove_controls
from events.settings import Settings

DAY_MS: Final = 24 * 3600 * 1000

LISTED: Final = 20
"""Maximum number of matches that stay, in the output."""


@click.command()
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(0),
    default=90,
    show_default=True,
    help="Days since the end of a match.",
)
@click.pass_obj
def archive(given: Settings, days: int) -> None:
    """Move finished matches from the database to files.

    The service can keep running. Archived matches are listed, replayed and audited as before. Each match is audited as
    it is written, and stays in the database if a check fails or cannot be made.

    The files are in DEALT_ARCHIVE, which every process of the server needs. Connects as the owner, with
    MIGRATION_DATABASE_URL. A run that was killed is continued by the next one.

    Example: dealt archive --older-than 30
    """
    from events import times
    from events.operations.archiving import Archived, archive_matches
    from events.store.opening import open_store
    from events.store.tables import archived_rows

    with closing(open_command_store(given)) as store:
        if not store.schema_fits():
            raise click.ClickException("The database cannot be reached, or needs `dealt migrate` first.")
    folder, total = given.archive_folder, Archived()
    with (
        in_a_sentence(),
        only_run_in(folder),
        closing(open_store(given.migration_database_url or given.url)) as store,
    ):
        if not archived_rows.may_detach(store):
            raise click.ClickException(
                "The role in DATABASE_URL cannot remove matches from the log. Set MIGRATION_DATABASE_URL."
            )
        for total in archive_matches(store, times.now() - days * DAY_MS, ring_of(given)):
            click.echo(f"{total.files[-1]} is complete.")
    click.echo(f"{total.matches:,} matches were archived in {folder}.")
    for match_id, why in list(total.kept.items())[:LISTED]:
        click.echo(f"{remove_controls(match_id)} stays in the database: {remove_controls(why)}", err=True)
    if len(total.kept) > LISTED:
        click.echo(f"… and {len(total.kept) - LISTED:,} more.", err=True)


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Create a directory if it is missing, and keep other runs out of it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise click.ClickException(f"another `dealt archive` is running on {folder}.") from error
        yield
