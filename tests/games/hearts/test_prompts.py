"""Tests that the prompt for a decision says what the rules allow."""

import pytest

from domain.core.cards import card
from domain.games.hearts import GAME
from domain.games.hearts.options import Options
from domain.games.hearts.shown import prompt


def table(**fields):
    """Return a table during a hand; cards are given as text."""
    s = GAME.start(Options(**GAME.setup.resolve({}, 4)), 4, None)
    s.phase, s.leader, s.turn, s.hand_no = "playing", 0, 0, 1
    for name, field in fields.items():
        setattr(s, name, field)
    return s


def cards(text):
    return tuple(card(name) for name in text.split())


def hands(text):
    return (cards(text), (), (), ())


PASSES = [("left", "seat 1, left"), ("across", "seat 2, across"), ("right", "seat 3, right")]


@pytest.mark.parametrize(("direction", "to"), PASSES)
def test_prompt_names_the_receiver(direction, to):
    s = table(phase="passing", direction=direction, hands=hands("2C 3C 4C 5C"))
    assert prompt(s, 0).endswith(f" to pass to {to}")


def test_prompt_names_the_suit_to_follow():
    assert prompt(table(hands=hands("2C 3H"), trick=cards("9C")), 0).startswith("Follow clubs")


def test_prompt_says_that_the_suit_cannot_be_followed():
    assert prompt(table(hands=hands("2S 3S"), trick=cards("9C")), 0).startswith("No clubs: play any card")


def test_prompt_forbids_leading_hearts_until_they_are_broken():
    s = table(hands=hands("2C 3H"), tricks=(None,))
    assert prompt(s, 0) == "Lead the 2C"
    s.hands = hands("2C 3C 3H")
    assert prompt(s, 0) == "Lead any card but a heart"
    s.hearts_open = True
    assert prompt(s, 0) == "Lead any card"
