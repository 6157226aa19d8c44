"""Tests organisers' actions on the page: done once, even if the answer is lost, and only to the state they have
seen."""

from contextlib import contextmanager

import pytest

from tests.web.evening import Evening
from tests.web.stage import staged

RULING = "document.querySelector('.ruling form')"
LOSES = """(() => {
  const asks = window.fetch;
  window.keys = [];
  window.fetch = async (address, how) => {
    const answer = await asks(address, how);
    if (how?.method !== "POST") return answer;
    window.keys.push(how.headers["Idempotency-Key"]);
    if (window.keys.length === 1) throw new TypeError("the answer is lost");
    return answer;
  };
})()"""
"""The server has done the action, and its first answer does not arrive."""


def agrees(page, form):
    """Confirm the question before a form is sent; the focus is on "Not yet"."""
    page.until(f"{form}.querySelector('.answers')?.contains(document.activeElement)")
    assert page.evaluates("document.activeElement.innerText") == "Not yet"
    page.evaluates(f"{form}.querySelector('.answers .main').click()")


def rules(page, reason):
    page.until(RULING)
    page.evaluates(
        f"(() => {{ const form = {RULING}; form.parentElement.open = true; form.reason.focus();"
        " form['place-0'].value = 1; form['place-1'].value = 2;"
        f" form.reason.value = {reason!r}; form.requestSubmit(); }})()"
    )
    agrees(page, RULING)


def ruled(one):
    events = one.sees("/events?limit=500")["items"]
    return [event["data"]["reason"] for event in events if event["type"] == "TableRuled"]


@contextmanager
def opened(tmp_path, chromium):
    """Open an evening whose organiser sees the open round on the page; return the page, the evening and the stage."""
    with staged(tmp_path, chromium) as stage:
        one = Evening(stage, 4, rounds=2).begins()
        stage.page.opens(f"{stage.base}/play#tournament={one.id}&part=rounds")
        stage.page.until(RULING)
        yield stage.page, one, stage


@pytest.mark.long
def test_ruling_with_a_lost_answer_is_repeated_and_counts_once(tmp_path, chromium):
    with opened(tmp_path, chromium) as (page, one, _):
        page.evaluates(LOSES)
        rules(page, "They agreed.")
        page.until("window.keys.length > 1 && document.querySelectorAll('.ruling').length < 3")
        page.until(f"!document.querySelector('.ruling form [disabled]') && !{RULING}.reason.value")
        assert ruled(one) == ["They agreed."]
        keys = page.evaluates("window.keys")
        assert len(keys) > 1
        assert len(set(keys)) == 1
        assert not page.evaluates("document.querySelector('.problem')?.innerText")


@pytest.mark.long
def test_outdated_ruling_is_refused_and_its_text_kept(tmp_path, chromium):
    with opened(tmp_path, chromium) as (page, one, stage):
        # The page receives no further events.
        page.evaluates(
            "(() => { const asks = window.fetch; window.fetch = (address, how) => how?.method === 'POST'"
            " ? asks(address, how) : new Promise(() => {}); })()"
        )
        stage.asks(one.organiser, "POST", f"{one.path}/pause", {"reason": "Supper."})
        stage.asks(one.organiser, "POST", f"{one.path}/resume", {})
        rules(page, "They agreed.")
        page.until("document.querySelector('.problem')?.innerText.includes('The tournament has changed')")
        assert ruled(one) == []
        assert page.evaluates(f"{RULING}.reason.value") == "They agreed."


TAKING_OUT = "[...document.querySelectorAll('.running form')].find((one) => one.whom)"


@pytest.mark.long
def test_disqualification_shows_its_reason_and_collapses_the_form(tmp_path, chromium):
    with opened(tmp_path, chromium) as (page, one, _):
        page.until(TAKING_OUT)
        names = page.evaluates(f"[...{TAKING_OUT}.whom.options].map((one) => one.text)")
        assert names == ["Choose …", "Ann", "Ada", "Ben", "Cem"]
        page.evaluates(
            f"(() => {{ const form = {TAKING_OUT}; form.parentElement.open = true; form.reason.focus();"
            " form.whom.value = '2'; form.reason.value = 'They looked into the stock.'; form.requestSubmit(); })()"
        )
        agrees(page, TAKING_OUT)
        page.until(f"!{TAKING_OUT}.parentElement.open && !{TAKING_OUT}.reason.value")
        events = one.sees("/events?limit=500")["items"]
        assert [event["data"]["reason"] for event in events if event["type"] == "PlayerDisqualified"] == [
            "They looked into the stock."
        ]
        page.until(f"![...{TAKING_OUT}.whom.options].some((one) => one.text === 'Ben')")
        page.opens(f"{page.evaluates('location.origin')}/play#tournament={one.id}&part=told")
        page.until("document.querySelector('.happened')?.innerText.includes('disqualified Ben: They looked into')")
