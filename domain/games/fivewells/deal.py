"""Repeats the draws of a duel: the first player, the handles, the libraries, and random discards."""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from domain.card_sets.cards.boosters import asked_booster
from domain.card_sets.cards.library import SETS
from domain.core.choices import Below
from domain.core.dealing import (
    DealCheck,
    Dealing,
    EventCheck,
    Recorded,
    WrongDeal,
    alike,
    compare,
    compare_hidden,
    length,
    whole,
)
from domain.core.values import mutable
from domain.core.visibility import TABLE
from domain.games.fivewells import events, turn_events
from domain.games.fivewells.options import boosters_of

Hand = set[int] | None
"""The handles of a hand, as numbers; None if they are not all known."""


@mutable
class DuelMemory:
    """The known data of a duel: the hands, and the number of each answer of chance."""

    hands: list[Hand] = field(default_factory=lambda: [set(), set()])
    mulligans: list[int] = field(default_factory=lambda: [0, 0])
    searches: list[int] = field(default_factory=lambda: [0, 0])
    kept: list[bool] = field(default_factory=lambda: [False, False])
    lots: int = 0
    decks: list[Any] = field(default_factory=lambda: [None, None])
    """The decks of this hand, sorted; None if they are not disclosed."""


def card_number(handle: Any) -> int:
    """Return the number of a card's handle. Raise `WrongDeal`."""
    if not isinstance(handle, str) or re.fullmatch("o[0-9]+", handle) is None:
        raise WrongDeal("A card has a handle like o7.")
    return int(handle[1:])


def _seat(event: Recorded, name: str = "seat") -> int:
    return _one_of_two(event.data.get(name))


def _one_of_two(seat: Any) -> int:
    if not whole(seat, 2):
        raise WrongDeal("A duel must have two seats.")
    return seat


def _own(event: Recorded, name: str) -> Any:
    """Return a private part for its seat; None if it is unknown."""
    return event.parts.get(name, {}).get(str(_seat(event)))


def _first(dealing: Dealing, event: Recorded) -> None:
    if event.data.get("how") == "random":
        drawn = dealing.answer(Below(int, "first_player", 2), dealing.hands)
        if drawn is not None and not alike(event.data.get("seat"), drawn):
            raise WrongDeal("The seat does not follow from the seed.")


def _opened(dealing: Dealing, event: Recorded) -> None:
    sets = dealing.options.get("sets")
    sets = boosters_of(tuple(sets) if isinstance(sets, list) else ("fw1", "bt1"))
    seat, n = _seat(event), event.data.get("n")
    if not whole(n, len(sets)) or not alike(event.data.get("set"), sets[n]) or sets[n] not in SETS:
        raise WrongDeal("There is no such booster.")
    cards = dealing.answer(asked_booster(tuple, SETS[sets[n]], seat, n), dealing.hands)
    if cards is not None:
        compare(event, "cards", {str(seat): list(cards)}, "The cards of a booster")


def _submitted(dealing: Dealing, event: Recorded) -> None:
    deck = _own(event, "deck")
    dealing.known.decks[_seat(event)] = None if deck is None else sorted(deck["main"])


def _numbered(dealing: Dealing, event: Recorded) -> None:
    seat = _seat(event)
    deck = dealing.known.decks[seat]
    if deck is None:
        return
    order = dealing.shuffled(f"ids.{seat}", range(len(deck)))
    if order is not None:
        compare_hidden(event, "cards", [deck[place] for place in order], "The handles of a deck")


def _shuffled(dealing: Dealing, event: Recorded) -> None:
    known, seat = dealing.known, _seat(event)
    library = event.parts.get("library", {}).get(TABLE)
    if library is None:
        return
    items = sorted(library, key=card_number)
    n = known.searches[seat] - 1 if known.kept[seat] else known.mulligans[seat]
    order = dealing.shuffled(f"{'search' if known.kept[seat] else 'library'}.{seat}", items, n)
    if order is not None and not alike(library, list(order)):
        raise WrongDeal("The library does not have the order that follows from the seed.")


