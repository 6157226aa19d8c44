"""Tests the summary after a hand: the numbers of all seats, and the button for the next hand, at every size."""

import pytest

from domain.match import is_paused
from events.service.access import Caller
from tests.web.readable import ALL, asks_axe, beyond, out_of_sight, small_targets, violations
from tests.web.stage import staged

pytestmark = pytest.mark.long

SIZES = ((1280, 800), (768, 1024), (360, 740), (740, 360))
TOUCHED = 360
SHEET = ".outcome, .scores, .actions > button"
DECIDED = "document.querySelector('.outcome p')?.innerText ?? ''"
ROWS = "[...document.querySelectorAll('.scores tbody tr')].map((one) => [...one.cells].map((cell) => cell.innerText))"


def until_paused(stage, match):
    """Play until the next hand waits for the reader; return what the seat sees then."""
    caller = Caller(stage.me["player_id"], stage.me["token"])
    return next(seen for seen in stage.moments(match) if is_paused(stage.matches.see(match, caller).match))


@pytest.mark.parametrize("game", ["hearts", "holdem"])
def test_summary_after_a_hand_lists_all_seats_without_covering_the_next_hand(game, tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        page, found = stage.page, []
        seen = until_paused(stage, stage.sits(game, pause_between_hands=True))
        stage.shown(seen["version"])
        page.until("document.querySelector('.scores')")
        asks_axe(page)
        for width, height in SIZES:
            page.is_wide(width, height)
            found += [f"{width} {one}" for one in (*beyond(page, width), *out_of_sight(page, SHEET))]
            found += violations(page, ALL)
            found += small_targets(page) if width == TOUCHED else []
        assert found == []
        assert page.evaluates(DECIDED).startswith(("You ", "Bot ", "Pot: ", "Main pot: "))
        assert page.evaluates("document.querySelectorAll('.felt .note').length") == 0
        seats = seen["scene"]["seats"]
        names = ["You", *(f"Bot {n}" for n in range(1, len(seats)))]
        told = [[name, *map(str, one["numbers"].values())] for name, one in zip(names, seats, strict=True)]
        assert page.evaluates(ROWS) == told
