"""Repeats the deals of poker: the draw for the button, the hands, and the rest of the pack."""

from typing import Any

from domain.core.dealing import (
    PACK,
    Dealing,
    Recorded,
    WrongDeal,
    compare_hands,
    compare_hidden,
    deal_in_turn,
    drawn_seat,
    length,
    whole,
)


def button_drawn(dealing: Dealing, event: Recorded) -> None:
    """Compare the seat that gets the button. Raise `WrongDeal`."""
    among = event.data.get("among")
    if not isinstance(among, list) or not all(whole(seat, dealing.seats) for seat in among):
        raise WrongDeal("The button must be drawn from a list of seats.")
    drawn_seat(dealing, event, "button", among)


def _dealt_in(dealing: Dealing) -> list[int]:
    """Return the seats that are dealt in, from the left of the button."""
    stacks, button = dealing.started.get("stacks"), dealing.started.get("button")
    if not isinstance(stacks, list) or length(stacks) != dealing.seats or not whole(button, dealing.seats):
        raise WrongDeal("A hand must begin with a button, and with a stack for each seat.")
    return [seat for seat in dealing.left_of(button) if type(stacks[seat]) is not int or stacks[seat] != 0]


def hands_dealt(dealing: Dealing, event: Recorded, size: int) -> tuple[dict[str, list[Any]], list[Any]] | None:
    """Compare hands of this size and the remaining cards; return both, or None if the seed is unknown."""
    seats = _dealt_in(dealing)
    pack = dealing.shuffled("deal", PACK)
    if pack is None:
        return None
    share = size * len(seats)
    hands = deal_in_turn(pack[:share], seats) if seats else {}
    nobody: dict[str, list[Any]] = {str(seat): [] for seat in range(dealing.seats)}
    compare_hands(event, {**nobody, **hands})
    compare_hidden(event, "deck", pack[share:], "The cards of the deck")
    return hands, list(pack[share:])
