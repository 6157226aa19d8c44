"""Builds a deck for a player who opened or drafted cards and submitted none."""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import COLORS, CardType, Mana, Rarity
from domain.card_sets.cards.library import BASIC_LANDS
from domain.card_sets.decks.deck import complete_deck, limited_rules
from domain.core.collectible import Deck

SPELLS: Final = 23
SIZE: Final = 40

_RATING: Final = {rarity: place for place, rarity in enumerate(Rarity)}


def automatic_deck(pool: Iterable[PrintedCard]) -> Deck:
    """Build a deck of forty cards: the best 23 of two colours, and basic lands in proportion to the symbols.

    Rarer cards are better, then lower numbers. Of equally good pairs of colours, the first is used. If the two colours
    have fewer than 23 cards, more lands are added.
    """
    cards = sorted(pool, key=lambda card: (-_RATING[card.rarity], card.set, card.number))
    pairs = [(pair, _best(cards, pair)) for pair in combinations(COLORS, 2)]
    pair, best = max(pairs, key=lambda one: (len(one[1]), sum(_RATING[card.rarity] for card in one[1])))
    lands = _lands(pair, best, SIZE - len(best))
    return complete_deck(Deck((*(card.id for card in best), *lands)), limited_rules(cards))


def _best(cards: list[PrintedCard], pair: tuple[Mana, Mana]) -> list[PrintedCard]:
    """Return the best cards that are of no other colour, in the order of the pool; lands are no part of them."""
    fitting = [card for card in cards if set(card.colors) <= set(pair) and CardType.LAND not in card.types]
    return fitting[:SPELLS]


def _lands(pair: tuple[Mana, Mana], best: list[PrintedCard], count: int) -> list[str]:
    first, second = (sum(card.cost.colored[color] for card in best) for color in pair)
    total = first + second
    # The share of the first colour, rounded; half each where no card has a symbol.
    share = (2 * count * first + total) // (2 * total) if total else (count + 1) // 2
    return [BASIC_LANDS[pair[0]].id] * share + [BASIC_LANDS[pair[1]].id] * (count - share)
