"""Tests that the keyboard focus stays where it was or on a neighbour after each move: never nowhere."""

import pytest

from tests.draws import seeded
from tests.system.page_hands import READY, VERSION, Keyboard, against, opens, plays

MOVES = 6
LOST = """window.lost = [];
addEventListener('keydown', ({key}) => { window.isActing = key === 'Enter'; }, true);
setInterval(() => {
  const at = document.activeElement;
  if (window.isActing && !at.closest('.felt, .actions')) window.lost.push(at.tagName);
}, 10)"""
"""Records where else the focus was after a key was pressed to act, until the next one is."""
HELD = "document.activeElement.closest('.felt, .actions')"


@pytest.mark.parametrize("game", ["gin_rummy", pytest.param("holdem", marks=pytest.mark.long)])
def test_focus_is_on_the_table_after_a_move(game, page, base):
    opens(page, base, game, against(1), {})
    page.evaluates(LOST)
    hand, rng = Keyboard(page), seeded()
    for _ in range(MOVES):
        page.until(READY)
        version = page.evaluates(VERSION)
        is_made = f"{VERSION} !== {version}"
        while not page.evaluates(is_made):
            plays(page, hand, rng)
            page.until(f"{is_made} || {READY}")  # the request may not be answered yet
        page.until(f"!document.querySelector('[disabled]') && {HELD}")
    assert page.evaluates("window.lost") == []
