"""Represents playing cards as small integers, and hands and piles as tuples of them (rules 1.2).

A card is its number in the canonical order of the pack: suits C, D, H, S, and within a suit 2 … K, A. So 2C is 0, AC is
12, AS is 51, and within a suit a higher card has a greater number. `BACK` is a card seen from behind, for a card that
the seat was not shown.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from typing import Annotated, Final, NewType, TypeVar

from domain.core.types import Doc, TextForm, TextOf, Typed, written_as

Seat = Annotated[int, "seat", Doc("A seat, counted from 0 clockwise.")]
"""A seat is a number, counted from 0 clockwise.

The mark identifies seats wherever types of fields and arguments are read.
"""

NOBODY: Final[Seat] = -1
"""The value that states keep instead of a seat if there is none."""

Card = NewType("Card", int)
Suit = NewType("Suit", int)
C = TypeVar("C", bound=int)  # a card of any pack
T = TypeVar("T")  # a card as in play or in a record
Cards = tuple[Card, ...]
"""Cards of a hand, in canonical order, or of a pile, in the order of the pile."""

BACK = Card(-1)
PACK: Cards = tuple(Card(n) for n in range(52))
RANKS, SUITS = "23456789TJQKA", "CDHS"
CLUBS, DIAMONDS, HEARTS, SPADES = (Suit(s) for s in range(4))

NAMES = [rank + suit for suit in SUITS for rank in RANKS] + ["??"]  # NAMES[BACK] is the last name
NUMBERS = {name: Card(n) for n, name in enumerate(NAMES[:52])} | {"??": BACK}
SUIT_OF = [Suit(n // 13) for n in range(52)]
RANK_OF = [n % 13 for n in range(52)]
OF_SUIT = [frozenset(PACK[13 * suit : 13 * suit + 13]) for suit in range(4)]

_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")

WRITTEN: Final = r"^([2-9TtJjQqKkAa]|10)([CcDdHhSs]|[♣♦♥♠♧♢♡♤][\uFE0E\uFE0F]?)$"
"""A rank and a suit as people write them; a variation selector may say whether a sign is drawn as text or in colour."""


def is_seat(t: Typed | None) -> bool:
    """Return whether a type is the type of seats."""
    return t is not None and t.kind == "leaf" and "seat" in t.marks and not t.optional


def card(name: str) -> Card:
    """Return the card of this name. Raise `KeyError` if there is none."""
    return NUMBERS[name]


def read_card(text: str) -> Card:
    """Read a card in the forms that people use: `TH`, `10h`, `T♥`. Raise `ValueError` for anything else (rules 1.2)."""
    written = re.fullmatch(WRITTEN, text)
    if written is None:
        raise ValueError(f"{text!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}, like QS")
    rank, suit = written[1].upper().replace("10", "T"), written[2][0].upper().translate(_SIGNS)
    return NUMBERS[rank + suit]


CARD: Final = TextForm(
    write=NAMES.__getitem__,
    stored=NUMBERS.__getitem__,
    read=read_card,
    schema={"type": "string", "pattern": WRITTEN, "description": "A card: rank and suit, as `QS` or `10h`."},
    once=True,
)
written_as(Card, CARD)

CardName = Annotated[str, TextOf(Card)]
"""A card as tables show it: its text."""


def hand(names: str) -> Cards:
    """Return the sorted hand of these cards, as in `hand("QS 2C")`."""
    return tuple(sorted(NUMBERS[name] for name in names.split()))


def card_names(cards: Iterable[Card]) -> list[str]:
    """Return the names of the cards, in order."""
    return [NAMES[c] for c in cards]


def backs(count: int) -> Cards:
    """Return this many cards face down."""
    return (BACK,) * count


def keep_cards(hand: Cards, cards: Container[Card]) -> Cards:
    """Return the cards that are among these."""
    return tuple([c for c in hand if c in cards])


def drop_cards(hand: Cards, cards: Container[Card]) -> Cards:
    """Return the cards that are not among these."""
    return tuple([c for c in hand if c not in cards])


def add_cards(hand: tuple[C, ...], cards: Iterable[C]) -> tuple[C, ...]:
    """Return the hand with these cards, in order."""
    return tuple(sorted((*hand, *cards)))


def remove_cards(hand: tuple[C, ...], *cards: C) -> tuple[C, ...]:
    """Return the hand without these cards; a card that is not visible there removes a back."""
    for c in cards:
        i = hand.index(c if c in hand else BACK)
        hand = hand[:i] + hand[i + 1 :]
    return hand


def deal_around(cards: Sequence[T], order: Sequence[Seat]) -> dict[Seat, Sequence[T]]:
    """Deal all cards one at a time to the seats in this order; return each seat's cards in the order dealt."""
    return {seat: cards[i :: len(order)] for i, seat in enumerate(order)}


def deal_hands(cards: Sequence[C], order: Sequence[Seat], seats: int) -> tuple[tuple[C, ...], ...]:
    """Deal all cards around; return the sorted hand of each seat at the table, empty for a seat not in `order`."""
    dealt = deal_around(cards, order)
    return tuple(tuple(sorted(dealt.get(seat, ()))) for seat in range(seats))


def cut_for_deal(
    pack: Sequence[T], seats: Sequence[Seat], rank: Callable[[T], int]
) -> tuple[list[tuple[Seat, T]], Seat]:
    """Return the cards that seats draw from the top in turn, and the dealer.

    The highest rank deals; seats that tie draw again. A pack that ties to its end deals to the first of them.
    """
    drawn: list[tuple[Seat, T]] = []
    while len(seats) > 1 and len(drawn) < len(pack):
        turn = list(zip(seats, pack[len(drawn) :], strict=False))
        highest = max(rank(c) for _, c in turn)
        seats = [seat for seat, c in turn if rank(c) == highest]
        drawn += turn
    return drawn, seats[0]


def order_from_left(seat: Seat, seats: int) -> list[Seat]:
    """Return all seats from the left of this one on, with this one last."""
    return [(seat + 1 + i) % seats for i in range(seats)]


def next_seat(seat: Seat, seats: int) -> Seat:
    """Return the seat to the left, which is next in all games."""
    return (seat + 1) % seats


def seat_or_none(seat: Seat) -> Seat | None:
    """Return the seat, or None for `NOBODY`."""
    return None if seat == NOBODY else seat


def fewest(hands: Sequence[Collection[object]], seat: Seat) -> int:
    """Return the smallest number of cards in the hands of the other seats."""
    return min(len(hand) for other, hand in enumerate(hands) if other != seat)
