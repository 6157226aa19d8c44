"""Describes the tables of matches: how lists show them, who sits there, their orders and their groups."""

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
    """Make an index in the order of a list; for `matches`, only of the public ones."""
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
"""The players who find a match: seated players, each once, and the creator of a match that is not public. It follows
from `matches`, `seats` and `results`. `result`: the best of the player's seats.
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
"""The options of `matches` one by one, to be searched; and the preset, where one was named."""
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
"""The standing orders of seats; a trigger takes them away when their match ends.

`looked_ms` names the decision for which they were looked at last.
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
"""Tables that get the same deals. `state` says what has become of all of them: open, started, over, or cancelled or
expired before the start; each table's log follows it. `tables` are their matches in order; `nonces` are theirs,
table by table, once they begin.
"""

group_players = Table(
    "group_players",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("deal_group", Text, nullable=False),
)
"""The players at the tables of groups: no player sits at two of one. It follows from `matches` and `seats`."""
Index("group_players_once", group_players.c.deal_group, group_players.c.player_id, unique=True)
