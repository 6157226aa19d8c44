"""Deadlines: a task names a match in which time has run out, for a decision, for nonces or for the whole lobby."""

from events.service.matches import Matches
from events.service.projections import due as outbox
from workers.tasks import bot_turns
from workers.tasks.repair import drop_unfounded


def settle(matches: Matches, match_id: str) -> int:
    """Settle what has fallen due in a match, and let its bots answer; says how much was settled."""
    settled = matches.settle(match_id)
    if settled:
        bot_turns.play(matches, match_id)  # whose turns were written as taken up already
    else:
        drop_unfounded(matches, match_id, (outbox.CLOCK, outbox.START, outbox.EXPIRE))
    return settled
