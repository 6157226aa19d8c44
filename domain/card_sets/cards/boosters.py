"""Opens boosters from a committed seed, and computes how likely each card is.

One stream of words makes one booster, slot by slot. Cards are shuffled from the order of their numbers.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from domain.card_sets.cards.card import CardSet, PrintedCard, Slot
from domain.card_sets.cards.card_kinds import COLORS, Mana, Rarity
from domain.core.cards import Seat
from domain.core.choices import Drawing
from domain.core.fairness import DrawContext, draw_below, key, shuffle_items, words

Cards = tuple[PrintedCard, ...]


def open_booster(cards: CardSet, seed: bytes, context: DrawContext) -> Cards:
    """Return the cards of the booster that this seed holds at this place, in the order of its slots."""
    return drawn_booster(cards, words(key(seed, context)))


def asked_booster(make: type, cards: CardSet, seat: Seat, n: int) -> Drawing:
    """Ask chance for the booster of a seat with this number. `make` turns the ids of its cards into a move."""
    return Drawing(make, f"booster.{seat}", lambda stream: tuple(card.id for card in drawn_booster(cards, stream)), n)


def drawn_booster(cards: CardSet, stream: Iterator[int]) -> Cards:
    """Draw the cards of a booster from a stream of words."""
    return tuple(card for slot in cards.booster for card in _drawn(slot, cards, stream))


def of_rarity(cards: CardSet, rarity: Rarity) -> Cards:
    """Return the cards of a rarity that a booster can contain, by number, without basic lands."""
    there = (card for card in cards.cards if card.rarity is rarity and not card.basic)
    return tuple(sorted(there, key=lambda card: card.number))


def of_color(cards: Cards, color: Mana) -> Cards:
    """Return the cards that are only of this colour."""
    return tuple(card for card in cards if card.colors == (color,))


def _drawn(slot: Slot, cards: CardSet, stream: Iterator[int]) -> Cards:
    if slot.rarity == "rare_or_ultra_rare":
        odds = slot.ultra_rare_odds
        ultra = draw_below(stream, odds.denominator) < odds.numerator
        row = of_rarity(cards, Rarity.ULTRA_RARE if ultra else Rarity.RARE)
        return (row[draw_below(stream, len(row))],)
    row = of_rarity(cards, Rarity(slot.rarity))
    first: Cards = ()
    if slot.one_of_each_color:
        first = tuple(shuffle_items(stream, of_color(row, color))[0] for color in COLORS)
        row = tuple(card for card in row if card not in first)
    return first + shuffle_items(stream, row)[: slot.count - len(first)]


def odds(cards: CardSet) -> Mapping[str, Fraction]:
    """Return the chance that a booster contains each card, by card id, for cards that are in boosters."""
    return {card_id: chance for slot in cards.booster for card_id, chance in _odds(slot, cards)}


def _odds(slot: Slot, cards: CardSet) -> Iterator[tuple[str, Fraction]]:
    if slot.rarity == "rare_or_ultra_rare":
        chances = {Rarity.RARE: 1 - slot.ultra_rare_odds, Rarity.ULTRA_RARE: slot.ultra_rare_odds}
        rows = {rarity: of_rarity(cards, rarity) for rarity in chances}
        yield from (
            (card.id, chance / len(rows[rarity])) for rarity, chance in chances.items() for card in rows[rarity]
        )
        return
    row = of_rarity(cards, Rarity(slot.rarity))
    colors = COLORS if slot.one_of_each_color else ()
    first = {card: Fraction(1, len(same)) for color in colors if (same := of_color(row, color)) for card in same}
    later = Fraction(slot.count - len(colors), len(row) - len(colors))
    for card in row:
        chance = first.get(card, Fraction(0))
        yield card.id, chance + (1 - chance) * later
