"""Two people at two browsers ask each other on the page, and talk: a move is taken back, or stands."""

import pytest
import requests

from tests.system.page_hands import CAN, TURN, VERSION, opens, player

OPEN = [{"kind": "me"}, {"kind": "open"}]
ASKS = "[...document.querySelectorAll('.also .more button:enabled')].find((one) => /^Ask to take/.test(one.innerText))"


@pytest.mark.long
def test_a_move_is_taken_back_if_the_other_agrees(page, base):
    address, _ = opens(page, base, "crazy_eights", OPEN, {"take_backs": True})
    ben = player(base, "Ben")
    other = page.stranger()
    other.is_wide(1280)
    other.opens(f"{base}/docs/problems")
    other.until("location.pathname === '/docs/problems'")
    other.evaluates(f"localStorage.setItem('dealt.token /', '{ben['Authorization'].removeprefix('Bearer ')}')")
    assert requests.put(f"{address}/seats/1", json={}, headers=ben, timeout=10).status_code == 200
    other.opens(page.evaluates("location.href"))
    for one in (page, other):
        one.until("document.querySelector('.felt')")
        one.until(f"{TURN} || document.querySelector('.turn').innerText.startsWith('Waiting')")
    plays, waits = (page, other) if page.evaluates(f"Boolean({TURN})") else (other, page)
    for answer, is_mine in ((2, False), (1, True)):  # the move stands, then it is taken back
        plays.until(f"{TURN} && {CAN}")
        offered = plays.evaluates(f"{CAN}.ariaLabel ?? {CAN}.innerText")
        while plays.evaluates(f"Boolean({TURN})"):
            version = plays.evaluates(VERSION)
            plays.evaluates(f"(document.querySelector('.ask .main') ?? {CAN}).click()")
            plays.until(
                f"document.querySelector('.ask') || {VERSION} > {version} && !document.querySelector('[disabled]')"
            )
        plays.evaluates("document.querySelector('.also:not(.leaves)').open = true")
        plays.until(ASKS)
        plays.evaluates(f"{ASKS}.click()")
        waits.until("/asks? to take/.test(document.querySelector('.asked').innerText)")
        waits.clicks(f".answers button:nth-child({2 if answer == 2 else 1})")
        if is_mine:
            plays.until(f"{TURN} && ({CAN}.ariaLabel ?? {CAN}.innerText) === {offered!r}")
            waits.until(f"!{TURN}")
        else:
            waits.until(f"{TURN} && {CAN}")
            plays, waits = waits, plays
    assert other.errors == []
    other.closes()


def test_what_is_refused_in_the_chat_is_said_there_until_something_else_is_said(page, base):
    address, _ = opens(page, base, "crazy_eights", OPEN, {})
    assert requests.put(f"{address}/seats/1", json={}, headers=player(base, "Ben"), timeout=10).status_code == 200
    page.until("document.querySelector('.chat form')")
    says = "document.querySelector('.chat [role=alert]').innerText"
    for text, is_refused in (("bad\u202e", True), ("good", False)):
        page.evaluates(f"document.querySelector('.chat input').value = {text!r}")
        page.evaluates("document.querySelector('.chat form').requestSubmit()")
        page.until(f"Boolean({says}) === {str(is_refused).lower()}")
    page.until("document.querySelector('.chat li .said').innerText === 'good'")
    assert page.evaluates("document.querySelectorAll('.actions > [role=alert] .problem').length") == 0
    page.errors[:] = [one for one in page.errors if "status of 422" not in one]
