"""Tests that readers see cards as the card files define them."""

from fractions import Fraction

import pytest

from domain.card_sets.collectibles import COLLECTIBLES
from domain.core.collectible import Deck
from domain.core.fairness import DrawContext, chain


def test_creature_shows_its_size_and_land_shows_no_cost():
    acolyte, land = COLLECTIBLES.cards["fw1-007"], COLLECTIBLES.cards["fw1-001"]
    assert (acolyte.cost, acolyte.mana_value, acolyte.power, acolyte.toughness) == ("1S", 2, 2, 2)
    assert (land.cost, land.power, land.toughness, land.basic) == (None, None, None, True)


@pytest.mark.parametrize(
    ("card", "frame"),
    [
        ("fw1-006", "S"),  # its own colour
        ("bt1-032", "T"),  # the first of two
        ("fw1-005", "G"),  # a land that gives mana of one colour
        ("fw1-077", None),  # a land that gives mana of any
        ("fw1-071", None),  # an artifact
    ],
)
def test_card_has_its_own_colour_and_land_the_colour_of_its_mana(card, frame):
    assert COLLECTIBLES.cards[card].frame == frame


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        (
            "fw1-008",
            ["Skylark Courier  2S", "creature – bird  2/2", "Flying.", "fw1 8, common"],
        ),
        ("fw1-001", ["Sunfield", "land – sunfield", "Tap: add one Sun mana.", "fw1 1, basic"]),
        ("fw1-006", ["Dawnwatch Recruit  S", "creature – human soldier  2/1", "fw1 6, common"]),
    ],
)
def test_card_is_printed_line_by_line(card, lines):
    assert COLLECTIBLES.cards[card].printed.splitlines() == lines


def test_booster_chances_add_up_to_its_size():
    for one in COLLECTIBLES.sets.values():
        assert sum(map(Fraction, one.odds.values())) == sum(slot.count for slot in one.slots) == 15


def test_booster_follows_from_seed_and_position():
    context = DrawContext("stream", 1, 1, "booster", 0, ())
    seed = chain(bytes(32), 2)[1]
    cards = COLLECTIBLES.open_booster("fw1", seed, context)
    assert cards == COLLECTIBLES.open_booster("fw1", seed, context)
    assert cards != COLLECTIBLES.open_booster("fw1", seed, DrawContext("stream", 1, 2, "booster", 0, ()))
    assert len(cards) == 15
    assert {COLLECTIBLES.cards[one].set for one in cards} == {"fw1"}


def codes(deck, name, sets=("fw1", "bt1"), owned=None):
    return [fault.code for fault in COLLECTIBLES.formats[name](deck, sets, owned)]


def test_each_format_lists_all_faults_of_a_deck():
    deck = Deck(("fw1-001",) * 40 + ("fw1-006",) * 5, ("bt1-001",) * 16)
    assert codes(deck, "constructed", ("fw1",)) == [
        "deck_too_small",
        "too_many_copies",
        "too_many_copies",
        "set_not_allowed",
        "sideboard_too_large",
    ]
    assert codes(deck, "sealed") == codes(deck, "draft") == []
    assert codes(Deck(("fw1-001",) * 60), "constructed", owned={"fw1-001": 20}) == ["not_in_pool"]
