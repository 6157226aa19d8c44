"""Who gives up is asked before, and of a series whether the game or all of it."""

import pytest

from tests.web.test_keys import GIVES_UP

OFFERED = "[...document.querySelectorAll('.ask .main')].map((one) => one.innerText)"


def begun(stage, game, games, **options):
    """Begin a match of so many games against a bot, and show it; gives its id."""
    seats = [{"kind": "me"}, {"kind": "bot"}]
    match = stage.makes({"game": game, "seats": seats, "series": {"best_of": games}, "options": options})
    stage.page.is_wide(1280)
    stage.page.opens(f"{stage.base}/play#m={match}")
    return match


def asks(page):
    """Ask to give up what is shown; gives what is offered then."""
    page.clicks(".also:not(.leaves) summary")
    page.until(GIVES_UP)
    page.evaluates(f"{GIVES_UP}.click()")
    page.until("document.querySelector('.ask.grave')")
    return page.evaluates(OFFERED)


@pytest.mark.parametrize(("choice", "status", "text"), [(1, "playing", "the game"), (2, "finished", "the match")])
def test_in_a_series_of_two_one_game_is_given_up_or_all(choice, status, text, stage):
    match = begun(stage, "gin_rummy", 3)
    stage.shown(next(stage.moments(match))["version"])
    assert asks(stage.page) == ["This game", "The whole match"]
    stage.page.clicks(f".ask .main:nth-of-type({choice + 1})")
    stage.page.until(f"/You resign {text}[.]/.test(document.querySelector('.log').innerText)")
    assert stage.sees(match)["status"] == status


def test_a_single_game_is_the_match(stage):
    match = begun(stage, "gin_rummy", 1)
    stage.shown(next(stage.moments(match))["version"])
    assert asks(stage.page) == ["Give up"]
    stage.page.clicks(".ask .main")
    stage.page.until("document.querySelector('.places, .record')")
    assert stage.sees(match)["status"] == "finished"


def test_between_two_hands_all_of_a_series_is_given_up(stage):
    match = begun(stage, "crazy_eights", 3, pause_between_hands=True, target_score=500)
    for seen in stage.moments(match):
        offered = stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
        if "continue_match" in [move["name"] for move in offered]:
            stage.shown(seen["version"])
            break
    assert asks(stage.page) == ["Give up"]
    stage.page.clicks(".ask .main")
    stage.page.until("document.querySelector('.places, .record')")
    assert stage.sees(match)["status"] == "finished"
