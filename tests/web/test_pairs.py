"""Tests choosing pairs of blocker and attacker, or of card and meld, on the table: with mouse, with keys and by
touch."""

from itertools import product

import pytest

from tests.system.page_hands import TOO_SMALL, Finger, Keyboard, Mouse
from tests.web.readable import ALL, asks_axe, beyond, violations
from tests.web.stage import HEIGHTS, staged

ENDS = "[...document.querySelectorAll('.felt button[aria-pressed]')]"
PAIRS = "[...document.querySelectorAll('.pairs li')].map((one) => one.innerText)"
HELD, FITS, PAIRED = (f".felt button.{look}" for look in ("held", "fits", "paired"))
OURS = ".own button.card[aria-pressed]"
SAME_OFFER = """(async () => {
const {state, dispatch} = await import(document.querySelector("script[type=module]").src);
const match = structuredClone(state.match);
match.version += 1;
match.scene.zones = CHANGE;
dispatch({is: "seen", match, offer: {...state.offer, version: match.version}});
})()"""
"""An event at the table that does not change the offered moves."""
DUEL = ("fivewells", "declare_blockers", "blocks", {"max_turns": 30})
RUMMY = ("gin_rummy", "lay_off", "layoffs", {"target_score": 500})


@pytest.fixture
def stage(tmp_path_factory, chromium):
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        yield stage


def comes_to(stage, game, name, part, options):
    """Play a match up to a choice of pairs; return it, and the pairs."""
    match = stage.sits(game, **options)
    for seen in stage.moments(match):
        offered = stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
        parts = [move["args"]["properties"][part] for move in offered if move["name"] == name]
        items = parts[0].get("items") if parts else None
        if items and (pairs := [*pairs_of(items.get("anyOf", (items,)))]):
            stage.shown(seen["version"])
            return match, pairs
    raise AssertionError("there were none")


def pairs_of(rows):
    """Return all pairs of these rows of ends."""
    for row in rows:
        ends = row["properties"]
        yield from (dict(zip(ends, pair, strict=True)) for pair in product(*[end["enum"] for end in ends.values()]))


@pytest.mark.parametrize("hand", [Mouse, *(pytest.param(one, marks=pytest.mark.long) for one in (Keyboard, Finger))])
@pytest.mark.parametrize("where", [DUEL, pytest.param(RUMMY, marks=pytest.mark.long)])
def test_pair_can_be_chosen_and_undone(where, hand, stage):
    page = stage.page
    page.is_wide(1280, HEIGHTS[1280])
    match, pairs = comes_to(stage, *where)
    means = hand(page)
    page.until(f"document.querySelector('{OURS}, {PAIRED}')")  # the controls for pairs come after the table
    for _ in page.evaluates(PAIRS):  # the proposal is taken back
        means.presses(PAIRED, 0)
        means.presses(HELD, 0)
    page.until(f"{PAIRS}.length === 0")
    means.presses(OURS, 0)
    page.until(f"document.querySelector('{HELD}').ariaLabel.endsWith(': chosen')")
    assert page.evaluates(f"document.querySelector('{HELD}').ariaPressed") == "true"
    means.presses(FITS, 0)
    page.until(f"{PAIRS}.length === 1 && !document.querySelector('{FITS}')")
    assert page.evaluates(f"{ENDS}.filter((one) => one.ariaPressed === 'true').length") == 2
    if hand is Keyboard:
        assert page.evaluates(f"document.activeElement.matches('{PAIRED}')")  # the focus has not moved
    if hand is Finger:
        assert (page.evaluates(TOO_SMALL), beyond(page, 360)) == ([], [])
    means.presses(PAIRED, 0)
    page.until(f"{PAIRS}.length === 0 && document.querySelector('{HELD}')")
    means.presses(FITS, 0)
    page.until(f"{PAIRS}.length === 1")
    means.presses(".together [type=submit]", 0)
    page.until(f"!{ENDS}.length")
    made = [event["data"] for event in stage.asks(stage.me, "GET", f"/v1/matches/{match}/events?limit=1000")["items"]]
    assert [one[where[2]] for one in made if one.get(where[2]) and one["seat"] == 0][-1][0] in pairs


@pytest.mark.long
def test_pressed_element_stays_on_top_and_unplaced_choices_are_listed(stage):
    page = stage.page
    page.is_wide(1280, HEIGHTS[1280])
    comes_to(stage, *DUEL)
    page.clicks(OURS)
    asks_axe(page)
    assert violations(page, ALL) == []
    page.evaluates(SAME_OFFER.replace("CHANGE", "match.scene.zones"))
    page.until(f"Number(document.querySelector('.felt').dataset.version) && document.querySelector('{HELD}')")
    page.clicks(FITS)
    page.evaluates(SAME_OFFER.replace("CHANGE", "match.scene.zones"))
    page.until(f"{PAIRS}.length === 1")
    assert page.evaluates("document.querySelectorAll('.together fieldset').length") == 0
    page.evaluates(SAME_OFFER.replace("CHANGE", "{}"))
    page.until(f"!{ENDS}.length")
    assert page.evaluates("document.querySelectorAll('.together fieldset [aria-pressed=true]').length") == 1
    assert page.errors == []
