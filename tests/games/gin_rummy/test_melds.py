"""Tests the arrangement and the defence of Gin Rummy against an exhaustive search (gin_rummy 2, 7)."""

from functools import cache
from itertools import combinations
from random import Random

import pytest

from domain.core.cards import NAMES, PACK, Seat, card, card_names, hand
from domain.games.gin_rummy.melds import (
    LaidCard,
    arrange,
    deadwood,
    defend,
    in_order,
    is_meld,
    lay,
    left_of,
    points,
    possible,
)
from domain.games.gin_rummy.shown import hand_zone
from tests.draws import draws, first_of

# --- The search that tries everything: it knows cards by their names alone --------------------------------

RANKS = "A23456789TJQK"


def number(c):
    name = NAMES[c]
    return 13 * "CDHS".index(name[1]) + RANKS.index(name[0])


def worth(cards):
    return sum(min(number(c) % 13 + 1, 10) for c in cards)


def melds_in(cards):
    """Yield every subset that is a set or a run."""
    subsets = (s for n in range(3, len(cards) + 1) for s in combinations(sorted(cards, key=number), n))
    return [s for s in subsets if one_rank(s) or in_sequence(s)]


def one_rank(cards):
    return len(cards) <= 4 and len({NAMES[c][0] for c in cards}) == 1


def in_sequence(cards):
    text = "".join(NAMES[c][0] for c in cards)
    return len({NAMES[c][1] for c in cards}) == 1 and text in RANKS


def families(cards, melds):
    """Yield every list of disjoint melds."""
    yield ()
    for i, meld in enumerate(melds):
        rest = cards - set(meld)
        later = [m for m in melds[i + 1 :] if set(m) <= rest]
        for family in families(rest, later):
            yield (meld, *family)


def key(melds):
    return sorted(sorted(number(c) for c in meld) for meld in melds)


@cache
def best_by_trying(cards):
    """Return the minimum deadwood, and the smallest key of melds that leaves it."""
    tried = [
        (worth(cards - {c for m in family for c in m}), key(family)) for family in families(cards, melds_in(cards))
    ]
    return min(tried)


def sequences(cards, melds, laid=()):
    """Yield every sequence of lay-offs, each a list of (meld, card), with the remaining cards."""
    yield laid, cards
    for c in cards:
        for i, meld in enumerate(melds):
            grown = tuple(sorted((*meld, c), key=number))
            if one_rank(grown) or in_sequence(grown):
                onto = (*melds[:i], grown, *melds[i + 1 :])
                yield from sequences(cards - {c}, onto, (*laid, (i, number(c))))


def defence_by_trying(cards, onto):
    """Minimise deadwood, then lay-offs, then the key of melds, then the list of lay-offs."""
    tried = []
    for laid, left in sequences(frozenset(cards), onto):
        left_over, melds = best_by_trying(left)
        tried.append((left_over, len(laid), melds, list(laid)))
    return min(tried)


# --- Hands with much to decide -----------------------------------------------------------------------------


def packs(rng):
    """Return the whole pack, or a part of it in which melds are frequent."""
    kind = rng.randrange(4)
    if kind == 0:
        return PACK
    if kind == 1:
        suits = rng.sample(range(4), 2)
        return tuple(c for c in PACK if c // 13 in suits)
    if kind == 2:
        ranks = rng.sample(range(13), 6)
        return tuple(c for c in PACK if c % 13 in ranks)
    low = rng.randrange(8)
    return tuple(c for c in PACK if low <= number(c) % 13 < low + 6)


@pytest.mark.parametrize("size", first_of([10, 11]))
def test_automatic_arrangement_is_the_first_of_the_best(size):
    rng = Random(size)
    for _ in range(draws(250)):
        cards = tuple(sorted(rng.sample(packs(rng), size)))
        least, melds = best_by_trying(frozenset(cards))
        found = arrange(cards)
        assert deadwood(cards) == found.value == points(found.deadwood) == least
        assert key(found.melds) == [sorted(map(number, meld)) for meld in found.melds] == melds
        assert sorted(c for meld in (*found.melds, found.deadwood) for c in meld) == list(cards)


@pytest.mark.long
def test_automatic_defence_is_the_first_of_the_best():
    rng, seen = Random(7), 0
    while seen < 800:
        cards = rng.sample(packs(rng), 20)
        onto = arrange(tuple(sorted(cards[:10]))).melds
        defender = tuple(sorted(cards[10:]))
        if not onto or len(possible(defender, onto)) > 30:  # trying every order would take long
            continue
        found = defend(defender, onto)
        laid = [(x.meld, number(x.card)) for x in found.layoffs]
        assert (worth(found.deadwood), len(laid), key(found.melds), laid) == defence_by_trying(defender, onto)
        assert lay(left_of(defender, found.melds), onto, found.layoffs)
        seen += 1


def test_legal_choices_match_the_rules():
    rng = Random(3)
    for _ in range(300):
        cards = rng.sample(packs(rng), 20)
        onto = arrange(tuple(sorted(cards[:10]))).melds
        ways = possible(tuple(sorted(cards[10:])), onto)
        if len(ways) > 30:
            continue
        by_trying = {frozenset(laid) for laid, _ in sequences(frozenset(cards[10:]), onto)}
        assert {frozenset((x.meld, number(x.card)) for x in way) for way in ways} == by_trying
        assert len(ways) == len(by_trying)


def melds(*rows):
    return tuple(in_order(hand(row)) for row in rows)


# --- One by one --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "melds"),
    [
        ("8C 8D 8H", True),
        ("8C 8D 8H 8S", True),
        ("8C 8D", False),
        ("8C 8D 9H", False),
        ("AC 2C 3C", True),
        ("QC KC AC", False),
        ("KC AC 2C", False),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", True),
        ("3C 4C 5D", False),
        ("3C 4C 6C", False),
        ("KC AD 2D", False),
        ("", False),
    ],
)
def test_sets_and_runs_are_recognised(cards, melds):
    assert is_meld(hand(cards)) == melds


