"""Defines the moves of Hearts (hearts 2, 3): those of the seats, then those of chance."""

from typing import ClassVar

from domain.core.cards import Card, Cards, Seat
from domain.core.values import value


@value
class PassCards:
    cards: Cards
    """The cards to pass."""


@value
class ReturnCard:
    title: ClassVar[str] = "Give back"
    card: Card
    """The card to give back."""


@value
class PlayCard:
    card: Card
    """The card to play."""


@value
class Cut:
    pack: Cards


@value
class PickFirst:
    seat: Seat


@value
class Deal:
    pack: Cards


@value
class Redeal:
    pool: Cards


Move = PassCards | ReturnCard | PlayCard | Cut | PickFirst | Deal | Redeal
