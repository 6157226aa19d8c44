"""Defines a game's declaration of its collectible cards: sets, cards, boosters and decks.

All of this is public. Games with the same cards share the same declaration.
"""

from collections.abc import Callable, Iterable, Mapping
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
    """The boosters, by set, and the cards of a new collection.

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


def _refuse_lookup(*asked: object) -> tuple[str, ...]:
    raise KeyError(asked)


NO_CARDS: Final = Collectibles(
    sets={},
    cards={},
    formats={},
    open_booster=_refuse_lookup,
    read_list=lambda text: (Deck(()), ()),
    write_list=lambda deck: "",
    most_cards=0,
)
"""The collectibles of a server without a game of collectible cards."""


COLORLESS = "N"
"""Stands in a search for cards without a colour."""


@value
class CardQuery:
    """A search for cards: a card must meet all given conditions; an empty field is no condition.

    Every word of `text` must be in the name, the types or the text, ignoring case. For `colors`, `types`, `keywords`,
    `rarities` and `sets`, one match is enough; `COLORLESS` means cards without colour. `least_cost` and `most_cost`
    limit the mana value, both included.
    """

    text: str = ""
    colors: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    rarities: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    least_cost: int | None = None
    most_cost: int | None = None


def search_cards(cards: Iterable[CollectibleCard], query: CardQuery) -> tuple[CollectibleCard, ...]:
    """Return the cards that match the search, in order."""
    words = query.text.casefold().split()
    return tuple(card for card in cards if _meets(card, query) and _says(card, words))


def _meets(card: CollectibleCard, query: CardQuery) -> bool:
    rows = (
        (query.colors, card.colors or (COLORLESS,)),
        (query.types, card.types),
        (query.keywords, card.keywords),
        (query.rarities, (card.rarity,)),
        (query.sets, (card.set,)),
    )
    if not all(not asked or not set(asked).isdisjoint(there) for asked, there in rows):
        return False
    return (query.least_cost is None or card.mana_value >= query.least_cost) and (
        query.most_cost is None or card.mana_value <= query.most_cost
    )


def _says(card: CollectibleCard, words: list[str]) -> bool:
    printed = " ".join((card.name, *card.types, *card.subtypes, card.text)).casefold()
    return all(word in printed for word in words)
