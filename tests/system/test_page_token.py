"""Tests the token on the page: shown for another device, pasted there, and replaced here."""

import pytest
import requests

from tests.system.page_hands import CAN, READY, TURN, against, opens

TOKEN = "localStorage['dealt.token /']"


def shows_who_plays(page):
    page.until("document.querySelector('.named')")
    page.evaluates("document.querySelector('.named').open = true")
    page.until("document.querySelector('.me')")


def pastes(page, text):
    page.evaluates("document.querySelector('.paste input').select()")
    page.types(text)
    page.clicks(".paste button")


@pytest.mark.long
def test_two_devices_share_a_player_until_one_rotates_the_token(page, base):
    address, mine = opens(page, base, "gin_rummy", against(1), {})
    token = page.evaluates(TOKEN)
    page.evaluates("location.hash = ''")
    page.until("document.querySelector('.mine a')")
    shows_who_plays(page)
    assert token not in page.evaluates("document.body.innerText")
    assert page.evaluates("document.querySelector('.token input').type") == "password"
    page.clicks(".token .shows")
    page.until("document.querySelector('.token input').type === 'text'")
    assert page.evaluates("document.querySelector('.token input').value") == token
    page.evaluates("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    page.clicks(".token .copies")
    page.until("document.querySelector('.me [role=status]').innerText === 'Copied.'")
    assert page.evaluates("window.copied") == token

    other = page.stranger()
    other.is_wide(1280)
    other.opens(f"{base}/play")
    shows_who_plays(other)
    pastes(other, "zwölf")
    other.until("document.querySelector('.me .problem')?.innerText === 'This is not a token.'")
    pastes(other, "dealt_nobodys")
    other.until("document.querySelector('.me .problem')?.innerText.startsWith('Invalid token')")
    pastes(other, token)
    other.until("document.querySelector('.mine a')")
    assert other.evaluates(TOKEN) == token
    other.until("document.querySelector('.named summary').innerText === 'You play as Guest'")
    other.clicks(".mine a")
    other.until(READY)
    assert "401" in other.errors.pop()

    page.clicks(".me .ends")
    page.until("document.querySelector('.me [role=status]').innerText.startsWith('All other devices')")
    assert page.evaluates(TOKEN) != token
    assert requests.get(f"{base}/v1/players/me", headers=mine, timeout=60).status_code == 401
    version = requests.get(address, timeout=60).json()["version"]
    other.evaluates(f"{CAN}?.click()")  # it may have noticed already, by its stream
    other.until("document.querySelector('h1').innerText === 'This device is signed out'")
    other.clicks("main .main")
    other.until("document.querySelectorAll('.games li').length")
    assert other.evaluates(f"{TOKEN} ?? ''") == ""
    assert other.evaluates("document.querySelector('.mine')") is None
    assert all("401" in one for one in other.errors), other.errors
    other.closes()

    page.evaluates("document.querySelector('.mine a').click()")
    page.until(f"{TURN} && {CAN}")
    assert requests.get(address, timeout=60).json()["version"] == version


@pytest.mark.long
def test_other_tabs_follow_a_change_of_player(page, base):
    opens(page, base, "gin_rummy", against(1), {})
    page.evaluates("location.hash = ''")
    page.until("document.querySelector('.mine a')")
    tab = page.tab()
    tab.opens(f"{base}/play")
    tab.until("document.querySelector('.mine a')")
    made = requests.post(f"{base}/v1/players", json={"name": "Berta"}, timeout=60).json()
    shows_who_plays(page)
    pastes(page, made["token"])
    for one in (page, tab):
        one.until("document.querySelector('.named summary').innerText === 'You play as Berta'")
        one.until("!document.querySelector('.mine')")
    assert tab.errors == []
    tab.closes()
