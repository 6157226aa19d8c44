"""Tests the ranking of poker hands against a classification by card names only (poker 1)."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, islice, pairwise
from math import comb
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.core.cards import BACK, NAMES, PACK, card, card_names, hand
from domain.poker.ranking import (
    CATEGORIES,
    best_five,
    category,
    hand_in_words,
    strength,
    strengths,
    value,
    why_it_beats,
)
from tests.draws import draws, first_of

FREQUENCIES = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pairs": 123_552,
    "one_pair": 1_098_240,
    "high_card": 1_302_540,
}
HANDS = st.integers(5, 7).flatmap(
    lambda count: st.lists(st.sampled_from(PACK), min_size=count, max_size=count, unique=True)
)


def ordered(written):
    """Return cards in the order in which they are written."""
    return tuple(map(card, written.split()))


# --- Another classification: five cards by their names, seven by trying all fives ----------------------------

DOWN = "AKQJT98765432A"  # every straight is five neighbours here, the one with a low ace too


def plain_value(five):
    """Return the comparable value of five cards."""
    ranks, suits = zip(*(NAMES[c] for c in five), strict=True)
    high = sorted(("23456789TJQKA".index(rank) + 2 for rank in ranks), reverse=True)
    groups = sorted(set(high), key=lambda rank: (high.count(rank), rank), reverse=True)
    counts = sorted((high.count(rank) for rank in groups), reverse=True)
    straight = next((14 - i for i in range(10) if set(DOWN[i : i + 5]) == set(ranks)), None)
    flush = len(set(suits)) == 1
    if straight:
        return (9 if straight == 14 else 8, straight) if flush else (4, straight)
    if flush:
        return (5, *high)
    number = {"41": 7, "32": 6, "311": 3, "221": 2, "2111": 1, "11111": 0}["".join(map(str, counts))]
    return (number, *groups)


def plain_best(cards):
    """Return the comparable value of the best five of all."""
    return max(map(plain_value, combinations(cards, 5)))


# --- Every hand of five ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_categories_have_their_known_frequencies():
    counts = Counter()
    hands = combinations(PACK, 5)
    while some := tuple(islice(hands, 100_000)):
        counts.update(strengths(some))
    by_category = Counter()
    for worth, n in counts.items():
        by_category[CATEGORIES[worth >> 20]] += n
    assert by_category == FREQUENCIES
    assert sum(FREQUENCIES.values()) == comb(52, 5)


def one_of_each():
    """Yield one hand of five for each value: for each five ranks, one of mixed suits and one of a single suit."""
    for ranks in combinations_with_replacement(range(13), 5):
        suits = (3, 0, 1, 2, 1) if len(set(ranks)) == 5 else (0, 1, 2, 3, 0)
        cards = {13 * suit + rank for suit, rank in zip(suits, ranks, strict=True)}
        if len(cards) == 5:
            yield tuple(map(PACK.__getitem__, cards))
        if len(set(ranks)) == 5:
            yield tuple(PACK[26 + rank] for rank in ranks)


def test_every_hand_value_matches_the_rules():
    hands = list(one_of_each())
    values = list(map(plain_value, hands))
    assert len(hands) == len(set(values)) == 7_462
    assert list(map(value, hands)) == values
    assert sorted(hands, key=strength) == sorted(hands, key=plain_value)
    assert [CATEGORIES[v[0]] for v in values] == list(map(category, hands))


# --- Six and seven cards --------------------------------------------------------------------------------------

PACKS = {
    "the whole pack": PACK,
    "two suits, where flushes are frequent": PACK[:26],
    "four high ranks and four low ones, where ranks repeat": tuple(
        c for c in PACK if c % 13 in (0, 1, 2, 3, 9, 10, 11, 12)
    ),
    "one suit and the aces": (*PACK[:13], PACK[25], PACK[38], PACK[51]),
}


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("count", first_of([7, 6]))
def test_only_the_best_five_cards_count(pack, count):
    rng = Random(f"{pack} {count}")
    for _ in range(draws(700)):
        cards = tuple(rng.sample(PACKS[pack], count))
        best = plain_best(cards)
        five = best_five(cards)
        assert value(cards) == value(five) == plain_value(five) == best, card_names(cards)
        assert len(set(five)) == 5
        assert set(five) <= set(cards)


def test_hand_values_compare_like_hands():
    rng = Random(7)
    hands = [tuple(rng.sample(PACK, rng.choice((5, 6, 7)))) for _ in range(draws(1_000))]
    for one, other in pairwise(hands):
        assert (strength(one) > strength(other)) == (value(one) > value(other))
        assert (strength(one) == strength(other)) == (value(one) == value(other))


# --- Laws -----------------------------------------------------------------------------------------------------


@given(HANDS, st.randoms(use_true_random=False))
def test_order_of_cards_does_not_matter(cards, rng):
    shuffled = rng.sample(cards, len(cards))
    assert strength(tuple(shuffled)) == strength(tuple(cards))
    assert best_five(tuple(shuffled)) == best_five(tuple(cards))


@given(HANDS, st.permutations(range(4)))
def test_suits_do_not_matter(cards, suits):
    assert strength(tuple(PACK[13 * suits[c // 13] + c % 13] for c in cards)) == strength(tuple(cards))


@given(HANDS, st.sampled_from(PACK))
def test_extra_card_never_makes_a_hand_worse(cards, another):
    assume(another not in cards)
    assume(len(cards) < 7)
    assert strength((*cards, another)) >= strength(tuple(cards))


@pytest.mark.long
@given(st.lists(HANDS, max_size=8))
def test_batch_ranking_equals_single_ranking(hands):
    hands = list(map(tuple, hands))
    worth = list(map(strength, hands))
    assert strengths(hands) == strengths(iter(hands)) == worth
    for count in (5, 6, 7):
        alike = [h for h in hands if len(h) == count]
        assert strengths(alike) == list(map(strength, alike))


@pytest.mark.parametrize("count", [0, 4, 8])
def test_five_to_seven_cards_are_a_hand(count):
    with pytest.raises(KeyError):
        strength(PACK[:52:6][:count])
    with pytest.raises(KeyError):
        strengths([PACK[:52:6][:count]])


@pytest.mark.parametrize("count", [5, 6, 7])
def test_face_down_card_adds_nothing_to_a_hand(count):
    for place in range(count):
        cards = [*PACK[: 6 * count : 6]]
        cards[place] = BACK
        with pytest.raises(KeyError):
            strength(tuple(cards))
        with pytest.raises(KeyError):
            strengths([tuple(cards)])
    with pytest.raises(KeyError):
        strength((*hand("2C 3C 5C 8C 9C"), BACK))


# --- The best five, in their order -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "five"),
    [
        ("3C QS QH QD QC", "QC QD QH QS 3C"),
        ("TS 6C TD 6H 6D", "6C 6D 6H TD TS"),
        ("7H QC KC 7S QD", "QC QD 7H 7S KC"),
        ("2C 9C 5S AH 9D", "9C 9D AH 5S 2C"),
        ("2S KS 4S AS 9S", "AS KS 9S 4S 2S"),
        ("2S 5C AC 3H 4D", "5C 4D 3H 2S AC"),
        ("AS 3S 5S 2S 4S", "5S 4S 3S 2S AS"),
        ("AC 2S KS QS JS TS 9S", "KS QS JS TS 9S"),
        ("AC AD KC KD QC QD 2H", "AC AD KC KD QC"),
        ("AC AD AH KC KD KH 2H", "AC AD AH KC KD"),
        ("9S 9D 8C 7C 6C 5S 5C", "9D 8C 7C 6C 5C"),
    ],
)
def test_best_five_begin_with_the_cards_of_the_category(cards, five):
    assert card_names(best_five(ordered(cards))) == five.split()


@given(HANDS)
def test_equal_best_fives_are_chosen_in_canonical_order(cards):
    best = plain_best(cards)
    choices = [five for five in combinations(sorted(cards), 5) if plain_value(five) == best]
    assert tuple(sorted(best_five(tuple(cards)))) == min(choices)


# --- In words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("worth", "words"),
    [
        ((9, 14), "royal flush"),
        ((8, 5), "straight flush, five high"),
        ((7, 12, 3), "four of a kind, queens"),
        ((6, 6, 10), "full house, sixes full of tens"),
        ((5, 14, 13, 9, 4, 2), "flush, ace high"),
        ((4, 13), "straight, king high"),
        ((3, 7, 13, 2), "three of a kind, sevens"),
        ((2, 12, 7, 13), "two pairs, queens and sevens"),
        ((1, 11, 14, 5, 2), "one pair, jacks"),
        ((0, 8, 7, 6, 5, 3), "high card, eight"),
    ],
)
def test_hand_values_have_names(worth, words):
    assert hand_in_words(worth) == words


@pytest.mark.parametrize(
    ("better", "worse", "words"),
    [
        ((6, 6, 10), (5, 14, 13, 9, 4, 2), "full house, sixes full of tens, over flush, ace high"),
        ((4, 6), (4, 5), "straight, six high, over straight, five high"),
        ((2, 13, 4, 9), (2, 13, 3, 14), "two pairs, kings and fours, over two pairs, kings and threes"),
        ((2, 13, 4, 9), (2, 13, 4, 8), "two pairs, kings and fours; the kicker decides, nine over eight"),
        ((1, 14, 13, 7, 3), (1, 14, 12, 7, 3), "one pair, aces; the kicker decides, king over queen"),
        ((1, 14, 13, 7, 3), (1, 14, 13, 7, 2), "one pair, aces; the third kicker decides, three over two"),
        ((3, 7, 13, 4), (3, 7, 13, 2), "three of a kind, sevens; the second kicker decides, four over two"),
        ((7, 12, 3), (7, 12, 2), "four of a kind, queens; the kicker decides, three over two"),
        ((5, 14, 13, 9, 4, 3), (5, 14, 13, 9, 4, 2), "flush, ace high; the fifth card decides, three over two"),
        ((0, 14, 13, 9, 4, 2), (0, 14, 12, 9, 4, 2), "high card, ace; the second card decides, king over queen"),
    ],
)  # fmt: skip
def test_comparison_names_the_deciding_cards(better, worse, words):
    assert why_it_beats(better, worse) == words


def test_comparison_gives_a_reason_for_any_two_different_values():
    values = sorted(map(plain_value, one_of_each()))
    reasons = [why_it_beats(better, worse) for worse, better in pairwise(values)]
    assert all(reason.startswith(hand_in_words(better)) for reason, better in zip(reasons, values[1:], strict=True))
    assert all(" over " in reason for reason in reasons)
