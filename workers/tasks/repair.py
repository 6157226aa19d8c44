"""This module repairs pending work that turns out to be none.

A commit replaces the pending work of its match, so a row without work to do should not be. If one is there all the
same (the rules of who is to move were mended, say), it would be claimed for ever; it is made anew from the log
instead.
"""

import logging
from collections.abc import Collection
from functools import partial
from typing import Final

from domain.games.catalogue import GAMES
from events.service import projections as outbox
from events.service.context import Context
from events.store import tables

OLD_MS: Final = 2 * outbox.LEASE_MS
"""The age from which due work is repaired, in milliseconds. Newer work may have been written since the last look."""

log = logging.getLogger(__name__)


def _playable(context: Context, match_id: str) -> bool:
    """Say whether the game of a match is installed: what is to be done in it cannot be told otherwise, and stays."""
    loaded = context.load(match_id)
    return loaded is not None and loaded.state.game.name in GAMES


def drop_unfounded(context: Context, match_id: str, kinds: Collection[str]) -> bool:
    """Rebuild the match's projections if work of these kinds is due though there is none; says whether it was."""
    head = tables.stream_rows.head(context.store, match_id)
    if head is None:
        return False
    if not _playable(context, match_id):
        tables.pending_rows.note_failure(context.store, match_id, context.now())
        return False
    long_ago = context.now() - OLD_MS
    if not any(
        row.kind in kinds and row.due_ms < long_ago
        for row in tables.pending_rows.read_pending(context.store, head.match_no)
    ):
        return False
    log.warning("pending work without work to do: match=%s", match_id)
    tables.projection_rows.rebuild(context.store, head.match_no, partial(outbox.rebuild_projections, context))
    return True
