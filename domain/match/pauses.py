"""Pauses: the next hand waits until every person is ready for it (`pause_between_hands`)."""

from typing import Any, Final

from domain.core.cards import Seat
from domain.core.values import value
from domain.match.clocks import close_decision, spend_bank
from domain.match.match_part import MatchPart, from_seat
from domain.match.state import Match
from domain.match.status import is_paused


@value
class HandContinued:
    seat: Seat


@value
class ContinueMatch:
    """Be ready for the next hand."""


def evolve_pauses(m: Match, event: Any) -> None:
    """Assign to the match which seats are ready for the next hand."""
    match event:
        case HandContinued():
            m.ready += (event.seat,)
            close_decision(m, event.seat)


PAUSES: Final = MatchPart(
    texts={HandContinued: "Seat {seat} is ready for the next hand."},
    evolve=evolve_pauses,
    decide={ContinueMatch: lambda m, seat, c, now: (HandContinued(seat), *spend_bank(m, seat, now))},
    seat_commands={"continue_match": ContinueMatch},
    is_open={ContinueMatch: lambda m, seat: is_paused(m) and seat not in m.ready and not m.by_bot[seat]},
    read_command={HandContinued: from_seat(ContinueMatch())},
)
