"""Tests two people at two browsers who chat and make requests: a move is taken back, or stands."""

import pytest
import requests

from tests.system.page_hands import CAN, READY, TURN, VERSION, against, opens, player

OPEN = [{"kind": "me"}, {"kind": "open"}]
ASKS = "[...document.querySelectorAll('.also .more button:enabled')].find((one) => /^Request a t/.test(one.innerText))"


@pytest.mark.long
def test_move_is_taken_back_if_the_opponent_agrees(page, base):
    address, _ = opens(page, base, "crazy_eights", OPEN, {"take_backs": True})
    ben = player(base, "Ben")
    other = page.stranger()
    other.is_wide(1280)
    other.opens(f"{base}/docs/problems")
    other.until("location.pathname === '/docs/problems'")
    other.evaluates(f"localStorage.setItem('dealt.token /', '{ben['Authorization'].removeprefix('Bearer ')}')")
    assert requests.put(f"{address}/seats/1", json={}, headers=ben, timeout=60).status_code == 200
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
        plays.until("document.querySelector('.also')")
        plays.evaluates("document.querySelector('.also:not(.leaves)').open = true")
        plays.until(ASKS)
        plays.evaluates(f"{ASKS}.click()")
        waits.until("/requested a takeback/.test(document.querySelector('.asked').innerText)")
        waits.clicks(f".answers button:nth-child({2 if answer == 2 else 1})")
        if is_mine:
            plays.until(f"{TURN} && ({CAN}.ariaLabel ?? {CAN}.innerText) === {offered!r}")
            waits.until(f"!{TURN}")
        else:
            waits.until(f"{TURN} && {CAN}")
            plays, waits = waits, plays
    assert other.errors == []
    other.closes()


def test_chat_refusal_is_shown_until_the_next_message(page, base):
    address, _ = opens(page, base, "crazy_eights", OPEN, {})
    assert requests.put(f"{address}/seats/1", json={}, headers=player(base, "Ben"), timeout=60).status_code == 200
    page.until("document.querySelector('.chat form')")
    says = "document.querySelector('.chat [role=alert]').innerText"
    for text, is_refused in (("bad\u202e", True), ("good", False)):
        page.evaluates(f"document.querySelector('.chat input').value = {text!r}")
        page.evaluates("document.querySelector('.chat form').requestSubmit()")
        page.until(f"Boolean({says}) === {str(is_refused).lower()}")
    page.until("document.querySelector('.chat li .said').innerText === 'good'")
    assert page.evaluates("document.querySelectorAll('.actions > [role=alert] .problem').length") == 0
    page.errors[:] = [one for one in page.errors if "status of 422" not in one]


def begins(page, base):
    """Open a match with another player; return its address on the page, and the guest's request headers."""
    address, mine = opens(page, base, "crazy_eights", OPEN, {}, {"clock": {"per_decision_seconds": 86_400}})
    sits(base, address)
    page.until("document.querySelector('.chat form')")
    return page.evaluates("location.hash"), mine


def sits(base, address):
    """Let another player take a seat."""
    assert requests.put(f"{address}/seats/1", json={}, headers=player(base, "Ben"), timeout=60).status_code == 200


def goes_on(page, base, mine):
    """Go to another match with another player; return its address on the page."""
    made = requests.post(f"{base}/v1/matches", json={"game": "crazy_eights", "seats": OPEN}, headers=mine, timeout=60)
    sits(base, f"{base}/v1/matches/{made.json()['id']}")
    page.evaluates(f"location.hash = '#m={made.json()['id']}'")
    return page.evaluates("location.hash")


def writes(page, selector, text):
    page.evaluates(f"document.querySelector({selector!r}).focus()")
    page.types(text)


SAID = "document.querySelector('.chat input')?.value"
WHY = "document.querySelector('.chat [role=alert]')?.innerText"


def test_draft_message_and_refusal_stay_with_their_match(page, base):
    place, mine = begins(page, base)
    writes(page, ".chat input", "bad\u202e")
    page.evaluates("document.querySelector('.chat form').requestSubmit()")
    page.until(f"{WHY} && {SAID}")
    other = goes_on(page, base, mine)
    page.until(f"{SAID} === '' && {WHY} === ''")
    writes(page, ".chat input", "half a sent")
    page.evaluates(f"location.hash = {place!r}")
    page.until(f"{SAID} === 'bad\u202e' && {WHY}")
    page.reloads()
    page.until(f"{SAID} === 'bad\u202e'")
    page.evaluates(f"location.hash = {other!r}")
    page.until(f"{SAID} === 'half a sent'")
    page.evaluates("document.querySelector('.chat form').requestSubmit()")
    page.until("document.querySelector('.chat li .said')?.innerText === 'half a sent'")
    page.reloads()
    page.until(f"{SAID} === ''")
    page.errors[:] = [one for one in page.errors if "status of 422" not in one]


NOTES, ORDERS = "document.querySelector('.notes textarea')?.value", "document.querySelectorAll('.orders li').length"


def test_unsaved_notes_and_orders_survive_a_reload(page, base):
    begins(page, base)
    page.until("document.querySelector('.leaves')")
    page.evaluates("document.querySelector('.leaves').open = true")
    page.until("document.querySelector('.orders')")
    page.evaluates("document.querySelector('.orders > .ends button').click()")
    writes(page, ".notes textarea", "Ben keeps eights")
    page.reloads()
    page.clicks(".leaves summary")
    page.until(f"{NOTES} === 'Ben keeps eights' && {ORDERS} === 1")


def test_order_form_offers_moves_of_this_table_and_names_missing_choices(page, base):
    """There is no passing here, although the game's orders can pass."""
    slow = {"clock": {"per_decision_seconds": 86_400}}
    opens(page, base, "hearts", against(3), {"variant": "1-2-2-3"}, slow)
    page.until(READY)
    page.clicks(".leaves summary")
    page.until("document.querySelector('.orders')")
    page.evaluates("document.querySelector('.orders > .ends button').click()")
    page.until(f"{ORDERS} === 1")
    assert page.evaluates("document.querySelector('.orders select').selectedOptions[0].label") == "Play card, chosen"
    page.clicks(".orders [type=submit]")
    page.until("document.querySelector('.orders [aria-invalid]')")
    said = page.evaluates("document.querySelector('.orders li .problem').innerText")
    assert said == "Choose a value for “card”."
    page.chooses(".orders [aria-invalid]", 1)
    page.clicks(".orders [type=submit]")
    page.until("document.querySelector('.orders [role=status]').innerText.includes('Orders set')")
    page.errors[:] = [one for one in page.errors if "status of 422" not in one]
