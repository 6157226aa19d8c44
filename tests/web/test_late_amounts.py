"""The amounts of a bet come after what else may be done, which stays where it is."""

from threading import Event

import pytest

from tests.draws import first_of
from tests.web.stage import HEIGHTS, SETTLED

PLACES = """Object.fromEntries([...document.querySelectorAll('.actions > button:enabled')].map((one) => {
const {left, right, top, bottom} = one.getBoundingClientRect();
return [one.innerText, [left, right, top, bottom]]; }))"""
"""Where the buttons lie that may be pressed, by what they say."""


@pytest.fixture
def may_come(stage, monkeypatch):
    """Give what has to happen before the amounts, and their looks, come to the page."""
    happened, answers = Event(), stage.app.wsgi_app

    def held_back(environ, start_response):
        if environ["PATH_INFO"].endswith(("/number.js", "/number.css")):
            happened.wait()
        return answers(environ, start_response)

    monkeypatch.setattr(stage.app, "wsgi_app", held_back)
    yield happened
    happened.set()


@pytest.mark.parametrize(("game", "options"), first_of([("holdem", {}), ("five_card_draw", {"structure": "no_limit"})]))
def test_who_aims_at_a_button_hits_it_although_the_amounts_come_meanwhile(game, options, stage, may_come):
    page, match = stage.page, stage.sits(game, **options)
    next(stage.moments(match))
    for width, height in HEIGHTS.items():
        page.opens("about:blank")
        page.forgets()
        page.is_wide(width, height)
        may_come.clear()
        page.opens(f"{stage.base}/play#m={match}")
        page.until(f"'Fold' in {PLACES}")
        page.evaluates(SETTLED)
        aimed = page.evaluates(PLACES)
        assert not page.evaluates("Boolean(document.querySelector('form.number'))")
        may_come.set()
        page.until("document.querySelector('.number > .main')?.checkVisibility()")
        page.evaluates(SETTLED)
        lie = page.evaluates(PLACES)
        for said, (left, right, top, bottom) in aimed.items():
            x, y = (left + right) / 2, (top + bottom) / 2
            assert lie[said][0] < x < lie[said][1], (width, said, aimed, lie)
            assert lie[said][2] < y < lie[said][3], (width, said, aimed, lie)
