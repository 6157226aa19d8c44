"""Tests the settings of a browser: a choice has its effect immediately, and again after a reload."""

import pytest

from tests.web.readable import ALL, asks_axe, beyond, small_targets, violations
from tests.web.stage import staged
from tests.web.test_comfort import BEGUN

pytestmark = pytest.mark.long

CHOSEN = {
    "colours": "4",
    "deck": "large",
    "back": "red",
    "felt": "navy",
    "sort": "rank",
    "confirm": "on",
    "hand": "left",
    "sounds": "on",
}
PUTS = """(() => { const one = document.querySelector('.settings [name=%s]');
one.value = '%s'; one.dispatchEvent(new Event('change')); })()"""
SHOWN = "({...document.documentElement.dataset})"
HAND = "[...document.querySelectorAll('.own .kind-hand [data-card]')].map((one) => one.dataset.card)"
RANKS = "23456789TJQKA"
PLAYABLE = ".own .kind-hand button.card:enabled"
VERSION = "document.querySelector('.felt').dataset.version"
COUNTED = """(() => { window.moved = window.heard = 0;
const counts = (kind, name, counter) => { const does = kind.prototype[name];
  kind.prototype[name] = function (...how) { window[counter] += 1; return does.apply(this, how); } };
counts(Element, 'animate', 'moved');
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) counts(kind, 'start', 'heard'); })()"""
"""Counts the animations and tones that begin."""
MOVES = 4


@pytest.fixture
def stage(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        stage.page.is_wide(1280, 800)
        yield stage


def opens(stage, game):
    """Open a new match with its settings unfolded; return what the seat sees."""
    return unfolds(stage, next(stage.moments(stage.sits(game))))


def unfolds(stage, seen):
    """Unfold the settings of the current match."""
    stage.shown(seen["version"])
    stage.page.until("document.querySelector('.settings')")
    stage.page.evaluates("document.querySelector('.settings').open = true")
    stage.page.until("document.querySelector('.pace')")
    return seen


def puts(stage, name, value):
    stage.page.evaluates(PUTS % (name, value))


def test_chosen_settings_are_shown_immediately_and_after_a_reload(stage):
    page = stage.page
    page.is_wide(360, 740)
    seen = next(stage.moments(stage.sits("hearts")))
    stage.shown(seen["version"])
    page.clicks(".opens")
    unfolds(stage, seen)
    for name, value in CHOSEN.items():
        puts(stage, name, value)
    assert page.evaluates(SHOWN) == CHOSEN
    asks_axe(page)
    assert (violations(page, ALL), small_targets(page), beyond(page, 360)) == ([], [], [])
    page.reloads()
    stage.shown(seen["version"])
    assert page.evaluates(SHOWN) == CHOSEN
    assert page.errors == []


def test_hand_is_sorted_by_rank_if_chosen(stage):
    seen = opens(stage, "hearts")
    dealt = stage.page.evaluates(HAND)
    by_rank = sorted(dealt, key=lambda card: RANKS.index(card[0]))
    assert dealt != by_rank
    puts(stage, "sort", "rank")
    assert stage.page.evaluates(HAND) == by_rank
    stage.page.reloads()
    stage.shown(seen["version"])
    assert stage.page.evaluates(HAND) == by_rank


def test_play_needs_a_second_press_if_confirmation_is_on(stage):
    page, match = stage.page, stage.sits("crazy_eights")
    seen = unfolds(stage, next(seen for seen in stage.moments(match) if seen["to_act"] == [0]))
    puts(stage, "confirm", "on")
    page.until(f"document.querySelector('{PLAYABLE}')")
    page.clicks(PLAYABLE)
    page.until("document.querySelector('.ask .main')")
    assert stage.sees(match)["version"] == seen["version"]
    page.clicks(".ask .main")
    page.until(f"Number({VERSION}) > {seen['version']}")
    assert stage.sees(match)["version"] > seen["version"]


@pytest.mark.parametrize("size", [(740, 360), (360, 740)], ids=lambda size: "x".join(map(str, size)))
def test_buttons_are_on_the_left_for_left_handed_players(size, stage):
    page = stage.page
    seen = opens(stage, "holdem")
    page.is_wide(*size)
    edge = """(() => { const all = [...document.querySelectorAll('.actions > button')].map((one) =>
    one.getBoundingClientRect()); return [Math.min(...all.map(({left}) => left)), all[0].left] })()"""
    right = page.evaluates(edge)
    puts(stage, "hand", "left")
    left = page.evaluates(edge)
    assert left != right
    assert left[0] < size[0] / 2
    page.reloads()
    stage.shown(seen["version"])
    page.until(f"String({edge}) === '{','.join(map(str, left))}'")


@pytest.mark.parametrize("speed", ["0", "4"])
def test_animation_speed_is_remembered(speed, stage):
    page = stage.page
    page.is_wide(1280, is_calm=False)
    page.begins_with(BEGUN)
    page.begins_with(COUNTED)
    match = stage.sits("crazy_eights")
    moments = stage.moments(match)
    unfolds(stage, next(moments))
    puts(stage, "speed", speed)
    page.reloads()
    unfolds(stage, stage.sees(match))
    assert page.evaluates("document.querySelector('.pace select').value") == speed
    for _ in range(MOVES):
        stage.shown(next(moments)["version"])
    assert bool(page.evaluates("moved")) is (speed != "0")


@pytest.mark.parametrize("value", ["on", "off"])
def test_moves_make_sounds_if_sounds_are_on(value, stage):
    page = stage.page
    page.begins_with(BEGUN)
    page.begins_with(COUNTED)
    match = stage.sits("crazy_eights")
    moments = stage.moments(match)
    unfolds(stage, next(moments))
    page.points(".settings summary", 0)  # a browser lets a page make sound only after a press
    page.points(".settings summary", 0)
    puts(stage, "sounds", value)
    for _ in range(MOVES):
        stage.shown(next(moments)["version"])
    assert bool(page.evaluates("heard")) is (value == "on")
    assert page.errors == []
