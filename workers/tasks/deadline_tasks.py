"""The task that settles deadlines: in one match, the time for a decision, for nonces or for the lobby is over."""

from events.service import commands
from events.service import projections as outbox
from events.service.context import Context
from workers.tasks import bot_turn_tasks
from workers.tasks.repair import drop_unfounded


def settle(context: Context, match_id: str) -> int:
    """Settle all due deadlines of a match, and let its bots answer; return the number of settled deadlines."""
    settled = commands.settle_due(context, match_id)
    if settled:
        bot_turn_tasks.play_bot_turns(context, match_id)  # whose turns are already recorded as begun
    else:
        drop_unfounded(context, match_id, (outbox.CLOCK, outbox.START, outbox.EXPIRE))
    return settled
