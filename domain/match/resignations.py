"""Resignations: a seat gives up the game, or the whole match (rules 1.9)."""

from collections.abc import Iterable
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import value
from domain.match.bot_seats import SeatHandedToBot
from domain.match.match_part import MatchPart
from domain.match.state import Match
from domain.match.status import DUEL, is_game_on


@value
class SeatResigned:
    seat: Seat
    whole_match: bool
    """Whether the seat resigns the whole match, not just this game."""


@value
class Resign:
    """Resign the game, or the whole match."""

    whole_match: bool = False
    """Whether the seat resigns the whole match in a series, not just this game."""


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
    """Assign to the match which seats are out of the whole of it."""
    match event:
        case SeatResigned(whole_match=True):
            m.resigned += (event.seat,)


RESIGNATIONS: Final = MatchPart(
    texts={SeatResigned: "Seat {seat} resigns the {whole_match}."},
    words={"whole_match": lambda whole: "match" if whole else "game"},
    evolve=evolve_resignations,
    decide={Resign: resign},
    seat_commands={"resign": Resign},
    is_open={Resign: lambda m, seat: True},
    read_command={SeatResigned: lambda m, event: (event.seat, Resign(event.whole_match))},
)
