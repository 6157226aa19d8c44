"""Repeats the deals of Crazy Eights: hands, the stock, the starter, and the pile that becomes a new stock."""

from dataclasses import field
from typing import Any, Final

from domain.core.cards import NAMES, card, card_names
from domain.core.dealing import (
    PACK,
    DealCheck,
    Dealing,
    Recorded,
    WrongDeal,
    alike,
    are_cards,
    compare_deal,
    compare_hidden,
    first_dealer_by_lot,
    whole,
)
from domain.core.values import mutable
from domain.games.crazy_eights import events
from domain.games.crazy_eights.options import bury_eights, canonical


@mutable
class DealMemory:
    """The card to turn up, the pile, the pile before the last turn, and the number of shuffles.

    A card to turn up is a type of event and its fields.
    """

    due: list[tuple[str, Any]] = field(default_factory=list)
    pile: list[Any] = field(default_factory=list)
    pile_before: list[Any] = field(default_factory=list)
    restocks: int = 0


def _dealt(dealing: Dealing, event: Recorded) -> None:
    seats, options = dealing.left_of(dealing.starting_seat("dealer")), dealing.options
    packs, size = options["packs"], options["hand_size"]
    if dealing.seats == 2 and options.get("two_player_seven") is True:
        size = 7
    if not whole(packs, 3) or not whole(size, 9) or 52 * packs - size * dealing.seats < max(10 * packs, 1):
        raise WrongDeal("This deal is not possible.")
    pack = dealing.shuffled("deal", PACK * packs)
    if pack is None:
        return
    compare_deal(event, pack, seats, size)
    buried, stock = bury_eights(tuple(map(card, pack[size * dealing.seats :])))
    eights = [("EightBuried", {"card": NAMES[eight], "depth": depth}) for eight, depth in buried]
    dealing.known.due = [*eights, ("StarterTurned", {"card": NAMES[stock[0]]})]


def _compare_turned(dealing: Dealing, event: Recorded, kind: str) -> None:
    if dealing.known.due:
        wanted, due = dealing.known.due.pop(0)
        if wanted != kind or not all(alike(event.data.get(name), x) for name, x in due.items()):
            raise WrongDeal("The cards turned up do not follow from the seed.")


def _buried(dealing: Dealing, event: Recorded) -> None:
    _compare_turned(dealing, event, "EightBuried")


def _turned(dealing: Dealing, event: Recorded) -> None:
    _compare_turned(dealing, event, "StarterTurned")
    dealing.known.pile = [event.data.get("card")]


def _played(dealing: Dealing, event: Recorded) -> None:
    _turn_passed(dealing, event)
    dealing.known.pile.append(event.data.get("card"))


def _turn_passed(dealing: Dealing, event: Recorded) -> None:
    dealing.known.pile_before = list(dealing.known.pile)


def _taken_back(dealing: Dealing) -> None:
    dealing.known.pile = list(dealing.known.pile_before)


def _restocked(dealing: Dealing, event: Recorded) -> None:
    known = dealing.known
    under, top = known.pile[:-1], known.pile[-1:]
    if not are_cards(under):
        raise WrongDeal("The pile contains something other than cards.")
    stock = dealing.shuffled("restock", card_names(canonical(tuple(map(card, under)))), known.restocks)
    known.pile, known.restocks = top, known.restocks + 1
    if stock is not None:
        compare_hidden(event, "stock", stock, "The cards of the new stock")


DEAL: Final = DealCheck(
    {
        events.FirstDealerChosen: first_dealer_by_lot,
        events.HandDealt: _dealt,
        events.EightBuried: _buried,
        events.StarterTurned: _turned,
        events.CardPlayed: _played,
        events.TurnPassed: _turn_passed,
        events.Restocked: _restocked,
    },
    fresh=DealMemory,
    taken_back=_taken_back,
)
