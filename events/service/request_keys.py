"""This module finds and notes what was done for the idempotency keys of requests."""

from events.service.context import Context
from events.store import tables
from events.store.records import Idempotency, Remembered


def find_earlier_answer(context: Context, idempotency: Idempotency) -> Remembered | None:
    """Give what was done for this key before, if anything was."""
    return tables.idempotency_rows.find_key(context.store, idempotency.key_hash)


def remember_key(
    context: Context, idempotency: Idempotency | None, match_no: int | None = None, version: int | None = None
) -> None:
    """Note the key of a request that appended nothing, if it has one; `version` is what the answer was made from."""
    if idempotency is not None:
        tables.idempotency_rows.remember_key(context.store, idempotency, context.now(), match_no, version)
