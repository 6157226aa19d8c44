"""Defines cards, tokens and sets of cards."""

from fractions import Fraction
from typing import Literal

from domain.card_sets.cards.abilities import Ability
from domain.card_sets.cards.card_kinds import CardType, Keyword, Mana, Rarity
from domain.card_sets.cards.costs import NOTHING, ManaCost
from domain.core.values import value


@value
class PrintedCard:
    """A printed card. Lands have no cost, and cards that are not creatures have power and toughness 0."""

    id: str
    name: str
    set: str
    number: int
    rarity: Rarity
    types: tuple[CardType, ...]
    colors: tuple[Mana, ...]
    text: str
    subtypes: tuple[str, ...] = ()
    cost: ManaCost = NOTHING
    power: int = 0
    toughness: int = 0
    keywords: tuple[Keyword, ...] = ()
    abilities: tuple[Ability, ...] = ()
    basic: bool = False


@value
class Token:
    """A token exists only on the battlefield; it has no cost, so its mana value is 0, and no abilities."""

    id: str
    name: str
    types: tuple[CardType, ...]
    colors: tuple[Mana, ...]
    power: int
    toughness: int
    subtypes: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    cost: ManaCost = NOTHING
    abilities: tuple[Ability, ...] = ()


@value
class Slot:
    """A slot of a booster holds this many different cards of a rarity, or a rare or an ultra rare card.

    With `one_of_each_color`, there is at least one card of each single colour. `ultra_rare_odds` is the chance that an
    ultra rare card replaces the rare one.
    """

    rarity: Literal["common", "uncommon", "rare_or_ultra_rare"]
    count: int
    one_of_each_color: bool = False
    ultra_rare_odds: Fraction = Fraction(0)


@value
class CardSet:
    """A set of cards, with its tokens and the contents of its boosters; `released` orders the sets."""

    code: str
    name: str
    kind: Literal["core", "expansion"]
    released: int
    cards: tuple[PrintedCard, ...]
    tokens: tuple[Token, ...]
    booster: tuple[Slot, ...]
