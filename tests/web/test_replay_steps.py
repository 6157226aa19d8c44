"""Tests a match of 1,500 versions: replayed with three requests, no noticeable delay, and opened without all of it."""

from statistics import median, quantiles

import pytest

from tests.web.stage import SETTLED, staged

VERSIONS = 1_500
MOST_AT_ONCE = 60
"""A move and the bots' answers make fewer versions."""
MOST_REQUESTS = 3
MOST_MS = 16
"""The maximum duration of a step: a frame of the screen."""
PASSES = 3
"""The number of times each step is taken; the fastest counts, to exclude other work of the machine."""
MOST_LINES, MOST_BYTES = 60, 160
"""The number of log lines shown, and the maximum size of each in transfer."""
MOST_FLOORS = 4
"""On a slow machine, the maximum duration of a step as a multiple of laying out the same table from its text."""
STEPS_AT_ONCE = 25
"""A page that is asked for more may not answer in time on a busy machine."""
STEPS = """(() => {
  const steps = [], aside = document.createElement("div");
  for (let n = 0; n < %d; n += 1) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: ".", bubbles: true, cancelable: true}));
    document.body.getBoundingClientRect();  // all is laid out
    steps.push(performance.now() - begun);
  }
  const text = document.querySelector(".felt").outerHTML, now = performance.now();
  aside.innerHTML = text;
  document.body.append(aside);
  aside.getBoundingClientRect();
  const floor = performance.now() - now;
  aside.remove();
  return {steps, floor};
})()"""
REPLAYED = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/replay?')).length"
ASKED = """performance.getEntriesByType('resource').filter(({name}) => name.includes('/v1/')
&& !/keys|transparency|version,head,signed/.test(name)).length"""
"""The requests so far, without those by which the page watches the server's history."""


LINES = "document.querySelectorAll('.log li').length"


@pytest.fixture(scope="module")
def long_match(tmp_path_factory, chromium):
    """Return a stage with a match of many versions: the stage, the match, its last version."""
    with staged(tmp_path_factory.mktemp("stage"), chromium) as stage:
        stage.page.is_wide(1280)
        match = stage.sits("hearts", target_score=500)
        stage.page.opens("about:blank")
        last = stage.plays_on(match, VERSIONS - MOST_AT_ONCE)
        assert VERSIONS - MOST_AT_ONCE <= last <= VERSIONS
        yield stage, match, last
        # The floor of a step parses the table as text, with its inline styles, which the policy of the page refuses.
        assert [error for error in stage.page.errors if not error.startswith("Applying inline style")] == []


@pytest.mark.long
def test_replay_of_1500_versions_needs_three_requests_and_a_frame_per_step(long_match):
    stage, match, last = long_match
    page = stage.page
    passes, floors = [], []
    for _ in range(PASSES):
        page.opens("about:blank")
        page.opens(f"{stage.base}/play#m={match}&v=2")
        page.until("document.querySelector('.slider')?.innerText.startsWith('Event 2 ')")
        page.until(f"{REPLAYED} === {MOST_REQUESTS}")  # one is shown before the rest has arrived
        page.evaluates(SETTLED)
        asked = page.evaluates(ASKED)
        steps = []
        while left := last - 2 - len(steps):
            took = page.evaluates(STEPS % min(left, STEPS_AT_ONCE))
            steps += took["steps"]
            floors.append(took["floor"])
        assert page.evaluates("document.querySelector('.felt').dataset.version") == str(last)
        assert page.evaluates(ASKED) == asked
        passes.append(steps)
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
