"""The command `dealt witness` cosigns checkpoints of other servers' transparency logs."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from events.proof.signed_notes import NoteKey

KEY: str = "witness.key"
STATE: str = "witness.json"


class LogParam(click.ParamType["tuple[str, NoteKey]"]):
    """The parameter is a verifier key of a log, with its origin before it if that is not the name of the key."""

    name = "[ORIGIN ]KEY"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "tuple[str, NoteKey]":
        from events.proof.signed_notes import ED25519, BadNote, read_note_key

        if isinstance(value, tuple):
            return value
        origin, _, text = value.strip().rpartition(" ")
        try:
            key = read_note_key(text)
        except BadNote as error:
            self.fail(str(error), param, ctx)
        if key.type != ED25519:
            self.fail(f"The key of {key.name} belongs to a witness, not to a log.", param, ctx)
        return origin or key.name, key


@click.command()
@click.option("--name", required=True, help="The witness's name, such as witness.example.org; it must not change.")
@click.option(
    "--data",
    default="witness",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for the key and the last checkpoint of each log.",
)
@click.option("--log", "logs", type=LogParam(), multiple=True, help="A log to witness, by its key; repeatable.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8010, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 means any free one."
)
@click.option("--show-key", is_flag=True, help="Print the verifier key of this witness, and exit.")
def witness(
    name: str,
    data: Path,
    logs: "tuple[tuple[str, NoteKey], ...]",
    host: str,
    port: int,
    show_key: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Run a witness of transparency logs.

    A witness checks that the log of another server only grows, and cosigns its checkpoints. It knows no matches and no
    players, and needs no database. Run it on a machine that the other server's operator does not control. The
    directory keeps the key and the last checkpoint of each log: never restore it from a backup.

    `dealt transparency show` prints the key of a server's log.

    Example: dealt witness --name witness.example.org --log cards.example.org/v1/transparency+1c2d3e4f+AQ…
    """
    from api.http.witness_server import WitnessServer
    from events.proof.signed_notes import NOTE_NAME
    from events.transparency.witness import Witness

    if not NOTE_NAME.fullmatch(name):
        raise click.BadParameter("The name must not contain spaces or `+`.", param_hint="--name")
    if not logs and not show_key:
        raise click.UsageError("Name the logs to witness with --log.")
    by_origin: dict[str, list[NoteKey]] = {}
    for origin, key in logs:
        by_origin.setdefault(origin, []).append(key)
    found = Witness(name, _secret(data), by_origin, data / STATE, lambda: int(time.time()))
    if show_key:
        click.echo(found.key)
        return
    try:
        server = WitnessServer((host, port), found)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror or error}.") from error
    click.echo(f"{found.key} witnesses {len(by_origin)} log(s) at http://{host}:{server.server_address[1]}.")
    with server:
        server.serve_forever()


def _secret(data: Path) -> bytes:
    """Return the secret key in the directory; a new one is created at the first start."""
    path = data / KEY
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(os.urandom(32).hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
        secret = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path} cannot be used as the key: {error}.") from error
    if len(secret) != 32:
        raise click.ClickException(f"{path} must contain 64 hexadecimal digits.")
    return secret
