"""Tests that the page explains how to play at the table, by the options of this table."""

SUMMARY = "[...document.querySelectorAll('.panel summary')].find(({innerText}) => innerText === 'How to play')"
TEXT = f"{SUMMARY}?.parentElement.innerText"


def test_how_to_play_explains_the_options_of_this_table(stage):
    page = stage.page
    page.is_wide(1280)
    match = stage.sits("hearts", jack_of_diamonds=False, target_score=77)
    page.until(SUMMARY)
    page.evaluates(f"{SUMMARY}.click()")
    page.until(f"{TEXT}.includes('When a player reaches 77')")
    text = page.evaluates(TEXT)
    assert "cost you points in tricks" in text
    assert "jack of diamonds" not in text
    assert len(text.split()) <= 120
    link = page.evaluates(f"{SUMMARY}.parentElement.querySelector('a').href")
    assert link == f"{stage.base}/docs/rules/hearts"
    assert stage.sees(match)["status"] == "playing"
    assert page.errors == []
