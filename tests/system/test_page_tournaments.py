"""Tests tournaments on the page: created, entered and played in two browsers; run by an organiser while others
watch."""

import pytest
import requests

from tests.system.page_hands import CHECKS, player, tampers

pytestmark = pytest.mark.long

TOKEN = "localStorage['dealt.token /']"
TITLE = "document.querySelector('#title')?.innerText"
NOW = "document.querySelector('.yours.now button')"
RESIGN = {"name": "resign", "args": {"whole_match": True}}
ROWS = "[...document.querySelectorAll('.ranks tbody tr')].map((one) => one.innerText.replace(/\\s+/g, ' '))"


def says(text, within="main"):
    return f"document.querySelector({within!r})?.innerText.includes({text!r})"


def writes(page, selector, text):
    page.until(f"document.querySelector({selector!r})")
    page.evaluates(f"document.querySelector({selector!r}).select()")
    page.types(text)


def enters(page, name):
    page.until("document.querySelector('.enter')")
    if name:
        writes(page, ".enter [name=name]", name)
    page.evaluates("document.querySelector('.enter .main').focus()")
    page.clicks(".enter .main")
    page.until(says("You have entered."))
    page.until("document.activeElement.closest('#yours')")


def caller(page):
    return {"Authorization": f"Bearer {page.evaluates(TOKEN)}"}


def unfolds(page, summary):
    """Open the section with these words; return its selector."""
    page.until(f"[...document.querySelectorAll('summary')].some((one) => one.innerText.includes({summary!r}))")
    page.evaluates(
        "document.querySelector('#unfolded')?.removeAttribute('id');"
        f"(one => {{ one.open = true; one.id = 'unfolded' }})"
        f"([...document.querySelectorAll('summary')].find((one) => one.innerText.includes({summary!r})).parentElement)"
    )
    return "#unfolded"


def only_awaited(page):
    """The browser logs late answers: a match that another player resigned can be over before its expected results
    are requested."""
    page.errors[:] = [one for one in page.errors if not ("409" in one and one.endswith("/expected"))]
    return page.errors == []


def test_two_browsers_create_enter_and_finish_a_tournament(page, base):
    page.opens(f"{base}/play")
    page.until("document.querySelectorAll('.games li').length")
    page.clicks("a[href='#tournaments']")
    page.clicks(".sign a.main")
    writes(page, ".announcing [name=name]", "Two at a table")
    page.evaluates("document.querySelector('.style [value=knock_out]').click()")
    page.reloads()
    page.until("document.querySelector('.style [value=knock_out]')?.checked")
    assert page.evaluates("document.querySelector('.announcing [name=name]').value") == "Two at a table"
    page.chooses("[name=closes]", 0)
    writes(page, ".announcing [name=organiser]", "Ann")
    page.clicks(".announcing [type=submit]")
    page.until(f"{TITLE} === 'Two at a table'")
    assert page.evaluates("document.title") == "Two at a table"
    enters(page, None)
    page.until("document.querySelector('.running .close')?.disabled")

    other = page.stranger()
    other.is_wide(360, 740)
    other.opens(f"{base}/play#tournaments")
    other.until(says("Two at a table", ".tours"))
    other.clicks(".tours a")
    enters(other, "Ben")

    page.until("document.querySelector('.running .close:enabled')")  # the page has seen that somebody came
    page.clicks(".running .close")
    page.until(says("No more players can enter"))
    page.clicks(".running .close")
    for one, name in ((page, "Ben"), (other, "Ann")):
        one.until(f"{NOW} && {says('is ready: against ' + name, '.yours')}")
        assert one.evaluates("document.title") == "Your table is ready · Two at a table"
        assert one.evaluates(r"/you lose the table: 1[45]:\d\d left/.test(document.querySelector('.yours').innerText)")
        one.clicks(".yours.now button")
        one.until("location.hash.startsWith('#m=')")
    page.until("document.querySelector('.own .card')")
    match = page.evaluates("location.hash.slice(3)")
    gone = requests.post(f"{base}/v1/matches/{match}/moves", json=RESIGN, headers=caller(other), timeout=60)
    assert gone.status_code in (200, 201), gone.text
    page.until("[...document.querySelectorAll('.actions a')].some((one) => one.hash.startsWith('#tournament='))")
    page.evaluates(
        "[...document.querySelectorAll('.actions a')].find((one) => one.hash.startsWith('#tournament=')).click()"
    )
    page.until(f"{TITLE} === 'Two at a table' && {says('Over', '.sign')}")
    page.until("document.querySelector('.box .won')?.innerText.includes('Ann')")
    page.evaluates("location.hash += '&part=standings'")
    page.until(f"{ROWS}.length === 2")
    first, second = page.evaluates(ROWS)
    assert (first.startswith("1 Ann"), second.startswith("2 Ben")) == (True, True)
    assert page.evaluates(says("You won.", ".yours"))
    page.evaluates("location.hash = location.hash.replace('standings', 'told')")
    page.until("document.querySelector('.happened li')?.innerText.includes('The tournament ended.')")
    page.clicks(".verifies")
    page.until("document.querySelector('.verdict.verified')")
    assert page.evaluates(CHECKS) == ["holds"] * 6
    page.evaluates(tampers("/record?tables=true", '"reason":"resignation"', '"reason":"played"'))
    page.clicks(".verifies")
    page.until("document.querySelector('.verdict.failed')")
    assert page.evaluates(CHECKS) == [*["holds"] * 4, "fails", "unknown"]
    assert page.evaluates("document.querySelector('.checks .fails').innerText").startswith(
        "✗ The matches belong to the tables, and every move in them follows the rules"
    )
    assert only_awaited(page)
    assert only_awaited(other)
    other.closes()


