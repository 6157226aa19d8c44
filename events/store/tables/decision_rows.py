"""Stores how players have kept the deadlines of their decisions, match by match."""

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, select

from events.store.player_records import DecisionRow
from events.store.protocol import Store
from events.store.schema.log_schema import archived
from events.store.schema.tournament_schema import decisions
from events.store.upserts import upsert

MOST_MATCHES: Final = 30
"""Maximum number of a player's latest matches whose decisions are counted."""


def add_decisions(connection: Connection, rows: Sequence[DecisionRow]) -> None:
    """Record how deadlines were kept in matches; recorded matches stay unchanged."""
    if rows:
        inserting = upsert(connection, decisions)
        connection.execute(inserting.on_conflict_do_nothing(), [row._asdict() for row in rows])


def delete_decisions(connection: Connection) -> None:
    """Delete all counts, so that they can be read from the log again; those of archived matches stay."""
    connection.execute(delete(decisions).where(decisions.c.match_no.not_in(select(archived.c.match_no))))


def of_players(store: Store, player_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return how many recent decisions of players were in time, and how many ran out; others are absent."""
    if not player_ids:
        return {}
    d = decisions.c
    place = func.row_number().over(partition_by=d.player_id, order_by=(d.ended_ms.desc(), d.match_no.desc()))
    last = select(d.player_id, d.in_time, d.late, place.label("place")).where(d.player_id.in_(player_ids)).subquery()
    sums = select(last.c.player_id, func.sum(last.c.in_time), func.sum(last.c.late))
    found = store.read(sums.where(last.c.place <= MOST_MATCHES).group_by(last.c.player_id))
    return {player: (int(in_time), int(late)) for player, in_time, late in found}