def test_meld_cannot_contain_a_card_twice():
    assert not is_meld((card("8C"), card("8C"), card("8D")))
    assert not is_meld((card("8C"),) * 3)


def test_ace_is_low_in_a_meld():
    assert card_names(in_order(hand("2S AS 3S"))) == ["AS", "2S", "3S"]


def test_cards_have_their_point_values():
    assert [points(hand(name)) for name in ("AS", "2C", "9D", "TH", "JC", "QD", "KS")] == [
        1,
        2,
        9,
        10,
        10,
        10,
        10,
    ]


def test_hand_from_a_known_seed_has_the_expected_melds():
    found = arrange(hand("8C 8D 8H 4C 4D 4H 5S 2C 2D AS"))
    assert (found.value, card_names(found.deadwood)) == (10, ["2C", "2D", "5S", "AS"])


def test_six_consecutive_cards_are_two_runs_of_three():
    assert [card_names(meld) for meld in arrange(hand("AC 2C 3C 4C 5C 6C")).melds] == [
        ["AC", "2C", "3C"],
        ["4C", "5C", "6C"],
    ]


def test_shared_card_goes_to_the_meld_that_leaves_less_deadwood():
    found = arrange(hand("7C 7D 7H 6H 5H 8H KS QD 2C 3C"))
    assert [card_names(meld) for meld in found.melds] == [["5H", "6H", "7H", "8H"]]
    assert found.value == 39


ONTO = (in_order(hand("2D 3D 4D")), in_order(hand("9C 9D 9S")), in_order(hand("TH JH QH")))


@pytest.mark.parametrize(
    ("laid", "fits"),
    [
        ([("5D", 0), ("6D", 0)], True),
        ([("6D", 0), ("5D", 0)], False),
        ([("AD", 0)], True),
        ([("9H", 1)], True),
        ([("9H", 2), ("8H", 2)], True),
        ([("9H", 1), ("8H", 2)], False),
        ([("9H", 1), ("9H", 2)], False),
        ([("KH", 2), ("AH", 2)], False),
        ([("5D", 3)], False),
        ([("5D", -1)], False),
        ([("7D", 0)], False),
        ([("KD", 0)], False),
    ],
)
def test_each_lay_off_keeps_its_meld_valid(laid, fits):
    held = hand("5D 6D AD 9H 8H KH AH")
    assert lay(held, ONTO, [LaidCard(card(name), i) for name, i in laid]) == fits


def test_card_is_melded_or_laid_off_whichever_leaves_less_deadwood():
    found = defend(hand("5D 6D 7D KC KH KS 9H 2S 3H JD"), ONTO[:2])
    assert (points(found.deadwood), found.layoffs) == (15, (LaidCard(card("9H"), 1),))


def test_lay_offs_may_break_up_a_meld():
    onto = (in_order(hand("5C 6C 7C")), in_order(hand("8D 8H 8S")))
    found = defend(hand("8C 9C TC KD"), onto)
    assert found == defend(hand("8C 9C TC KD"), onto, melds=(in_order(hand("8C 9C TC")),))
    assert card_names(found.deadwood) == ["KD"]
    broken = defend(hand("8C 9C TC TD TH KD"), onto)
    assert (card_names([x.card for x in broken.layoffs]), card_names(broken.deadwood)) == (["8C", "9C"], ["KD"])


def test_missing_arguments_are_completed_with_the_best():
    held = hand("5D 6D 7D KC KH KS 9H 2S 3H JD")
    run = (in_order(hand("5D 6D 7D")),)
    assert defend(held, ONTO[:2], melds=run).deadwood == left_of(held, (*run, hand("9H")))
    laid = tuple(LaidCard(card(name), 0) for name in ("5D", "6D", "7D"))
    found = defend(held, ONTO[:2], layoffs=laid)
    assert found.layoffs == laid
    assert [card_names(meld) for meld in found.melds] == [["KC", "KH", "KS"]]
    assert defend(held, ONTO[:2], melds=(), layoffs=()).deadwood == held


def test_equal_defences_are_ordered_by_melds():
    onto = melds("QD QH QS", "8H 9H TH")
    found = defend(hand("7C TC JC QC 8D 9D TD 7H JH JS"), onto)
    assert found.melds == melds("TC JC QC", "8D 9D TD")
    onto = melds("9C TC JC", "9D TD JD", "JS QS KS")
    found = defend(hand("8C QC 8D QD 9H JH KH 8S 9S TS"), onto)
    assert found.melds == melds("8C 8D 8S")
    assert [(card_names([x.card])[0], x.meld) for x in found.layoffs] == [
        ("QC", 0),
        ("QD", 1),
        ("TS", 2),
        ("9S", 2),
    ]


def test_equal_melds_are_ordered_by_lay_offs():
    onto = melds("9C 9D 9H", "TS JS QS")
    found = defend(hand("TC JC QC 2D TD 3H TH JH QH 9S"), onto)
    assert found.layoffs == (LaidCard(card("9S"), 0),)


def test_deadwood_of_a_hand_is_sorted_with_the_low_ace_last():
    spots = hand_zone(hand("AS KS 4S 9H"), Seat(0), reader=True).spots
    assert [spot.card for spot in spots] == ["KS", "4S", "AS", "9H"]
