"""Derives the deals at tables from a secret to which a tournament is bound before anybody enters (tournament 8.4)."""

import hmac
from hashlib import sha256

from domain.core.values import value


@value
class TableDeals:
    """The deals of one match, by its round, table and attempt; a pod is a table of round 0.

    `table` is None if all tables of the round share them.
    """

    round: int
    table: int | None
    attempt: int


def deals_secret(seal_secret: bytes) -> bytes:
    """Return the secret of a tournament's deals, which does not reveal the seal secret that it follows from."""
    return hmac.digest(seal_secret, b"deals", "sha256")


def deals_commitment(secret: bytes) -> str:
    """Return the commitment to a secret, in hex."""
    return sha256(secret).hexdigest()


def first_root(secret: bytes, tournament: str, deals: TableDeals, nonces: tuple[str, ...]) -> bytes:
    """Return the root of the first epoch of a match, 32 bytes."""
    table = "" if deals.table is None else deals.table
    text = f"ct1|deals|{tournament}|{deals.round}|{table}|{deals.attempt}|{','.join(nonces)}"
    return hmac.digest(secret, text.encode("ascii"), "sha256")
