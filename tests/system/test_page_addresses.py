"""Tests wrong addresses of the page, and browsers without storage: the page reports them and keeps working."""

import pytest

from tests.draws import first_of
from tests.system.page_hands import READY, opens

PROBLEM = "document.querySelector('[role=alert] .problem')?.innerText"
KEEPS_NOTHING = """for (const name of ['localStorage', 'sessionStorage'])
Object.defineProperty(window, name, {get() { throw new DOMException('it is blocked', 'SecurityError'); }})"""
HAS_NO_ROOM = "Storage.prototype.setItem = () => { throw new DOMException('it is full', 'QuotaExceededError'); }"


@pytest.fixture
def tab(page):
    """Another tab with its own list of errors."""
    tab = page.tab()
    tab.is_wide(1280)
    yield tab
    tab.closes()


@pytest.mark.parametrize(
    ("address", "path", "said"),
    first_of(
        [
            ("m=../../v1/players/me", "matches/______v1_players_me", "Not found. "),
            ("tournament=../inbox", "tournaments/___inbox", "Not found. "),
            ("new=../inbox", "games/..%2Finbox", "This server does not have that game. "),
        ]
    ),
)
def test_page_addresses_cannot_reach_other_api_paths(address, path, said, tab, base):
    tab.counts()
    tab.opens(f"{base}/play#{address}")
    tab.until(f"({PROBLEM} ?? '').startsWith('{said}')")
    asked = [one.address.removeprefix(f"{base}/v1/") for one in tab.loaded.values() if "/v1/" in one.address]
    assert any(one.startswith(path) for one in asked)
    assert [one for one in asked if not one.startswith((path, "games?"))] == []


def test_leaderboard_address_of_an_unknown_game_shows_no_other_leaderboard(tab, base):
    tab.opens(f"{base}/play#leaderboard")
    tab.until("document.querySelector('[name=game]')")
    tab.evaluates("location.hash = '#leaderboard=nogame'")
    tab.until(f"({PROBLEM} ?? '').startsWith('This server does not have that game. ')")
    assert tab.evaluates("document.querySelector('#title').innerText") == "Leaderboards"
    assert tab.evaluates("document.querySelector('[name=game]')") is None
    tab.evaluates("location.hash = '#leaderboard=gin_rummy'")
    tab.until(f"document.querySelector('[name=game]')?.value === 'gin_rummy' && !{PROBLEM}")
    assert tab.errors == []


@pytest.mark.parametrize(
    ("address", "said"),
    [("player=me", "No player in this browser yet."), ("tournaments=mine", "You have no tournaments.")],
)
def test_personal_addresses_show_an_empty_state_to_a_new_visitor(address, said, page, base):
    stranger = page.stranger()
    stranger.opens(f"{base}/play#{address}")
    stranger.until(f"document.querySelector('main').innerText.includes({said!r})")
    assert stranger.errors == []
    stranger.closes()


def test_unknown_invite_code_is_refused_in_words(page, base):
    address, _ = opens(page, base, "gin_rummy", [{"kind": "me"}, {"kind": "invite"}], {})
    stranger = page.stranger()
    stranger.opens(f"{base}/play#m={address.split('/')[-1]}&seat=1&invite=%E2%82%AC")
    stranger.until("document.querySelector('.lead')?.innerText === 'Guest waits for you there.'")
    stranger.clicks("main .main")
    stranger.until("/^This link is wrong/.test(document.querySelector('.lead')?.innerText)")
    stranger.closes()


def test_invalid_token_is_reported_as_no_longer_valid(tab, page, base):
    page.evaluates("localStorage['dealt.token /'] = '“dealt_quoted”'")
    tab.opens(f"{base}/play")
    tab.until("document.querySelector('h1')?.innerText === 'This device is signed out'")


@pytest.mark.parametrize("how", [KEEPS_NOTHING, HAS_NO_ROOM], ids=["blocked", "full"])
def test_match_can_be_played_and_replayed_without_browser_storage(how, tab, base):
    tab.begins_with(how)
    tab.opens(f"{base}/play")
    tab.until("document.querySelectorAll('.games li').length")
    tab.clicks(".games li:nth-child(3) .main")
    tab.until(READY)
    tab.until("document.querySelector('.keys')")
    tab.evaluates("location.hash += '&v=3'")
    tab.until("document.querySelector('.slider')")
    assert tab.errors == []
