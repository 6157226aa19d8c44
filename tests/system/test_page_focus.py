"""The focus of who plays by the keyboard is where it was after each move, or beside it: never nowhere."""

from random import Random

import pytest

from tests.system.page_hands import READY, VERSION, Keyboard, against, opens, plays

MOVES = 6
HELD = "document.activeElement.closest('.felt, .actions, #title')"


@pytest.mark.parametrize("game", ["gin_rummy", pytest.param("holdem", marks=pytest.mark.long)])
def test_after_a_move_the_focus_is_on_the_table(game, page, base):
    opens(page, base, game, against(1), {})
    hand, rng = Keyboard(page), Random()
    for _ in range(MOVES):
        page.until(READY)
        version = page.evaluates(VERSION)
        is_made = f"{VERSION} !== {version}"
        while not page.evaluates(is_made):
            plays(page, hand, rng)
            page.until(f"{is_made} || {READY}")  # what was sent may not be answered yet
        page.until(f"!document.querySelector('[disabled]') && {HELD}")
