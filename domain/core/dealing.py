"""Recomputes deals, and compares the events with the answers of chance.

A verifier may know a seed without knowing a game. So each game describes here only how it asks chance and deals. A
shuffle can then be checked whenever its seed is known, even if other parts are wrong or not disclosed. Values are as in
JSON events: cards are names, tuples are lists.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, Protocol, TypeGuard

from domain.core.cards import NAMES, NUMBERS, RANK_OF, cut_for_deal, deal_around, order_from_left
from domain.core.choices import Ask, Below, Shuffle
from domain.core.values import mutable, value
from domain.core.visibility import TABLE, Reader

PACK: Final = tuple(NAMES[:52])

Answer = Callable[[Ask, int], Any]
"""Answers a question to chance from a link of the current epoch; None if the seed is unknown."""


class WrongDeal(Exception):
    """An event differs from the answer of chance. The message gives the reason without naming a card."""


class Recorded(Protocol):
    """A recorded event has public fields, and the known secret parts by field and reader."""

    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def parts(self) -> Mapping[str, Mapping[Reader, Any]]: ...


@mutable
class Dealing:
    """The data from which the next answers of chance are recomputed.

    `hands` counts the hands begun in this epoch, so the current hand uses the link of this number. `started` are
    the public fields of the event that began the hand. `cuts` are the cards cut so far for
    the first deal, `known` is the game's own memory of the hand.
    """

    seats: int
    options: Mapping[str, Any]
    answer: Answer
    hands: int = 0
    started: Mapping[str, Any] = field(default_factory=dict)
    cuts: list[Recorded] = field(default_factory=list)
    known: Any = None

    def shuffled(self, purpose: str, items: Sequence[Any], n: int = 0, *, ahead: int = 0) -> Any:
        """Return a list in the order of the hand's shuffle; None if the seed is unknown.

        `ahead` is 1 for a question before the hand begins.
        """
        return self.answer(Shuffle(tuple, purpose, tuple(items), n), self.hands + ahead)

    def starting_seat(self, name: str) -> int:
        """Return the seat in this field of the event that began the hand. Raise `WrongDeal`."""
        seat = self.started.get(name)
        if not whole(seat, self.seats):
            raise WrongDeal("The dealer of this hand must be a seat.")
        return seat

    def left_of(self, seat: int) -> list[int]:
        """Return all seats from the left of this one on, with this one last."""
        return order_from_left(seat, self.seats)


EventCheck = Callable[[Dealing, Recorded], None]
"""Checks an event of one type. Raises `WrongDeal` if it differs from the answer of chance."""


@value
class DealCheck:
    """Describes how a game deals: the check of each type of event.

    `fresh` creates the game's own memory when a game or a hand begins; None if the game needs no memory. `taken_back`
    is called when the match takes a move back.
    """

    sees: Mapping[type, EventCheck]
    fresh: Callable[[], Any] | None = None
    taken_back: Callable[[Dealing], None] | None = None


def whole(x: Any, below: int) -> TypeGuard[int]:
    """Return whether a value is a whole number from 0 and less than `below`."""
    return type(x) is int and 0 <= x < below


def length(x: Any) -> int:
    """Return the length of a list; 0 if it is not a list."""
    return len(x) if isinstance(x, list) else 0


def are_cards(x: Any) -> TypeGuard[list[str]]:
    """Return whether a value is a list of cards."""
    return isinstance(x, list) and all(isinstance(c, str) and c in NUMBERS and c != "??" for c in x)


def alike(a: Any, b: Any) -> bool:
    """Return whether two values are the same in JSON, where 1 is not true."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(alike(x, b[name]) for name, x in a.items())
    return type(a) is type(b) and bool(a == b)


def compare(event: Recorded, name: str, due: Mapping[Reader, Any], what: str) -> None:
    """Compare the known parts of a secret field with the values due to its readers. Raise `WrongDeal`."""
    for reader, there in event.parts.get(name, {}).items():
        if reader in due and not alike(there, due[reader]):
            raise WrongDeal(f"{what} do not follow from the seed.")


