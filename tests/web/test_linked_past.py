"""Tests that a replay link loads everything needed to draw its version, as the table does."""

import pytest

from tests.web.readable import beyond
from tests.web.stage import SETTLED

STYLED = "[...document.styleSheets].some((one) => one.href?.includes('/{}-') && one.cssRules.length)"
"""These styles have loaded."""
TRICKS_BEGUN = 80
"""In this match, hands and tricks have begun by then."""
PLAYER = "[...document.querySelectorAll('.player button')].map((one) => one.getBoundingClientRect().top)"
"""The vertical position of each replay button."""
SUNK = """[...document.querySelectorAll('.player button, .past select, .slider input')].filter((one) => {
const {bottom, width, height} = one.getBoundingClientRect();
return bottom > innerHeight || Math.min(width, height) < 44; }).map((one) => one.outerHTML)"""
"""Elements that are out of sight, or too small for a finger."""
SEATS = ".past select[name=seat]"
VERSION = "Number(document.querySelector('.felt').dataset.version)"
READY = "document.querySelector('.past') && document.querySelector('.felt')"


def opens_link(stage, game, version, linked=None):
    """Open a link to a version of a match, or another, in a new page; return the match."""
    match = stage.sits(game)
    stage.page.opens("about:blank")
    stage.plays_on(match, version)
    stage.page.is_wide(1280)
    stage.page.opens(f"{stage.base}/play#m={match}&v={linked or version}")
    stage.page.until(READY)
    return match


@pytest.mark.long
def test_replay_link_of_a_duel_shows_cards_and_their_texts(stage):
    opens_link(stage, "fivewells", 20)
    stage.page.until(STYLED.format("printed"))
    stage.page.until("document.querySelector('.felt .card.named .types')?.innerText")
    assert stage.page.evaluates("document.querySelector('.texts dt').textContent")
    stage.page.evaluates(SETTLED)
    assert stage.page.errors == []


def test_replay_link_of_a_poker_hand_shows_amounts_as_chips(stage):
    opens_link(stage, "holdem", 12)
    stage.page.until(STYLED.format("chips"))
    stage.page.until("document.querySelector('.felt .chips i')")
    assert not stage.page.evaluates(STYLED.format("printed"))


def test_replay_controls_fit_in_one_row_on_phone_and_desktop(stage):
    opens_link(stage, "two_handed_hearts", TRICKS_BEGUN)
    stage.page.until(STYLED.format("past"))
    for width, height in ((360, 740), (1280, 800)):
        stage.page.is_wide(width, height)
        (top, *others) = stage.page.evaluates(PLAYER)
        assert len(others) == 6
        assert (top, beyond(stage.page, width)) == (others[0], [])
        assert set(others) == {top}
        assert stage.page.evaluates(SUNK) == []
        stage.page.clicks(".player [aria-label='Previous trick']")
    stage.page.until(f"document.querySelector('.felt')?.dataset.version < {TRICKS_BEGUN}")


def test_replay_link_to_an_unknown_event_shows_the_last_with_a_notice(stage):
    match = opens_link(stage, "hearts", 12, linked=99_999)
    last = stage.sees(match)["version"]
    stage.page.until(f"location.hash === '#m={match}&v={last}'")
    said = f"There is no event 99999: this match has {last} events. Showing event {last}."
    assert stage.page.evaluates("document.querySelector('.problem').innerText") == said
    stage.page.presses(",")  # a reader a reader who goes on has read it
    stage.page.until(f"location.hash.endsWith('&v={last - 1}') && !document.querySelector('.problem')")


CURRENT = "document.querySelector('.moves [aria-current]')"


@pytest.mark.long
def test_list_of_moves_marks_the_current_move_and_works_with_the_keyboard(stage):
    """The test is long because it needs a browser."""
    page = stage.page
    opens_link(stage, "gin_rummy", 30, linked="first")
    page.until(CURRENT)
    deal = page.evaluates(VERSION)
    assert page.evaluates(f"{CURRENT}.innerText") == "Hand 1"
    assert page.evaluates("document.querySelectorAll('.own .card.up').length") > 0
    page.clicks(".moves .move")
    page.until(f"{CURRENT}?.matches('.move') && {VERSION} > {deal}")
    first = page.evaluates(VERSION)
    page.evaluates(f"{CURRENT}.focus()")
    page.presses("ArrowDown")
    page.until(f"document.activeElement === {CURRENT} && {VERSION} > {first}")
    page.evaluates("document.activeElement.blur()")
    page.presses("ArrowLeft")
    page.until(f"{VERSION} === {first}")
    page.evaluates(f"{CURRENT}.focus()")
    page.presses("End")
    page.until(f"{VERSION} > {first} && document.activeElement === {CURRENT}")
    inside = "(({top, bottom}, list) => top >= list.top && bottom <= list.bottom)"
    boxes = f"{CURRENT}.getBoundingClientRect(), document.querySelector('.moves').getBoundingClientRect()"
    assert page.evaluates(f"{inside}({boxes})")
    assert page.evaluates("document.querySelectorAll('.moves [tabindex=\"0\"]').length") == 1


SLOW = """(() => { const asks = window.fetch; window.fetch = async (address, how) => {
if (/replay.*seat=1/.test(address)) await new Promise((go) => { window.answers = go; });
return asks(address, how); } })()"""
"""The view from the first other seat is not answered until then."""


@pytest.mark.long
def test_last_requested_seat_is_shown(stage):
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
