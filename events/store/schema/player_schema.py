"""Describes the tables of players, their tokens, vacations, decks and trades."""

from sqlalchemy import BigInteger, Boolean, Column, Index, LargeBinary, Table, Text, UniqueConstraint, true

from events.store.player_records import TokenRow
from events.store.schema.metadata import columns_of, metadata

players = Table(
    "players",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("name", Text),
    Column("token_hash", LargeBinary, unique=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("erased_ms", BigInteger),
    Column("auto_vacation", Boolean, nullable=False, server_default=true()),
    Column("handle", Text),
    Column("listed", Boolean, nullable=False, server_default=true()),
)
"""The current and erased players, and the players of imported matches with only their names."""
Index("players_by_handle", players.c.handle, unique=True)

handles = Table(
    "handles",
    metadata,
    Column("handle_hash", LargeBinary, primary_key=True),
    Column("player_id", Text),
)
"""All handles ever taken, as hashes, with their players; without the player after erasure."""
Index("handles_by_player", handles.c.player_id)

tokens = Table(
    "tokens",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    *columns_of(TokenRow),
    UniqueConstraint("token_id"),
)
"""The scoped tokens of players; the main one is in `players`. `scopes` are words separated by spaces.

`used_ms` is the beginning of the day of the last use. A token follows from the main one and `salt`.
"""
Index("tokens_by_player", tokens.c.player_id)

vacations = Table(
    "vacations",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("to_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger, nullable=False),
)
"""The vacations of players.

Up to `used_ms`, a vacation has moved a deadline, so that part of it cannot be given back.
"""

blocks = Table(
    "blocks",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("blocked_id", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
)
"""The players whom a player does not want to play with."""
Index("blocks_by_blocked", blocks.c.blocked_id)

mutes = Table(
    "mutes",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("muted_id", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
)
"""The players whose chat messages a player does not want to see."""
Index("mutes_by_muted", mutes.c.muted_id)

decks = Table(
    "decks",
    metadata,
    Column("deck_id", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("sets", Text, nullable=False),
    Column("main", Text, nullable=False),
    Column("sideboard", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
)
"""The decks that players have saved; the lists of cards are JSON."""
Index("decks_by_player", decks.c.player_id)

trades = Table(
    "trades",
    metadata,
    Column("trade_id", Text, primary_key=True),
    Column("collection_id", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("partner_id", Text, nullable=False),
    Column("give", Text, nullable=False),
    Column("want", Text, nullable=False),
)
"""The open offers of trades: a projection of the collections of the players who make them. Cards are JSON."""
Index("trades_by_collection", trades.c.collection_id)
Index("trades_by_partner", trades.c.partner_id)
