"""Defines a game's declaration of its collectible cards: sets, cards, boosters and decks.

All of this is public. Games with the same cards share the same declaration.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from domain.core.fairness import DrawContext
from domain.core.refusals import Reason
from domain.core.values import value

Counts = Mapping[str, int]
"""The number of copies of each card, by card id."""


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
    """A card as shown in a catalogue, in the words of the game.

    `frame` is the colour in which a card is drawn, one of `colors` of cards, or None. `cost` is None for a card without
    a cost, `power` and `toughness` for a card that does not fight. `basic` cards are in no booster, and every deck may
    have any number of them. `text` describes the effects. `abilities` describes them for programs, as JSON in the
    format of the game's card files. `printed` is the whole card in lines of text. `tokens` are those that it creates.
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
    """A slot of a booster with `count` different cards of a rarity; `says` describes it in a sentence."""

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
    """The ids of the cards of a deck, and of its sideboard."""

    main: tuple[str, ...]
    """The ids of the cards that are played."""
    sideboard: tuple[str, ...] = ()
    """The ids of the sideboard cards, which may be swapped in between games."""


@value
class LineFault:
    """A fault in a line of a card list; lines count from 1."""

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
    """A game's cards, boosters and deck formats.

    `sets` and `cards` are by id, in the order of release and number. `open_booster(set, seed, context)` returns the
    card ids of the booster for a seed. Each of `formats` gets a deck, the allowed sets, and the owned cards (None if
    all cards are available), and returns all faults. `read_list(text)` reads a deck from lines such as `4 Name`, with
    the faults of other lines; `write_list` writes one. `most_cards` limits deck and sideboard together.
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
