"""Reads the secrets of matches, which are stored outside their logs."""

import msgspec
from sqlalchemy import select

from events.store.protocol import Store
from events.store.records import Secrets
from events.store.schema.log_schema import secrets


def read_secrets(store: Store, match_no: int) -> Secrets:
    """Return the seal secret and the roots. Raises KeyError if there is no such match."""
    found = store.read(select(secrets.c.seal_secret, secrets.c.roots).where(secrets.c.match_no == match_no))
    if not found:
        raise KeyError(match_no)
    return Secrets(found[0].seal_secret, msgspec.json.decode(found[0].roots, type=list[str]))
