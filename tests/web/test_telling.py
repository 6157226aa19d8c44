"""Tests that simultaneous moves of others are shown card by card, and that a player who may act never waits for it."""

from itertools import pairwise

import pytest

from tests.web.places import BOT, ME, opens
from tests.web.stage import staged
from tests.web.test_comfort import BEGUN

CARDS = "document.querySelectorAll('.felt .kind-trick .card').length"
SHOWN = "document.querySelector('.felt').dataset.version"
WATCHES = f"""(() => {{ window.paints = [];
const look = () => {{ const now = [Number({SHOWN}), {CARDS}];
  if (String(window.paints.at(-1)) !== String(now)) window.paints.push(now); }};
look(); new MutationObserver(look).observe(document.querySelector('.felt'), {{subtree: true, childList: true,
  attributes: true}}); }})()"""
KNOWS = """(async () => {
window.known = (await import(document.querySelector("script[type=module]").src)).state })()"""
MIDDLE = """(() => {
const {x, y, width, height} = document.querySelector('.own .kind-hand .card').getBoundingClientRect();
return [x + width / 3, y + height / 3] })()"""
FRAMES = """(() => { window.frames_seen = [];
const look = () => { const ring = document.querySelector('.own .seat').classList.contains('turn');
  window.frames_seen.push([ring, document.querySelector('.prompt').classList.contains('mine'),
    document.querySelector('.bar .turn').classList.contains('mine'),
    !ring && !!document.querySelector('.felt button.card:enabled, .actions > button:enabled')]); };
look(); new MutationObserver(look).observe(document.querySelector('.felt'), {subtree: true, childList: true,
  attributes: true}); })()"""
"""In each frame: whether the ring, the prompt and the status say that it is your turn; and a button when it is not."""
SLOWLY = """(() => { const waits = window.setTimeout;
window.setTimeout = (what, ms, ...given) => waits(what, ms > 300 && ms < 1000 ? 2 * ms : ms, ...given) })()"""
"""Each shown move stays until others have acted again."""
HELD_MS = 600  # longer than one table is shown
ACTS = 4  # cards are passed, and three tricks played


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def stage(tmp_path_factory, chromium):
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        stage.page.begins_with(BEGUN)
        yield stage


def plays(stage, *, is_calm, acts):
    """Play some moves of Hearts; return what was painted: versions, and the cards in the trick."""
    page = stage.page
    page.is_wide(1280, is_calm=is_calm)
    match = stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    opens(stage, f"/play#m={match}", "document.querySelector('.settings')")
    page.evaluates("document.querySelector('.settings').open = true")
    page.until("document.querySelector('.pace')")  # what moves cards is there
    page.evaluates(WATCHES)
    moments = stage.moments(match)
    for _ in range(acts):
        version = next(moments)["version"]
        page.until(f"{SHOWN} === '{version}'")
    return page.evaluates("window.paints"), moments


def test_simultaneous_bot_cards_are_shown_one_by_one(stage):
    paints, _ = plays(stage, is_calm=False, acts=ACTS)
    cards = [cards for _, cards in paints]
    assert max(cards) >= 3
    assert [(one, other) for one, other in pairwise(cards) if other > one + 1] == []
    versions = [version for version, _ in paints]
    assert versions == sorted(versions)


def test_press_during_animations_skips_to_the_present(stage):
    _, moments = plays(stage, is_calm=False, acts=ACTS)
    page = stage.page
    page.evaluates(KNOWS)
    version = next(moments)["version"]
    page.until(f"known.match.version === {version} && known.moment")
    page.mouse("mousePressed", *page.evaluates(MIDDLE))
    held = page.evaluates(SHOWN)
    page.evaluates(f"new Promise((done) => {{ setTimeout(done, {HELD_MS}); }})")
    assert page.evaluates(SHOWN) == held  # nothing advances under a finger
    page.mouse("mouseReleased", *page.evaluates(MIDDLE))
    page.until(f"Number({SHOWN}) === {version}")
    assert stage.sees(page.evaluates("known.id"))["version"] == version  # the press plays nothing


def test_status_prompt_and_actions_belong_to_the_version_that_is_shown(stage):
    page = stage.page
    page.is_wide(1280, is_calm=False)
    match = stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    opens(stage, f"/play#m={match}", "document.querySelector('.settings')")
    page.evaluates("document.querySelector('.settings').open = true")
    page.until("document.querySelector('.pace')")  # what moves cards is there
    page.evaluates(FRAMES)
    moments = stage.moments(match)
    for _ in range(ACTS):
        version = next(moments)["version"]
        page.until(f"{SHOWN} === '{version}'")
    frames = page.evaluates("window.frames_seen")
    assert {is_mine for is_mine, *_ in frames} == {True, False}
    assert [frame for frame in frames if len(set(frame[:3])) > 1 or frame[3]] == []


def test_finished_animations_do_not_run_again_after_a_move(stage):
    paints, moments = plays(stage, is_calm=False, acts=ACTS)
    page = stage.page
    page.evaluates(KNOWS)
    page.evaluates(SLOWLY)
    for _ in range(ACTS):
        page.presses("Shift")  # a player who acts has seen enough
        version = next(moments)["version"]
        page.until(f"known.match.version === {version}")
    page.until(f"{SHOWN} === '{version}'")
    versions = [version for version, _ in page.evaluates("window.paints")]
    assert len(versions) > len(paints)
    assert versions == sorted(versions)


def test_table_is_static_with_reduced_motion(stage):
    paints, _ = plays(stage, is_calm=True, acts=ACTS)
    told = stage.page.evaluates(
        "performance.getEntriesByType('resource').filter(({name}) => /replay/.test(name)).length"
    )
    assert told == 0
    assert paints
