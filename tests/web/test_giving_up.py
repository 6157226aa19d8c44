"""Tests that resigning needs a confirmation, which in a series offers the game or the whole match."""

import pytest

from tests.web.test_keys import GIVES_UP

OFFERED = "[...document.querySelectorAll('.ask .main')].map((one) => one.innerText)"


def begun(stage, game, games, **options):
    """Begin and show a match of this many games against a bot; return its id."""
    seats = [{"kind": "me"}, {"kind": "bot"}]
    match = stage.makes({"game": game, "seats": seats, "series": {"best_of": games}, "options": options})
    stage.page.is_wide(1280)
    stage.page.opens(f"{stage.base}/play#m={match}")
    return match


def asks(page):
    """Ask to resign what is shown; return the offered buttons."""
    page.clicks(".also:not(.leaves) summary")
    page.until(GIVES_UP)
    page.evaluates(f"{GIVES_UP}.click()")
    page.until("document.querySelector('.ask.grave')")
    return page.evaluates(OFFERED)


@pytest.mark.parametrize(("choice", "status", "text"), [(1, "playing", "the game"), (2, "finished", "the match")])
def test_game_or_match_of_a_series_can_be_resigned(choice, status, text, stage):
    match = begun(stage, "gin_rummy", 3)
    stage.shown(next(stage.moments(match))["version"])
    assert asks(stage.page) == ["This game", "The whole match"]
    stage.page.clicks(f".ask .main:nth-of-type({choice + 1})")
    stage.page.until(f"/You resigned {text}[.]/.test(document.querySelector('.log').innerText)")
    assert stage.sees(match)["status"] == status


def test_single_game_offers_only_to_resign_the_match(stage):
    match = begun(stage, "gin_rummy", 1)
    stage.shown(next(stage.moments(match))["version"])
    assert asks(stage.page) == ["Resign"]
    stage.page.clicks(".ask .main")
    stage.page.until("document.querySelector('.places, .record')")
    assert stage.sees(match)["status"] == "finished"


def test_resigning_between_two_hands_resigns_the_whole_series(stage):
    match = begun(stage, "crazy_eights", 3, pause_between_hands=True, target_score=500)
    for seen in stage.moments(match):
        offered = stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
        if "continue_match" in [move["name"] for move in offered]:
            stage.shown(seen["version"])
            break
    assert asks(stage.page) == ["Resign"]
    stage.page.clicks(".ask .main")
    stage.page.until("document.querySelector('.places, .record')")
    assert stage.sees(match)["status"] == "finished"
