"""This task settles deadlines: it names a match in which the time of a decision, of nonces or of the lobby is over."""

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
