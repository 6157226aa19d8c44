"""This module reads how players have kept their promises of nonces."""

from collections.abc import Collection

from sqlalchemy import func, select

from events.store.protocol import Store
from events.store.schema import reliability


def of_players(store: Store, player_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Give how often players have aborted a match, and not opened a nonce; who kept all promises is absent."""
    if not player_ids:
        return {}
    r = reliability.c
    sums = select(r.player_id, func.sum(r.aborted), func.sum(r.unopened))
    found = store.read(sums.where(r.player_id.in_(player_ids)).group_by(r.player_id))
    return {player: (int(aborted), int(unopened)) for player, aborted, unopened in found}
