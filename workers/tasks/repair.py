"""Removes pending work that turns out to be unnecessary.

A commit replaces the pending work of its match, so a row without work should not exist. If one does, for example after
a rule about turns was fixed, it would be claimed forever. It is recomputed from the log instead.
"""

import logging
from collections.abc import Collection
from typing import Final

from domain.games.catalogue import GAMES
from events.service import projections as outbox
from events.service.context import Context
from events.service.match_kind import MATCH_KIND
from events.store.tables import pending_rows, stream_rows

OLD_MS: Final = 2 * outbox.LEASE_MS
"""The age from which due work is repaired, in milliseconds. Newer work may have been written since the last look."""

log = logging.getLogger(__name__)


def _playable(context: Context, match_id: str) -> bool:
    """Return whether the game of a match is installed. If not, its pending work is unknown, and stays."""
    loaded = context.load(match_id)
    return loaded is not None and loaded.state.game.name in GAMES


def drop_unfounded(context: Context, match_id: str, kinds: Collection[str]) -> bool:
    """Rebuild the match's projections if they wrongly list due work of these kinds; return whether they did."""
    head = stream_rows.head(context.store, match_id)
    if head is None:
        return False
    if not _playable(context, match_id):
        pending_rows.note_failure(context.store, match_id, context.now())
        return False
    long_ago = context.now() - OLD_MS
    if not any(
        row.kind in kinds and row.due_ms < long_ago for row in pending_rows.read_pending(context.store, head.match_no)
    ):
        return False
    log.warning("rebuilt the projections of a match that wrongly listed due work: match=%s", match_id)
    MATCH_KIND.rebuild_rows(context, head.match_no)
    return True
