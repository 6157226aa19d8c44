"""What the log of poker says, where a number or a word could read wrongly."""

import pytest

from domain.poker.betting_events import CardsSwapped, StacksReset
from domain.poker.betting_texts import text


@pytest.mark.parametrize(("count", "said"), [(0, "no cards"), (1, "1 card"), (2, "2 cards")])
def test_an_exchange_says_how_many_cards(count, said):
    assert text(CardsSwapped(2, count, None, None)) == f"Seat 2 exchanges {said}."


def test_new_stacks_say_what_each_has_won_until_now():
    said = "All stacks are reset to 200. Results so far: seat 0: -5, seat 1: 5."
    assert text(StacksReset(200, (-5, 5))) == said
