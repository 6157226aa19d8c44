"""The task that plays bots' turns: in one match, bots move until none is to act.

A task knows only the match's id. It reads the log again before every move. So a task that runs twice, late or on two
workers at the same time finds nothing to do, or loses the race for a version and looks again.
"""

import logging
import traceback
from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Any, Final

from domain.core.game import is_admitted
from domain.core.monte_carlo import BRIEF, SearchBudget
from domain.core.type_faults import NO_FAULT
from domain.games import bots
from domain.games.bots import BOTS
from domain.match import bots_alone
from events.service import commands, views
from events.service import projections as outbox
from events.service.context import Context
from events.service.views import Seen
from workers.tasks.repair import drop_unfounded
from workers.thinking_time import timed_budget

TURNS: Final = 12
"""Maximum number of turns that one task plays in a row, before other matches are served."""

SECONDS: Final = 0.03
"""Seconds after which a task ends its turns in a match of only bots: a player's match may be waiting."""

log = logging.getLogger(__name__)


def unloadable_bots() -> Sequence[str]:
    """Return a sentence for each installed game whose bot cannot be loaded."""
    return bots.REFUSED


def play_bot_turns(context: Context, match_id: str) -> int:
    """Move for the bots of a match; return the number of moves made."""
    made = looks = 0
    begun = monotonic()
    while seen := commands.view_for_bot(context, match_id):
        if looks == TURNS or (looks and bots_alone(seen.match) and monotonic() - begun > SECONDS):
            commands.release_bots(context, seen)
            return made
        looks += 1
        shown = views.shown_events(context, seen) if seen.match.game.memory else ()
        rng = Random(commands.bot_seed(context, seen))
        move = choose(seen, rng, shown, timed_budget(context.bot_ms))
        made += commands.make_bot_move(context, seen, move)
    if not looks:
        drop_unfounded(context, match_id, (outbox.BOT,))
    return made


def choose(seen: Seen, rng: Random, shown: Sequence[Any] = (), budget: SearchBudget = BRIEF) -> Any:
    """Return a legal move: the bot's, or the clock's if the bot fails.

    `shown` are the events as the seat was shown them, for a bot that remembers.
    """
    m, seat = seen.match, seen.seat
    assert seat is not None
    level = m.created.seats[seat].level or "steady"
    try:
        move = BOTS[m.game.name](level, m.table, seat, shown, rng, budget)
        if is_admitted(m.game.legal(m.table, seat), move):
            return move
        fault = f"chose a {type(move).__name__} that is not legal"
    except NO_FAULT:
        raise
    except BaseException as error:  # a bot that fails must not hold up the match
        fault = f"failed with {type(error).__name__} at {_place(error)}"
    log.error("bot %s: match=%s version=%d seat=%d level=%s", fault, seen.match_id, seen.version, seat, level)
    return m.game.timing.default(m.table, seat)


def _place(error: BaseException) -> str:
    """Return the place where an error was raised, without its message, which may name cards."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}"
