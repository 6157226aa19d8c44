"""The commands `dealt backup` and `dealt restore`: a whole database to one file, and back."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli.audit_command import INTERRUPTED
from api.cli.database import migrate_to, open_command_store, safe_url, with_database
from api.cli.keys_command import ring_of
from api.cli.verify_command import KeyParam, exit_code
from events.settings import Settings

if TYPE_CHECKING:
    from events.notify.restored import Missed
    from events.operations.manifests import Manifest
    from events.proof.keys import KeyRing
    from events.proof.signed_heads import KnownKey

file_argument = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


def manifest_of(file: Path) -> Path:
    """Return the name of an archive's manifest."""
    return file.with_name(file.name + ".manifest")


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Print an error in one sentence, and exit with 1."""
    from sqlalchemy.exc import DBAPIError

    from events.errors import Unavailable
    from events.operations.manifests import Unfit
    from events.store.archive import NotEmpty

    try:
        yield
    except (NotEmpty, Unfit) as error:
        raise click.ClickException(str(error)) from error
    except Unavailable as error:
        raise click.ClickException(f"The database does not answer: {error}") from error
    except DBAPIError as error:
        raise click.ClickException(f"The database refused: {error.orig}") from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'the file'}: {error.strerror or error}.") from error


@click.command()
@file_argument
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for the audit.  [default: one for each core]")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="List each stream in this file, and audit only matches that have changed since.",
)
@click.pass_obj
def backup(given: Settings, file: Path, jobs: int | None, journal: Path | None) -> None:
    """Back up the database to FILE.

    The service can keep running. FILE is an SQLite database with everything at one moment, even if the service uses
    PostgreSQL. FILE.manifest lists its contents. FILE holds all secrets, and only its owner can read it.

    FILE exists only after a successful audit. If the audit finds a fault, the exit code is 1, and both files are kept
    as FILE.failed, which `dealt restore` also accepts. --journal is that of `dealt audit`.

    Example: dealt backup /backups/dealt-2026-11-22
    """
    from events.operations import manifests
    from events.store import archive, archive_mark
    from events.store.tables import archived_rows

    failed, draft = unfinished_archive_path(file, "failed"), unfinished_archive_path(file, "unaudited")
    with closing(open_command_store(given)) as store, in_a_sentence():
        ring = ring_of(given)
        schema = store.schema()
        if not (schema and schema.is_known and schema.fits):
            raise click.ClickException(
                f"{safe_url(given)} cannot be reached, or was created by another version of Dealt."
                " Run the backup with that version."
            )
        for path in (file, manifest_of(file), failed, manifest_of(failed)):
            if path.exists():
                raise click.ClickException(f"{path} already exists.")
        elsewhere = archived_rows.count_archived(store)
        with dropped_unless_done(draft):
            archive.write_archive(given.url, draft)
            code = audit_database(f"sqlite:///{draft}", jobs, ring, journal)
            if code == INTERRUPTED:
                click.echo(f"Interrupted: {file} was not written.", err=True)
                sys.exit(code)
            archive_mark.mark(draft)
            kept = failed if code else file
            about = manifests.write_manifest(manifest_of(kept), draft, ring)
            draft.rename(kept)
    click.echo(
        f"{about.streams:,} streams of {safe_url(given)} were saved in {kept} and listed in {manifest_of(kept)}."
    )
    if elsewhere:
        click.echo(f"The logs of {elsewhere:,} archived matches are not in it. Copy {given.archive_folder} too.")
    if code:
        click.echo(f"The audit found faults, so the backup is in {kept}, not in {file}.", err=True)
    sys.exit(code)


def unfinished_archive_path(file: Path, state: str) -> Path:
    """Return the name of the draft of an archive."""
    return file.with_name(f"{file.name}.{state}")


@contextmanager
def dropped_unless_done(draft: Path) -> Iterator[None]:
    """Delete the draft file and SQLite's journal files, unless the draft was renamed."""
    if draft.exists():
        raise click.ClickException(f"{draft} already exists.")
    try:
        yield
    finally:
        for beside in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + beside).unlink(missing_ok=True)


@click.command()
@file_argument
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for the audit.  [default: one for each core]")
@click.option("--key", "keys", type=KeyParam(), multiple=True, help="Key that must have signed the manifest.")
@click.pass_obj
def restore(given: Settings, file: Path, jobs: int | None, keys: "tuple[tuple[KnownKey, ...], ...]") -> None:
    """Load a backup into an empty database.

    The target is the database at DATABASE_URL, or an empty data directory. On PostgreSQL, the command connects with
    MIGRATION_DATABASE_URL. It compares all streams with FILE.manifest, and audits them. The exit code is 1 if they
    differ.

    Notifications that were pending at the time of the backup count as missed, so that none is sent twice. The command
    reports their number. Without --key, anyone who can write the files can forge an unsigned manifest.

    Example: dealt restore /backups/dealt-2026-11-22 --key keys.json
    """
    from events import times
    from events.notify.restored import quieten
    from events.operations import manifests
    from events.store import archive

    with_database(given)
    with in_a_sentence():
        about, lines = manifests.read_manifest(manifest_of(file))
        if manifests.digest(file) != about.sha256:
            raise click.ClickException(f"{file} does not match {manifest_of(file)}.")
        if keys and (about.signed is None or about.signed.key not in {key.key for row in keys for key in row}):
            raise click.ClickException(f"{vouching(about)} None of the keys in --key has signed it.")
        target = archive.file_of(given.url)
        if target is None:
            migrate_to(given)
        else:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            archive.load_archive(file, given.migration_database_url or given.url)
        except archive.NotEmpty as error:
            raise click.ClickException(
                f"{safe_url(given)} is not empty, so nothing was written. Restore into an empty database."
            ) from error
        manifests.compare(lines, given.url)
        with closing(open_command_store(given)) as store:
            missed = quieten(store, times.now())
    click.echo(
        f"{about.streams:,} streams of {about.made_at} were restored to {safe_url(given)}."
        f" They match {manifest_of(file)}."
    )
    for line in (vouching(about), *unsent(missed)):
        click.echo(line)
    sys.exit(audit_database(given.url, jobs, ring_of(given)))


def vouching(about: "Manifest") -> str:
    """Return in words who signed a manifest."""
    if about.signed is None:
        return "The manifest is not signed."
    return f"The manifest is signed by {about.signed.server}: {about.signed.key}."


def unsent(missed: "Missed") -> Iterator[str]:
    """Return in words which pending notifications of the backup are not sent."""
    if missed.deliveries:
        yield (
            f"{missed.deliveries:,} webhook deliveries are marked as missed, because they may already have been sent."
            " Players can request them again."
        )
    if missed.mails:
        yield f"{missed.mails:,} queued notifications will not be mailed, because they may already have been sent."


def audit_database(url: str, jobs: int | None, ring: "KeyRing", journal: Path | None = None) -> int:
    """Audit a whole database, with a journal only what has changed since; return the exit code."""
    from api.cli.audit_all import JournalFile, audit_all
    from events.store.opening import open_store

    with closing(open_store(url)) as store, in_a_sentence():
        verdict = audit_all(store, url, jobs or os.cpu_count() or 1, JournalFile(journal), ring)
    return INTERRUPTED if verdict is None else exit_code(verdict, strict=False)
