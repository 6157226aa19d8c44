"""Checks the requirements of a part of the service before it starts. A fault is a `ClickException` of one sentence."""

import fcntl
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from events.settings import Settings, extra_connections

if TYPE_CHECKING:
    from events.service.context import Context
    from events.store.protocol import Store

log = logging.getLogger(__name__)

_BROKERS = ("amqp", "amqps", "redis", "rediss")
_BROKER_FORMS = "amqp://, amqps://, redis:// or rediss://"


def with_broker(given: Settings) -> Settings:
    """Return the settings if they name a broker."""
    if not given.broker_url:
        raise click.ClickException("BROKER_URL is not set. Without a broker, use `dealt serve`.")
    return given


def check_broker(url: str) -> None:
    """Raise `ValueError` unless this is the address of a broker."""
    from urllib.parse import urlsplit

    try:
        address = urlsplit(url)
        known = address.scheme in _BROKERS and (address.port is None or address.port > 0)
        if known and address.scheme.startswith("redis"):
            known = re.fullmatch(r"/{0,2}\d{0,9}", address.path, re.ASCII) is not None
    except ValueError:
        known = False
    if not known:
        raise ValueError(
            f"BROKER_URL is not the URL of a broker that Dealt can use. It must begin with {_BROKER_FORMS}."
            " For Redis, it can end with the number of a database."
        )


def usable(given: Settings) -> Settings:
    """Return the settings if the values for the broker, the keys and the webhooks can be parsed."""
    from events.notify.addresses import read_allowed_addresses
    from events.proof.keys import key_ring
    from events.transparency.quorum import read_quorum

    try:
        if given.broker_url:
            check_broker(given.broker_url)
        read_allowed_addresses(given)
        key_ring(given)
        read_quorum(given)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    return given


def bind_address(host: str, port: int) -> Any:
    """Bind the address, or report why it is not available."""
    from api.http.server import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error.strerror or error}.") from error


def with_keys(given: Settings) -> Settings:
    """Return settings with signing keys: a file in the data directory, created now, unless keys are named."""
    from events.proof import keys

    if given.dealt_signing_keys or given.dealt_signing_keys_file:
        return given
    path = Path(given.dealt_data) / keys.FILE
    keys.ensure(path)
    return replace(given, dealt_signing_keys_file=str(path))


def check_games() -> None:
    """Refuse to start a part of the service while an installed game breaks the contract."""
    from domain.games.catalogue import REFUSED

    if REFUSED:
        raise click.ClickException("\n".join(REFUSED))


def check_bots() -> None:
    """Refuse to start what plays bots' turns while the bot of an installed game cannot be loaded."""
    from workers.tasks.bot_turn_tasks import unloadable_bots

    if sentences := unloadable_bots():
        raise click.ClickException("\n".join(sentences))


def check_mail(given: Settings) -> None:
    """Refuse to start what sends mail while the password for it cannot be read."""
    from workers.tasks.mail_tasks import password

    try:
        password(given)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def check_connections(given: Settings, processes: int) -> None:
    """Log a warning if the database may not admit all connections of these processes."""
    from events.store.sessions import count_free_connections

    free = count_free_connections(given.url)
    most = processes * (given.dealt_connections + extra_connections(given.dealt_connections))
    if free is not None and free < most:
        log.warning(
            "these processes may need %d connections, and the database admits %d more; lower DEALT_CONNECTIONS or raise"
            " max_connections",
            most,
            free,
        )


def warm_up(store: "Store", context: "Context") -> None:
    """Load what requests need, if the database is there already."""
    from events.errors import Unavailable
    from events.service.preload import preload_code

    # The part that needs the database reports that it is missing.
    with suppress(Unavailable):
        if store.schema_fits():
            preload_code(context)


@contextmanager
def alone_in(directory: Path) -> Iterator[IO[str]]:
    """Lock the data directory for this process and its children."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened_lock = (directory / "lock").open("w")
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(f"{directory} cannot be used as the data directory: {reason}.") from error
    with opened_lock as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise click.ClickException(f"another `dealt serve` is running on {directory}.") from error
        yield lock
