"""How the examples of RULES chapter 7 are checked."""

from domain.poker.ranking import strength, value
from tests.acceptance.reading import cases, pile


def values(example):
    for case in cases(example):
        for cards, worth in case["hands"].items():
            assert value(pile(cards)) == tuple(worth), cards


def compare(example):
    for case in cases(example):
        a, b = strength(pile(case["a"])), strength(pile(case["b"]))
        assert case["result"] == ("a" if a > b else "b" if b > a else "tie"), case


KINDS = {
    "poker_compare": compare,
    "poker_value": values,
}
