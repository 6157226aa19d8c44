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
SCROLLS = "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
MOST_SHIFTED = 0.1
READABLE = 12
SMALL = f"""[...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && !one.closest('.unseen')
&& [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
&& parseFloat(getComputedStyle(one).fontSize) < {READABLE}).map((one) => one.textContent)"""
CROWDED = {"fivewells", "fivewells_draft"}
"""Cards with texts wrap within their part of the table."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("game", [game.name for game in BUILT_IN])
def test_table_layout_does_not_move_at_the_end_of_a_hand(game, size, tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        page = stage.page
        page.is_wide(*size)
        places, scrolls, small, shifted, sheets = [], set(), [], 0.0, 0
        for nth, seen in enumerate(stage.moments(stage.sits(game, pause_between_hands=True))):
            stage.shown(seen["version"], is_over=bool(seen["result"]))
            if nth == 0:
                page.evaluates(SHIFTS)
            places.append(page.evaluates(PLACES))
            scrolls.add(tuple(page.evaluates(SCROLLS)))
            small += page.evaluates(SMALL)
            shifted = page.evaluates("window.shifted")
            is_sheet = page.evaluates(SHEET)
            if nth >= MOVES and (game in ONE_HAND or (sheets and not is_sheet)):
                break
            sheets += is_sheet
        assert sheets or game in ONE_HAND
        assert [place for place in places if place != places[0]] == []
        assert scrolls == {(0, 0)}
        assert small == []
        assert game in CROWDED or shifted <= MOST_SHIFTED
