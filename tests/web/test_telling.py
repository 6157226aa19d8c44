"""What others did at once is shown card by card; who may act never waits for it."""

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
MIDDLE = """(() => { window.aimed = document.querySelector('.own button.card:enabled');
const {x, y, width, height} = window.aimed.getBoundingClientRect(); return [x + width / 3, y + height / 3] })()"""
CLICKED = """addEventListener('click', ({target}) => {
window.clicked = target.closest('button.card') ?? 'another'; }, {capture: true, once: true})"""
SLOWLY = """(() => { const waits = window.setTimeout;
window.setTimeout = (what, ms, ...given) => waits(what, ms > 300 && ms < 1000 ? 2 * ms : ms, ...given) })()"""
"""What is shown stays until others have acted again."""
HELD_MS = 600  # longer than one table is shown
ACTS = 4  # cards are passed, and three tricks played
LAST = 13  # trick of a hand


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def stage(tmp_path_factory, chromium):
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        stage.page.begins_with(BEGUN)
        yield stage


def plays(stage, *, is_calm, acts):
    """Play some moves of Hearts; gives what was painted: versions, and the cards in the trick."""
    page = stage.page
    page.is_wide(1280, is_calm=is_calm)
    match = stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    opens(stage, f"/play#m={match}", "document.querySelector('.also')")
    page.evaluates("document.querySelector('.also').open = true")
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


def test_player_can_act_during_animations(stage):
    _, moments = plays(stage, is_calm=False, acts=ACTS)
    page = stage.page
    page.evaluates(KNOWS)
    version = next(moments)["version"]
    page.until(f"known.match.version === {version} && document.querySelector('.felt button:enabled')")
    assert int(page.evaluates(SHOWN)) < version
    page.evaluates(CLICKED)
    x, y = page.evaluates(MIDDLE)
    page.mouse("mousePressed", x, y)
    held = page.evaluates(SHOWN)
    page.evaluates(f"new Promise((done) => {{ setTimeout(done, {HELD_MS}); }})")
    assert page.evaluates(SHOWN) == held  # nothing moves on under a finger
    page.mouse("mouseReleased", x, y)
    page.until("window.clicked")
    assert page.evaluates("window.clicked === window.aimed")
    page.until(f"Number({SHOWN}) >= {version}")


def test_finished_animations_do_not_return_after_acting(stage):
    paints, moments = plays(stage, is_calm=False, acts=ACTS)
    page = stage.page
    page.evaluates(KNOWS)
    page.evaluates(SLOWLY)
    for _ in range(ACTS):
        page.presses("Shift")  # whoever acts has seen enough
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


def test_player_to_act_in_a_new_hand_sees_it_immediately(stage):
    page = stage.page
    page.is_wide(1280, is_calm=False)
    match = stage.makes({"game": "hearts", "seats": [ME, BOT, BOT, BOT]})
    moments = stage.moments(match)
    seen = next(seen for seen in moments if seen["scene"]["numbers"].get("trick") == LAST)
    opens(stage, f"/play#m={match}", "document.querySelector('.also')")
    page.evaluates("document.querySelector('.also').open = true")
    page.until("document.querySelector('.pace')")  # what shows tables is there
    page.until(f"{SHOWN} === '{seen['version']}'")
    page.evaluates(KNOWS)
    page.evaluates(WATCHES)
    version = next(moments)["version"]
    page.until(f"known.match.version === {version} && document.querySelector('.felt button:enabled')")
    assert page.evaluates(SHOWN) == str(version)
    assert [seen for seen, _ in page.evaluates("window.paints")] == [seen["version"], version]
