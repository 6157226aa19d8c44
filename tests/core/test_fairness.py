"""Tests the shuffle scheme with its vectors V1–V5 (rules 1.6)."""

from collections import Counter
from hashlib import sha256
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.cards import PACK, card_names
from domain.core.choices import Below, Shuffle
from domain.core.fairness import Dealer, DrawContext, draw_below, key, seed, shuffle_items, words

ROOT = bytes(range(32))
NONCES = (
    "00112233445566778899aabbccddeeff",
    "",
    "ffffffffffffffff0000000000000000",
    "0123456789abcdef0123456789abcdef",
)
MATCH = Dealer("m-0001", (ROOT, bytes(32)), b"seal")

LINKS = {
    0: "cefc1232dee44cc53fccf8cc078f657f4db4f1d0303725375a0694f7d395e2ea",
    1: "4e05063392f42b5180353ef82da86c714042155044d91ab3253f1bab08120a0a",
    2: "2f287b4d3d4910f6cada9e1bd1b4648099e8c52c81aa4a6aebfa6fc86f19834e",
    3: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    4: ROOT.hex(),
}
V1 = [
    "KD",
    "AD",
    "AH",
    "7S",
    "KH",
    "8H",
    "TD",
    "2H",
    "KC",
    "QS",
    "JC",
    "TS",
    "4C",
    "9S",
    "3D",
    "KS",
    "7C",
    "TH",
    "9H",
    "4H",
    "QD",
    "JD",
    "6S",
    "7D",
    "3H",
    "8D",
    "8S",
    "6C",
    "4S",
    "4D",
    "8C",
    "2S",
    "3C",
    "JH",
    "2C",
    "3S",
    "2D",
    "7H",
    "QC",
    "AC",
    "6H",
    "AS",
    "9C",
    "5H",
    "TC",
    "QH",
    "5S",
    "9D",
    "5C",
    "6D",
    "5D",
    "JS",
]
V2 = [
    10,
    1,
    4,
    8,
    3,
    2,
    6,
    6,
    5,
    10,
    8,
    5,
    12,
    11,
    2,
    4,
    7,
    4,
    3,
    3,
    9,
    12,
    11,
    1,
    11,
    12,
    1,
    9,
    9,
    5,
    8,
    7,
    2,
    7,
    6,
    10,
]
V3 = [0, 2, 2, 0, 1, 2, 0, 3, 0, 0, 2, 0]
V4 = [
    "QC",
    "5D",
    "9C",
    "QH",
    "KC",
    "5S",
    "TC",
    "4S",
    "3S",
    "QD",
    "2S",
    "5C",
    "8H",
    "3D",
    "TD",
    "QS",
    "4C",
    "9H",
    "AS",
    "7H",
    "7C",
    "2H",
    "6C",
    "JC",
    "7S",
    "9S",
    "JD",
    "KD",
    "4D",
    "TS",
    "JS",
    "KH",
    "AH",
    "2C",
    "8C",
    "6H",
    "KS",
    "6D",
    "AC",
    "5H",
    "3H",
    "TH",
    "AD",
    "7D",
    "9D",
    "8S",
    "2D",
    "3C",
    "JH",
    "8D",
    "4H",
    "6S",
]
V5 = ["TH", "TS", "5S", "7H", "3S", "AH", "6H", "AC"]


def stream(purpose, link=1, n=0):
    return words(key(seed(ROOT, 4, link), DrawContext("m-0001", 1, link, purpose, n, NONCES)))


@pytest.mark.parametrize(("link", "expected"), LINKS.items())
def test_chain_of_seeds_matches_the_vector(link, expected):
    assert seed(ROOT, 4, link).hex() == expected


@given(st.binary(min_size=32, max_size=32), st.integers(1, 30))
def test_every_link_hashes_to_the_previous_one(root, links):
    chain = [seed(root, links, k) for k in range(links + 1)]
    assert chain[-1] == root
    assert [sha256(s).digest() for s in chain[1:]] == chain[:-1]


def test_vector_1_has_the_expected_key_words_and_deal():
    context = DrawContext("m-0001", 1, 1, "deal", 0, NONCES)
    k = key(seed(ROOT, 4, 1), context)
    assert context.text() == f"ct1|m-0001|1|1|deal|0|{','.join(NONCES)}"
    assert k.hex() == "243161ad1b1ff8bfcefba3dcab786fffcdf04bbf6ed233d17609652c5a511121"
    assert list(islice(words(k), 3)) == [460236292, 210307951, 3056464417]
    assert card_names(shuffle_items(words(k), PACK)) == V1


def test_vector_2_shuffles_another_pack_without_nonces():
    k = key(seed(ROOT, 4, 1), DrawContext("m-0002", 1, 1, "deal", 0, ("", "", "")))
    assert k.hex() == "f52c87285fe67c39e45763ed72af7194dff30a001c0211557e6b9d029102a925"
    assert list(shuffle_items(words(k), [n for n in range(1, 13) for _ in range(3)])) == V2


def test_vector_3_draws_numbers_below_four():
    first = stream("first_dealer")
    assert [draw_below(first, 4) for _ in range(12)] == V3


def test_vector_4_deals_the_second_hand():
    assert card_names(shuffle_items(stream("deal", link=2), PACK)) == V4


def test_vector_5_cuts_for_the_first_deal():
    assert card_names(shuffle_items(stream("cut"), PACK))[:8] == V5


def test_dealer_answers_every_question_to_chance():
    deal = MATCH.answer(Shuffle(tuple, "deal", PACK), 1, 4, 1, NONCES)
    assert card_names(deal) == V1
    assert MATCH.answer(Below(int, "first_dealer", 4), 1, 4, 1, NONCES) == V3[0]
    assert MATCH.commitment(1, 4) == LINKS[0]
    assert MATCH.seed(1, 4, 3) == LINKS[3]


@pytest.mark.parametrize(
    "other",
    [
        DrawContext("m-0002", 1, 1, "deal", 0, NONCES),
        DrawContext("m-0001", 2, 1, "deal", 0, NONCES),
        DrawContext("m-0001", 1, 2, "deal", 0, NONCES),
        DrawContext("m-0001", 1, 1, "cut", 0, NONCES),
        DrawContext("m-0001", 1, 1, "deal", 1, NONCES),
        DrawContext("m-0001", 1, 1, "deal", 0, ("", *NONCES[1:])),
    ],
)
def test_shuffle_depends_on_all_its_inputs(other):
    s = seed(ROOT, 4, 1)
    assert key(s, other) != key(s, DrawContext("m-0001", 1, 1, "deal", 0, NONCES))


def test_word_that_would_bias_the_result_is_skipped():
    fives = [2**32 - 1, 2**32 - 2, 7]  # 2**32 is one more than a multiple of 5
    assert draw_below(iter(fives), 5) == 4
    assert draw_below(iter([2**32 - 1, 11]), 5) == 1
    assert draw_below(iter([2**32 - 1]), 2**32) == 2**32 - 1


def test_draw_with_a_single_possibility_consumes_a_word():
    two = iter([5, 6])
    assert draw_below(two, 1) == 0
    assert next(two) == 6


@given(st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_all_items(items):
    assert Counter(shuffle_items(stream("deal"), items)) == Counter(items)


def test_each_hand_has_its_own_key():
    keys = {MATCH.hand_key(hand) for hand in range(20)} | {Dealer("m", (ROOT,), b"x").hand_key(1)}
    assert len(keys) == 21
    assert all(len(k) == 32 for k in keys)
