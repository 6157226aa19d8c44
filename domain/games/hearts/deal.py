"""Repeats the deals of Hearts: the cut for the first deal, 13 cards each, and the pool that the dealer gives back."""

from dataclasses import field
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.dealing import (
    PACK,
    DealCheck,
    Dealing,
    Recorded,
    WrongDeal,
    add_cut,
    are_cards,
    compare,
    compare_hands,
    deal_in_turn,
    first_dealer,
    length,
    whole,
)
from domain.core.values import mutable
from domain.games.hearts.events import CardCut, FirstDealerChosen, HandDealt, PassChosen, PassReceived, PoolRedealt


@mutable
class DealMemory:
    """The passed cards of each seat, and the cards that each seat gets from the pool."""

    passed: dict[Seat, Any] = field(default_factory=dict)
    pool: dict[Seat, Any] | None = None


def _dealt(dealing: Dealing, event: Recorded) -> None:
    seats = dealing.left_of(dealing.starting_seat("dealer"))
    if (pack := dealing.shuffled("deal", PACK)) is not None:
        compare_hands(event, deal_in_turn(pack, seats))


def _chosen(dealing: Dealing, event: Recorded) -> None:
    seat = event.data.get("seat")
    if whole(seat, dealing.seats):
        dealing.known.passed[seat] = event.parts.get("cards", {}).get(str(seat))


def _pool(dealing: Dealing, event: Recorded) -> None:
    seats = dealing.left_of(dealing.starting_seat("dealer"))
    passed = [dealing.known.passed.get(seat) for seat in seats]
    if None in passed:
        return
    if any(length(cards) != 3 or not all(isinstance(c, str) for c in cards or ()) for cards in passed):
        raise WrongDeal("Each seat passes three cards.")
    cards = [c for part in passed for c in part or ()]
    if not are_cards(cards):
        raise WrongDeal("Something other than cards was passed.")
    if (pool := dealing.shuffled("dealer_redeal", cards)) is not None:
        dealing.known.pool = {int(seat): hand for seat, hand in deal_in_turn(pool, seats).items()}


def _from_pool(dealing: Dealing, event: Recorded) -> None:
    seat, pool = event.data.get("seat"), dealing.known.pool
    if event.data.get("from") == "pool" and pool is not None and whole(seat, dealing.seats):
        compare(event, "cards", {str(seat): pool[seat]}, "The cards from the pool")


DEAL: Final = DealCheck(
    {
        CardCut: add_cut,
        FirstDealerChosen: first_dealer,
        HandDealt: _dealt,
        PassChosen: _chosen,
        PoolRedealt: _pool,
        PassReceived: _from_pool,
    },
    fresh=DealMemory,
)
