"""Finds and records the results of requests by their idempotency keys."""

from events.service.context import Context
from events.store.records import Idempotency, Remembered
from events.store.tables import idempotency_rows


def find_earlier_answer(context: Context, idempotency: Idempotency) -> Remembered | None:
    """Return the outcome of an earlier request with this key, if there was one."""
    return idempotency_rows.find_key(context.store, idempotency.key_hash)


def remember_key(
    context: Context, idempotency: Idempotency | None, match_no: int | None = None, version: int | None = None
) -> None:
    """Record the key of a request that appended nothing, if it has one; `version` is the basis of the answer."""
    if idempotency is not None:
        idempotency_rows.remember_key(context.store, idempotency, context.now(), match_no, version)
