"""Cards, hands and how they are written (rules 1.2)."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.cards import (
    BACK,
    NAMES,
    PACK,
    RANK_OF,
    SUIT_OF,
    add_cards,
    backs,
    card,
    card_names,
    drop_cards,
    hand,
    keep_cards,
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
def test_cards_are_read_as_people_write_them(written, name):
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
def test_anything_else_is_refused(written):
    with pytest.raises(ValueError, match="is not a card"):
        read_card(written)


@given(st.text(max_size=4))
def test_reading_gives_a_card_or_a_value_error(text):
    with suppress(ValueError):
        assert read_card(text) in PACK


def test_the_back_of_a_card_is_no_card():
    assert BACK not in PACK
    assert card_names(backs(2)) == ["??", "??"]


@given(CARDS, CARDS)
def test_within_and_without_split_a_hand(some, others):
    mine = tuple(sorted(some))
    assert sorted((*keep_cards(mine, others), *drop_cards(mine, others))) == list(mine)
    assert set(keep_cards(mine, others)) == set(some) & set(others)


@given(CARDS)
def test_added_cards_can_be_removed(some):
    mine = hand("2C 3C")
    others = drop_cards(tuple(some), mine)
    assert list(add_cards(mine, others)) == sorted((*mine, *others))
    assert remove_cards(add_cards(mine, others), *others) == mine


def test_a_card_played_from_an_unseen_hand_was_one_of_its_backs():
    assert remove_cards(backs(3), card("QS")) == backs(2)
    assert remove_cards((BACK, card("2C"), card("QS")), card("2C"), card("3C")) == (card("QS"),)
