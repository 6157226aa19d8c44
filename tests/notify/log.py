"""Reads the notifications recorded for players."""

import time

from sqlalchemy import func, insert, select

from events.notify.handler import NoticeHandler
from events.notify.ledger import NOTICE, has_any_channel
from events.notify.notices import Notice
from events.store.schema.log_schema import commits
from events.store.schema.notice_schema import attempts, notices
from events.store.tables import checkpoint_rows


def noted(store, player=None):
    """Return all notifications, or those of a player, in order."""
    query = select(*NOTICE).order_by(notices.c.notice_no)
    if player is not None:
        query = query.where(notices.c.player_id == player)
    return [Notice(*row) for row in store.read(query)]


def attempted(store, webhook_id, took_ms=5, status=204, at_ms=0):
    """Record an attempt to call a webhook, by default prompt and delivered."""
    row = {"webhook_id": webhook_id, "notice_no": 0, "attempt": 1, "at_ms": at_ms, "took_ms": took_ms, "status": status}
    store.change(insert(attempts).values(row))


def behind(store):
    """Return the number of commits that a follower has not handled, including those that it cannot see yet."""
    at = checkpoint_rows.read_position(store, NoticeHandler.name)
    return store.read(select(func.count()).where(commits.c.position > at))[0][0]


def follow(store, *steps):
    """Run a follower until it has handled everything."""
    until = time.monotonic() + 60
    while True:
        for step in steps:
            step()
        if not has_any_channel(store) or not behind(store):
            return
        assert time.monotonic() < until
