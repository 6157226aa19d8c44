"""Tests that a link to a reserved seat explains itself in plain words before any button is pressed."""

import pytest
import requests

from tests.draws import first_of
from tests.system.page_hands import opens, player

SITS = "[...document.querySelectorAll('main button')].some((one) => one.innerText === 'Sit down')"
SAID = "document.querySelector('main')?.innerText ?? ''"
TWO_FRIENDS = [{"kind": "me"}, {"kind": "invite"}, {"kind": "invite"}, {"kind": "bot"}]


def made(page, base, **more):
    """Create a table with seats for two friends; return its address and the links."""
    address, _ = opens(page, base, "hearts", TWO_FRIENDS, more.pop("options", {}), more)
    page.until("document.querySelectorAll('.lobby input').length === 2")
    return address, page.evaluates("[...document.querySelectorAll('.lobby input')].map((one) => one.value)")


def leads(page, link, said):
    """Open a link; return the page's text."""
    page.opens("about:blank")
    page.opens(link)
    page.until(f"({SAID}).includes('{said}')")


@pytest.fixture
def friend(page, base):
    """Return a browser in which Ben plays."""
    tab = page.stranger()
    tab.opens(f"{base}/docs/problems")
    ben = player(base, "Ben")
    tab.evaluates(f"localStorage.setItem('dealt.token /', '{ben['Authorization'].removeprefix('Bearer ')}')")
    yield tab, ben
    tab.closes()


def test_invited_visitor_without_a_name_can_choose_one(page, base):
    address, links = made(page, base)
    tab = page.stranger()
    leads(tab, links[0], "A seat is reserved for you")
    tab.evaluates("document.querySelector('[name=name]').focus()")
    tab.types("Bea")
    tab.presses("Enter")
    tab.until("document.querySelector('.lobby')")
    page.opens("about:blank")
    page.opens(f"{base}/play#m={address.rpartition('/')[2]}")
    page.until(f"({SAID}).includes('Bea')")
    leads(tab, links[1], "You are already at this table")
    assert not tab.evaluates("document.querySelector('[name=name]')")
    tab.closes()


def test_creator_of_a_shared_table_can_choose_a_name_and_share_its_link(page, base):
    tab = page.stranger()
    tab.begins_with("navigator.share = async ({url}) => { window.shared = url; }")
    tab.opens(f"{base}/play#new=gin_rummy")
    tab.until("document.querySelector('[name=seat-1]')?.value === 'invite'")
    tab.evaluates("document.querySelector('[name=name]').focus()")
    tab.types("Bea")
    tab.presses("Enter")
    tab.until("document.querySelector('.lobby input')")
    tab.evaluates("[...document.querySelectorAll('.lobby button')].find((one) => /Share/.test(one.innerText)).click()")
    tab.until("window.shared === document.querySelector('.lobby input').value")
    leads(page, tab.evaluates("window.shared"), "Bea waits for you there.")
    tab.evaluates("location.hash = '#new=gin_rummy'")
    tab.until("document.querySelector('[name=seat-1]')")
    assert not tab.evaluates("document.querySelector('[name=name]')")  # she has one now
    tab.closes()


def test_creator_who_opens_the_invite_link_is_asked_to_send_it(page, base):
    address, links = made(page, base)
    leads(page, links[0], "This link is for a friend")
    assert not page.evaluates(SITS)
    page.evaluates("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    page.evaluates("[...document.querySelectorAll('main button')].find((one) => /Copy/.test(one.innerText)).click()")
    page.until(f"window.copied === '{links[0]}'")
    page.clicks(f"main a[href='#m={address.rpartition('/')[2]}']")
    page.until("document.querySelector('.lobby')")


@pytest.mark.parametrize(
    ("options", "said", "sits"),
    first_of(
        [({}, "You are already at this table", False), ({"seats_per_player": 2}, "A seat is reserved for you", True)]
    ),
)
def test_second_invite_link_for_one_player_reports_the_seat_limit(options, said, sits, page, base, friend):
    tab, ben = friend
    address, links = made(page, base, options=options)
    code = links[0].rpartition("invite=")[2]
    requests.put(f"{address}/seats/1", json={"invite": code}, headers=ben, timeout=60).raise_for_status()
    leads(tab, links[1], said)
    assert tab.evaluates(SITS) is sits


def test_link_with_a_wrong_code_offers_no_private_seat(page, base, friend):
    _, links = made(page, base, visibility="private")
    leads(friend[0], f"{links[0]}x", "Table not found")
    assert not friend[0].evaluates(SITS)
    friend[0].errors.clear()


def test_invalid_code_is_refused_in_words_and_not_offered_again(page, base, friend):
    _, links = made(page, base)
    leads(friend[0], f"{links[0]}x", "A seat is reserved for you")
    friend[0].clicks("main .main")
    friend[0].until(f"({SAID}).includes('This link is wrong')")
    assert not friend[0].evaluates(SITS)
    friend[0].errors.clear()


def test_api_advice_for_programs_is_not_shown_to_people(page, base, friend):
    _, links = made(page, base, visibility="unlisted")
    tab, _ = friend
    leads(tab, links[0], "A seat is reserved for you")
    tab.evaluates("""(() => { const asks = window.fetch; window.fetch = (address, how) => how?.method === "PUT"
        ? Promise.resolve(new Response(JSON.stringify({title: "You have as many seats as you may", code: "too_many",
          detail: "`options.seats_per_player` says how many."}), {status: 409})) : asks(address, how); })()""")
    tab.clicks("main .main")
    tab.until("document.querySelector('.problem')")
    assert tab.evaluates("document.querySelector('.problem').innerText") == "You have as many seats as you may"
