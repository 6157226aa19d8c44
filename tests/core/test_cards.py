"""Tests cards, hands and their notation (rules 1.2)."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.cards import (
    BACK,
    NAMES,
    PACK,
    RANK_OF,
    RANKS,
    SUIT_OF,
    SUITS,
    add_cards,
    backs,
    card,
    card_names,
    cut_for_deal,
    deal_hands,
    drop_cards,
    hand,
    keep_cards,
    order_from_left,
    read_card,
    remove_cards,
)

CARDS = st.lists(st.sampled_from(PACK), unique=True)


def test_the_pack_is_in_canonical_order():
    assert card_names(PACK[:14]) == [
        "2C",
        "3C",
        "4C",
        "5C",
        "6C",
        "7C",
        "8C",
        "9C",
        "TC",
        "JC",
        "QC",
        "KC",
        "AC",
        "2D",
    ]
    assert NAMES[51] == "AS"
    assert len(set(NAMES)) == 53


def test_every_card_knows_its_rank_and_suit():
    assert [NAMES[13 * SUIT_OF[c] + RANK_OF[c]] for c in PACK] == card_names(PACK)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("TH", "TH"),
        ("10H", "TH"),
        ("10h", "TH"),
        ("th", "TH"),
        ("Q♠", "QS"),
        ("q♤", "QS"),
        ("10♥", "TH"),
        ("2c", "2C"),
        ("T♥\N{VARIATION SELECTOR-16}", "TH"),
        ("10♠\N{VARIATION SELECTOR-15}", "TS"),
    ],
)
def test_cards_are_read_in_common_spellings(written, name):
    assert read_card(written) == card(name)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "1H",
        "TX",
        "QSS",
        "11D",
        "??",
        "Q",
        "S",
        "QS ",
        "110H",
        "10",
        "SQ",
        "T10",
        "♠",
        "ＱＳ",
        "0H",
        "Qſ",
        "TH\N{VARIATION SELECTOR-16}",
    ],
)
def test_other_spellings_are_refused(written):
    with pytest.raises(ValueError, match="is not a card"):
        read_card(written)


@given(st.text(max_size=4))
def test_parsing_returns_a_card_or_raises_value_error(text):
    with suppress(ValueError):
        assert read_card(text) in PACK


def test_back_of_a_card_is_not_read_as_a_card():
    assert BACK not in PACK
    assert card_names(backs(2)) == ["??", "??"]


@given(CARDS, CARDS)
def test_kept_and_removed_cards_split_a_hand(some, others):
    mine = tuple(sorted(some))
    assert sorted((*keep_cards(mine, others), *drop_cards(mine, others))) == list(mine)
    assert set(keep_cards(mine, others)) == set(some) & set(others)


@given(CARDS)
def test_added_cards_can_be_removed(some):
    mine = hand("2C 3C")
    others = drop_cards(tuple(some), mine)
    assert list(add_cards(mine, others)) == sorted((*mine, *others))
    assert remove_cards(add_cards(mine, others), *others) == mine


def test_card_played_from_an_unseen_hand_replaces_one_of_its_backs():
    assert remove_cards(backs(3), card("QS")) == backs(2)
    assert remove_cards((BACK, card("2C"), card("QS")), card("2C"), card("3C")) == (card("QS"),)


def test_suits_are_ignored_in_a_cut():
    names = ["AC", "AD", "AH", "AS", "2C", "3D", "3H", "2S", "9C", "8D"]
    cuts, dealer = cut_for_deal(names, range(4), lambda name: RANK_OF[card(name)])
    assert dealer == 1
    assert cuts == list(zip([0, 1, 2, 3, 0, 1, 2, 3, 1, 2], names, strict=True))


@pytest.mark.parametrize("seats", [2, 4])
def test_cut_finds_a_dealer_even_if_all_cards_tie(seats):
    pack = [card(rank + suit) for rank in RANKS for suit in SUITS]
    assert cut_for_deal(pack, range(seats), RANK_OF.__getitem__)[1] == 0


def test_cards_are_dealt_one_at_a_time_to_the_seats_in_order():
    assert deal_hands([5, 4, 3, 2, 1, 0], [2, 0], 4) == ((0, 2, 4), (), (1, 3, 5), ())
    assert order_from_left(1, 4) == [2, 3, 0, 1]
