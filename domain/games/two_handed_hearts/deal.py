"""Repeats the deals of Two-Handed Hearts: the cut for the first deal, 13 cards each, and the stock."""

from typing import Final

from domain.core.dealing import PACK, DealCheck, Dealing, Recorded, add_cut, compare_deal, first_dealer
from domain.games.two_handed_hearts.events import CardCut, FirstDealerChosen, HandDealt


def _dealt(dealing: Dealing, event: Recorded) -> None:
    seats = dealing.left_of(dealing.starting_seat("dealer"))
    if (pack := dealing.shuffled("deal", PACK)) is not None:
        compare_deal(event, pack, seats, 13)


DEAL: Final = DealCheck({CardCut: add_cut, FirstDealerChosen: first_dealer, HandDealt: _dealt})
