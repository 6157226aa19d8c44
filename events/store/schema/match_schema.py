"""Describes the tables of matches: their rows in lists, seats, orders and groups."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from events.store.pending_records import StandingOrders
from events.store.records import MatchRow, ReliabilityRow, ResultRow, SeatRow
from events.store.schema.metadata import columns_of, index_condition, metadata

invites = Table(
    "invites",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("code_hash", LargeBinary, nullable=False),
)

matches = Table("matches", metadata, *columns_of(MatchRow, "match_no"))
Index("matches_bots_alone", matches.c.owner, info=index_condition(matches.c.bots_alone))


def _listed(name: str, *columns: "Column[Any]", where: ColumnElement[bool] | None = None) -> None:
    """Create an index in the order of a list; for `matches`, only of public ones."""
    Index(name, *columns, columns[0].table.c.match_no, info=index_condition(where))


public = matches.c.visibility == literal_column("'public'")
_listed("matches_newest", matches.c.created_ms, where=public)
_listed("matches_by_game", matches.c.game, matches.c.created_ms, where=public)
_listed("matches_by_status", matches.c.status, matches.c.created_ms, where=public)
_listed("matches_by_game_status", matches.c.game, matches.c.status, matches.c.created_ms, where=public)
_listed("matches_by_end", matches.c.ended_ms, where=public & matches.c.ended_ms.is_not(None))

seats = Table(
    "seats",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    *columns_of(SeatRow, "seat"),
    Column("live", Boolean, nullable=False),
)
"""The seats of matches; `live` until the match is over."""
Index("seats_live", seats.c.player_id, info=index_condition(seats.c.live))

results = Table(
    "results",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    *columns_of(ResultRow, "seat"),
)
Index("results_by_player", results.c.player_id, results.c.ended_ms)

reliability = Table(
    "reliability",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    *columns_of(ReliabilityRow, "player_id"),
)
"""The promises of nonces that were not kept."""
Index("reliability_by_player", reliability.c.player_id)

involved = Table(
    "involved",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("public", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("result", Text),
)
"""The players who can find a match in their lists: seated players, each once, and the creator of a non-public match. It
follows from `matches`, `seats` and `results`. `result`: the best of the player's seats.
"""
_listed("involved_by_player", involved.c.player_id, involved.c.public, involved.c.created_ms)
_listed(
    "involved_by_end",
    involved.c.player_id,
    involved.c.public,
    involved.c.ended_ms,
    where=involved.c.ended_ms.is_not(None),
)
_listed(
    "involved_by_result",
    involved.c.player_id,
    involved.c.public,
    involved.c.result,
    involved.c.created_ms,
    where=involved.c.result.is_not(None),
)

match_options = Table(
    "match_options",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)
"""The options of `matches` as separate rows for searches, and the preset, if one was named."""
_listed(
    "match_options_by_value",
    match_options.c.game,
    match_options.c.name,
    match_options.c.value,
    match_options.c.public,
    match_options.c.created_ms,
)

orders = Table(
    "orders",
    metadata,
    *columns_of(StandingOrders, "match_no", "seat"),
    UniqueConstraint("orders_id"),
)
"""The standing orders of seats; a trigger deletes them when their match ends. `looked_ms` identifies the decision for
which they were last checked.
"""
Index("orders_by_player", orders.c.player_id)

deal_groups = Table(
    "deal_groups",
    metadata,
    Column("group_id", Text, primary_key=True),
    Column("creator", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("tables", Text, nullable=False),
    Column("nonces", Text),
    Column("created_ms", BigInteger, nullable=False),
)
"""Tables that get the same deals. `state` is the state of all of them: open, started, over, or cancelled or expired
before the start; each table's log follows it. `tables` are their matches in order; `nonces` are those of the tables
once they begin, table by table.
"""

group_players = Table(
    "group_players",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("deal_group", Text, nullable=False),
)
"""The players at the tables of groups; no player sits at two tables of a group.

It follows from `matches` and `seats`.
"""
Index("group_players_once", group_players.c.deal_group, group_players.c.player_id, unique=True)
