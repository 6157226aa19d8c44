"""Tests that the page respects the reader's and the device's settings: focus, motion, colours and text sizes."""

from itertools import islice

import pytest

from tests.web.places import ME, PLACES, opens
from tests.web.readable import beyond, unseen
from tests.web.stage import HEIGHTS

UPDATES = 100
KEPT = "window.kept === document.activeElement && window.kept.isConnected"
REMEMBERS = """(() => { window.kept = document.querySelector('SELECTOR'); kept.focus(); window.jumps = 0;
addEventListener('focusin', () => { window.jumps += 1; }) })()"""
ZOOMED = 640
"""The width in pixels of a window of 1280 pixels at twice the size (WCAG 1.4.4); test_places has the others."""
BEGUN = """(() => { const waits = window.setTimeout;
window.setTimeout = (what, ms, ...given) => waits(what, ms === 10_000 ? 0 : ms, ...given) })()"""
"""Delayed effects, such as moving cards, happen immediately."""


@pytest.mark.long
@pytest.mark.parametrize("selector", [".log [role=log]", pytest.param(".leaves summary", marks=pytest.mark.long)])
def test_focus_survives_a_hundred_updates(selector, stage):
    page = stage.page
    page.is_wide(1280)
    match = stage.makes({"game": "hearts", "seats": [ME, *[{"kind": "bot"}] * 3], "options": {"target_score": 100}})
    opens(stage, f"/play#m={match}", "document.querySelector('.felt') && document.querySelector('.leaves')")
    first = shown = stage.sees(match)["version"]
    page.evaluates(REMEMBERS.replace("SELECTOR", selector))
    for _ in stage.moments(match):
        shown = stage.sees(match)["version"]
        page.until(f"document.querySelector('.felt')?.dataset.version === '{shown}'")
        assert page.evaluates(KEPT), f"it was lost at version {shown}"
        if shown - first > UPDATES:
            break
    assert shown - first > UPDATES
    assert page.evaluates("jumps") == 0


@pytest.mark.long
@pytest.mark.parametrize(("is_calm", "game"), [(True, "crazy_eights"), (False, "two_handed_hearts")])
def test_reduced_motion_setting_stops_animations(is_calm, game, stage):
    page = stage.page
    page.is_wide(1280, is_calm=is_calm)
    page.begins_with(BEGUN)
    match = stage.makes({"game": game, "seats": [ME, {"kind": "bot"}]})
    opens(stage, f"/play#m={match}", "document.querySelector('.settings')")
    phases = stage.phases(match, (1, 2, 3, 4, 5, 6))
    next(phases)
    page.evaluates("""(() => { window.moved = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) { window.moved += 1; return animate.apply(this, how); } })()""")
    page.evaluates("document.querySelector('.settings').open = true")  # cards can be moved from now on
    page.until("document.querySelector('.pace')")
    moved = [page.evaluates("moved") for _ in islice(phases, 5)]
    assert bool(moved[-1]) is not is_calm
    page.is_wide(1280)


def test_cards_and_buttons_have_borders_in_forced_colours(stage):
    stage.page.is_wide(360, HEIGHTS[360])
    for phase in stage.phases(stage.sits("trio")):
        assert unseen(stage.page) == [], phase


def test_zoomed_start_page_is_not_wider_than_the_window(stage):
    stage.page.is_wide(1280)
    PLACES["start"](stage)
    stage.page.is_wide(ZOOMED, ZOOMED)
    assert beyond(stage.page, ZOOMED) == []
    stage.page.is_wide(1280)


HELD = "document.querySelectorAll('.own .card[aria-pressed=true]').length"


def test_choice_is_kept_after_a_reload_until_the_next_question(stage):
    page = stage.page
    page.is_wide(1280)
    match = stage.makes({"game": "hearts", "seats": [ME, *[{"kind": "bot"}] * 3]})
    opens(stage, f"/play#m={match}", "document.querySelector('.own button.card')")
    for nth in (1, 2):
        page.clicks(".own button.card[aria-pressed=false]")
        page.until(f"{HELD} === {nth}")
    page.reloads()
    page.until(f"{HELD} === 2")
    page.opens("about:blank")
    bot = stage.matches.bot_to_move(match)
    stage.matches.bot_move(bot, stage._chosen(bot, bot.seat))
    opens(stage, f"/play#m={match}", f"{HELD} === 2")
    page.opens("about:blank")
    moves = stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
    stage.asks(stage.me, "POST", f"/v1/matches/{match}/moves", moves[0]["example"])
    opens(stage, f"/play#m={match}", "document.querySelector('.own .card')")
    assert page.evaluates(HELD) == 0


BELOW = """['.others h2', '.others .numbers', '.others .row', '.between .row', '.own .numbers',
'.own .kind-battlefield', '.own .kind-lands', '.own .kind-hand', '.actions'].filter((one) => {
  const {top, bottom} = document.querySelector(one).getBoundingClientRect();
  const end = one === '.actions' ? innerHeight : document.querySelector('.actions').getBoundingClientRect().top;
  return top < 0 || bottom > end + 1;
})"""
"""Essential parts of a duel that are out of sight, or behind the action bar."""


