"""Tests choosing targets and payments of a spell in place: with the mouse, with keys and by touch."""

import pytest

from tests.system.page_hands import TOO_SMALL, Finger, Keyboard, Mouse
from tests.web.readable import ALL, asks_axe, beyond, violations
from tests.web.stage import HEIGHTS, staged

BESIDE = """[...document.querySelectorAll('.actions > button')].filter((one) => one.checkVisibility())
.map((one) => one.innerText)"""
"""Alternatives to the move that has begun."""
FITS, PAIRED, HELD = (f".felt .{look}[aria-pressed]" for look in ("fits", "paired", "held"))
CONFIRMS = ".together.laid .main"
SAID = "[...document.querySelectorAll('.together .hint')].map((one) => one.innerText)"
COUNT = "document.querySelectorAll('SELECTOR').length"
FOCUSED = "document.activeElement.matches('SELECTOR')"
NAMED = """[...document.querySelectorAll('SELECTOR')].findIndex((one) =>
(one.ariaLabel ?? one.innerText).includes(TITLE))"""


@pytest.fixture
def stage(tmp_path_factory, chromium):
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        stage.page.is_wide(1280, HEIGHTS[1280])
        yield stage


def count(page, selector):
    return page.evaluates(COUNT.replace("SELECTOR", selector))


def comes_to(stage, fits, **chosen):
    """Play a duel up to a move with suitable targets; return the match, the move and its targets."""
    match = stage.sits("fivewells", max_turns=30, **chosen)
    for seen in stage.moments(match):
        for move in stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]:
            letters = move["args"]["properties"].get("targets", {}).get("properties", {})
            rows = [one["items"]["enum"] for one in letters.values() if "items" in one]
            if rows and "pay" not in move["args"]["properties"] and fits(rows[0]):
                stage.shown(seen["version"])
                return match, move, rows[0]
    raise AssertionError("there was none")


def begins(page, means, title, chosen=None):
    """Press the card that begins a move, and choose that move if asked which."""
    for selector, said in (("button.card:enabled", title), (".ask .main:enabled", chosen or title)):
        found = page.evaluates(NAMED.replace("SELECTOR", selector).replace("TITLE", repr(said)))
        if found >= 0:
            press(page, means, selector, found)
            page.until(f"document.querySelector('.ask, {CONFIRMS}')")
    page.until(f"document.querySelector('{CONFIRMS}')")


def press(page, means, selector, number=0):
    """Press one of the matching elements, in their order."""
    if isinstance(means, Keyboard):
        page.evaluates(f"document.querySelectorAll('{selector}')[{number}].focus()")
        means.presses(selector, 0)
    else:
        means.presses(selector, number)


def last(stage, match, kind):
    events = stage.asks(stage.me, "GET", f"/v1/matches/{match}/events?limit=1000")["items"]
    return [one["data"] for one in events if one["type"] == kind][-1]


@pytest.mark.parametrize("hand", [Mouse, *(pytest.param(one, marks=pytest.mark.long) for one in (Keyboard, Finger))])
def test_target_can_be_clicked_on_the_table_and_deselected(hand, stage):
    page = stage.page
    match, move, targets = comes_to(stage, lambda row: len(row) > 1)
    means, title = hand(page), move["args"]["title"]
    begins(page, means, title)
    page.until(f"{COUNT.replace('SELECTOR', FITS)} === {len(targets)}")
    assert (count(page, HELD), page.evaluates(f"document.querySelector('{CONFIRMS}').disabled")) == (1, True)
    assert page.evaluates(SAID)[0].endswith(" on the table.")
    press(page, means, FITS)
    page.until(f"document.querySelector('{CONFIRMS}:enabled')")
    assert count(page, PAIRED) == 1
    if hand is Keyboard:
        assert page.evaluates(FOCUSED.replace("SELECTOR", PAIRED))  # the focus has not moved
    if hand is Finger:
        assert (page.evaluates(TOO_SMALL), beyond(page, 360)) == ([], [])
        assert page.evaluates(BESIDE) == ["Pass priority"]
    press(page, means, PAIRED)  # another press takes it back
    page.until(f"!document.querySelector('{PAIRED}') && !document.querySelector('{CONFIRMS}:enabled')")
    press(page, means, FITS)
    page.until(f"document.querySelector('{PAIRED}')")
    page.presses("Escape")  # and so does this key, which then leaves the move
    page.until(f"!document.querySelector('{PAIRED}') && document.querySelector('{HELD}')")
    page.presses("Escape")
    page.until("!document.querySelector('.felt [aria-pressed], .together')")
    if hand is Keyboard:
        assert page.evaluates("Boolean(document.activeElement.closest('.felt, .actions'))")
    begins(page, means, title)
    press(page, means, HELD)  # the card that began it
    page.until("!document.querySelector('.felt [aria-pressed], .together')")
    begins(page, means, title)
    press(page, means, FITS)
    press(page, means, f"{CONFIRMS}:enabled")
    page.until("!document.querySelector('.felt [aria-pressed]')")
    [aimed] = last(stage, match, "SpellCast")["targets"]["a"]
    assert aimed in targets
    assert page.errors == []


@pytest.mark.long
def test_player_can_be_targeted_with_a_button_at_their_seat(stage):
    page = stage.page
    match, move, targets = comes_to(stage, lambda row: {"0", "1"} < {*row} or {*row} == {"0", "1"}, first_deck="FG")
    begins(page, Mouse(page), move["args"]["title"])
    asks_axe(page)
    assert violations(page, ALL) == []
    seats = "[...document.querySelectorAll('.sitter [aria-pressed]')].map((one) => one.ariaLabel)"
    assert page.evaluates(seats) == ["Bot 1: Target", "You: Target"]
    assert count(page, FITS) == len(targets)
    page.clicks(f".others .sitter {FITS.removeprefix('.felt ')}")
    page.until(f"{SAID}.includes('Target: Bot 1.')")
    page.clicks(CONFIRMS)
    page.until("!document.querySelector('.felt [aria-pressed]')")
    assert last(stage, match, "AbilityActivated")["targets"] == {"a": ["1"]}


@pytest.mark.long
def test_payment_is_proposed_and_can_be_changed_among_lands(stage):
    page = stage.page
    match, move, _ = comes_to(stage, lambda row: len(row) > 1)
    pays = f".own .kind-lands {PAIRED.removeprefix('.felt ')}"
    begins(page, Mouse(page), move["args"]["title"], "Cast, and choose what pays")
    page.until(f"document.querySelector('{pays}')")
    proposed = count(page, pays)
    lands = "[...document.querySelectorAll('SELECTOR')].map((one) => one.ariaLabel)".replace("SELECTOR", pays)
    assert all(": Pay: " in label and label.endswith(", chosen") for label in page.evaluates(lands))
    page.clicks(pays)
    page.until(f"{COUNT.replace('SELECTOR', pays)} === {proposed - 1}")
    page.clicks(f".own .kind-lands {FITS.removeprefix('.felt ')}")
    page.until(f"{COUNT.replace('SELECTOR', pays)} === {proposed}")
    page.clicks(f".others {FITS.removeprefix('.felt ')}")
    page.clicks(CONFIRMS)
    page.until("!document.querySelector('.felt [aria-pressed]')")
    cast = last(stage, match, "SpellCast")
    assert (cast["by_hand"], len(cast["paid"])) == (True, proposed)
