"""Tests replays on the page: keys that work anywhere, addresses of versions, links without spoilers, downloads."""

from itertools import pairwise

import pytest
import requests

from tests.draws import first_of
from tests.system.page_hands import OVER, against, opens
from tests.system.processes import until


def at(version):
    return f"document.querySelector('.felt')?.dataset.version === '{version}'"


@pytest.fixture
def past(page, base):
    """Return a finished match, the versions of its tricks and moves, and the page at one of its versions."""
    address, mine = opens(page, base, "hearts", against(3), {"target_score": 1})
    requests.post(f"{address}/moves", json={"name": "resign"}, headers=mine, timeout=60)
    page.until(OVER)
    marks = requests.get(f"{address}/replay/marks", timeout=60).json()["items"]
    page.evaluates("location.hash += '&v=30'")
    page.until(at(30))
    lines = requests.get(f"{address}/events", headers=mine, timeout=60).json()["items"]
    ends = [one["seq"] for one, after in pairwise(lines) if one["commit"] != after["commit"]]
    return address, [mark["version"] for mark in marks if mark["at"].startswith("trick:")], ends


def test_replay_keys_work_anywhere_until_turned_off(page, past):
    _, tricks, moves = past
    later = next(one for one in tricks if one > 30)
    before = max(one for one in tricks if one < later)
    page.evaluates("document.activeElement.blur()")
    asked = page.evaluates("performance.getEntriesByType('resource').length")
    for key, version in (
        (".", 31),
        (",", 30),
        ("Shift+ArrowRight", later),
        ("Shift+ArrowLeft", before),
        ("ArrowRight", next(one for one in moves if one > before)),
        ("ArrowLeft", before),
    ):
        page.presses(key)
        page.until(at(version))
    page.evaluates("document.querySelector('.past select').focus()")
    before = page.evaluates("document.querySelector('.felt').dataset.version")
    page.presses("ArrowRight")
    page.until(at(before))
    page.evaluates("document.activeElement.blur()")
    page.presses("PageUp")
    page.until("Number(document.querySelector('.felt').dataset.version) < 20")
    page.presses("PageDown")
    page.until(f"!({at(before)})")
    assert page.evaluates("performance.getEntriesByType('resource').length") == asked
    page.clicks(".keys [type=checkbox]")
    page.evaluates("document.activeElement.blur()")
    shown = page.evaluates("document.querySelector('.felt').dataset.version")
    page.presses("ArrowLeft")
    assert page.evaluates(at(shown))
    page.evaluates("document.querySelector('.past button').focus()")
    page.presses(",")
    page.until(at(int(shown) - 1))


def test_replay_position_has_an_address_and_a_spoiler_free_link(page, base, past):
    address, _, _ = past
    match = address.rpartition("/")[2]
    other = page.stranger()
    other.is_wide(1280)
    other.opens(f"{base}/play#m={match}&v=40&seat=2")
    other.until(at(40))
    other.until("document.querySelectorAll('.own .card.up').length > 5")
    other.evaluates("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    other.clicks(".copies")
    other.until("window.copied")
    link = other.evaluates("window.copied")
    assert link == f"{base}/play#m={match}&v=40"
    other.opens("about:blank")
    other.opens(link)
    other.until(at(40))
    assert other.evaluates("document.querySelectorAll('.seat .kind-hand .card.up').length") == 0
    assert other.errors == []
    other.closes()


HOLDS = """(() => { const asks = window.fetch; window.fetch = async (address, how) => {
const [, from] = /replay[?]from=(\\d+)/.exec(address) ?? [];
if (!from) return asks(address, how);
if (Number(from) >= window.heldFrom) await new Promise((done) => { window.goesOn = done; });
if (from !== '1') return asks(address, how);
const lines = (await (await asks(address.replace(/to=\\d+/, 'to=40'), how)).text()).trim().split('\\n').map(JSON.parse);
lines.at(-1).next = 41;
return new Response(lines.map(JSON.stringify).join('\\n')); }; })()"""
"""The replay comes in two answers, one of which is held back until the page continues."""


def follows(page, base, match, more, held_from):
    """Open a replay link in a new browser, while an answer is held back."""
    page.is_wide(1280)
    page.begins_with(f"window.heldFrom = {held_from}; {HOLDS}")
    page.opens(f"{base}/play#m={match}{more}")
    page.until("window.goesOn")


def test_replay_link_does_not_reveal_the_winner_while_loading(page, base, past):
    other = page.stranger()
    follows(other, base, past[0].rpartition("/")[2], "&v=30", 1)
    said = other.evaluates("document.body.innerText + document.title")
    assert "over" not in said
    assert "won" not in said
    other.evaluates("goesOn()")
    other.until(at(30))
    other.closes()


@pytest.mark.long
def test_position_is_shown_as_soon_as_it_is_loaded(page, base, past):
    other = page.stranger()
    follows(other, base, past[0].rpartition("/")[2], "&v=30", 41)
    other.until(at(30))
    last = requests.get(past[0], timeout=60).json()["version"]
    assert other.evaluates("document.querySelector('.slider').innerText").startswith(f"Event 30 of {last}")
    other.presses(".")
    other.until(at(31))
    other.evaluates("goesOn()")
    right = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '.', bubbles: true}))"
    other.until(f"({right}, {at(45)})")
    other.closes()


