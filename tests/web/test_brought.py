"""From a match in which something was gained the page leads to a table to which it is brought."""

import pytest

LINK = "[...document.querySelectorAll('main a')].find((one) => one.hash.includes('pool='))"
SAID = "['format', 'pool'].map((name) => document.querySelector(`.making [name=${name}]`).value)"


@pytest.mark.long
def test_from_a_finished_draft_one_press_leads_to_a_duel_with_the_deck(stage):
    page, match = stage.page, stage.sits("fivewells_draft")
    page.is_wide(1280)
    *_, last = stage.moments(match)
    stage.shown(last["version"])
    page.until(LINK)
    assert page.evaluates(f"{LINK}.innerText") == "Play Fivewells with what you have gained here"
    page.evaluates(f"{LINK}.click()")
    page.until("document.querySelector('.making')")
    assert page.evaluates(SAID) == ['"draft"', match]
    page.clicks(".making [type=submit]")
    page.until("/^#m=/.test(location.hash)")
    made = stage.sees(page.evaluates("location.hash.slice(3)"))
    assert (made["game"], made["options"]["pool"]) == ("fivewells", match)
    assert page.errors == []
