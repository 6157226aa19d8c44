"""Checks decks against the rules of a format, and builds a deck for a player who submitted none."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import COLORS, CardType, Mana, Rarity
from domain.card_sets.cards.library import BASIC_LANDS, CARDS
from domain.core.collectible import Deck
from domain.core.refusals import Reason, Refusal
from domain.core.values import value, with_fields


@value
class DeckRules:
    """The rules of a format for decks; None means no limit.

    `least` is the minimum size of the main deck. `most_copies` limits the cards of one name in deck and sideboard
    together, except basic lands. Cards must be of these `sets`, basic lands of any. `pool` has the available copies by
    card id; with `free_basics`, basic lands are unlimited. With `whole_pool`, all remaining cards are the sideboard.
    """

    least: int
    sets: tuple[str, ...]
    most_copies: int | None = None
    most_sideboard: int | None = None
    pool: Mapping[str, int] | None = None
    free_basics: bool = True
    whole_pool: bool = False


MOST_CARDS: Final = 1000
"""Maximum cards in deck and sideboard together; a protection against abuse, not a rule of the game."""


def constructed_rules(sets: tuple[str, ...], owned: Mapping[str, int] | None = None) -> DeckRules:
    """Return the rules for decks built of any cards of these sets, or of those that a player owns."""
    return DeckRules(60, sets, most_copies=4, most_sideboard=15, pool=owned, free_basics=owned is None)


def limited_rules(pool: Iterable[PrintedCard]) -> DeckRules:
    """Return the rules for decks built of opened or drafted cards, and of any number of basic lands."""
    counts = Counter(card.id for card in pool)
    return DeckRules(40, tuple(sorted({CARDS[one].set for one in counts})), pool=counts, whole_pool=True)


def between_games(before: Deck, rules: DeckRules) -> DeckRules:
    """Return the rules for the deck of the next game: of the same cards, or of the same pool."""
    if rules.whole_pool:
        return rules
    counts = Counter(before.main + before.sideboard)
    return with_fields(rules, pool=counts, free_basics=False, whole_pool=True, most_sideboard=None)


def complete_deck(deck: Deck, rules: DeckRules) -> Deck:
    """Return a valid deck in the order of card ids; with `whole_pool`, the rest of the pool is its sideboard."""
    rest: Iterable[str] = deck.sideboard
    if rules.whole_pool and rules.pool is not None:
        rest = (Counter(rules.pool) - Counter(deck.main)).elements()
    return Deck(tuple(sorted(deck.main)), tuple(sorted(rest)))


def faults(deck: Deck, rules: DeckRules) -> tuple[Reason, ...]:
    """Find all faults of a deck; the first is the reason for the refusal."""
    counts = Counter(deck.main + deck.sideboard)
    unknown = sorted(one for one in counts if one not in CARDS)
    if unknown:
        return (Reason("no_such_object", f"There is no card {unknown[0][:40]!r}."),)
    return tuple(fault for judge in _JUDGES for fault in judge(deck, counts, rules))


def _size(deck: Deck, counts: Counter[str], rules: DeckRules) -> Iterator[Reason]:
    if len(deck.main) < rules.least:
        yield Reason("deck_too_small", f"The deck has {len(deck.main)} cards. The minimum is {rules.least}.")


def _copies(deck: Deck, counts: Counter[str], rules: DeckRules) -> Iterator[Reason]:
    if rules.most_copies is None:
        return
    names: Counter[str] = Counter()
    for one, count in counts.items():
        names[CARDS[one].name] += 0 if CARDS[one].basic else count
    for name, count in sorted(names.items()):
        if count > rules.most_copies:
            sentence = (
                f"The deck has {count} copies of {name}, including the sideboard. The maximum is {rules.most_copies}."
            )
            yield Reason("too_many_copies", sentence)


def _pool(deck: Deck, counts: Counter[str], rules: DeckRules) -> Iterator[Reason]:
    if rules.pool is None:
        return
    for one, count in sorted(counts.items()):
        there = rules.pool.get(one, 0)
        if count > there and not (rules.free_basics and CARDS[one].basic):
            sentence = f"The deck has {count} copies of {CARDS[one].name}, including the sideboard. You have {there}."
            yield Reason("not_in_pool", sentence)


def _sets(deck: Deck, counts: Counter[str], rules: DeckRules) -> Iterator[Reason]:
    for one in sorted(counts):
        if CARDS[one].set not in rules.sets and not CARDS[one].basic:
            allowed = ", ".join(rules.sets)
            sentence = f"{CARDS[one].name} is of the set {CARDS[one].set}. This table allows only {allowed}."
            yield Reason("set_not_allowed", sentence)


def _sideboard(deck: Deck, counts: Counter[str], rules: DeckRules) -> Iterator[Reason]:
    if rules.most_sideboard is not None and len(deck.sideboard) > rules.most_sideboard:
        sentence = f"The sideboard has {len(deck.sideboard)} cards. The maximum is {rules.most_sideboard}."
        yield Reason("sideboard_too_large", sentence)


_JUDGES: Final = (_size, _copies, _pool, _sets, _sideboard)


DECK_REFUSALS: Mapping[str, Refusal] = {
    "deck_too_small": Refusal("The deck is too small", "Add cards. You may add any number of basic lands."),
    "too_many_copies": Refusal("Too many copies", "Use at most four copies of a card in deck and sideboard together."),
    "not_in_pool": Refusal("Not in your pool", "Use only copies that you opened, drafted or own."),
    "set_not_allowed": Refusal("The set is not allowed", "Use cards from the sets of this table."),
    "sideboard_too_large": Refusal("The sideboard is too large", "Remove cards. The maximum is fifteen."),
}


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
    # The rounded share of the first colour; half each if no card has a symbol.
    share = (2 * count * first + total) // (2 * total) if total else (count + 1) // 2
    return [BASIC_LANDS[pair[0]].id] * share + [BASIC_LANDS[pair[1]].id] * (count - share)
