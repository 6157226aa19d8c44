"""This module reads how players have kept their promises of nonces.

A group of tables is aborted as one: its creator gave up all of its tables by one decision.
"""

from collections.abc import Collection

from sqlalchemy import Text, cast, func, select

from events.store.protocol import Store
from events.store.schema import matches, reliability


def of_players(store: Store, player_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return how often players have aborted, a match or a group of tables, and not opened a nonce.

    Who kept all promises is absent.
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
