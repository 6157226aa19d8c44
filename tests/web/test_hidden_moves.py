"""Tests that possible moves are visible: a knock that needs one discard, a bet of one amount, the cost of a call."""

import pytest

from tests.web.stage import HEIGHTS

BUTTONS = "[...document.querySelectorAll('.actions button')].map((one) => one.innerText)"
SIGHT = """[...document.querySelectorAll('.together .main, .number .main')].map((one) => {
const {top, bottom} = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight })"""
MELDS = "[...document.querySelectorAll('.groups .group')].map((one) => one.innerText).join()"
DESK = (1280, HEIGHTS[1280])


def offered(stage, game, name, **options):
    """Play until a move is offered; return it, while the page shows the table."""
    stage.page.is_wide(*DESK)
    match = stage.sits(game, **options)
    for seen in stage.moments(match):
        moves = [] if seen["result"] else stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
        for move in moves:
            if move["name"] == name:
                stage.shown(seen["version"])
                return move
    raise AssertionError(f"nobody could {name}")


@pytest.mark.long
def test_possible_knock_has_a_button_and_a_visible_form(stage):
    page, knock = stage.page, offered(stage, "gin_rummy", "knock")
    page.until(f"{BUTTONS}.includes('Knock')")
    page.evaluates("[...document.querySelectorAll('.actions button')].find((one) => one.innerText === 'Knock').click()")
    if len(knock["args"]["properties"]["discard"]["enum"]) > 1:
        page.clicks(".ask .main")
    page.until("document.querySelector('form.together')")
    page.until(f"{SIGHT}.every(Boolean)")
    page.clicks(".groups .cards .card")
    page.until("[...document.querySelectorAll('.together button')].some((one) => one.innerText === 'As proposed')")
    arranged = page.evaluates(MELDS)
    page.reloads()
    page.until("document.querySelector('form.together')")
    assert page.evaluates(MELDS) == arranged


def test_bet_with_a_single_possible_amount_is_one_button(stage):
    bet = offered(stage, "five_card_draw", "bet", structure="fixed_limit")["args"]["properties"]["to"]
    assert bet["minimum"] == bet["maximum"]
    stage.page.until(f"{BUTTONS}.includes('Bet {bet['minimum']}')")
    assert not stage.page.evaluates("Boolean(document.querySelector('.number'))")


@pytest.mark.long
def test_call_button_shows_its_cost_and_the_raise_is_visible(stage):
    call = offered(stage, "holdem", "call")
    assert call["args"]["title"].startswith("Call ")
    assert call["args"]["title"].removeprefix("Call ").isdecimal()
    stage.page.until(f"{BUTTONS}.includes('{call['args']['title']}')")
    assert stage.page.evaluates(f"{SIGHT}.length")
    assert stage.page.evaluates(f"{SIGHT}.every(Boolean)")
