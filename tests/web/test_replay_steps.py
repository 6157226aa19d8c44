"""Looking back at 1,500 versions: three requests for all of them, and no step that is felt."""

from statistics import median

import pytest

from tests.web.stage import staged

VERSIONS = 1_500
MOST_AT_ONCE = 60
"""A move and the bots' answers make fewer versions."""
MOST_REQUESTS = 3
MOST_MS = 16
"""A step takes as long as a frame of a screen at most."""
MOST_FLOORS = 8
"""On a machine that stalls, a step takes at most so many times as long as to parse the same table as text."""
STEPS = """(async () => {
  const steps = [], floors = [], aside = document.createElement("div");
  for (let n = 1; n < %d; n += 1) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, cancelable: true}));
    steps.push(performance.now() - begun);
    if (n %% 25) continue;
    const text = document.querySelector(".felt").outerHTML, now = performance.now();
    aside.innerHTML = text;
    floors.push(performance.now() - now);
    await new Promise((rested) => setTimeout(rested, 0));
  }
  return {steps, floors, at: document.querySelector(".felt").dataset.version};
})()"""
REPLAYED = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/replay?')).length"
ASKED = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/v1/')).length"


@pytest.mark.long
def test_fifteen_hundred_versions_are_stepped_through_in_three_requests_and_a_frame_each(tmp_path):
    with staged(tmp_path) as stage:
        page = stage.page
        page.is_wide(1280)
        match = stage.sits("hearts", target_score=500)
        page.opens("about:blank")
        last = stage.plays_on(match, VERSIONS - MOST_AT_ONCE)
        assert VERSIONS - MOST_AT_ONCE <= last <= VERSIONS
        page.opens(f"{stage.base}/play#m={match}&v=2")
        page.until("document.querySelector('.slider')?.innerText.startsWith('Event 2 ')")
        assert page.evaluates(REPLAYED) == MOST_REQUESTS
        asked = page.evaluates(ASKED)
        took = page.evaluates(STEPS % last)
        assert took["at"] == str(last)
        assert page.evaluates(ASKED) == asked
        step, floor = median(took["steps"]), median(took["floors"])
        assert step <= max(MOST_MS, MOST_FLOORS * floor)
        assert page.errors == []
