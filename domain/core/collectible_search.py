"""Finds collectible cards by what is printed on them."""

from collections.abc import Iterable

from domain.core.collectible import CollectibleCard
from domain.core.values import value

COLORLESS = "N"
"""Stands in a search for cards without a colour."""


@value
class CardQuery:
    """Says which cards are searched for: those that meet all that is given; what is empty asks for nothing.

    Every word of `text` must stand in the name, the types or the text, in whatever case. Of `colors`, `types`,
    `keywords`, `rarities` and `sets` one of the row is enough; `COLORLESS` stands for cards without colour.
    `least_cost` and `most_cost` bound the mana value, both included.
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
    """Give those of the cards that are searched for, in their order."""
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
