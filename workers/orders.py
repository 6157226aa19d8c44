"""Standing orders: a task names a match in which it is time to look whether a player has left any for what he is asked.

What the orders make of a decision follows from what the seat's own table shows. A task that comes twice, or to two
workers at once, finds that the decision has been taken, or that the orders were looked at for it.
"""

import logging
import traceback
from typing import Any

from msgspec import json

from domain import match as life
from domain import orders as language
from events import orders
from events.matches import Matches, Seen
from events.orders import Look
from events.telling import ledger
from workers import bot_turns

log = logging.getLogger(__name__)


def look(matches: Matches, match_id: str) -> int:
    """Carry out the orders whose time has come, and let bots answer; says how many moves were made."""
    settled = matches.settle(match_id)
    made = 0
    while due := matches.orders_due(match_id):
        made += sum(_looked_at(matches, match_id, each) for each in due)
    if settled or made:
        bot_turns.play(matches, match_id)
    matches.look_again(match_id)
    return made


def _looked_at(matches: Matches, match_id: str, due: Look) -> bool:
    """Make the move that the orders make of what is asked; if they make none, note that, and say so if they should."""
    found: list[tuple[Seen, language.Carried | None]] = []

    def choose(seen: Seen) -> Any:
        found.append((seen, carried(seen, due.standing)))
        return found[-1][1].move if found[-1][1] else None

    if matches.order_move(match_id, due, choose):
        return True
    if found:
        _no_move(matches, due, *found[-1])
    return False


def _no_move(matches: Matches, due: Look, seen: Seen, made: language.Carried | None) -> None:
    failed = seen.version if made is not None else None
    if orders.looked(matches.store, due, matches.now(), failed) and failed is not None:
        ledger.order_failed(
            matches.store, due.standing.player_id, seen.match_no, seen.match_id, seen.match.game.name,
            due.standing.seat, failed, matches.now(),
        )  # fmt: skip


def carried(seen: Seen, standing: orders.Standing) -> language.Carried | None:
    """Say what the orders make of the seat's decision. Whatever is wrong with them, they fail, and hold nothing up."""
    m, seat = seen.match, standing.seat
    if not life.legal(m, seat):
        return None
    try:
        return language.carried(m.game, m.table, seat, language.read(m.game, json.decode(standing.document)))
    except Exception as error:  # what it says may name cards
        frame = traceback.extract_tb(error.__traceback__)[-1]
        log.error(  # noqa: TRY400 -- not the trace
            "orders failed with %s at %s:%d: match=%s seat=%d",
            type(error).__name__, frame.filename, frame.lineno, seen.match_id, seat,
        )  # fmt: skip
        return language.Carried(None, None)
