"""Returns the events of a command that has passed its check."""

from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match.clocks import answers, spend_bank
from domain.match.match_parts import gather
from domain.match.state import Match
from domain.match.take_backs import keep_undo


def decide(m: Match, seat: Seat, command: Any, now: Time) -> tuple[Any, ...]:
    """Return the events of a checked command; none if it changes nothing."""
    made = type(command)
    if made in COMMANDS:
        return tuple(COMMANDS[made](m, seat, command, now))
    events = tuple(m.game.decide(m.table, seat, command))
    return events + keep_undo(m, seat, events, now) + spend_bank(m, seat, now) if answers(m, seat, events) else events


COMMANDS: Final = gather(lambda part: part.decide)
