"""Searches collectible cards by their printed values."""

from collections.abc import Iterable

from domain.core.collectible import CollectibleCard
from domain.core.values import value

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
