"""Tests boosters: each follows from its seed, and the odds of every card are proven by all possible draws."""

from fractions import Fraction
from itertools import product

import pytest

from domain.card_sets.cards.boosters import drawn_booster, odds, of_color, of_rarity, open_booster
from domain.card_sets.cards.card import CardSet, PrintedCard, Slot
from domain.card_sets.cards.card_kinds import COLORS, CardType, Mana, Rarity
from domain.card_sets.cards.library import SETS
from domain.core import fairness
from domain.core.fairness import DrawContext, chain
from domain.core.values import with_fields

SEED = chain(bytes(range(32)), 4)[1]
CONTEXT = DrawContext("draft-01", 1, 1, "booster.0", 0, ("", ""))


def test_booster_from_a_known_seed_has_the_expected_cards():
    opened = open_booster(SETS["fw1"], SEED, CONTEXT)
    assert [card.number for card in opened] == [8, 19, 34, 50, 58, 49, 60, 35, 20, 21, 37, 54, 51, 64, 78]
    assert {card.set for card in opened} == {"fw1"}


def test_each_booster_of_a_seat_is_drawn_separately():
    contexts = (CONTEXT, with_fields(CONTEXT, n=1), with_fields(CONTEXT, purpose="booster.1"))
    assert len({open_booster(SETS["fw1"], SEED, context) for context in contexts}) == 3


@pytest.mark.parametrize("code", SETS)
def test_booster_has_fifteen_different_cards_with_each_colour_and_no_basic_land(code):
    for n in range(50):
        opened = open_booster(SETS[code], SEED, with_fields(CONTEXT, n=n))
        assert [card.rarity for card in opened[:14]] == [Rarity.COMMON] * 11 + [Rarity.UNCOMMON] * 3
        assert opened[14].rarity in (Rarity.RARE, Rarity.ULTRA_RARE)
        assert len(set(opened)) == 15
        assert [card.colors for card in opened[:5]] == [(color,) for color in COLORS]
        assert not any(card.basic for card in opened)


# --- The odds -----------------------------------------------------------------------------------------------


def card(number, rarity, *colors):
    return PrintedCard(f"tt1-{number:03}", f"Card {number}", "tt1", number, rarity, (CardType.ARTIFACT,), colors, "")


COMMONS = [(Mana.S,), (Mana.S,), (Mana.T,), (Mana.R,), (Mana.F,), (Mana.G,), (Mana.S, Mana.T), ()]
SMALL = CardSet(
    code="tt1",
    name="Tests",
    kind="expansion",
    released=9,
    cards=(
        *(card(n, Rarity.COMMON, *colors) for n, colors in enumerate(COMMONS, 1)),
        *(card(n, Rarity.UNCOMMON) for n in (9, 10, 11)),
        *(card(n, Rarity.RARE) for n in (12, 13)),
        *(card(n, Rarity.ULTRA_RARE) for n in (14, 15, 16)),
        with_fields(card(17, Rarity.COMMON), basic=True),
    ),
    tokens=(),
    booster=(
        Slot("common", 7, one_of_each_color=True),
        Slot("uncommon", 2),
        Slot("rare_or_ultra_rare", 1, ultra_rare_odds=Fraction(2, 5)),
    ),
)


def all_draws(monkeypatch, draw):
    """Return the possible results of a function with their chances, over all numbers that `draw_below` can return."""
    script, bounds = [], []

    def scripted(stream, bound):
        if len(bounds) == len(script):
            script.append(0)
        bounds.append(bound)
        return script[len(bounds) - 1]

    monkeypatch.setattr(fairness, "draw_below", scripted)
    monkeypatch.setattr("domain.card_sets.cards.boosters.draw_below", scripted)
    while True:
        bounds.clear()
        drawn, chance = draw(iter(())), Fraction(1)
        for bound in bounds:
            chance /= bound
        yield drawn, chance
        while script and script[-1] == bounds[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1


def test_odds_of_a_small_set_match_all_possible_draws(monkeypatch):
    chances = dict.fromkeys((card.id for card in SMALL.cards), Fraction(0))
    total = Fraction(0)
    for opened, chance in all_draws(monkeypatch, lambda stream: drawn_booster(SMALL, stream)):
        total += chance
        for one in opened:
            chances[one.id] += chance
    assert total == 1
    assert chances.pop("tt1-017") == 0
    assert chances == odds(SMALL)


def place_of_one(size, start):
    """Return the probability of each final position of the item from `start` in a shuffle of this size.

    All draws of the shuffle are followed; each of them either moves this item or does not.
    """
    places = [Fraction(place == start) for place in range(size)]
    for i in range(size - 1, 0, -1):
        after = places[: i + 1]
        after[i] = sum(places[: i + 1]) / (i + 1)
        for j in range(i):
            after[j] = places[j] * Fraction(i, i + 1) + places[i] * Fraction(1, i + 1)
        places[: i + 1] = after
    return places


@pytest.mark.parametrize("code", SETS)
def test_odds_of_a_printed_set_match_all_possible_draws(code):
    """The draws are followed for each card, wherever earlier draws leave it in the next shuffle."""
    one = SETS[code]
    commons, chances = of_rarity(one, Rarity.COMMON), {}
    rest = len(commons) - 5
    (later,) = {sum(place_of_one(rest, start)[:6]) for start in range(rest)}
    for common in commons:
        alone = of_color(commons, common.colors[0]) if len(common.colors) == 1 else ()
        first = place_of_one(len(alone), alone.index(common))[0] if alone else Fraction(0)
        chances[common.id] = first + (1 - first) * later
    uncommons = of_rarity(one, Rarity.UNCOMMON)
    chances |= {each.id: sum(place_of_one(len(uncommons), i)[:3]) for i, each in enumerate(uncommons)}
    for eighth, rarity in product(range(8), (Rarity.RARE, Rarity.ULTRA_RARE)):
        if (eighth == 0) == (rarity is Rarity.ULTRA_RARE):
            row = of_rarity(one, rarity)
            for each in row:
                chances[each.id] = chances.get(each.id, 0) + Fraction(1, 8) * Fraction(1, len(row))
    assert chances == odds(one)


@pytest.mark.parametrize(
    ("code", "of_one_colour", "other", "uncommon", "rare", "ultra_rare"),
    [
        ("fw1", Fraction(1, 6) + Fraction(5, 6) * Fraction(6, 29), Fraction(6, 29), Fraction(3, 23), Fraction(7, 96),
         Fraction(1, 48)),
        ("bt1", Fraction(2, 3), Fraction(1, 2), Fraction(1, 4), Fraction(7, 48), Fraction(1, 40)),
    ],
)  # fmt: skip
def test_odds_match_the_published_table(code, of_one_colour, other, uncommon, rare, ultra_rare):
    table = {Rarity.UNCOMMON: uncommon, Rarity.RARE: rare, Rarity.ULTRA_RARE: ultra_rare}
    due = {
        card.id: table.get(card.rarity) or (of_one_colour if len(card.colors) == 1 else other)
        for card in SETS[code].cards
        if not card.basic
    }
    assert odds(SETS[code]) == due


@pytest.mark.parametrize("code", SETS)
def test_booster_has_a_fixed_number_of_each_rarity(code):
    chances = odds(SETS[code])
    mean = {rarity: sum(chances[one.id] for one in of_rarity(SETS[code], rarity)) for rarity in Rarity}
    assert mean == {
        Rarity.COMMON: 11, Rarity.UNCOMMON: 3, Rarity.RARE: Fraction(7, 8), Rarity.ULTRA_RARE: Fraction(1, 8)
    }  # fmt: skip
