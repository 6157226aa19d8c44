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
    """Offer to call the game drawn."""


@value
class AcceptDraw:
    """Agree to call the game drawn."""


@value
class DeclineDraw:
    """Play on after a draw was offered."""


def can_offer_draw(m: Match, seat: Seat) -> bool:
    """Return whether the seat may offer a draw: no offer is open, and none of its offers was declined in this game."""
    is_duel = len(m.seats) == DUEL and m.stakes is None and is_game_on(m)
    return is_duel and m.draw_offer is None and m.draw_refused != seat


def is_offered_draw(m: Match, seat: Seat) -> bool:
    """Return whether the other seat has an open draw offer to this one."""
    return is_game_on(m) and m.draw_offer not in (None, seat)


def accept_draw(m: Match, seat: Seat, c: AcceptDraw, now: Time) -> Iterable[Any]:
    """Accept the draw, which ends the game."""
    yield DrawAccepted(seat)
    yield from m.game.leaving.stop(m.table, (), "draw")


def evolve_draws(m: Match, event: Any) -> None:
    """Assign to the match which draw is offered, and which was declined."""
    match event:
        case DrawOffered():
            m.draw_offer = event.seat
        case DrawDeclined():
            m.draw_offer, m.draw_refused = None, m.draw_offer


DRAWS: Final = MatchPart(
    texts={
        DrawOffered: "Seat {seat} offers a draw.",
        DrawAccepted: "Seat {seat} accepts the draw.",
        DrawDeclined: "Seat {seat} declines the draw.",
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
