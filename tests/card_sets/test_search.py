"""Tests that cards are found by their printed text."""

import pytest

from domain.card_sets.collectibles import COLLECTIBLES
from domain.core.collectible import COLORLESS, CardQuery, search_cards

CARDS = COLLECTIBLES.cards


def ids(**query):
    return [card.id for card in search_cards(CARDS.values(), CardQuery(**query))]


def test_empty_query_returns_all_cards_in_order():
    assert ids() == list(CARDS)


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ({"text": "FLYING scout"}, ["fw1-019"]),
        ({"text": "crab"}, ["fw1-020"]),
        ({"text": "no such words"}, []),
        ({"colors": ("S",), "rarities": ("ultra_rare",)}, ["fw1-018", "bt1-006"]),
        ({"colors": (COLORLESS,), "types": ("artifact",), "least_cost": 5}, ["fw1-079", "fw1-080"]),
        ({"types": ("land",), "sets": ("bt1",)}, ["bt1-039", "bt1-040"]),
        ({"keywords": ("sentinel", "ambush")}, ["fw1-073", "bt1-004", "bt1-005", "bt1-007", "bt1-013"]),
        ({"least_cost": 8}, ["bt1-018"]),
        ({"most_cost": 0, "types": ("creature",)}, []),
        ({"most_cost": 1, "colors": ("F",), "types": ("creature",)}, ["fw1-045", "bt1-021"]),
    ],
)  # fmt: skip
def test_search_requires_all_conditions(query, there):
    assert ids(**query) == there


def test_a_card_of_two_colours_is_found_by_either():
    assert "bt1-031" in ids(colors=("S",))
    assert "bt1-031" in ids(colors=("T",))
    assert "bt1-031" not in ids(colors=(COLORLESS,))
