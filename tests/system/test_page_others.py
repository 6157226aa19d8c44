"""Tests that other players' actions do not disturb a decision: questions, the focus and chosen cards stay."""

import pytest
import requests

from tests.system.page_hands import VERSION, opens, player

DAY = {"clock": {"per_decision_seconds": 86_400}}
ASKED = "document.querySelector('.ask')"
GIVE_UP = "[...document.querySelectorAll('.more button')].find((one) => /Resign/.test(one.innerText))"
CHOSEN = "[...document.querySelectorAll('.own [aria-pressed=true]')].map((one) => one.dataset.card)"


@pytest.fixture
def other_acts(page, base):
    """Return a match of Hearts in which two players are to pass cards, and a function that makes the other one pass."""
    ben = player(base, "Ben")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}]
    address, _ = opens(page, base, "hearts", seats, {}, DAY)
    requests.put(f"{address}/seats/1", json={}, headers=ben, timeout=60).raise_for_status()
    page.until("document.querySelectorAll('.own button.card:enabled').length === 13")

    def acts():
        offered = requests.get(f"{address}/moves", headers=ben, timeout=60).json()["moves"]
        requests.post(f"{address}/moves", json=offered[0]["example"], headers=ben, timeout=60).raise_for_status()
        return requests.get(address, timeout=60).json()["version"]

    return acts


def asks_whether_to_give_up(page):
    page.until("document.querySelector('.also')")
    page.evaluates("document.querySelector('.also').open = true")
    page.until(GIVE_UP)
    page.evaluates(f"{GIVE_UP}.click()")
    page.until(f"{ASKED}?.contains(document.activeElement)")


def test_focused_question_stays_when_another_player_acts(page, other_acts):
    asks_whether_to_give_up(page)
    version = other_acts()
    page.until(f"{VERSION} >= {version}")
    assert page.evaluates(f"{ASKED}?.contains(document.activeElement)")


def test_open_question_does_not_take_focus_from_writing(page, other_acts):
    page.until("document.querySelector('.chat input')")
    asks_whether_to_give_up(page)
    page.evaluates("document.querySelector('.chat input').focus()")
    version = other_acts()
    page.until(f"{VERSION} >= {version}")
    assert page.evaluates(f"Boolean({ASKED}) && document.activeElement.matches('.chat input')")


def test_returning_player_finds_the_previous_choice(page, other_acts):
    for number in (1, 4):
        page.evaluates(f"document.querySelectorAll('.own button.card')[{number}].click()")
    chosen = page.evaluates(CHOSEN)
    assert len(chosen) == 2
    page.clicks(".back")
    page.until("document.querySelector('.mine a')")
    version = other_acts()
    page.evaluates("history.back()")
    page.until(f"{VERSION} >= {version} && document.querySelector('.own button.card:enabled')")
    assert page.evaluates(CHOSEN) == chosen
