"""Repeats the deals of Gin Rummy: ten cards to each of two at a table, the upcard, and the stock."""

from typing import Any, Final

from domain.core.dealing import (
    PACK,
    DealCheck,
    Dealing,
    Recorded,
    WrongDeal,
    compare_hands,
    compare_hidden,
    deal_in_turn,
    first_dealer_by_lot,
    length,
    whole,
)
from domain.games.gin_rummy.events import FirstDealerChosen, HandDealt, UpcardTurned


def _pair(dealing: Dealing, table: Any) -> list[int]:
    """Return the two seats at a table. Raise `WrongDeal`."""
    pairs = dealing.started.get("pairs")
    if not isinstance(pairs, list) or not whole(table, min(len(pairs), 2)):
        raise WrongDeal("No such table was set up.")
    pair: list[int] = pairs[table]
    if length(pair) != 2 or not all(whole(seat, dealing.seats) for seat in pair) or pair[0] == pair[1]:
        raise WrongDeal("A hand must have two seats.")
    return pair


def _dealt(dealing: Dealing, event: Recorded) -> None:
    table = event.data.get("table")
    pair = _pair(dealing, table)
    pack = dealing.shuffled("deal", PACK, table if isinstance(table, int) else 0)
    if pack is not None:
        nobody: dict[str, list[Any]] = {str(seat): [] for seat in range(dealing.seats)}
        compare_hands(event, {**nobody, **deal_in_turn(pack[:20], pair)})
        compare_hidden(event, "stock", pack[21:], "The cards of the stock")
        dealing.known[table] = pack[20]


def _upcard(dealing: Dealing, event: Recorded) -> None:
    table = event.data.get("table")
    due = dealing.known.get(table) if whole(table, 2) else None
    if due is not None and event.data.get("card") != due:
        raise WrongDeal("The upcard does not follow from the seed.")


DEAL: Final = DealCheck({FirstDealerChosen: first_dealer_by_lot, HandDealt: _dealt, UpcardTurned: _upcard}, fresh=dict)
