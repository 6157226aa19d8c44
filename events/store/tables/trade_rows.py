"""This module stores the open offers of trades, a projection of collections, and writes commits of several of them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, insert, or_, select
from sqlalchemy.exc import IntegrityError

from events.errors import Repeated
from events.store.player_records import TradeRow
from events.store.protocol import Store
from events.store.records import Commit, Head, Idempotency
from events.store.schema import idempotency, trades
from events.store.tables import stream_rows
from events.store.tables.projection_rows import Lines, put

TABLE: Final = "trades"
KEY: Final = "collection_id"

_counts = msgspec.json.Decoder(dict[str, int]).decode


class Appending(NamedTuple):
    """This is a commit of a collection, with the rows of the offers that are open after it."""

    head: Head
    commit: Commit
    lines: Lines


class _Raced(Exception):
    """Another writer was faster: nothing is to be written."""


def append(store: Store, written: Sequence[Appending], idem: Idempotency | None) -> bool:
    """Append to collections, to all of them or to none; False if one of them has gone on meanwhile.

    The key of the request is noted for the first of them. Raises `Repeated` if it was used before.
    """
    # Always in the same order: two who trade with each other would otherwise wait for each other.
    ordered = sorted(written, key=lambda one: one.head.match_no)
    tries = 0

    def work(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        for one in ordered:
            if store.append_within(connection, one.head.match_no, one.commit).status != "ok":
                raise _Raced
            put(connection, KEY, one.head.match_id, one.lines)
        if idem is not None:
            _remember(connection, written[0], idem)

    try:
        store.write(work)
    except _Raced:
        return tries > 1 and _is_there(store, written[0])
    except IntegrityError as error:
        raise Repeated from error
    return True


def _is_there(store: Store, one: Appending) -> bool:
    """Say whether a try whose connection broke before it could answer was written after all."""
    now = stream_rows.rows(store, one.head.match_no, one.head.version, limit=1)
    return bool(now) and now[0].events == one.commit.events


def _remember(connection: Connection, first: Appending, idem: Idempotency) -> None:
    used = select(idempotency.c.key_hash).where(idempotency.c.key_hash == idem.key_hash)
    if connection.execute(used).first():
        raise Repeated
    commit = first.commit
    row = {"match_no": first.head.match_no, "first": commit.first, "n": commit.n, "at_ms": commit.at_ms}
    connection.execute(insert(idempotency).values(asdict(idem) | row))


def of_player(store: Store, player_id: str) -> list[TradeRow]:
    """Give the open offers that a player has made, and those that were made to the player."""
    mine = or_(trades.c.player_id == player_id, trades.c.partner_id == player_id)
    return [_read(row) for row in store.read(select(trades).where(mine).order_by(trades.c.trade_id))]


def one(store: Store, trade_id: str) -> TradeRow | None:
    """Give an open offer."""
    found = store.read(select(trades).where(trades.c.trade_id == trade_id))
    return _read(found[0]) if found else None


def _read(row: Any) -> TradeRow:
    return TradeRow(
        row.trade_id, row.collection_id, row.player_id, row.partner_id, _counts(row.give), _counts(row.want)
    )