def compare_hands(event: Recorded, hands: Mapping[Reader, Any]) -> None:
    """Compare the hands in the field `cards`. Raise `WrongDeal`."""
    compare(event, "cards", hands, "The hands")


def compare_hidden(event: Recorded, name: str, cards: Sequence[Any], what: str) -> None:
    """Compare cards that no reader may see. Raise `WrongDeal`."""
    compare(event, name, {TABLE: list(cards)}, what)


def deal_in_turn(cards: Sequence[Any], seats: Sequence[int]) -> dict[Reader, list[Any]]:
    """Deal one card at a time to the seats in this order; each hand is in the order of the pack.

    Names that `in_order` does not know raise `KeyError`.
    """
    return {str(seat): in_order(hand) for seat, hand in deal_around(cards, seats).items()}


def in_order(cards: Sequence[Any]) -> list[Any]:
    """Sort cards in the order of the pack, numbers by size.

    The names are those of `domain.core.cards`; others raise `KeyError`. A game with its own names sorts them itself,
    for example by their positions in the list that it shuffles.
    """
    return sorted(cards, key=lambda c: NUMBERS[c] if isinstance(c, str) else c)


def compare_deal(
    event: Recorded, pack: Sequence[Any], seats: Sequence[int], each: int, *, hands: str = "cards", rest: str = "stock"
) -> None:
    """Compare a deal of `each` cards to these seats, one at a time, and the rest of the pack. Raise `WrongDeal`."""
    share = each * len(seats)
    compare(event, hands, deal_in_turn(pack[:share], seats), "The hands")
    compare_hidden(event, rest, pack[share:], f"The cards of the {rest}")


def usual_deal(each: int, *, hands: str = "cards", rest: str = "stock") -> EventCheck:
    """Return the check of a deal of `each` cards to every seat, from seat 0, from a pack shuffled for `deal`.

    `hands` and `rest` are the names of the fields of the event.
    """

    def check(dealing: Dealing, event: Recorded) -> None:
        if (pack := dealing.shuffled("deal", PACK)) is not None:
            compare_deal(event, pack, range(dealing.seats), each, hands=hands, rest=rest)

    return check


# --- Who deals first, or begins -----------------------------------------------------------------------


def drawn_seat(dealing: Dealing, event: Recorded, purpose: str, seats: Sequence[int]) -> None:
    """Compare the field `seat` with the one that is drawn by lot before a hand begins. Raise `WrongDeal`."""
    if not seats:
        raise WrongDeal("There is no seat to draw from.")
    drawn = dealing.answer(Below(int, purpose, len(seats)), dealing.hands + 1)
    if drawn is not None and not alike(event.data.get("seat"), seats[drawn]):
        raise WrongDeal("The seat does not follow from the seed.")


def compare_cut(dealing: Dealing, event: Recorded, cuts: Sequence[Recorded]) -> None:
    """Compare the cards cut, and the first dealer by them. Raise `WrongDeal`."""
    pack = dealing.shuffled("cut", PACK, ahead=1)
    if pack is None:
        return
    drawn, dealer = cut_for_deal(pack, range(dealing.seats), lambda name: RANK_OF[NUMBERS[name]])
    said = [(cut.data.get("seat"), cut.data.get("card")) for cut in cuts]
    if not alike(said, drawn) or not alike(dealer, event.data.get("seat")):
        raise WrongDeal("The cut for the first deal does not follow from the seed.")


def first_dealer_by_lot(dealing: Dealing, event: Recorded) -> None:
    """Compare the first dealer if the field `how` says that it was drawn by lot. Raise `WrongDeal`."""
    if event.data.get("how") == "random":
        drawn_seat(dealing, event, "first_dealer", range(dealing.seats))


def add_cut(dealing: Dealing, event: Recorded) -> None:
    """Record a card that was cut."""
    dealing.cuts.append(event)


def first_dealer(dealing: Dealing, event: Recorded) -> None:
    """Compare the first dealer, chosen by a cut of the recorded cards or by lot. Raise `WrongDeal`."""
    if event.data.get("how") == "cut":
        compare_cut(dealing, event, dealing.cuts)
    first_dealer_by_lot(dealing, event)
