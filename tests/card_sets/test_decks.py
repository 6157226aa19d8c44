"""Tests that decks are checked by their format, and that every refusal names the fault."""

from collections import Counter

import pytest

from domain.card_sets.cards.boosters import open_booster
from domain.card_sets.cards.card_kinds import CardType
from domain.card_sets.cards.library import BASIC_LANDS, CARDS, SETS
from domain.card_sets.decks.deck import (
    DECK_REFUSALS,
    automatic_deck,
    between_games,
    complete_deck,
    constructed_rules,
    faults,
    limited_rules,
)
from domain.core.collectible import Deck
from domain.core.fairness import DrawContext, chain
from domain.core.refusals import COMMON
from domain.core.values import with_fields

SUNFIELD, RECRUIT, BOAR, VETERAN = "fw1-001", "fw1-006", "fw1-033", "bt1-001"
ALL = constructed_rules(("fw1", "bt1"))


def codes(main, rules, sideboard=()):
    return [fault.code for fault in faults(Deck(tuple(main), tuple(sideboard)), rules)]


def sentences(main, rules, sideboard=()):
    return [fault.sentence for fault in faults(Deck(tuple(main), tuple(sideboard)), rules)]


def lands(count):
    return [SUNFIELD] * count


# --- Constructed --------------------------------------------------------------------------------------------


def test_constructed_deck_of_sixty_with_four_copies_is_valid():
    assert codes(lands(56) + [RECRUIT] * 4, ALL, [BOAR] * 4 + lands(11)) == []


def test_deck_may_exceed_the_minimum():
    assert codes(lands(500), ALL) == []


def test_a_constructed_deck_of_59_is_too_small():
    assert codes(lands(59), ALL) == ["deck_too_small"]
    assert sentences(lands(59), ALL) == ["The deck has 59 cards. The minimum is 60."]


def test_fifth_copy_of_a_card_is_refused():
    assert codes(lands(55) + [RECRUIT] * 5, ALL) == ["too_many_copies"]


def test_fifth_copy_in_the_sideboard_is_refused():
    assert codes(lands(56) + [RECRUIT] * 4, ALL, [RECRUIT]) == ["too_many_copies"]
    assert sentences(lands(56) + [RECRUIT] * 4, ALL, [RECRUIT]) == [
        "The deck has 5 copies of Dawnwatch Recruit, including the sideboard. The maximum is 4."
    ]


def test_sideboard_has_at_most_fifteen_cards():
    assert codes(lands(60), ALL, lands(15)) == []
    assert codes(lands(60), ALL, lands(16)) == ["sideboard_too_large"]


def test_a_card_of_another_set_is_not_allowed():
    assert codes([*lands(60), VETERAN], constructed_rules(("fw1",))) == ["set_not_allowed"]
    assert codes(lands(60), constructed_rules(("fw1",)), [VETERAN]) == ["set_not_allowed"]


def test_basic_lands_are_allowed_with_any_sets():
    assert codes([*lands(60), VETERAN], constructed_rules(("bt1",))) == []


def test_unknown_card_is_reported_first():
    assert codes(["fw9-001"], ALL) == ["no_such_object"]
    assert sentences(["x" * 500], ALL) == [f"There is no card {'x' * 40!r}."]


def test_deck_cannot_use_more_copies_than_owned():
    owned = constructed_rules(("fw1", "bt1"), owned={SUNFIELD: 60, RECRUIT: 2})
    assert codes(lands(58) + [RECRUIT] * 2, owned) == []
    assert codes(lands(60) + [RECRUIT] * 2, owned, [RECRUIT]) == ["not_in_pool"]
    assert codes(lands(61), owned) == ["not_in_pool"]


def test_constructed_sideboard_has_only_the_sent_cards():
    owned = constructed_rules(("fw1", "bt1"), owned={SUNFIELD: 90, BOAR: 2})
    assert complete_deck(Deck(tuple(lands(60)), (BOAR,)), owned).sideboard == (BOAR,)


def test_each_fault_names_the_numbers_of_the_deck():
    rules = constructed_rules(("bt1", "fw2"), owned={SUNFIELD: 60})
    assert sentences([*lands(58), RECRUIT], rules, lands(2) + [RECRUIT] * 14) == [
        "The deck has 59 cards. The minimum is 60.",
        "The deck has 15 copies of Dawnwatch Recruit, including the sideboard. The maximum is 4.",
        "The deck has 15 copies of Dawnwatch Recruit, including the sideboard. You have 0.",
        "Dawnwatch Recruit is of the set fw1. This table allows only bt1, fw2.",
        "The sideboard has 16 cards. The maximum is 15.",
    ]


def test_deck_faults_are_reported_in_a_fixed_order():
    rules = constructed_rules(("bt1",), owned={SUNFIELD: 60})
    wrong = ["deck_too_small", "too_many_copies", "not_in_pool", "set_not_allowed", "sideboard_too_large"]
    assert codes([RECRUIT] * 5, rules, lands(16)) == wrong
    assert wrong == list(DECK_REFUSALS)
    assert not DECK_REFUSALS.keys() & COMMON.keys()


# --- Sealed and draft ---------------------------------------------------------------------------------------

POOL = [CARDS[RECRUIT]] * 6 + [CARDS[BOAR]]


def test_limited_deck_of_forty_may_use_every_copy_in_its_pool():
    assert codes(lands(34) + [RECRUIT] * 6, limited_rules(POOL)) == []


