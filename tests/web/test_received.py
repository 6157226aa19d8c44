"""Tests that cards that a player receives are marked until the player's next move."""

import pytest

from tests.web.places import BOT, ME
from tests.web.readable import ALL, asks_axe, violations
from tests.web.stage import staged
from tests.web.test_comfort import BEGUN

pytestmark = pytest.mark.long

MARKED = "[...document.querySelectorAll('.own [data-received]')].map((one) => one.dataset.card).sort()"
SAID = "[...document.querySelectorAll('.own [data-received]')].map((one) => one.ariaDescription)"
READY = "document.querySelector('.own .kind-hand .card')"
PASSED = 3


def hand(seen):
    """Return the texts of the cards in the hand of the viewing seat."""
    return {spot["card"] for spot in seen["scene"]["zones"]["hand-0"]["spots"]}


@pytest.mark.parametrize(("game", "seats", "count"), [("hearts", 4, PASSED), ("gin_rummy", 2, 1)])
def test_received_cards_are_marked_until_the_next_move(game, seats, count, tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        page = stage.page
        page.begins_with(BEGUN)
        page.is_wide(1280, 800)
        match = stage.makes({"game": game, "seats": [ME, *[BOT] * (seats - 1)]})
        page.opens(f"{stage.base}/play#m={match}")
        moments, before, gained = stage.moments(match), set(), set()
        for seen in moments:
            stage.shown(seen["version"])
            gained = hand(seen) - before if before else set()
            if len(gained) == count:
                break
            assert page.evaluates(MARKED) == []
            before = hand(seen)
        assert page.evaluates(MARKED) == sorted(gained)
        assert page.evaluates(SAID) == ["Just received"] * count
        asks_axe(page)
        assert violations(page, ALL) == []
        while True:
            later = next(moments)
            stage.shown(later["version"])
            if hand(seen) - hand(later):
                break
        assert set(page.evaluates(MARKED)) == hand(later) - hand(seen)
