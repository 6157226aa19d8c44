"""Tests regrouping melds with only the keyboard: the focus follows the card, and does not move to the submit button."""

import pytest

from tests.web.test_hidden_moves import offered

pytestmark = pytest.mark.long

FOCUS = "document.activeElement"
LOOSE = f"{FOCUS}.closest('.loose')"
PRESSED = "[...document.querySelectorAll('.actions button')].find((one) => one.innerText === 'Knock')"
PROPOSED = "[...document.querySelectorAll('.together .ends button')].find((one) => one.innerText.startsWith('As pro'))"


def test_focus_follows_a_card_that_is_regrouped_with_the_keyboard(stage):
    page, knock = stage.page, offered(stage, "gin_rummy", "knock")
    page.until(PRESSED)
    page.evaluates(f"{PRESSED}.click()")
    if len(knock["args"]["properties"]["discard"]["enum"]) > 1:
        page.clicks(".ask .main")
    page.until("document.querySelector('.together .group:not(.loose) .card')")
    card = page.evaluates("(one => (one.focus(), one.dataset.card))(document.querySelector('.groups .cards .card'))")
    for place in (LOOSE, f"!{LOOSE}"):
        page.presses("Enter")
        page.until(f"{FOCUS}.dataset.card === '{card}' && {place}")
    page.presses("Enter")
    page.until(PROPOSED)
    page.evaluates(f"{PROPOSED}.focus()")
    page.presses("Enter")
    page.until(f"!{PROPOSED}")
    assert page.evaluates(f"{FOCUS}.matches('.choice[aria-pressed=true]')")
