"""Tests the next table of a tournament on the page of a finished match: found, offered, and opened automatically."""

import pytest

from tests.web.evening import Evening
from tests.web.stage import staged

POKER = {"game": "holdem", "format": "multi_table", "options": {"format": "sng", "starting_stack": 400}}
FURTHER = "document.querySelector('.further')"
AWAITED = f"{FURTHER}?.innerText.includes('when all tables have finished this one')"
OFFERED = f"{FURTHER}?.innerText.includes('The next hand begins.')"
MATCH = "location.hash.slice(3)"


def folds(one, match):
    """Make all players at a table fold, until its match is over."""
    for _ in range(9):
        for who in one.players:
            seen = one.stage.asks(who, "GET", f"/v1/matches/{match}")
            if seen["result"]:
                return
            if seen["your_seat"] in seen["to_act"]:
                one.stage.asks(who, "POST", f"/v1/matches/{match}/moves", {"name": "fold", "args": {}})


def mine(one):
    return one.stage.asks(one.stage.me, "GET", one.path)["your_table"]


def others(one):
    return [table["match"] for table in one.tables() if table["match"] != mine(one)]


@pytest.mark.long
def test_next_hand_opens_automatically_unless_disabled_or_writing(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        page, one = stage.page, Evening(stage, 4, seats=3, fill="short", **POKER).begins()
        page.is_wide(1280)
        first = mine(one)
        page.opens(f"{stage.base}/play#m={first}")
        page.until("document.querySelector('.felt') && document.querySelector('.chat input')")
        folds(one, first)
        page.until(AWAITED)
        folds(one, others(one)[0])
        page.evaluates("document.querySelector('.chat input').focus()")
        one.looks()
        page.until(OFFERED)
        page.evaluates("new Promise((done) => setTimeout(done, 5500))")
        assert page.evaluates(MATCH) == first  # the page stays while the player is typing
        page.evaluates("document.activeElement.blur()")
        second = mine(one)
        page.until(f"{MATCH} === {second!r} && document.querySelector('.felt')")
        for match in (second, *others(one)):
            folds(one, match)
        page.until(AWAITED)
        page.clicks(".further [type=checkbox]")
        one.looks()
        page.until(OFFERED)
        page.evaluates("new Promise((done) => setTimeout(done, 5500))")
        assert page.evaluates(MATCH) == second
        page.clicks(".further button")
        page.until(f"{MATCH} === {mine(one)!r} && document.querySelector('.felt')")
        assert page.errors == []


@pytest.mark.long
def test_finished_match_offers_the_next_round_without_redirecting(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        page, one = stage.page, Evening(stage, 4, rounds=2).begins()
        first = mine(one)
        one.plays(next(table for table in one.tables() if table["match"] == first))
        one.looks()
        page.opens(f"{stage.base}/play#m={first}")
        page.until(f"{FURTHER}?.innerText.includes('your next table appears here')")
        one.plays_round()
        page.until(f"{FURTHER}?.innerText.includes('The next round is paired.')")
        page.evaluates("new Promise((done) => setTimeout(done, 5500))")
        assert page.evaluates(MATCH) == first
        page.clicks(".further button")
        page.until(f"{MATCH} === {mine(one)!r} && document.querySelector('.lobby')")
        assert stage.sees(mine(one))["your_seat"] is not None
        assert page.errors == []
