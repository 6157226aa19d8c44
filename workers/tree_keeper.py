"""Keeps the transparency log: follows the event log, appends leaves, and signs checkpoints.

Each dispatcher's process runs one; any number may run.
"""

import logging
from collections.abc import Callable
from typing import Final

from domain.core.clock import Time
from events import times
from events.follow.follower import PAGE, Follower
from events.proof.keys import KeyRing
from events.store.protocol import Store
from events.store.tree_records import TreeRow
from events.transparency.tree_handler import TreeHandler
from events.transparency.tree_heads import Rewritten, append_keys, append_ratings, open_tree, sign_checkpoint

PAUSE: Final = 1.0
"""The pause between two looks, in seconds."""

REWRITTEN: Final = (
    "the transparency log does not continue its last checkpoint, so no new one is signed:"
    " run `dealt transparency check`"
)
log = logging.getLogger(__name__)


class TreeKeeper:
    """Appends to the transparency log and signs it."""

    def __init__(
        self,
        store: Store,
        ring: KeyRing,
        *,
        seconds: int = 10,
        now: Callable[[], Time] = times.now,
        signed: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._ring, self._now, self._signed = store, ring, now, signed
        self._pace_ms = 1000 * seconds
        self._next_ms = 0
        self._tree: TreeRow | None = None
        self._follower: Follower | None = None
        self._known: set[str] = set()
        self._warned = False

    def look(self) -> float:
        """Do all due work; return the seconds until more can be due."""
        if self._tree is None or self._follower is None:
            self._tree = open_tree(self._store, self._ring)
            self._follower = Follower(self._store, TreeHandler(self._store, self._tree), now=self._now)
        append_keys(self._store, self._tree, self._ring, self._known)
        followed = self._follower.step()
        rated = append_ratings(self._store, self._tree)
        if self._now() >= self._next_ms:
            self._sign()
        return 0.0 if followed == PAGE or rated else PAUSE

    def _sign(self) -> None:
        try:
            made = sign_checkpoint(self._store, self._ring, self._now())
        except Rewritten:
            made, self._next_ms = None, self._now() + self._pace_ms
            if not self._warned:
                log.error(REWRITTEN)  # noqa: TRY400 -- where it was found says nothing
            self._warned = True
        if made is not None:
            self._next_ms = self._now() + self._pace_ms
            self._signed()