def test_a_limited_deck_of_39_is_too_small():
    assert codes([*lands(38), RECRUIT], limited_rules(POOL)) == ["deck_too_small"]


def test_limited_deck_cannot_use_more_copies_than_were_opened():
    assert codes(lands(33) + [RECRUIT] * 7, limited_rules(POOL)) == ["not_in_pool"]
    assert codes([*lands(39), VETERAN], limited_rules(POOL)) == ["not_in_pool", "set_not_allowed"]


def test_rest_of_the_pool_becomes_the_sideboard():
    deck = Deck((*lands(38), RECRUIT, RECRUIT))
    assert complete_deck(deck, limited_rules(POOL)) == Deck((*lands(38), RECRUIT, RECRUIT), (*[RECRUIT] * 4, BOAR))


# --- Between games ------------------------------------------------------------------------------------------

BEFORE = Deck((*lands(56), *[RECRUIT] * 4), (BOAR, BOAR, VETERAN))


def test_cards_can_be_swapped_with_the_sideboard_between_games():
    rules = between_games(BEFORE, ALL)
    changed = Deck((*lands(56), RECRUIT, RECRUIT, BOAR, VETERAN))
    assert faults(changed, rules) == ()
    assert complete_deck(changed, rules).sideboard == (RECRUIT, RECRUIT, BOAR)


def test_sideboarding_uses_only_the_same_cards():
    rules = between_games(BEFORE, ALL)
    assert codes(lands(57) + [RECRUIT] * 4, rules) == ["not_in_pool"]
    assert codes(lands(56) + [RECRUIT] * 4, rules, [BOAR] * 3) == ["not_in_pool"]
    assert codes(lands(55) + [RECRUIT] * 4, rules) == ["deck_too_small"]


def test_limited_deck_can_be_rebuilt_from_the_same_pool_between_games():
    rules = limited_rules(POOL)
    before = complete_deck(Deck(tuple(lands(40))), rules)
    assert codes([*lands(50), BOAR], between_games(before, rules)) == []


# --- The automatic deck -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", range(8))
def test_automatic_deck_uses_its_pool_and_two_colours(seat):
    context = DrawContext("sealed-01", 1, 1, f"booster.{seat}", 0, ("", ""))
    seed = chain(bytes(range(32)), 4)[1]
    sets = [SETS["fw1"]] * 4 + [SETS["bt1"]] * 2
    pool = [card for n, one in enumerate(sets) for card in open_booster(one, seed, with_fields(context, n=n))]
    deck = automatic_deck(pool)
    assert faults(deck, limited_rules(pool)) == ()
    assert len(deck.main) == 40
    assert len({color for one in deck.main for color in CARDS[one].colors}) <= 2
    played = Counter(CARDS[one].basic for one in deck.main)
    assert played[True] == 17
    assert Counter(deck.main + deck.sideboard) - Counter(land.id for land in BASIC_LANDS for _ in range(17)) == Counter(
        card.id for card in pool
    )


def test_automatic_deck_prefers_rarer_cards_and_matches_lands_to_symbols():
    red = [card for card in SETS["fw1"].cards if [color.name for color in card.colors] == ["F"]]
    green = [card for card in SETS["fw1"].cards if [color.name for color in card.colors] == ["R"]]
    blue = [CARDS["fw1-019"]] * 23
    deck = automatic_deck([*blue, *red, *green])
    assert {CARDS[one].colors[0].name for one in deck.main if CARDS[one].colors} == {"R", "F"}
    assert {one.id for one in red + green if one.rarity != "common"} <= {*deck.main}
    symbols = Counter(color for one in deck.main for color in str(CARDS[one].cost) if color in "RF")
    roots = deck.main.count("fw1-003")
    assert abs(roots / 17 - symbols["R"] / symbols.total()) < 1 / 17


def test_automatic_deck_of_a_small_pool_gets_more_lands():
    deck = automatic_deck([CARDS[RECRUIT], CARDS["fw1-077"]])
    assert Counter(deck.main) == {RECRUIT: 1, SUNFIELD: 39}
    assert [CARDS[one].types for one in deck.sideboard] == [(CardType.LAND,)]


def test_automatic_deck_without_mana_symbols_splits_its_lands_evenly():
    deck = automatic_deck([CARDS["fw1-075"]] * 23)
    assert Counter(deck.main) == {"fw1-001": 9, "fw1-002": 8, "fw1-075": 23}


def test_lands_of_an_automatic_deck_are_rounded_to_whole_numbers():
    # Of 17 lands, 3/5 are 10.2 and 2/5 are 6.8.
    pool = [CARDS["fw1-006"]] * 3 + [CARDS["fw1-022"]] * 2 + [CARDS["fw1-075"]] * 18
    deck = automatic_deck(pool)
    assert (deck.main.count("fw1-001"), deck.main.count("fw1-002")) == (10, 7)


def test_automatic_deck_uses_cards_of_both_its_colours():
    assert "bt1-031" in automatic_deck([CARDS["bt1-031"], CARDS["fw1-006"], CARDS["fw1-022"]]).main


def test_automatic_deck_prefers_more_cards_to_rarer_ones():
    few = [
        card for card in SETS["fw1"].cards if not card.basic and card.colors and card.number in (8, 9, 10, 20, 21, 42)
    ]
    deck = automatic_deck(few)
    assert {color.name for one in deck.main for color in CARDS[one].colors} == {"S", "T"}
