"""Tests that a move that would be a costly slip needs two presses."""

from tests.web.places import ME

ALL_IN = "document.querySelector('.actions > .guarded')"
LATER = "(() => { const now = performance.now.bind(performance); performance.now = () => now() + 1000 })()"
"""More time has passed than a double click takes."""


def opens_poker(stage):
    """Create a table of two, and wait for the first decision."""
    stage.page.is_wide(1280)
    match = stage.makes({"game": "holdem", "options": {"hands": 2}, "seats": [ME, {"kind": "bot"}]})
    stage.page.opens(f"{stage.base}/play#m={match}")
    next(stage.phases(match))
    stage.page.until(f"{ALL_IN}?.disabled === false")
    return match


def test_all_in_needs_a_second_press_and_not_a_double_click(stage):
    page = stage.page
    match = opens_poker(stage)
    before = stage.sees(match)["version"]
    button = "[...document.querySelectorAll('.actions > .guarded')].find((one) => one.innerText.match(/all in/i))"
    page.evaluates(f"{button}.click(); {button}.click()")
    page.until(f"{button}.innerText.startsWith('Confirm: all in')")
    assert stage.sees(match)["version"] == before
    page.evaluates(LATER)
    page.evaluates(f"{button}.click()")
    page.until(f"Number(document.querySelector('.felt').dataset.version) > {before}")


def test_button_stops_asking_if_it_is_not_pressed_again(stage):
    page = stage.page
    page.begins_with("""(() => { const waits = window.setTimeout;
        window.setTimeout = (what, ms, ...given) => waits(what, ms === 3_000 ? 100 : ms, ...given) })()""")
    match = opens_poker(stage)
    before = stage.sees(match)["version"]
    page.evaluates(f"{ALL_IN}.click()")
    page.until("document.querySelector('.asks')")
    page.until("!document.querySelector('.asks')")
    assert stage.sees(match)["version"] == before
