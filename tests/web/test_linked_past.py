"""A link into the past of a match brings all that draws what is seen there, as the table does."""

import pytest

from tests.web.readable import beyond
from tests.web.stage import SETTLED

STYLED = "[...document.styleSheets].some((one) => one.href?.includes('/{}-') && one.cssRules.length)"
"""These looks are there."""
TRICKS_BEGUN = 80
"""In this match hands and tricks have begun by then."""
PLAYER = "[...document.querySelectorAll('.player button')].map((one) => one.getBoundingClientRect().top)"
"""How far down each button lies that leads through the past."""
SUNK = """[...document.querySelectorAll('.player button, .past select, .slider input')].filter((one) => {
const {bottom, width, height} = one.getBoundingClientRect();
return bottom > innerHeight || Math.min(width, height) < 44; }).map((one) => one.outerHTML)"""
"""What of it is out of sight or too small for a finger."""
SEATS = ".past select[name=seat]"
READY = "document.querySelector('.past') && document.querySelector('.felt')"


def opens_link(stage, game, version, linked=None):
    """Open a link to a version of a match, or another, in a page that has brought nothing yet; gives the match."""
    match = stage.sits(game)
    stage.page.opens("about:blank")
    stage.plays_on(match, version)
    stage.page.is_wide(1280)
    stage.page.opens(f"{stage.base}/play#m={match}&v={linked or version}")
    stage.page.until(READY)
    return match


@pytest.mark.long
def test_a_link_into_the_past_of_a_duel_draws_its_cards_and_tells_what_is_printed_on_them(stage):
    opens_link(stage, "fivewells", 20)
    stage.page.until(STYLED.format("printed"))
    stage.page.until("document.querySelector('.felt .card.named .types')?.innerText")
    assert stage.page.evaluates("document.querySelector('.texts dt').textContent")
    stage.page.evaluates(SETTLED)
    assert stage.page.errors == []


def test_a_link_into_the_past_of_a_hand_of_poker_draws_its_amounts_as_chips(stage):
    opens_link(stage, "holdem", 12)
    stage.page.until(STYLED.format("chips"))
    stage.page.until("document.querySelector('.felt .chips i')")
    assert not stage.page.evaluates(STYLED.format("printed"))


def test_replay_controls_are_one_row_on_phone_and_desktop(stage):
    opens_link(stage, "two_handed_hearts", TRICKS_BEGUN)
    stage.page.until(STYLED.format("past"))
    for width, height in ((360, 740), (1280, 800)):
        stage.page.is_wide(width, height)
        (top, *others) = stage.page.evaluates(PLAYER)
        assert len(others) == 6
        assert (top, beyond(stage.page, width)) == (others[0], [])
        assert set(others) == {top}
        assert stage.page.evaluates(SUNK) == []
        stage.page.clicks(".player [aria-label='Trick before']")
    stage.page.until(f"document.querySelector('.felt')?.dataset.version < {TRICKS_BEGUN}")


def test_a_link_to_an_event_that_is_not_there_leads_to_the_last_and_says_so(stage):
    match = opens_link(stage, "hearts", 12, linked=99_999)
    last = stage.sees(match)["version"]
    stage.page.until(f"location.hash === '#m={match}&v={last}'")
    said = f"There is no event 99999: this match has {last}. What is shown is event {last}."
    assert stage.page.evaluates("document.querySelector('.problem').innerText") == said
    stage.page.presses("ArrowLeft")  # who goes on has read it
    stage.page.until(f"location.hash.endsWith('&v={last - 1}') && !document.querySelector('.problem')")


SLOW = """(() => { const asks = window.fetch; window.fetch = async (address, how) => {
if (/replay.*seat=1/.test(address)) await new Promise((go) => { window.answers = go; });
return asks(address, how); } })()"""
"""What is seen from the first other seat is not answered until then."""


@pytest.mark.long
def test_of_two_seats_that_are_asked_for_the_later_one_is_shown(stage):
    match = stage.sits("crazy_eights")
    for _ in stage.moments(match):
        pass
    stage.page.opens("about:blank")
    stage.page.opens(f"{stage.base}/play#m={match}&v=5")
    stage.page.until(READY)
    stage.page.evaluates(SLOW)
    stage.page.chooses(SEATS, 2)
    stage.page.until("window.answers")
    stage.page.chooses(SEATS, 1)
    stage.page.until("location.hash.includes('seat=')")
    shown = stage.page.evaluates("location.hash")
    stage.page.evaluates("answers()")
    stage.page.evaluates(SETTLED)
    assert stage.page.evaluates("location.hash") == shown
