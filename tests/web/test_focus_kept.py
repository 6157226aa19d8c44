"""Tests that the focus stays near a button that disappears: when a draw is offered, agreed, or answered by mouse."""

import pytest

from tests.factories import StoredPlayer
from tests.web.stage import SETTLED

AT = "document.activeElement.innerText"
OFFERS = "[...document.querySelectorAll('.more button')].find((one) => one.innerText === 'Offer a draw')"
OVER = """document.querySelector(".turn").innerText.startsWith("The match is over")
&& !document.querySelector(".answers")"""

BESIDE = 1088
"""The width in pixels from which the panel is next to the table; in narrower windows, **Menu** opens it."""
OPEN = "document.querySelector('.panel').matches(':popover-open')"


@pytest.fixture
def table(stage):
    """Open a match of two people on the page; return a function that sends the other one's commands."""
    stage.page.is_wide(1280)
    ben = StoredPlayer(store=stage.store, name="Ben")
    match = stage.makes({"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]})
    stage.asks(ben, "PUT", f"/v1/matches/{match}/seats/1", {})
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until("document.querySelector('.felt') && document.querySelector('.also')")
    return lambda name: stage.asks(ben, "POST", f"/v1/matches/{match}/moves", {"name": name, "args": {}})


@pytest.mark.parametrize("hand", ["keys", pytest.param("mouse", marks=pytest.mark.long)])
def test_accepting_a_draw_moves_focus_to_the_next_action(hand, stage, table):
    page = stage.page
    table("offer_draw")
    page.until("document.querySelector('.answers button')")
    page.evaluates("document.querySelector('.answers button').focus()")
    if hand == "keys":
        page.presses("Enter")
    else:
        page.points(".answers button", 0)
    page.until(OVER)
    page.evaluates(SETTLED)
    assert page.evaluates(AT) == "Play again"


@pytest.mark.parametrize("width", [1280, pytest.param(360, marks=pytest.mark.long)])
def test_draw_offer_keeps_focus_and_agreement_moves_it(width, stage, table):
    page = stage.page
    page.is_wide(width)
    page.until("document.querySelectorAll('.felt button:enabled').length > 1 || document.querySelector('.turn')")
    page.evaluates("[...document.querySelectorAll(':is(.felt, .actions) button:enabled')].at(-1)?.focus()")
    if width < BESIDE:
        page.points(".opens")
    page.evaluates("document.querySelector('.also').open = true")
    page.until(OFFERS)
    page.evaluates(f"{OFFERS}.focus()")
    page.presses("Enter")
    page.until(f"!{OFFERS}")
    page.evaluates(SETTLED)
    assert page.evaluates("document.activeElement.matches('.also summary')")
    assert page.evaluates("document.activeElement.checkVisibility()")
    table("accept_draw")
    page.until(OVER)
    page.evaluates(SETTLED)
    assert page.evaluates(AT) == "Play again"
    assert not page.evaluates(OPEN), "the panel lies over the button"
    page.is_wide(1280)
