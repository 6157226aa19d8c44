"""Seats of bots: a bot plays on for a seat until its player takes it back."""

from typing import Any, Final

from domain.core.cards import Seat
from domain.core.values import put_at, value
from domain.match.match_part import MatchPart, from_seat
from domain.match.state import Match


@value
class SeatHandedToBot:
    seat: Seat


@value
class SeatTakenBack:
    seat: Seat


@value
class TakeSeatBack:
    """Take the seat back from a bot."""


def evolve_bot_seats(m: Match, event: Any) -> None:
    """Assign to the match whether a bot plays for a seat."""
    match event:
        case SeatHandedToBot():
            m.by_bot, m.asked = put_at(m.by_bot, event.seat, True), put_at(m.asked, event.seat, None)
            m.on_answer = put_at(m.on_answer, event.seat, (m.defaults[event.seat], m.moved[event.seat]))
        case SeatTakenBack():
            m.by_bot = put_at(m.by_bot, event.seat, False)
            m.defaults = put_at(m.defaults, event.seat, 0)
            m.on_answer = put_at(m.on_answer, event.seat, (0, m.moved[event.seat]))


BOT_SEATS: Final = MatchPart(
    texts={
        SeatHandedToBot: "A bot now plays for seat {seat}.",
        SeatTakenBack: "Seat {seat} takes its seat back from the bot.",
    },
    evolve=evolve_bot_seats,
    decide={TakeSeatBack: lambda m, seat, c, now: (SeatTakenBack(seat),)},
    seat_commands={"take_seat_back": TakeSeatBack},
    is_open={TakeSeatBack: lambda m, seat: m.by_bot[seat]},
    read_command={SeatTakenBack: from_seat(TakeSeatBack())},
)
