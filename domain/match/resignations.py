"""Resignations, and bots that play on for a seat until its player takes it back (rules 1.9)."""

from collections.abc import Iterable
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import put_at, value
from domain.match.match_part import MatchPart, from_seat
from domain.match.state import Match
from domain.match.status import DUEL, is_game_on


@value
class SeatResigned:
    seat: Seat
    whole_match: bool
    """Whether the seat resigns the whole match, not just this game."""


@value
class SeatHandedToBot:
    seat: Seat


@value
class SeatTakenBack:
    seat: Seat


@value
class Resign:
    """Resign the game, or the whole match."""

    whole_match: bool = False
    """Whether the seat resigns the whole match in a series, not just this game."""


@value
class TakeSeatBack:
    """Take the seat back from a bot."""


def resign(m: Match, seat: Seat, c: Resign, now: Time) -> Iterable[Any]:
    """Resign: with two players the game, or between games the match; with more always the match (rules 1.9)."""
    duel = len(m.seats) == DUEL
    yield SeatResigned(seat, c.whole_match or not duel or not is_game_on(m))
    if m.game.leaving.resign and m.table is not None:
        yield from m.game.leaving.resign(m.table, seat)
    elif not duel and m.common.on_resign == "bot":
        yield SeatHandedToBot(seat)
    elif is_game_on(m):
        yield from m.game.leaving.stop(m.table, (seat,), "resignation")


def evolve_resignations(m: Match, event: Any) -> None:
    """Assign the seats that resigned the match, and those for which a bot plays, to the match."""
    clocks = m.clocks
    match event:
        case SeatResigned(whole_match=True):
            m.resigned += (event.seat,)
        case SeatHandedToBot():
            m.by_bot, clocks.asked = put_at(m.by_bot, event.seat, True), put_at(clocks.asked, event.seat, None)
            clocks.on_answer = put_at(
                clocks.on_answer, event.seat, (clocks.defaults[event.seat], clocks.moved[event.seat])
            )
        case SeatTakenBack():
            m.by_bot = put_at(m.by_bot, event.seat, False)
            clocks.defaults = put_at(clocks.defaults, event.seat, 0)
            clocks.on_answer = put_at(clocks.on_answer, event.seat, (0, clocks.moved[event.seat]))


RESIGNATIONS: Final = MatchPart(
    texts={
        SeatResigned: "Seat {seat} resigned the {whole_match}.",
        SeatHandedToBot: "A bot took over seat {seat}.",
        SeatTakenBack: "Seat {seat} took its seat back from the bot.",
    },
    words={"whole_match": lambda whole: "match" if whole else "game"},
    ends_undo=frozenset({SeatResigned, SeatHandedToBot}),
    evolve=evolve_resignations,
    decide={Resign: resign, TakeSeatBack: lambda m, seat, c, now: (SeatTakenBack(seat),)},
    seat_commands={"resign": Resign, "take_seat_back": TakeSeatBack},
    is_open={Resign: lambda m, seat: True, TakeSeatBack: lambda m, seat: m.by_bot[seat]},
    read_command={
        SeatResigned: lambda m, event: (event.seat, Resign(event.whole_match)),
        SeatTakenBack: from_seat(TakeSeatBack()),
    },
)
