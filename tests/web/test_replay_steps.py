"""A match of 1,500 versions: looked back at in three requests, with no step that is felt; opened without all of it."""

from statistics import median, quantiles

import pytest

from tests.web.stage import SETTLED, staged

VERSIONS = 1_500
MOST_AT_ONCE = 60
"""A move and the bots' answers make fewer versions."""
MOST_REQUESTS = 3
MOST_MS = 16
"""A step takes as long as a frame of a screen at most."""
PASSES = 3
"""Each step is taken so often, and the quicker one counts: what the machine does besides is no part of it."""
MOST_LINES, MOST_BYTES = 60, 160
"""So many lines of what happened are shown, and each takes so many bytes on its way at most."""
MOST_FLOORS = 4
"""On a machine that stalls, a step takes at most so many times as long as to lay the same table out from its text."""
STEPS = """(async () => {
  const steps = [], floors = [], aside = document.createElement("div");
  for (let n = 1; n < %d; n += 1) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, cancelable: true}));
    document.body.getBoundingClientRect();  // all is laid out
    steps.push(performance.now() - begun);
    if (n %% 25) continue;
    const text = document.querySelector(".felt").outerHTML, now = performance.now();
    aside.innerHTML = text;
    document.body.append(aside);
    aside.getBoundingClientRect();
    floors.push(performance.now() - now);
    aside.remove();
    await new Promise((rested) => setTimeout(rested, 0));
  }
  return {steps, floors, at: document.querySelector(".felt").dataset.version};
})()"""
REPLAYED = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/replay?')).length"
ASKED = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/v1/')).length"


LINES = "document.querySelectorAll('.log li').length"


@pytest.fixture(scope="module")
def long_match(tmp_path_factory, chromium):
    """A stage with a match of many versions: the stage, the match, its last version."""
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        stage.page.is_wide(1280)
        match = stage.sits("hearts", target_score=500)
        stage.page.opens("about:blank")
        last = stage.plays_on(match, VERSIONS - MOST_AT_ONCE)
        assert VERSIONS - MOST_AT_ONCE <= last <= VERSIONS
        yield stage, match, last
        assert stage.page.errors == []


@pytest.mark.long
def test_fifteen_hundred_versions_are_stepped_through_in_three_requests_and_a_frame_each(long_match):
    stage, match, last = long_match
    page = stage.page
    passes, floors = [], []
    for _ in range(PASSES):
        page.opens("about:blank")
        page.opens(f"{stage.base}/play#m={match}&v=2")
        page.until("document.querySelector('.slider')?.innerText.startsWith('Event 2 ')")
        page.until(f"{REPLAYED} === {MOST_REQUESTS}")  # one is shown before the rest has come
        page.evaluates(SETTLED)
        asked = page.evaluates(ASKED)
        took = page.evaluates(STEPS % last)
        assert took["at"] == str(last)
        assert page.evaluates(ASKED) == asked
        passes.append(took["steps"])
        floors += took["floors"]
    steps = [min(times) for times in zip(*passes, strict=True)]
    assert quantiles(steps, n=100)[-1] <= max(MOST_MS, MOST_FLOORS * median(floors))


@pytest.mark.long
def test_long_match_reads_only_the_shown_events(long_match):
    stage, match, _ = long_match
    page = stage.page
    page.opens("about:blank")
    page.counts()
    page.opens(f"{stage.base}/play#m={match}")
    page.until(f"{LINES} === {MOST_LINES}")
    page.evaluates(SETTLED)
    (told,) = [one for one in page.loaded.values() if "/events?" in one.address]
    assert told.bytes <= MOST_LINES * MOST_BYTES
