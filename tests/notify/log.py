"""What was noted for players."""

import time

from sqlalchemy import func, insert, select

from events.notify.handler import NoticeHandler
from events.notify.ledger import NOTICE, has_any_channel
from events.notify.notices import Notice
from events.store import tables
from events.store.schema import attempts, commits, notices


def noted(store, player=None):
    """All notices, or a player's, in order."""
    query = select(*NOTICE).order_by(notices.c.notice_no)
    if player is not None:
        query = query.where(notices.c.player_id == player)
    return [Notice(*row) for row in store.read(query)]


def attempted(store, webhook_id, took_ms=5, status=204, at_ms=0):
    """Note an attempt at a webhook, prompt and delivered if nothing else is said."""
    row = {"webhook_id": webhook_id, "notice_no": 0, "attempt": 1, "at_ms": at_ms, "took_ms": took_ms, "status": status}
    store.change(insert(attempts).values(row))


def behind(store):
    """How many commits a follower has not handled, those included that it may not see as yet."""
    at = tables.checkpoint_rows.read_position(store, NoticeHandler.name)
    return store.read(select(func.count()).where(commits.c.position > at))[0][0]


def follow(store, *steps):
    """Take steps until everything is followed."""
    until = time.monotonic() + 60
    while True:
        for step in steps:
            step()
        if not has_any_channel(store) or not behind(store):
            return
        assert time.monotonic() < until
