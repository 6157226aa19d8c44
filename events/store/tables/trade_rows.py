"""Stores the open offers of trades, a projection of collections."""

from typing import Any, Final

import msgspec
from sqlalchemy import or_, select

from events.store.player_records import TradeRow
from events.store.protocol import Store
from events.store.schema.player_schema import trades

TABLE: Final = "trades"
KEY: Final = "collection_id"

_counts = msgspec.json.Decoder(dict[str, int]).decode


def read_trades(store: Store, player_id: str) -> list[TradeRow]:
    """Return the open offers that a player has made, and those that were made to the player."""
    mine = or_(trades.c.player_id == player_id, trades.c.partner_id == player_id)
    return [_read(row) for row in store.read(select(trades).where(mine).order_by(trades.c.trade_id))]


def read_trade(store: Store, trade_id: str) -> TradeRow | None:
    """Return an open offer."""
    found = store.read(select(trades).where(trades.c.trade_id == trade_id))
    return _read(found[0]) if found else None


def _read(row: Any) -> TradeRow:
    return TradeRow(
        row.trade_id, row.collection_id, row.player_id, row.partner_id, _counts(row.give), _counts(row.want)
    )
