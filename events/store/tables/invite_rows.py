"""Stores the codes of invited seats, as hashes."""

from sqlalchemy import Connection, delete, insert, select

from events.store.protocol import Store
from events.store.schema.match_schema import invites


def code(store: Store, match_no: int, seat: int) -> bytes | None:
    """Return the hash of the code that opens an invited seat, if there is one."""
    return read_invites(store, match_no).get(seat)


def issue(store: Store, match_no: int, seat: int, code_hash: bytes) -> None:
    """Issue a code for a seat; an earlier one no longer opens it."""

    def work(connection: Connection) -> None:
        here = (invites.c.match_no == match_no) & (invites.c.seat == seat)
        connection.execute(delete(invites).where(here))
        connection.execute(insert(invites).values(match_no=match_no, seat=seat, code_hash=code_hash))

    store.write(work)


def read_invites(store: Store, match_no: int) -> dict[int, bytes]:
    """Return all invites of a match that are not spent, by seat."""
    found = store.read(select(invites.c.seat, invites.c.code_hash).where(invites.c.match_no == match_no))
    return {row.seat: row.code_hash for row in found}