def _objects(row: Any) -> list[int]:
    return [card_number(face["object"]) for face in row]


def _gain(dealing: Dealing, seat: int, cards: list[int] | None) -> None:
    hand = dealing.known.hands[seat]
    dealing.known.hands[seat] = None if hand is None or cards is None else hand | set(cards)


def _lose(dealing: Dealing, seat: int, cards: list[int] | None) -> None:
    hand = dealing.known.hands[seat]
    dealing.known.hands[seat] = None if hand is None or cards is None else hand - set(cards)


def _hand(dealing: Dealing, event: Recorded) -> None:
    counts: Any = event.data.get("counts")
    if length(counts) != 2 or any(type(count) is not int for count in counts):
        raise WrongDeal("Both seats must get a hand, or neither.")
    for seat, count in enumerate(counts):
        dealt = event.parts.get("cards", {}).get(str(seat))
        if count:
            dealing.known.hands[seat] = None if dealt is None else set(_objects(dealt))


def _drawn(dealing: Dealing, event: Recorded) -> None:
    drawn = _own(event, "card")
    _gain(dealing, _seat(event), None if drawn is None else _objects([drawn]))


def _turn(dealing: Dealing, event: Recorded) -> None:
    if event.data.get("draws"):
        _drawn(dealing, event)


def _mulligan(dealing: Dealing, event: Recorded) -> None:
    dealing.known.mulligans[_seat(event)] += 1


def _kept(dealing: Dealing, event: Recorded) -> None:
    under = _own(event, "bottom")
    _lose(dealing, _seat(event), None if under is None else list(map(card_number, under)))
    dealing.known.kept[_seat(event)] = True


def _used(name: str) -> EventCheck:
    def check(dealing: Dealing, event: Recorded) -> None:
        _lose(dealing, _seat(event), [card_number(event.data.get(name))])

    return check


def _searched(dealing: Dealing, event: Recorded) -> None:
    dealing.known.searches[_seat(event)] += 1
    if event.data.get("to") == "hand":
        _gain(dealing, _seat(event), _objects(event.data["found"]))


def _left(dealing: Dealing, event: Recorded) -> None:
    if event.data.get("to") == "hand":
        cards = set(map(card_number, event.data["cards"]))
        for row in event.data["were"]:
            if card_number(row["object"]) in cards:
                _gain(dealing, _one_of_two(row.get("owner")), [card_number(row["object"])])


def _returned(dealing: Dealing, event: Recorded) -> None:
    _gain(dealing, _seat(event, "owner"), [card_number(event.data.get("object"))])


def _discarded(dealing: Dealing, event: Recorded) -> None:
    seat, cards = _seat(event), _objects(event.data["cards"])
    if event.data.get("why") == "random":
        hand, n = dealing.known.hands[seat], dealing.known.lots
        dealing.known.lots += 1
        if hand:
            place = dealing.answer(Below(int, "random", len(hand), n), dealing.hands)
            if place is not None and cards != [sorted(hand)[place]]:
                raise WrongDeal("The card discarded at random does not follow from the seed.")
    _lose(dealing, seat, cards)


_CHECKS: Final[Mapping[type, EventCheck]] = {
    turn_events.FirstPlayerChosen: _first,
    turn_events.BoosterOpened: _opened,
    turn_events.DeckSubmitted: _submitted,
    turn_events.CardsNumbered: _numbered,
    turn_events.LibraryShuffled: _shuffled,
    turn_events.HandDealt: _hand,
    turn_events.MulliganTaken: _mulligan,
    turn_events.HandKept: _kept,
    events.CardDrawn: _drawn,
    turn_events.TurnStarted: _turn,
    events.LandPlayed: _used("object"),
    events.SpellCast: _used("source"),
    events.LibrarySearched: _searched,
    events.PermanentsLeft: _left,
    events.CardReturned: _returned,
    events.CardsDiscarded: _discarded,
}

DEAL: Final = DealCheck(_CHECKS, fresh=DuelMemory)
