"""Defines what a game says of the collectible cards that it is played with: sets, cards, boosters and decks.

All of this is public, and the same for everybody. Games that are played with the same cards bring the same record.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from domain.core.fairness import DrawContext
from domain.core.refusals import Reason
from domain.core.values import value

Counts = Mapping[str, int]
"""How many copies there are of each card, by its id."""


@value
class CollectibleToken:
    """A token, which cards create in play: no booster and no deck holds it. The words are those of cards."""

    id: str
    name: str
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    colors: tuple[str, ...]
    frame: str | None
    power: int | None
    toughness: int | None
    keywords: tuple[str, ...]
    text: str


@value
class CollectibleCard:
    """A card as a catalogue shows it: the words are those of the game.

    `frame` is the colour in which a card is drawn, one of those that `colors` of cards have; None: in none. `cost` is
    None for what has none, `power` and `toughness` for what does not fight. `basic` cards are in no booster, and every
    deck may have any number of them. `text` says what the card does. `abilities` says the same for programs, as JSON in
    the language of the game's files of cards. `printed` is the whole card in lines of text. `tokens` are those that it
    creates.
    """

    id: str
    name: str
    set: str
    number: int
    rarity: str
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    colors: tuple[str, ...]
    frame: str | None
    cost: str | None
    mana_value: int
    power: int | None
    toughness: int | None
    keywords: tuple[str, ...]
    basic: bool
    text: str
    abilities: str
    printed: str
    tokens: tuple[CollectibleToken, ...] = ()


@value
class BoosterSlot:
    """A slot of a booster holds `count` different cards of a rarity; `says` tells it in a sentence."""

    rarity: str
    count: int
    says: str


@value
class CollectibleSet:
    """A set of cards, with the tokens that they create; `released` orders the sets.

    `odds` is the exact chance that a booster holds a card at least once, as `7/96`, by the card's id.
    """

    id: str
    name: str
    kind: str
    released: int
    cards: tuple[str, ...]
    slots: tuple[BoosterSlot, ...]
    odds: Mapping[str, str]
    tokens: tuple[CollectibleToken, ...] = ()


@value
class Deck:
    """A deck is the ids of the cards that are played, and of those beside it that may come in between games."""

    main: tuple[str, ...]
    """The ids of the cards that are played."""
    sideboard: tuple[str, ...] = ()
    """The ids of the sideboard cards, which may come in between games."""


@value
class LineFault:
    """Says what is wrong with a line of a list of cards, counted from 1."""

    line: int
    sentence: str


@value
class StarterGrant:
    """A new collection holds these boosters, by their set, and these cards.

    `bound`: these cards, and those of these boosters, stay with the account: they are never traded.
    """

    boosters: Counts
    cards: Counts
    bound: bool = True


@value
class Collectibles:
    """Says which cards there are, what boosters hold, and which decks may be played.

    `sets` and `cards` are by their ids, in the order of release and number. `open_booster(set, seed, context)` gives
    the ids of the cards in the booster that a seed holds at this place. `formats` judge a deck: each gets the deck, the
    sets that are allowed, and the cards that are owned, None where every card may be had; it gives all that is wrong.
    `read_list(text)` reads a deck of lines as `4 Name`, with what is wrong with other lines; `write_list` writes one.
    `most_cards` bounds deck and sideboard together.
    """

    sets: Mapping[str, CollectibleSet]
    cards: Mapping[str, CollectibleCard]
    formats: Mapping[str, Callable[[Deck, tuple[str, ...], Counts | None], tuple[Reason, ...]]]
    open_booster: Callable[[str, bytes, DrawContext], tuple[str, ...]]
    read_list: Callable[[str], tuple[Deck, tuple[LineFault, ...]]]
    write_list: Callable[[Deck], str]
    most_cards: int
    starter: StarterGrant = field(default_factory=lambda: StarterGrant({}, {}))


def _nothing(*asked: object) -> tuple[str, ...]:
    raise KeyError(asked)


NO_CARDS: Final = Collectibles(
    sets={},
    cards={},
    formats={},
    open_booster=_nothing,
    read_list=lambda text: (Deck(()), ()),
    write_list=lambda deck: "",
    most_cards=0,
)
"""The collectibles of a server without a game of collectible cards."""
