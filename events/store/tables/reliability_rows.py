"""Reads how players kept their promises of nonces.

An aborted group counts once, because its creator aborted all tables by one decision.
"""

from collections.abc import Collection

from sqlalchemy import Text, cast, func, select

from events.store.protocol import Store
from events.store.schema.match_schema import matches, reliability


def of_players(store: Store, player_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return how often players aborted a match or group, and how often they did not reveal a nonce.

    Players who kept all promises are absent.
    """
    if not player_ids:
        return {}
    r, m = reliability.c, matches.c
    once = func.coalesce(m.deal_group, cast(r.match_no, Text))
    aborted = func.count(once.distinct()).filter(r.aborted > 0)
    sums = select(r.player_id, aborted, func.sum(r.unopened))
    of_matches = reliability.outerjoin(matches, m.match_no == r.match_no)
    found = store.read(sums.select_from(of_matches).where(r.player_id.in_(player_ids)).group_by(r.player_id))
    return {player: (int(aborted), int(unopened)) for player, aborted, unopened in found}
