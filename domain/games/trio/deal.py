"""Repeats the deals of Trio: the first player if several may begin, equal hands, and the middle."""

from typing import Final

from domain.core.dealing import (
    DealCheck,
    Dealing,
    Recorded,
    WrongDeal,
    compare_hands,
    compare_hidden,
    deal_in_turn,
    drawn_seat,
    whole,
)
from domain.games.trio.options import DEAL as HANDS
from domain.games.trio.options import PACK, TEAM_DEAL
from domain.games.trio.table import AvocadoStated, FirstPlayerChosen, HandDealt


def _avocado(dealing: Dealing, event: Recorded) -> None:
    seat, at = event.data.get("seat"), event.data.get("eaten_at")
    if not whole(seat, dealing.seats) or not isinstance(at, str):
        raise WrongDeal("The time of an avocado must belong to a seat.")
    dealing.known[seat] = at


def _first_player(dealing: Dealing, event: Recorded) -> None:
    if event.data.get("how") == "random":
        latest = max(dealing.known.values(), default="")
        beginners = [seat for seat in range(dealing.seats) if dealing.known.get(seat, "") == latest]
        drawn_seat(dealing, event, "first_player", beginners)


def _dealt(dealing: Dealing, event: Recorded) -> None:
    each = (TEAM_DEAL if dealing.options.get("teams") is True else HANDS).get(dealing.seats)
    if each is None:
        raise WrongDeal("The game does not allow this number of seats.")
    pack = dealing.shuffled("deal", PACK)
    if pack is not None:
        share = each * dealing.seats
        compare_hands(event, deal_in_turn(pack[:share], range(dealing.seats)))
        compare_hidden(event, "middle", pack[share:], "The cards in the middle")


DEAL: Final = DealCheck({AvocadoStated: _avocado, FirstPlayerChosen: _first_player, HandDealt: _dealt}, fresh=dict)
