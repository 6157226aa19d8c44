"""Tests that questions during a resolution can be read and answered: with the mouse, with keys and by touch."""

import pytest

from domain.card_sets.cards.library import CARDS
from tests.system.page_hands import TOO_SMALL, Finger, Keyboard, Mouse
from tests.web.readable import beyond
from tests.web.stage import staged

COPIES = {
    "Tidepool": 24,
    "Sunfield": 14,
    "Rootwood": 14,
    "Brinewing Gull": 4,
    "Meadow Chaplain": 4,
}
"""A deck that soon scouts, and offers a choice of two modes."""
ACTIONS = "document.querySelector('.actions').innerText"
NAMES = "[...document.querySelectorAll('.actions fieldset button')].map((one) => one.innerText)"
LOW = """[...document.querySelectorAll('.actions button:enabled, .felt .fits, .felt .paired')].filter((one) => {
  const {top, bottom} = one.getBoundingClientRect();
  return top < 0 || bottom > innerHeight;
}).map((one) => one.innerText)"""
"""Possible answers that are out of sight."""
SCOUTED = ".felt .kind-looked_at button"


@pytest.fixture
def stage(tmp_path, chromium):
    with staged(tmp_path, chromium) as stage:
        stage.page.is_wide(1280)
        yield stage


def duel(stage):
    """Begin a duel with that deck on the page; return the id of the match."""
    ids = {card.name: card.id for card in CARDS.values()}
    main = sorted(ids[name] for name, count in COPIES.items() for _ in range(count))
    stage.draws.seed(1)
    stage.rng.seed(1)
    me = {"kind": "me", "entry": {"deck": {"main": main}}}
    match = stage.makes({"game": "fivewells", "options": {"max_turns": 40}, "seats": [me, {"kind": "bot"}]})
    stage.page.opens(f"{stage.base}/play#m={match}")
    return match


def comes_to(stage, match, phase):
    """Play until the seat is asked; the page shows it."""
    while (seen := stage.sees(match))["scene"]["phase"] != phase or 0 not in seen["to_act"]:
        assert not seen["result"], f"never {phase}"
        if 0 in seen["to_act"]:
            stage._moves(match)
        stage._bots(match)
    stage.shown(seen["version"])


def last(stage, match, kind):
    events = stage.asks(stage.me, "GET", f"/v1/matches/{match}/events?limit=1000")["items"]
    return [one["data"] for one in events if one["type"] == kind][-1]


@pytest.mark.parametrize("hand", [Finger, *(pytest.param(one, marks=pytest.mark.long) for one in (Keyboard, Mouse))])
def test_scouted_cards_are_chosen_on_the_table_and_modes_by_text(hand, stage):
    page, match = stage.page, duel(stage)
    means = hand(page)
    comes_to(stage, match, "scout")
    assert "Brinewing Gull: When this creature enters: scout 1." in page.evaluates(ACTIONS)
    assert page.evaluates(LOW) == []
    means.presses(SCOUTED, 0)
    page.until(f"document.querySelector('{SCOUTED}[aria-pressed=true]')")
    means.presses(".together.laid [type=submit]", 0)
    page.until(f"!document.querySelector('{SCOUTED}')")
    assert last(stage, match, "Scouted")["to_bottom"] == 1
    comes_to(stage, match, "mode")
    assert "Meadow Chaplain: When this creature enters: choose one:" in page.evaluates(ACTIONS)
    assert page.evaluates(NAMES) == ["You gain 3 life", "Put a growth counter on this creature"]
    assert page.evaluates(LOW) == []
    if hand is Finger:
        assert (page.evaluates(TOO_SMALL), beyond(page, 360)) == ([], [])
    means.presses(".actions fieldset button:nth-of-type(2)", 0)
    page.until("!document.querySelector('.actions fieldset')")
    assert last(stage, match, "ChoiceMade")["number"] == 1
    assert page.errors == []