def test_crowded_duel_with_a_stack_fits_the_window(stage):
    stage.page.is_wide(1280, HEIGHTS[1280])
    PLACES["full-duel"](stage)
    for width, height in ((360, 740), (768, 1024), (1280, 800)):
        stage.page.is_wide(width, height)
        assert (stage.page.evaluates(BELOW), beyond(stage.page, width)) == ([], []), width


PRESSED = """(async () => {
const {state, dispatch} = await import(document.querySelector("script[type=module]").src);
const card = {title: "Spell", enum: ["stack0", "stack1"], "x-at": "/zones/stack"};
const counters = {name: "counter", place: 0, args: {title: "Counter", properties: {card}, required: ["card"]}};
const match = {...state.match, version: state.match.version + 1};
dispatch({is: "seen", match, offer: {...state.offer, version: match.version, moves: [counters]}});
})()"""
"""Waiting spells can be pressed, as a player who counters a spell does."""
WHOSE = "[...document.querySelectorAll('.between .laid:has(button) .who')].map((one) => one.innerText)"


def test_stack_fits_a_phone_with_clickable_owners_and_spells(stage):
    stage.page.is_wide(1280)
    PLACES["full-duel"](stage)
    stage.page.is_wide(360, HEIGHTS[360])
    stage.page.evaluates(PRESSED)
    stage.page.until("document.querySelector('.kind-stack button')")
    assert (beyond(stage.page, 360), stage.page.evaluates(WHOSE)) == ([], ["Bot 1", "Bot 1"])
    stage.page.is_wide(1280)


COVERED = """[...document.querySelectorAll('main :is(button:enabled, summary, a[href])')].filter((one) => {
  const bar = document.querySelector('.actions');
  one.focus({preventScroll: true});
  one.scrollIntoView({block: 'end'});
  const [mine, its] = [one, bar].map((each) => each.getBoundingClientRect());
  return mine.height && !bar.contains(one) && mine.top < its.bottom - 1 && mine.bottom > its.top + 1;
}).map((one) => one.innerText || one.ariaLabel)"""
"""The focused element, if it is behind the action bar."""


def test_focused_element_is_visible_in_any_window(stage):
    match = stage.makes({"game": "gin_rummy", "seats": [ME, {"kind": "bot"}]})
    opens(stage, f"/play#m={match}", "document.querySelector('.felt')")
    next(stage.phases(match))
    for height in (256, 740):
        stage.page.is_wide(320, height)
        assert stage.page.evaluates(COVERED) == [], height
    stage.page.is_wide(1280)


def test_start_page_restores_the_scroll_position(stage):
    page = stage.page
    page.is_wide(360, HEIGHTS[360])
    opens(stage, "/play", "document.querySelectorAll('.games li').length > 5")
    page.evaluates("scrollTo({top: 600, behavior: 'instant'})")
    page.until("history.state?.top === 600")
    page.clicks(".games li:last-child a[href^='#new=']")
    page.until("document.querySelector('form.making')")
    page.evaluates("history.back()")
    page.until("scrollY === 600")
    page.is_wide(1280)


LOWEST = ".others .act:enabled"
"""Asks a player to reveal a card; the same action is then possible again in the same place."""
AT_ONCE = "performance.now = () => 0"
"""From now on, presses after a move count as immediate, however slow the machine is."""
VERSION = "Number(document.querySelector('.felt').dataset.version)"


@pytest.mark.parametrize("is_by_key", [True, False])
def test_double_click_and_held_key_make_no_second_move(is_by_key, stage):
    page, match = stage.page, stage.makes({"game": "trio", "seats": [ME, {"kind": "bot"}, {"kind": "bot"}]})
    page.is_wide(1280)
    opens(stage, f"/play#m={match}", "document.querySelector('.felt')")
    next(stage.phases(match))
    page.evaluates(AT_ONCE)

    def presses(nth, *, is_kept=False):
        if is_by_key:
            page.evaluates(f"document.querySelector('{LOWEST}').focus()")
            page.presses("Enter", is_kept=is_kept)
        else:
            page.points(LOWEST, nth=nth)

    before = page.evaluates(VERSION)
    presses(1, is_kept=True)
    page.until(f"{VERSION} > {before} && document.querySelector('{LOWEST}')")
    after = page.evaluates(VERSION)
    presses(2)
    assert page.evaluates(f"Boolean(document.querySelector('{LOWEST}'))")  # nothing waits for an answer
    assert stage.sees(match)["version"] == after
    presses(1)  # a player a player who presses again on purpose never waits
    page.until(f"{VERSION} > {after}")
    page.opens("about:blank")


MADE = "performance.getEntriesByType('resource').filter(({name}) => /\\/rematch\\?fields=/.test(name)).length"
"""The number of tables that the page has created."""


def test_double_click_on_play_again_creates_one_match(stage):
    page, match = stage.page, stage.makes({"game": "crazy_eights", "seats": [ME, {"kind": "bot"}]})
    stage.asks(stage.me, "POST", f"/v1/matches/{match}/moves", {"name": "resign"})
    again = "document.querySelector('.sheet > .main')"
    opens(stage, f"/play#m={match}", again)
    page.evaluates(f"{again}.click(); {again}.click()")
    page.until(f"!location.hash.includes('{match}') && document.querySelector('.felt')")
    assert page.evaluates(MADE) == 1
