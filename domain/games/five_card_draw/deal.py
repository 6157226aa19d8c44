"""Repeats the deals of five-card draw: hands, the cards exchanged, and a new stock of cards out of play."""

from dataclasses import field
from typing import Final

from domain.core.cards import Seat
from domain.core.dealing import (
    DealCheck,
    Dealing,
    Recorded,
    WrongDeal,
    are_cards,
    compare,
    compare_hidden,
    in_order,
    whole,
)
from domain.core.values import mutable
from domain.poker.betting_deal import button_drawn, hands_dealt
from domain.poker.betting_events import ButtonDrawn, CardsSwapped, HandDealt, PlayerFolded, StockRebuilt


@mutable
class DealMemory:
    """The stock, the hands, the cards out of play, and the number of rebuilt stocks.

    The stock is None if it is unknown.
    """

    stock: list[str] | None = None
    held: dict[Seat, list[str]] = field(default_factory=dict)
    out_of_play: dict[Seat, list[str] | None] = field(default_factory=dict)
    rebuilt: int = 0


def _dealt(dealing: Dealing, event: Recorded) -> None:
    found = hands_dealt(dealing, event, 5)
    if found is None:
        dealing.known.stock = None
        return
    hands, dealing.known.stock = found
    dealing.known.held = {int(seat): hand for seat, hand in hands.items()}


def _folded(dealing: Dealing, event: Recorded) -> None:
    seat, known = event.data.get("seat"), dealing.known
    thrown = known.out_of_play.get(seat, []) if whole(seat, dealing.seats) else None
    if whole(seat, dealing.seats) and thrown is not None:
        known.out_of_play[seat] = thrown + known.held.get(seat, [])


def _swapped(dealing: Dealing, event: Recorded) -> None:
    seat, count, known = event.data.get("seat"), event.data.get("count"), dealing.known
    if not whole(seat, dealing.seats) or not whole(count, 6):
        raise WrongDeal("A seat can exchange at most five cards.")
    thrown = event.parts.get("discarded", {}).get(str(seat))
    known.out_of_play[seat] = thrown if are_cards(thrown) else None
    if known.stock is None:
        return
    drawn, known.stock = known.stock[:count], known.stock[count:]
    compare(event, "drawn", {str(seat): drawn}, "The cards drawn")
    if are_cards(thrown):
        known.held[seat] = [c for c in known.held.get(seat, ()) if c not in thrown] + drawn


def _rebuilt(dealing: Dealing, event: Recorded) -> None:
    """Shuffle the cards out of play, if all are known, under the rest of the stock."""
    known = dealing.known
    rows, stock, n = list(known.out_of_play.values()), known.stock, known.rebuilt
    known.stock, known.out_of_play, known.rebuilt = None, {}, n + 1
    if stock is None or None in rows:
        return
    cards = [c for row in rows for c in row]
    if len(cards) != event.data.get("count"):
        raise WrongDeal("The new stock must consist of the folded and discarded cards.")
    more = dealing.shuffled("redeal", in_order(cards), n)
    if more is not None:
        compare_hidden(event, "stock", more, "The cards of the new stock")
        known.stock = [*stock, *more]


DEAL: Final = DealCheck(
    {
        ButtonDrawn: button_drawn,
        HandDealt: _dealt,
        PlayerFolded: _folded,
        CardsSwapped: _swapped,
        StockRebuilt: _rebuilt,
    },
    fresh=DealMemory,
)
