"""Tests that a click reaches its button: neither late content nor the next turn of a bet moves it."""

from itertools import islice
from threading import Event

import pytest

from tests.draws import first_of
from tests.laws.entry import Further
from tests.web.stage import HEIGHTS, SETTLED

PLACES = """Object.fromEntries([...document.querySelectorAll('.actions > button:enabled')].map((one) => {
const {left, right, top, bottom} = one.getBoundingClientRect();
return [one.innerText, [left, right, top, bottom]]; }))"""
"""The positions of the enabled buttons, by label."""
AMOUNTS = ("/play/static/number-",)
PRINTED = ("/play/static/printed-", "/v1/cards", "/play/static/asking-")
BETTING = [("holdem", {}), ("five_card_draw", {"structure": "no_limit"})]
MUCH, LITTLE = {"starting_stack": 20_000}, {"starting_stack": 10, "hands": 10}
SAME = {"Check": "Call", "Bet": "Raise"}
"""Actions offered instead of others."""
MOST_TURNS = 8
OTHER, THIRD, FOURTH = (Further(n, frozenset()) for n in (1, 2, 3))
"""Further matches of the shortest length."""


class HeldBack:
    """Holds back requests of a page until they are released."""

    def __init__(self, app):
        self.paths, self.may_come, self.answers = (), Event(), app.wsgi_app

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"].startswith(self.paths):
            self.may_come.wait()
        return self.answers(environ, start_response)


@pytest.fixture
def held(stage, monkeypatch):
    """Return the object that holds back requests; nothing is held back until paths are named."""
    held = HeldBack(stage.app)
    monkeypatch.setattr(stage.app, "wsgi_app", held)
    yield held
    held.may_come.set()


def missed(aimed, lie):
    """Return the names of the buttons whose middle has moved off them."""

    def is_hit(said):
        left, right, top, bottom = aimed[said]
        x, y = (left + right) / 2, (top + bottom) / 2
        return lie[said][0] < x < lie[said][1] and lie[said][2] < y < lie[said][3]

    return [said for said in aimed if not is_hit(said)]


def comes_late(stage, held, match, there, ready=f"Object.keys({PLACES}).length"):
    """Open a match at each width while a resource is held back; yield the buttons' positions before and after.

    `ready` and `there` are true when the page shows what is aimed at, and when the resource has arrived.
    """
    page = stage.page
    for width, height in HEIGHTS.items():
        page.opens("about:blank")
        page.forgets()
        page.is_wide(width, height)
        held.may_come.clear()
        page.opens(f"{stage.base}/play#m={match}")
        page.until(ready)
        page.evaluates(SETTLED)
        aimed = page.evaluates(PLACES)
        assert not page.evaluates(there)
        held.may_come.set()
        page.until(there)
        page.evaluates(SETTLED)
        yield aimed, page.evaluates(PLACES)


@pytest.mark.parametrize(("game", "options"), first_of(BETTING))
def test_button_can_be_hit_while_amounts_load(game, options, stage, held):
    match, held.paths = stage.sits(game, **options), AMOUNTS
    next(stage.moments(match))
    there = "Boolean(document.querySelector('.number > .main')?.checkVisibility())"
    for aimed, lie in comes_late(stage, held, match, there, f"'Fold' in {PLACES}"):
        assert missed(aimed, lie) == [], (aimed, lie)


@pytest.mark.long
def test_button_can_be_hit_while_card_texts_load(stage, held):
    match, held.paths = stage.sits("fivewells"), PRINTED
    for _ in islice(stage.moments(match), 0, MOST_TURNS, 2):
        for aimed, lie in comes_late(stage, held, match, "Boolean(document.querySelector('.named .cost'))"):
            assert missed(aimed, lie) == [], (aimed, lie)


def slots(page):
    """Return the positions of the buttons of a bet, by the first word of their label, or of the label they replace."""
    places = page.evaluates(PLACES.replace("> button", "button").replace(":enabled'", ":enabled:not(.amount *)'"))
    words = {said: said.partition(" ")[0].rstrip(":") for said in places}
    return {SAME.get(words[said], words[said]): place for said, place in places.items()}


def turns_of(stage, match, count):
    """Yield the positions of a bet's buttons in some turns in which the player may fold, on a phone."""
    stage.page.is_wide(360, HEIGHTS[360])
    for seen in islice(stage.moments(match), count):
        stage.shown(seen["version"])
        if "Fold" in (there := slots(stage.page)):
            yield there


@pytest.mark.parametrize(("game", "options"), first_of(BETTING))
def test_buttons_keep_their_places_throughout_a_bet(game, options, stage):
    first, *others = turns_of(stage, stage.sits(game, OTHER, **options, **MUCH), MOST_TURNS)
    assert others
    assert set(first) >= {"Fold", "Call", "Raise", "▴"}
    assert [(missed(first, turn), turn) for turn in others if missed(first, turn)] == []


@pytest.mark.parametrize(("game", "options"), first_of(BETTING))
def test_buttons_keep_their_places_when_raising_ends(game, options, stage):
    first, *others = turns_of(stage, stage.sits(game, THIRD, **options, **LITTLE), 2 * MOST_TURNS)
    assert any("▴" not in turn for turn in others)
    for turn in others:
        still = {said: place for said, place in first.items() if said in turn}
        assert missed(still, turn) == [], turn


def test_buttons_keep_their_places_after_the_amount_was_raised(stage):
    page, match = stage.page, stage.sits("holdem", FOURTH, starting_stack=1_500)
    page.is_wide(360, HEIGHTS[360])
    stage.shown(next(stage.moments(match))["version"])
    page.clicks(".unfolds")
    page.until("document.querySelector('.useful button')?.checkVisibility()")
    aimed, said = slots(page), page.evaluates("document.querySelector('.number > .main').innerText")
    page.clicks(".useful button:last-child")
    page.until(f"document.querySelector('.number > .main').innerText !== '{said}'")
    assert missed(aimed, slots(page)) == []
