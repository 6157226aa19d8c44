"""Who gives up is asked before, and of a series whether the game or all of it."""

import pytest

from tests.web.test_keys import GIVES_UP

OFFERED = "[...document.querySelectorAll('.ask .main')].map((one) => one.innerText)"


def asked(stage, series):
    """Sit down at a match of so many games and ask to give up; gives the match, once the page asks back."""
    seats = [{"kind": "me"}, {"kind": "bot"}]
    match = stage.makes({"game": "gin_rummy", "seats": seats, "series": {"best_of": series}})
    stage.page.is_wide(1280)
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.shown(next(stage.moments(match))["version"])
    stage.page.clicks(".also:not(.leaves) summary")
    stage.page.until(f"!{GIVES_UP}.click()")
    stage.page.until("document.querySelector('.ask.grave')")
    return match


@pytest.mark.parametrize(("choice", "status", "text"), [(1, "playing", "the game"), (2, "finished", "the match")])
def test_in_a_series_of_two_one_game_is_given_up_or_all(choice, status, text, stage):
    match = asked(stage, 3)
    assert stage.page.evaluates(OFFERED) == ["This game", "The whole match"]
    stage.page.clicks(f".ask .main:nth-of-type({choice + 1})")
    stage.page.until(f"/You give up {text}[.]/.test(document.querySelector('.log').innerText)")
    assert stage.sees(match)["status"] == status


def test_a_single_game_is_the_match(stage):
    match = asked(stage, 1)
    assert stage.page.evaluates(OFFERED) == ["Give up"]
    stage.page.clicks(".ask .main")
    stage.page.until("document.querySelector('.places, .record')")
    assert stage.sees(match)["status"] == "finished"
