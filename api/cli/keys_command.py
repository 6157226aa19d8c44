"""The command `dealt keys` lists the keys that the server signs with, and rotates them."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import json

from events.settings import Settings

if TYPE_CHECKING:
    from events.proof.keys import KeyRing

DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="Data directory of `dealt serve`.  [default: data]"
)


@click.group()
def keys() -> None:
    """List and rotate signing keys.

    They are in the file that DEALT_SIGNING_KEYS_FILE names, or in keys.json in the data directory.
    """


@keys.command("list")
@DATA
@click.option("--json", "as_json", is_flag=True, help="Print one key per line, as JSON.")
@click.pass_obj
def show(given: Settings, data: Path | None, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """List the public keys, the oldest first.

    Example: dealt keys list --json
    """
    from events.proof.keys import BadKeys, read_signing_keys

    try:
        text = given.dealt_signing_keys or file_of(given, data).read_bytes()
        found = read_signing_keys(text)
    except BadKeys as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{file_of(given, data)} cannot be read: {error.strerror}.") from error
    for key in found:
        shown = {name: getattr(key, name) for name in ("key", "since", "until", "succession", "countersignature")}
        click.echo(json.encode(shown) if as_json else f"{key.key}  since {key.since}, until {key.until or 'now'}")


@keys.command()
@DATA
@click.pass_obj
def rotate(given: Settings, data: Path | None) -> None:
    """Replace the signing key, or create the first one.

    Both the old and the new key sign the change. The old key stays listed with its end, and its secret is deleted. A
    server that reads the file uses the new key immediately.

    Example: dealt keys rotate
    """
    from events.proof.keys import BadKeys
    from events.proof.keys import rotate_key_file as rotated

    if given.dealt_signing_keys:
        raise click.ClickException("The keys are in DEALT_SIGNING_KEYS: to rotate them, move them into a file.")
    path = file_of(given, data)
    try:
        found = rotated(path)
    except BadKeys as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from error
    click.echo(f"{found[-1].key} is now the signing key ({path}).")


def ring_of(given: Settings) -> "KeyRing":
    """Return the server's signing keys, as far as this command can find them."""
    from events.proof.keys import BadKeys, key_ring

    path = file_of(given, None)
    if not given.dealt_signing_keys and path.exists():
        given = replace(given, dealt_signing_keys_file=str(path))
    try:
        return key_ring(given)
    except BadKeys as error:
        raise click.ClickException(str(error)) from error


def file_of(given: Settings, data: Path | None) -> Path:
    """Return the name of the key file."""
    from events.proof.keys import FILE

    named = given.dealt_signing_keys_file
    return Path(named) if named and data is None else (data or Path(given.dealt_data)) / FILE
