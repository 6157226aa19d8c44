"""Tests that a table keeps still: seats, the prompt and the buttons keep their places at every size."""

import pytest

from domain.games.catalogue import BUILT_IN
from tests.web.stage import staged

pytestmark = pytest.mark.long

SIZES = [(1280, 800), (768, 1024), (360, 740), (740, 360)]
MOVES = 12
"""The minimum number of decisions shown; in games with hands, all until the next hand has begun."""
ONE_HAND = {"trio", "fivewells", "fivewells_draft"}
SHEET = "Boolean(document.querySelector('.sheet'))"
PLACES = """[...document.querySelectorAll('.seat, .prompt, .actions')].map((one) => {
const {x, y} = one.getBoundingClientRect(); return [one.dataset.seat ?? one.className.split(' ')[0], x, y] })"""
SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
for (const {value} of list.getEntries()) window.shifted += value; }).observe({type: 'layout-shift'})"""
RESTED = """new Promise((done) => requestAnimationFrame(() => setTimeout(() => { window.shifted = 0; done() }, 50)))"""
"""The shifts of a new size do not count."""
SCROLLS = "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
MOST_SHIFTED = 0.1
READABLE = 12
SMALL = f"""[...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && !one.closest('.unseen')
&& [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
&& parseFloat(getComputedStyle(one).fontSize) < {READABLE}).map((one) => one.textContent)"""
CROWDED = {"fivewells", "fivewells_draft"}
"""Cards with texts wrap within their part of the table."""


@pytest.mark.parametrize(("nth", "game"), list(enumerate(game.name for game in BUILT_IN)))
def test_table_layout_does_not_move_at_the_end_of_a_hand(nth, game, tmp_path, chromium):
    """Each table is looked at in all sizes, and waits for its next event in one that differs between games."""
    usual = SIZES[nth % len(SIZES)]
    with staged(tmp_path, chromium) as stage:
        page = stage.page
        page.is_wide(*usual)
        places, scrolls, small, shifted, sheets = {size: [] for size in SIZES}, set(), [], 0.0, 0
        for move, seen in enumerate(stage.moments(stage.sits(game, pause_between_hands=True))):
            stage.shown(seen["version"], is_over=bool(seen["result"]))
            if move == 0:
                page.evaluates(SHIFTS)
            shifted += page.evaluates("window.shifted")
            for size in SIZES:
                page.is_wide(*size)
                places[size].append(page.evaluates(PLACES))
                scrolls.add(tuple(page.evaluates(SCROLLS)))
                small += page.evaluates(SMALL)
            page.is_wide(*usual)
            page.evaluates(RESTED)
            is_sheet = page.evaluates(SHEET)
            if move >= MOVES and (game in ONE_HAND or (sheets and not is_sheet)):
                break
            sheets += is_sheet
        assert sheets or game in ONE_HAND
        assert [(size, place) for size, seen in places.items() for place in seen if place != seen[0]] == []
        assert scrolls == {(0, 0)}
        assert small == []
        assert game in CROWDED or shifted <= MOST_SHIFTED
