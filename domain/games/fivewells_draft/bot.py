"""Drafts: a bot gets the knowledge of its seat, and returns a move.

A card is worth more the rarer it is, and the better its power and toughness are for its cost. The more cards of a
colour a seat has picked, the more it prefers cards of that colour: it commits itself to two.
"""

from collections import Counter
from random import Random
from typing import Any, Final

from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import CardType, Mana, Rarity
from domain.card_sets.cards.library import CARDS
from domain.core.bot_levels import any_of, player
from domain.core.cards import Seat
from domain.games.fivewells_draft.events import Move, OneOfPack, PickCard, SubmitDeck
from domain.games.fivewells_draft.rules import State, legal, pool, usual_deck

RARITY_WORTH: Final = {Rarity.COMMON: 0.0, Rarity.UNCOMMON: 1.0, Rarity.RARE: 2.5, Rarity.ULTRA_RARE: 4.0}
COMMITMENT: Final = 0.35
"""The value of a single-coloured card for each picked card of that colour."""
SPREAD: Final = 1.0
"""How much less a card is worth for each of its colours beyond the two that were picked most."""


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Pick the card that is worth most together with the picks so far; build the deck of the two best colours."""
    choice = legal(s, seat)[0]
    if not isinstance(choice, OneOfPack):
        deck = usual_deck(s, seat)
        return SubmitDeck(deck.main, deck.sideboard)
    picked = Counter(color for card in pool(s, seat) for color in card.colors)
    return PickCard(max(choice.of, key=lambda one: worth(CARDS[one], picked)))


def easy(s: State, seat: Seat, rng: Random) -> Move:
    """Pick the rarest and largest card, whatever its colour."""
    choice = legal(s, seat)[0]
    if not isinstance(choice, OneOfPack):
        return steady(s, seat, rng)
    return PickCard(max(choice.of, key=lambda one: worth(CARDS[one], Counter())))


def worth(card: PrintedCard, picked: Counter[Mana]) -> float:
    """Estimate the value of a card to a seat with these numbers of picks of each colour."""
    best = [color for color, _ in picked.most_common(2)]
    fitting = sum(COMMITMENT * picked[color] for color in card.colors) / max(len(card.colors), 1)
    foreign = SPREAD * sum(color not in best for color in card.colors) if sum(picked.values()) > 10 else 0.0
    return RARITY_WORTH[card.rarity] + size(card) + fitting - foreign


def size(card: PrintedCard) -> float:
    """Return the size of a creature relative to its cost; spells count as a good creature."""
    if CardType.CREATURE not in card.types:
        return 1.0 if card.colors else 0.5
    return (card.power + card.toughness + len(card.keywords)) / (card.cost.mana_value + 1)


choose: Any = player(steady, any_of(legal), easy=easy)
