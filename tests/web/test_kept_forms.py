"""Tests that input in a form of a move or a tournament is kept after a reload, until it is sent."""

import pytest

from tests.web.evening import Evening

pytestmark = pytest.mark.long

OFFERS = """(async () => {
const {state, dispatch} = await import(document.querySelector("script[type=module]").src);
const level = {title: "Level", type: "integer", minimum: 1, maximum: 7}, suit = {title: "Suit", enum: ["C", "D", "H"]};
dispatch({is: "seen", match: state.match, offer: {...state.offer, moves: [
  {name: "bid", example: {}, args: {title: "Bid", properties: {level, suit}, required: ["level", "suit"]}}]}});
})()"""
"""A move of two small parts, which no game of this server has."""
SMALL = "[...document.querySelectorAll('form.small [name]')].map((one) => one.value).join(' ')"
WRITES = """((form, written) => { for (const [name, value] of Object.entries(written)) {
  form[name].value = value; form[name].dispatchEvent(new Event("input", {bubbles: true})); } })"""
SENDS = "document.querySelector('form.small').requestSubmit()"
KEPT = "Object.keys(sessionStorage).filter((one) => one.includes(' bid '))"
TAKEN = """const asks = fetch; window.fetch = async (what, how) =>
  how?.method === "POST" ? new Response("{}", {headers: {"Content-Type": "application/json"}}) : asks(what, how);"""
"""From now on, every move is accepted."""
RULING = "document.querySelector('.ruling form')"
SAID = f"{RULING} && [{RULING}.parentElement.open, {RULING}.reason.value, {RULING}['place-0'].value].join(' ')"


def opens(stage, match):
    stage.page.opens("about:blank")
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until("document.querySelector('.actions button')")
    stage.page.evaluates(OFFERS)
    stage.page.until("document.querySelector('form.small')")


def test_small_move_form_keeps_its_values(stage):
    match = stage.sits("hearts")
    opens(stage, match)
    assert stage.page.evaluates(SMALL) == "7 C"
    stage.page.evaluates(f"{WRITES}(document.querySelector('form.small'), {{level: 3, suit: 'H'}})")
    opens(stage, match)
    assert stage.page.evaluates(SMALL) == "3 H"
    stage.page.evaluates(SENDS)
    stage.page.until("document.querySelector('[role=alert] .problem')")  # there is no such move
    opens(stage, match)
    assert stage.page.evaluates(SMALL) == "3 H"
    stage.page.evaluates(TAKEN + SENDS)
    stage.page.until(f"!{KEPT}.length")


def test_organisers_form_survives_a_reload_until_sent(stage):
    page, one = stage.page, Evening(stage, 4, rounds=2).begins()
    page.opens(f"{stage.base}/play#tournament={one.id}&part=rounds")
    page.until(RULING)
    assert page.evaluates(SAID) == "false  "
    page.evaluates(f"{RULING}.parentElement.open = true")
    page.evaluates(f"{WRITES}({RULING}, {{reason: 'Both were', 'place-0': 1, 'place-1': 2}})")
    page.reloads()
    page.until(f"({SAID}) === 'true Both were 1'")
    for _ in "12":  # it is asked once more
        page.evaluates(f"{RULING}.requestSubmit()")
    page.until(f"({SAID}) === 'false  '")
    assert page.evaluates("Object.keys(sessionStorage).filter((one) => one.includes('tournament'))") == []
