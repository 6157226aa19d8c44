"""Deals a duel once more: the first player, the handles, the libraries, and what is discarded at random."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.core.choices import Below
from domain.core.dealing import DealCheck, Dealing, EventCheck, Recorded, WrongDeal, alike, compare_hidden, drawn_seat
from domain.core.visibility import TABLE
from domain.games.fivewells import events
from domain.games.fivewells.options import DECKS

Hand = set[int] | None
"""The handles of a hand, as numbers; None where they are not all known."""


@dataclass(slots=True)
class DuelMemory:
    """What is known of a duel: the hands, and how often chance has answered what."""

    hands: list[Hand] = field(default_factory=lambda: [set(), set()])
    mulligans: list[int] = field(default_factory=lambda: [0, 0])
    searches: list[int] = field(default_factory=lambda: [0, 0])
    kept: list[bool] = field(default_factory=lambda: [False, False])
    lots: int = 0


def number(handle: Any) -> int:
    """Give the number of a card's handle. Raises `WrongDeal`."""
    if not isinstance(handle, str) or not handle[1:].isdigit() or handle[0] != "o":
        raise WrongDeal("A card has a handle like o7.")
    return int(handle[1:])


def _seat(event: Recorded, name: str = "seat") -> int:
    seat = event.data.get(name)
    if seat not in (0, 1) or isinstance(seat, bool):
        raise WrongDeal("A duel is of two seats.")
    return int(seat)


def _own(event: Recorded, name: str) -> Any:
    """Give a private part of its seat; None where it is not known."""
    return event.parts.get(name, {}).get(str(_seat(event)))


def _first(dealing: Dealing, event: Recorded) -> None:
    if event.data.get("how") == "random":
        drawn_seat(dealing, event, "first_player", range(2))


def _numbered(dealing: Dealing, event: Recorded) -> None:
    seat = _seat(event)
    deck = DECKS[str(dealing.options.get(("first_deck", "second_deck")[seat], ("SR", "FG")[seat]))]
    order = dealing.shuffled(f"ids.{seat}", range(len(deck)))
    if order is not None:
        compare_hidden(event, "cards", [deck[place] for place in order], "The handles of a deck")


def _shuffled(dealing: Dealing, event: Recorded) -> None:
    known, seat = dealing.known, _seat(event)
    library = event.parts.get("library", {}).get(TABLE)
    if library is None:
        return
    items = sorted(library, key=number)
    n = known.searches[seat] - 1 if known.kept[seat] else known.mulligans[seat]
    order = dealing.shuffled(f"{'search' if known.kept[seat] else 'library'}.{seat}", items, n)
    if order is not None and not alike(library, list(order)):
        raise WrongDeal("The library is not in the order that the seed gives.")


def _objects(row: Any) -> list[int]:
    return [number(face["object"]) for face in row]


def _gain(dealing: Dealing, seat: int, cards: list[int] | None) -> None:
    hand = dealing.known.hands[seat]
    dealing.known.hands[seat] = None if hand is None or cards is None else hand | set(cards)


def _lose(dealing: Dealing, seat: int, cards: list[int] | None) -> None:
    hand = dealing.known.hands[seat]
    dealing.known.hands[seat] = None if hand is None or cards is None else hand - set(cards)


def _hand(dealing: Dealing, event: Recorded) -> None:
    dealt = _own(event, "cards")
    dealing.known.hands[_seat(event)] = None if dealt is None else set(_objects(dealt))


def _drawn(dealing: Dealing, event: Recorded) -> None:
    drawn = _own(event, "card")
    _gain(dealing, _seat(event), None if drawn is None else _objects([drawn]))


def _mulligan(dealing: Dealing, event: Recorded) -> None:
    dealing.known.mulligans[_seat(event)] += 1


def _kept(dealing: Dealing, event: Recorded) -> None:
    under = _own(event, "bottom")
    _lose(dealing, _seat(event), None if under is None else list(map(number, under)))
    dealing.known.kept[_seat(event)] = True


def _used(name: str) -> EventCheck:
    def check(dealing: Dealing, event: Recorded) -> None:
        _lose(dealing, _seat(event), [number(event.data.get(name))])

    return check


def _searched(dealing: Dealing, event: Recorded) -> None:
    dealing.known.searches[_seat(event)] += 1
    if event.data.get("to") == "hand":
        _gain(dealing, _seat(event), _objects(event.data["found"]))


def _left(dealing: Dealing, event: Recorded) -> None:
    if event.data.get("to") == "hand":
        cards = set(map(number, event.data["cards"]))
        for row in event.data["objects"]:
            if number(row["object"]) in cards:
                _gain(dealing, int(row["owner"]), [number(row["object"])])


def _returned(dealing: Dealing, event: Recorded) -> None:
    _gain(dealing, _seat(event, "owner"), [number(event.data.get("object"))])


def _discarded(dealing: Dealing, event: Recorded) -> None:
    seat, cards = _seat(event), _objects(event.data["cards"])
    if event.data.get("why") == "random":
        hand, n = dealing.known.hands[seat], dealing.known.lots
        dealing.known.lots += 1
        if hand:
            place = dealing.answer(Below(int, "random", len(hand), n), dealing.hands)
            if place is not None and cards != [sorted(hand)[place]]:
                raise WrongDeal("The card discarded at random is not the one that the seed gives.")
    _lose(dealing, seat, cards)


SEES: Final[Mapping[type, Callable[[Dealing, Recorded], None]]] = {
    events.FirstPlayerChosen: _first,
    events.CardsNumbered: _numbered,
    events.LibraryShuffled: _shuffled,
    events.HandDealt: _hand,
    events.MulliganTaken: _mulligan,
    events.HandKept: _kept,
    events.CardDrawn: _drawn,
    events.LandPlayed: _used("object"),
    events.SpellCast: _used("object"),
    events.LibrarySearched: _searched,
    events.PermanentsLeft: _left,
    events.CardReturned: _returned,
    events.CardsDiscarded: _discarded,
}

DEAL: Final = DealCheck(SEES, fresh=DuelMemory)
