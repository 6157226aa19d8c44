"""Repeats the deals of Crazy Eights: hands, the stock, the starter, and the pile that becomes a new stock."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

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
    in_order,
    whole,
)
from domain.games.crazy_eights.events import (
    CardPlayed,
    EightBuried,
    FirstDealerChosen,
    HandDealt,
    Restocked,
    StarterTurned,
    TurnPassed,
)


@dataclass(slots=True)
class DealMemory:
    """Holds what is to be turned, the pile, the pile before the last turn, and how often it was shuffled.

    A card that is due to be turned is a type of event and its fields.
    """

    due: list[tuple[str, Any]] = field(default_factory=list)
    pile: list[Any] = field(default_factory=list)
    pile_before: list[Any] = field(default_factory=list)
    restocks: int = 0


def _dealt(dealing: Dealing, event: Recorded) -> None:
    seats, options = dealing.left_of(dealing.starting_seat("dealer")), dealing.options
    packs, size = options.get("packs", 1), options.get("hand_size", 5)
    if dealing.seats == 2 and options.get("two_player_seven") is True:
        size = 7
    if not whole(packs, 3) or not whole(size, 9) or 52 * packs - size * dealing.seats < max(10 * packs, 1):
        raise WrongDeal("No such deal can be had.")
    pack = dealing.shuffled("deal", PACK * packs)
    if pack is None:
        return
    compare_deal(event, pack, seats, size)
    dealing.known.due = list(_starter(list(pack[size * dealing.seats :])))


def _starter(stock: list[str]) -> Iterator[tuple[str, Any]]:
    """Return the cards that are turned: eights are buried in the middle of the remaining stock.

    A stock is large enough for this to end.
    """
    while stock[0][0] == "8":
        eight, stock = stock[0], stock[1:]
        depth = len(stock) // 2
        stock = [*stock[:depth], eight, *stock[depth:]]
        yield "EightBuried", {"card": eight, "depth": depth}
    yield "StarterTurned", {"card": stock[0]}


def _compare_turned(dealing: Dealing, event: Recorded, kind: str) -> None:
    if dealing.known.due:
        wanted, due = dealing.known.due.pop(0)
        if wanted != kind or not all(alike(event.data.get(name), x) for name, x in due.items()):
            raise WrongDeal("What is turned is not what the seed gives.")


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
        raise WrongDeal("What lies on the pile are not cards.")
    once = in_order(list(set(under)))
    twice = list(under)
    for c in once:
        twice.remove(c)
    stock = dealing.shuffled("restock", [*once, *in_order(twice)], known.restocks)
    known.pile, known.restocks = top, known.restocks + 1
    if stock is not None:
        compare_hidden(event, "stock", stock, "The cards of the new stock")


DEAL: Final = DealCheck(
    {
        FirstDealerChosen: first_dealer_by_lot,
        HandDealt: _dealt,
        EightBuried: _buried,
        StarterTurned: _turned,
        CardPlayed: _played,
        TurnPassed: _turn_passed,
        Restocked: _restocked,
    },
    fresh=DealMemory,
    taken_back=_taken_back,
)