@pytest.mark.parametrize(("is_over", "views"), first_of([(True, "2 3 all"), (False, "")]))
def test_link_from_a_closed_seat_leads_to_the_table(is_over, views, page, base):
    address, mine = opens(page, base, "hearts", against(3), {"target_score": 1})
    if is_over:
        requests.post(f"{address}/moves", json={"name": "resign"}, headers=mine, timeout=60)
        page.until(OVER)
    match = address.rpartition("/")[2]
    page.evaluates(f"location.hash = 'm={match}&v=3&seat={77 if is_over else 2}'")
    page.until("document.querySelector('#title')?.innerText === 'Replay of Hearts'")
    links = page.evaluates("[...document.querySelectorAll('main a')].map((one) => one.hash)")
    assert links[:2] == [f"#m={match}", f"#m={match}&v=3"]
    assert {f"#m={match}&v=3&seat={view}" for view in views.split()} <= set(links)
    said = page.evaluates("document.querySelector('main').innerText")
    assert not any(word in said for word in ("won", "over", "Your turn"))
    assert len(page.errors) == 1  # the browser logs refused requests
    page.errors.clear()
    page.clicks(f"main a[href='#m={match}&v=3']")
    page.until("document.querySelector('.slider')")


@pytest.mark.long
def test_poker_hands_can_be_downloaded(page, base, tmp_path):
    address, mine = opens(page, base, "five_card_draw", against(1), {"on_resign": "end"})
    requests.post(f"{address}/moves", json={"name": "resign"}, headers=mine, timeout=60)
    page.until(OVER)
    page.evaluates("location.hash += '&v=1'")
    page.until("document.querySelector('.past .hands')")
    page.saves_into(tmp_path)
    page.clicks(".past .hands")
    kept = tmp_path / f"dealt-{address.rpartition('/')[2]}.phhs"
    until(kept.exists, 60)
    assert kept.read_bytes() == requests.get(f"{address}/record?format=phh", headers=mine, timeout=60).content


ANSWERS = """(() => { const asks = window.asks = window.fetch; window.fetch = async (address, how) =>
address.endsWith("WHERE") ? new Response(WITH) : asks(address, how) })()"""
"""The test answers the page's requests with other data."""


@pytest.mark.parametrize(
    ("where", "answer", "says"),
    first_of(
        [
            ("/record", "(await (await asks('OTHER')).arrayBuffer())", "This is the record of another match."),
            ("/record", "'{', {status: 403}", "You cannot download the record of this match."),
            ("/record", "'{', {status: 500}", "The server answered with error 500"),
            ("/keys", "'{}'", "Something went wrong."),
        ]
    ),
)
def test_reason_for_an_unverifiable_record_is_shown_until_it_changes(where, answer, says, page, base, past):
    other, mine = requests.post(f"{base}/v1/players", json={"name": "Ann"}, timeout=60).json(), {}
    mine["Authorization"] = f"Bearer {other['token']}"
    table = {"game": "gin_rummy", "seats": against(1)}
    match = requests.post(f"{base}/v1/matches", json=table, headers=mine, timeout=60).json()["id"]
    requests.post(f"{base}/v1/matches/{match}/moves", json={"name": "resign"}, headers=mine, timeout=60)
    until(lambda: requests.get(f"{base}/v1/matches/{match}", timeout=60).json()["result"], 60)
    elsewhere = f"{base}/v1/matches/{match}/record"
    page.evaluates(ANSWERS.replace("WHERE", where).replace("WITH", answer).replace("OTHER", elsewhere))
    page.clicks(".verifies")
    page.until(f"document.querySelector('main').innerText.includes({says!r})")
    assert page.evaluates("document.querySelectorAll('.checks .holds').length") == 0
    assert page.evaluates("Boolean(document.querySelector('.verdict.altered, .problem'))")
    page.evaluates("window.fetch = window.asks")
    page.clicks(".verifies:enabled")
    page.until("document.querySelector('.verdict.chosen') && !document.querySelector('.problem')")
    page.errors.clear()  # unexpected things are reported too


def test_replay_begins_at_the_first_deal_by_default(page, past):
    page.evaluates("location.hash = location.hash.replace('v=30', 'v=1')")
    page.until("document.querySelector('.slider input')?.value === '1'")
    assert page.evaluates("document.querySelector('.felt')") is None
    page.clicks(".back")
    page.until(OVER)
    page.clicks(".actions a[href*='&v=']")
    page.until("document.querySelector('.past') && document.querySelector('.felt')")
    assert page.evaluates("document.querySelectorAll('.own .card.up').length") == 13


def test_choosing_a_replay_speed_does_not_start_the_replay(page, past):
    page.chooses(".past select[name=speed]", 2)
    chosen = page.evaluates("document.querySelector('.past select[name=speed]').value")
    assert page.evaluates("document.querySelector('.plays').innerText") == "Play"
    page.clicks(".plays")
    page.until("Number(document.querySelector('.felt').dataset.version) > 30")
    page.clicks(".plays")
    assert page.evaluates("document.querySelector('.plays').innerText") == "Play"
    assert page.evaluates("document.querySelector('.past select[name=speed]').value") == chosen
