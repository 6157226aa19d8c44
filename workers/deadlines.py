"""Deadlines: a task names a match in which time has run out, for a decision, for nonces or for the whole lobby."""

from events import outbox
from events.matches import Matches
from workers.stale import drop_stale


def settle(matches: Matches, match_id: str) -> int:
    """Settle what has fallen due in a match; says how much it was."""
    settled = matches.settle(match_id)
    if not settled:
        drop_stale(matches, match_id, (outbox.CLOCK, outbox.START, outbox.EXPIRE))
    return settled
