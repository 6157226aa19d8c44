"""Provides the cards of the sets to readers and deck builders, as the game's collectible cards."""

import json
from typing import Final

from domain.card_sets.cards.abilities import ManaAbility
from domain.card_sets.cards.boosters import odds, open_booster
from domain.card_sets.cards.card import CardSet, PrintedCard, Slot, Token
from domain.card_sets.cards.card_kinds import COLORS, CardType
from domain.card_sets.cards.card_text import keywords_text
from domain.card_sets.cards.library import ABILITIES, BASIC_LANDS, CARDS, SETS, TOKENS
from domain.card_sets.check.self_causing import tokens_made
from domain.card_sets.decks.deck import MOST_CARDS, DeckRules, constructed_rules, faults
from domain.card_sets.decks.deck_lists import read_list, write_list
from domain.core import collectible
from domain.core.fairness import DrawContext
from domain.core.refusals import Reason

STARTER: Final = collectible.StarterGrant({"fw1": 6}, {land.id: 20 for land in BASIC_LANDS})
"""The content of a new collection: six boosters of the core set, and twenty of each basic land."""


def _card(card: PrintedCard) -> collectible.CollectibleCard:
    land, creature = CardType.LAND in card.types, CardType.CREATURE in card.types
    return collectible.CollectibleCard(
        id=card.id,
        name=card.name,
        set=card.set,
        number=card.number,
        rarity=card.rarity.value,
        types=tuple(one.value for one in card.types),
        subtypes=card.subtypes,
        colors=tuple(color.name for color in card.colors),
        frame=frame(card),
        cost=None if land else str(card.cost),
        mana_value=card.cost.mana_value,
        power=card.power if creature else None,
        toughness=card.toughness if creature else None,
        keywords=tuple(one.value for one in card.keywords),
        basic=card.basic,
        text=card.text,
        abilities=json.dumps(ABILITIES[card.id]),
        printed=printed_text(card),
        tokens=tuple(_token(TOKENS[one]) for one in sorted(tokens_made(card))),
    )


def frame(card: PrintedCard) -> str | None:
    """Return the colour in which a card is drawn: its first, or that of a land with mana of one colour."""
    given = [ability.add for ability in card.abilities if isinstance(ability, ManaAbility)]
    of_land = given if CardType.LAND in card.types and len(given) == 1 else []
    return next((color.name for color in (*card.colors, *of_land) if color in COLORS), None)


def _token(token: Token) -> collectible.CollectibleToken:
    return collectible.CollectibleToken(
        id=token.id,
        name=token.name,
        types=tuple(one.value for one in token.types),
        subtypes=token.subtypes,
        colors=tuple(color.name for color in token.colors),
        frame=token.colors[0].name if token.colors else None,
        power=token.power,
        toughness=token.toughness,
        keywords=tuple(one.value for one in token.keywords),
        text=keywords_text(token.keywords),
    )


def printed_text(card: PrintedCard) -> str:
    """Return a printed card: name, cost, types, size, text, set, number and rarity."""
    cost = "" if CardType.LAND in card.types else f"  {card.cost}"
    types = " ".join(card.types) + (f" – {' '.join(card.subtypes)}" if card.subtypes else "")
    size = f"  {card.power}/{card.toughness}" if CardType.CREATURE in card.types else ""
    rarity = "basic" if card.basic else card.rarity.replace("_", " ")
    rows = (f"{card.name}{cost}", f"{types}{size}", card.text, f"{card.set} {card.number}, {rarity}")
    return "".join(f"{row}\n" for row in rows if row)


def _set(one: CardSet) -> collectible.CollectibleSet:
    chances = {card: str(chance) for card, chance in odds(one).items()}
    cards = tuple(card.id for card in one.cards)
    tokens = tuple(map(_token, one.tokens))
    return collectible.CollectibleSet(
        one.code, one.name, one.kind, one.released, cards, tuple(map(_slot, one.booster)), chances, tokens
    )


def _slot(slot: Slot) -> collectible.BoosterSlot:
    if slot.rarity == "rare_or_ultra_rare":
        says = f"1 rare card; with the chance {slot.ultra_rare_odds} an ultra rare one instead."
    else:
        spread = ", at least one of each single colour" if slot.one_of_each_color else ""
        says = f"{slot.count} different {slot.rarity} cards{spread}."
    return collectible.BoosterSlot(slot.rarity, slot.count, says)


def cards_in_booster(set_id: str, seed: bytes, context: DrawContext) -> tuple[str, ...]:
    """Return the ids of the cards in the booster of this set that a seed holds at this place."""
    return tuple(card.id for card in open_booster(SETS[set_id], seed, context))


def fits_constructed(
    deck: collectible.Deck, sets: tuple[str, ...], owned: collectible.Counts | None
) -> tuple[Reason, ...]:
    """Find the faults of a deck of any cards of these sets, or of cards that a player owns."""
    return faults(deck, constructed_rules(sets, owned))


def fits_limited(deck: collectible.Deck, sets: tuple[str, ...], owned: collectible.Counts | None) -> tuple[Reason, ...]:
    """Find the faults of a deck of opened or drafted cards that can be found without knowing those cards."""
    return faults(deck, DeckRules(40, sets))


FORMATS: Final = {"constructed": fits_constructed, "sealed": fits_limited, "draft": fits_limited}

COLLECTIBLES: Final = collectible.Collectibles(
    sets={code: _set(one) for code, one in SETS.items()},
    cards={card_id: _card(card) for card_id, card in CARDS.items()},
    formats=FORMATS,
    open_booster=cards_in_booster,
    read_list=read_list,
    write_list=write_list,
    most_cards=MOST_CARDS,
    starter=STARTER,
)
"""The cards of all sets that are built in."""