def test_organiser_rules_and_pauses_with_visible_reasons(page, base):
    olga, ben, cem = (player(base, name) for name in ("Olga", "Ben", "Cem"))
    body = {"name": "Ruled", "game": "gin_rummy", "format": "swiss", "rounds": 2, "late": 1}
    made = requests.post(f"{base}/v1/tournaments", json=body, headers=olga, timeout=60).json()["id"]
    for one in (ben, cem):
        assert requests.post(f"{base}/v1/tournaments/{made}/entries", json={}, headers=one, timeout=60).ok
    page.evaluates(f"localStorage.setItem('dealt.token /', '{olga['Authorization'].removeprefix('Bearer ')}')")
    page.opens(f"{base}/play#tournament={made}")
    other = page.stranger()
    other.is_wide(1280)
    other.opens(f"{base}/play#tournament={made}&part=rounds")
    other.until(says("The first round is paired when entries close."))

    page.clicks(".running .close")
    page.until(says("Begin now"))
    assert page.evaluates("document.activeElement.innerText") == "Not yet"
    page.clicks(".running .close")
    enters_late = says("You are entering late: you score no points for the round already paired.", ".yours")
    page.until("!document.querySelector('.close') && document.activeElement.closest('#running')")
    within = unfolds(page, "Pause")
    writes(page, f"{within} [name=reason]", "Supper.")
    page.clicks(f"{within} [type=submit]")
    other.until(says("Paused", ".sign"))
    page.until("document.querySelector('.running .main')?.innerText === 'Resume'")
    other.until(
        says("Ben", ".pairs")
    )  # the ruling comes after it was read here; nothing else happens, since it is paused

    other.until(says("waiting for players", ".pairs"))
    other.until(enters_late)
    enters(other, "Dora")

    page.evaluates("location.hash += '&part=rounds'")
    within = unfolds(page, "Set the result")
    for number in (0, 1):
        page.evaluates(f"document.querySelectorAll('{within} [type=number]')[{number}].select()")
        page.types(str(number + 1))
    writes(page, f"{within} [name=reason]", "Conceded at the club.")
    page.clicks(f"{within} [type=submit]")
    page.until("document.activeElement.innerText === 'Not yet'")
    page.clicks(f"{within} [type=submit]")
    page.until("!document.querySelector('.answers') && document.activeElement.closest('.pairs')")
    other.evaluates("location.hash = location.hash.replace('rounds', 'told')")
    other.until(says("Olga ruled table 1: Conceded at the club.", ".happened"))
    other.evaluates("location.hash = location.hash.replace('part=told', 'part=rounds&round=1')")
    other.until(says("Ruled by Olga: Conceded at the club.", ".pairs"))

    within = unfolds(page, "Disqualify a player")
    page.chooses(f"{within} select", 1)
    writes(page, f"{within} [name=reason]", "Two accounts.")
    page.clicks(f"{within} [type=submit]")
    page.until("document.activeElement.innerText === 'Not yet'")
    page.clicks(f"{within} [type=submit]")
    other.evaluates("location.hash = location.hash.replace('part=rounds&round=1', 'part=players')")
    other.until(says("disqualified", ".entrants"))
    within = unfolds(page, "Cancel the tournament")
    writes(page, f"{within} [name=reason]", "The lights went out.")
    page.clicks(f"{within} [type=submit]")
    page.until(f"{says('You ran this tournament')} && document.activeElement.closest('#running')")
    other.until(says("The tournament was cancelled", ".yours"))
    assert only_awaited(page)
    assert only_awaited(other)
    other.closes()
