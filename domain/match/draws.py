"""Draws: a seat of two offers a draw, and the other accepts or declines it (rules 1.9)."""

from collections.abc import Iterable
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import value
from domain.match.match_part import MatchPart, from_seat
from domain.match.state import Match
from domain.match.status import DUEL, is_game_on


@value
class DrawOffered:
    seat: Seat


@value
class DrawAccepted:
    seat: Seat


@value
class DrawDeclined:
    seat: Seat


@value
class OfferDraw:
    """Offer a draw of the current game."""


@value
class AcceptDraw:
    """Accept the offered draw."""


@value
class DeclineDraw:
    """Decline the offered draw."""


def can_offer_draw(m: Match, seat: Seat) -> bool:
    """Return whether the seat may offer a draw: no offer is open, and none of its offers was declined in this game."""
    is_duel = len(m.seats) == DUEL and m.stakes.arrived is None and is_game_on(m)
    return is_duel and m.draws.offer is None and seat not in m.draws.refused


def is_offered_draw(m: Match, seat: Seat) -> bool:
    """Return whether the other seat has an open draw offer to this one."""
    return is_game_on(m) and m.draws.offer not in (None, seat)


def accept_draw(m: Match, seat: Seat, c: AcceptDraw, now: Time) -> Iterable[Any]:
    """Accept the draw, which ends the game."""
    yield DrawAccepted(seat)
    yield from m.game.leaving.stop(m.table, (), "draw")


def evolve_draws(m: Match, event: Any) -> None:
    """Assign the open draw offer, and the declined ones, to the match."""
    draws = m.draws
    match event:
        case DrawOffered():
            draws.offer = event.seat
        case DrawDeclined():
            assert draws.offer is not None
            draws.refused, draws.offer = (*draws.refused, draws.offer), None


DRAWS: Final = MatchPart(
    texts={
        DrawOffered: "Seat {seat} offered a draw.",
        DrawAccepted: "Seat {seat} accepted the draw.",
        DrawDeclined: "Seat {seat} declined the draw.",
    },
    evolve=evolve_draws,
    decide={
        OfferDraw: lambda m, seat, c, now: (DrawOffered(seat),),
        AcceptDraw: accept_draw,
        DeclineDraw: lambda m, seat, c, now: (DrawDeclined(seat),),
    },
    seat_commands={"offer_draw": OfferDraw, "accept_draw": AcceptDraw, "decline_draw": DeclineDraw},
    is_open={OfferDraw: can_offer_draw, AcceptDraw: is_offered_draw, DeclineDraw: is_offered_draw},
    read_command={
        DrawOffered: from_seat(OfferDraw()),
        DrawAccepted: from_seat(AcceptDraw()),
        DrawDeclined: from_seat(DeclineDraw()),
    },
)
