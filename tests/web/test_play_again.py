"""Tests that **Play again** repeats a match with its options, bots and players, and can be pressed again after a
refusal."""

import pytest

from tests.factories import StoredPlayer
from tests.system.page_hands import fails
from tests.web.evening import RESIGN

AGAIN = "[...document.querySelectorAll('.sheet > button')].find((one) => one.textContent === 'Play again')"
SEATS = [{"kind": "me"}, {"kind": "bot", "level": "easy"}, {"kind": "bot", "level": "steady"}]
MANY = 100
OPTIONS = {"on_resign": "end", "draw_limit": 3}


def gives_up(stage, match):
    stage.asks(stage.me, "POST", f"/v1/matches/{match}/moves", RESIGN)


def over(stage, seats=SEATS):
    """Show a resigned match; return its id."""
    match = stage.makes({"game": "crazy_eights", "seats": seats, "options": OPTIONS})
    gives_up(stage, match)
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until(AGAIN)
    return match


def plays_again(stage, match):
    """Press the button; return the match that it leads to."""
    stage.page.evaluates(f"{AGAIN}.click()")
    stage.page.until(f"location.hash !== '#m={match}' && !{AGAIN} && document.querySelector('.felt, .lobby')")
    return stage.sees(stage.page.evaluates("location.hash.slice(3)"))


def test_play_again_creates_the_same_match_again(stage):
    match = over(stage)
    before, again = stage.sees(match), plays_again(stage, match)
    assert again["options"] == before["options"]
    assert sorted(one["level"] or "" for one in again["seats"]) == ["", "easy", "steady"]
    gives_up(stage, again["id"])
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until(AGAIN)
    third = plays_again(stage, match)
    assert (third["status"], third["options"]) == ("playing", before["options"])
    assert third["id"] not in (match, again["id"])


@pytest.mark.long
def test_play_again_can_be_clicked_after_a_refusal(stage):
    match, page = over(stage), stage.page
    page.evaluates(fails("/rematch", 1))
    page.evaluates(f"{AGAIN}.click()")
    page.until(f"document.querySelector('[role=alert] .problem') && {AGAIN}.matches(':enabled')")
    assert plays_again(stage, match)["status"] == "playing"


def played(stage, *players):
    """Let players play a match that the first of them resigns, and repeat it; return both matches."""
    first, *others = players
    seats = [{"kind": "me"}, *[{"kind": "invite"}] * len(others), *SEATS[1:]]
    match = stage.makes({"game": "crazy_eights", "seats": seats, "options": OPTIONS}, first)
    for one in others:
        invites = stage.asks(first, "GET", f"/v1/matches/{match}")["invites"]
        seat, code = next((one["seat"], one["invite"]) for one in invites if one["invite"])
        stage.asks(one, "PUT", f"/v1/matches/{match}/seats/{seat}", {"invite": code})
    stage.asks(first, "POST", f"/v1/matches/{match}/moves", RESIGN)
    return match, stage.asks(first, "POST", f"/v1/matches/{match}/rematch", {})["id"]


def test_second_player_to_press_play_again_is_seated_immediately(stage):
    match, again = played(stage, StoredPlayer(store=stage.store, name="Ben"), stage.me)
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until(AGAIN)
    seen = plays_again(stage, match)
    assert (seen["id"], seen["status"], len(seen["your_seats"])) == (again, "playing", 1)
    stage.page.until("document.querySelector('.felt')")


def test_seated_player_waits_for_the_others(stage):
    ben, cem = (StoredPlayer(store=stage.store, name=name) for name in ("Ben", "Cem"))
    match, again = played(stage, ben, stage.me, cem)
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until(AGAIN)
    seen = plays_again(stage, match)
    kept = [one["player"]["name"] for one in seen["seats"] if one["kind"] == "invite"]
    assert (seen["id"], seen["status"], len(seen["your_seats"]), kept) == (again, "lobby", 1, ["Cem"])


def test_spectator_is_not_seated_by_play_again(stage):
    ben, cem = (StoredPlayer(store=stage.store, name=name) for name in ("Ben", "Cem"))
    match, again = played(stage, ben, cem)
    stage.page.opens(f"{stage.base}/play#m={match}")
    stage.page.until(AGAIN)
    assert plays_again(stage, match)["id"] != again
    assert (stage.sees(again)["status"], stage.sees(again)["your_seats"]) == ("lobby", [])


@pytest.mark.long
def test_choice_of_a_match_for_gains_is_repeated_until_answered(stage):
    page = stage.page
    page.opens(f"{stage.base}/docs/problems")  # a page that has asked before does not ask
    page.until("location.pathname === '/docs/problems'")
    match = stage.sits("fivewells_draft")
    page.until("document.querySelector('.felt')")
    page.evaluates(fails("brought_to", MANY))
    *_, last = stage.moments(match)
    stage.shown(last["version"])
    page.until("window.asked_ > 1")
    assert page.evaluates("window.asked_") < 5  # and not again and again without a pause
    page.evaluates("window.fails_ = 0")
    page.until("[...document.querySelectorAll('main a')].some((one) => one.hash.includes('pool='))")
