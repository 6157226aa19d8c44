"""This task settles deadlines: it names a match in which the time of a decision, of nonces or of the lobby is over."""

from events.service import commands
from events.service import projections as outbox
from events.service.context import Context
from workers.tasks import bot_turn_tasks
from workers.tasks.repair import drop_unfounded


def settle(context: Context, match_id: str) -> int:
    """Settle what has fallen due in a match, and let its bots answer; says how much was settled."""
    settled = commands.settle_due(context, match_id)
    if settled:
        bot_turn_tasks.play_bot_turns(context, match_id)  # whose turns were written as taken up already
    else:
        drop_unfounded(context, match_id, (outbox.CLOCK, outbox.START, outbox.EXPIRE))
    return settled
