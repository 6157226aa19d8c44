"""The focus of who plays by the keyboard is where it was after each move, or beside it: never nowhere."""

from random import Random

import pytest

from tests.system.page_hands import READY, VERSION, Keyboard, against, opens, plays

MOVES = 6
LOST = """window.lost = [];
addEventListener('keydown', ({key}) => { window.isActing = key === 'Enter'; }, true);
setInterval(() => {
  const at = document.activeElement;
  if (window.isActing && !at.closest('.felt, .actions')) window.lost.push(at.tagName);
}, 10)"""
"""Notes where else the focus is after a key was pressed to act, until another one is."""
HELD = "document.activeElement.closest('.felt, .actions')"


@pytest.mark.parametrize("game", ["gin_rummy", pytest.param("holdem", marks=pytest.mark.long)])
def test_after_a_move_the_focus_is_on_the_table(game, page, base):
    opens(page, base, game, against(1), {})
    page.evaluates(LOST)
    hand, rng = Keyboard(page), Random()
    for _ in range(MOVES):
        page.until(READY)
        version = page.evaluates(VERSION)
        is_made = f"{VERSION} !== {version}"
        while not page.evaluates(is_made):
            plays(page, hand, rng)
            page.until(f"{is_made} || {READY}")  # what was sent may not be answered yet
        page.until(f"!document.querySelector('[disabled]') && {HELD}")
    assert page.evaluates("window.lost") == []
