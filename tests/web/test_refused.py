"""Tests that a refusal by the server appears in words next to the pressed button, even on a small screen."""

WHY = """[...document.querySelectorAll('[role=alert] .problem')].find(
(one) => !one.innerText.startsWith('Connection lost'))"""
SEEN = f"""(() => {{ const why = {WHY}, {{top, bottom, left, right}} = why.getBoundingClientRect();
const above = [[left + 1, top + 1], [right - 2, bottom - 2]].map(([x, y]) => document.elementFromPoint(x, y));
return [top >= 0 && bottom <= innerHeight, above.every((one) => why.contains(one))]; }})()"""
"""Whether the refusal is in the window, and not covered."""
COVERED = f"""[...document.querySelectorAll('.actions button, .own .card')].filter((one) => {{
const at = one.getBoundingClientRect(), why = {WHY}.getBoundingClientRect();
return at.bottom > why.top + 1 && at.top < why.bottom - 1 && at.right > why.left + 1 && at.left < why.right - 1; }})
.map((one) => one.innerText)"""
"""The elements that the refusal covers."""
KNOCK = "[...document.querySelectorAll('.actions button')].find((one) => one.innerText === 'Knock')"
SUBMIT = "form.together [type=submit]"


def knocks(stage):
    """Go to a turn with a possible knock, and begin to arrange the melds."""
    match = stage.sits("gin_rummy")
    for seen in stage.moments(match):
        moves = stage.asks(stage.me, "GET", f"/v1/matches/{match}/moves")["moves"]
        if any(move["name"] == "knock" for move in moves):
            stage.shown(seen["version"])
            stage.page.until(KNOCK)
            stage.page.evaluates(f"{KNOCK}.click()")
            stage.page.until("document.querySelector('.ask .main, form.together')")
            stage.page.evaluates("document.querySelector('.ask .main')?.click()")
            stage.page.until("document.querySelector('form.together')")
            return
    raise AssertionError("nobody could knock")


def test_refusal_is_shown_where_the_player_clicked_until_another_choice(stage):
    page = stage.page
    page.is_wide(360, 740)
    knocks(stage)
    page.clicks(".loose .card")
    page.evaluates(f"document.querySelector('{SUBMIT}').scrollIntoView({{block: 'end'}})")
    page.clicks(SUBMIT)
    page.until(WHY)
    assert page.evaluates(f"{WHY}.innerText").startswith("That is not a meld.")
    assert "409" in page.errors.pop()
    assert (page.evaluates(SEEN), page.evaluates(COVERED)) == ([True, True], [])
    page.clicks(".groups .cards .card")
    page.until(f"!{WHY}")
