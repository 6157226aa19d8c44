"""Rates finished matches."""

import time
from collections.abc import Callable

from sqlalchemy import func, select

from domain.games.catalogue import GAMES
from events.store.protocol import Store
from events.store.schema.log_schema import commits
from events.store.tables import checkpoint_rows, rating_rows


def follow(store: Store, step: Callable[[], object]) -> None:
    """Run the follower until the whole log is handled."""
    until = time.monotonic() + 60
    while True:
        step()
        last = store.read(select(func.max(commits.c.position)))[0][0] or 0
        if checkpoint_rows.read_position(store, rating_rows.FOLLOWER) >= last or not rating_rows.any_rated(
            store, GAMES
        ):
            return
        assert time.monotonic() < until
