"""Tests that a match with gains leads to a table to which they can be brought."""

import pytest

LINK = "[...document.querySelectorAll('main a')].find((one) => one.hash.includes('pool='))"
SAID = "['format', 'pool'].map((name) => document.querySelector(`.making [name=${name}]`).value)"


@pytest.mark.long
def test_finished_draft_leads_to_a_duel_with_one_click(stage):
    page, match = stage.page, stage.sits("fivewells_draft")
    page.is_wide(1280)
    *_, last = stage.moments(match)
    stage.shown(last["version"])
    page.until(LINK)
    assert page.evaluates(f"{LINK}.innerText") == "Play Fivewells with your deck from here"
    page.evaluates(f"{LINK}.click()")
    page.until("document.querySelector('.making')")
    assert page.evaluates(SAID) == ['"draft"', match]
    page.clicks(".making [type=submit]")
    page.until("/^#m=/.test(location.hash)")
    made = stage.sees(page.evaluates("location.hash.slice(3)"))
    assert (made["game"], made["options"]["pool"]) == ("fivewells", match)
    assert page.errors == []
