"""Tests poker event texts whose numbers or words could mislead."""

import pytest

from domain.poker.betting_events import CardsSwapped, StacksReset, text


@pytest.mark.parametrize(("count", "said"), [(0, "no cards"), (1, "1 card"), (2, "2 cards")])
def test_text_of_an_exchange_names_the_number_of_cards(count, said):
    assert text(CardsSwapped(2, count, None, None)) == f"Seat 2 exchanged {said}."


def test_text_of_a_stack_reset_includes_the_results_so_far():
    said = "All stacks were reset to 200. Results so far: seat 0: -5, seat 1: 5."
    assert text(StacksReset(200, (-5, 5))) == said
