"""Tests the page over bad connections and in several tabs: nothing is lost, duplicated or stale, and errors are
shown."""

import time
from importlib import import_module
from random import Random

import pytest
import requests

from api.http.asgi_bridge import HEARTBEAT_SECONDS
from tests.system.page_hands import CAN, OVER, READY, TURN, VERSION, Mouse, against, opens, player, plays
from tests.system.processes import Wire, until
from tests.system.rough_wire import RoughWire

LONGEST_SECONDS = 240
SAID_SECONDS = 5
"""The seconds within which the page reports what it can know immediately, on a busy machine."""
SILENT_SECONDS = 25
"""The seconds that the page waits for an answer if nothing indicates that the connection is dead."""
NOTES = """(() => {
  const notes = JSON.parse(sessionStorage.notes ?? '{"sent": {}, "losses": 0}'), asks = window.fetch;
  const keep = () => { sessionStorage.notes = JSON.stringify(notes); };
  keep();
  window.fetch = async (address, how) => {
    if (how?.method !== "POST" || !address.endsWith("/moves")) return asks(address, how);
    const answers = notes.sent[how.headers["Idempotency-Key"]] ??= [];
    try {
      const answer = await asks(address, how);
      answers.push(answer.status);
      return answer;
    } catch (error) {
      answers.push(0);
      throw error;
    } finally { keep(); }
  };
  new MutationObserver(() => {
    const isLost = document.querySelector("[role=alert]")?.textContent.includes("Connection lost") ?? false;
    if (isLost && !window.isLost) notes.losses += 1;
    window.isLost = isLost;
    keep();
  }).observe(document, {subtree: true, childList: true, characterData: true});
})()"""
"""The page records the moves it sends, how often, and how often it reports a lost connection.

It keeps these records when it reloads after a truncated module.
"""
SENT = "Object.values(JSON.parse(sessionStorage.notes).sent)"
LOSSES = "JSON.parse(sessionStorage.notes).losses"
OFFERED = """[...document.querySelectorAll('.felt button:enabled, .actions > button:enabled')]
.map((one) => one.ariaLabel ?? one.textContent)"""
HOLDS = """(() => {
  const asks = window.fetch;
  window.isHeld = true;
  window.fetch = async (address, how) => {
    while (window.isHeld && how?.method !== "POST") await new Promise((rested) => setTimeout(rested, 20));
    return asks(address, how);
  };
})()"""
"""The page has received nothing new for a while."""
UNSEEN = "Object.defineProperty(Document.prototype, 'hidden', {value: true})"
"""The tab is in the background: Playwright makes the browser show every tab as if it had the focus."""


@pytest.fixture
def rough(base):
    port = int(base.rpartition(":")[2])
    wire = RoughWire(("127.0.0.1", port), seed=2)
    yield wire
    wire.close()


@pytest.fixture
def visitor(page):
    """Open a page in another browser; scripts can be added to all of its documents."""
    visitor = page.stranger()
    visitor.is_wide(1280)
    yield visitor
    visitor.closes()


@pytest.mark.long
@pytest.mark.parametrize("game", ["hearts", "holdem"])
def test_match_is_played_to_its_end_over_an_unreliable_connection(game, visitor, rough):
    law, rng = import_module(f"tests.games.{game}.law"), Random(game)
    seats, options = law.SETUPS[0]
    base = f"http://127.0.0.1:{rough.port}"
    visitor.opens(f"{base}/docs/problems")
    visitor.until(f"location.port === '{rough.port}'")
    visitor.begins_with(NOTES)
    address, mine = opens(visitor, base, game, against(seats - 1), options | law.SHORT)
    visitor.until(READY)
    rough.is_rough = True
    hand, ends = Mouse(visitor), time.monotonic() + LONGEST_SECONDS
    while not visitor.evaluates(OVER):
        assert time.monotonic() < ends, visitor.evaluates("document.body.innerText")
        plays(visitor, hand, rng)
        visitor.until(READY)
    rough.is_rough = False
    visitor.until("!document.querySelector('[role=alert] .problem')")
    visitor.until("document.querySelector('.log li:last-child').innerText.startsWith('The match ended')")
    match = requests.get(address, headers=mine, timeout=60).json()
    assert visitor.evaluates(VERSION) == match["version"]
    sent = visitor.evaluates(SENT)
    assert rough.cuts > len(sent) / 4
    assert visitor.evaluates(LOSSES) > 0
    assert any(len(answers) > 1 for answers in sent)  # a move whose answer was lost was sent again
    events = requests.get(f"{address}/events?limit=1000", headers=mine, timeout=60).json()["items"]
    made = {one["commit"] for one in events if one["cause"] == "move"} - {events[0]["commit"]}
    assert len(made) == sum(200 in answers for answers in sent)
    assert {answers[-1] for answers in sent} <= {200, 412}
    assert not [one for one in visitor.errors if "net::ERR" not in one and "Failed to load" not in one]


def wired(page, base):
    """Let a page reach the server over a connection that can be cut; return the connection, and its address."""
    wire = Wire(("127.0.0.1", int(base.rpartition(":")[2])))
    ours = f"http://127.0.0.1:{wire.port}"
    page.opens(f"{ours}/docs/problems")
    page.until(f"location.port === '{wire.port}'")
    return wire, ours


def hangs_up(page, wire):
    """Leave the page, and cut its connection; its earlier errors were expected.

    The browser reports a cut stream a moment later: a page that was left does not.
    """
    page.opens("about:blank")
    page.errors.clear()
    wire.cut()


@pytest.mark.long
def test_waking_device_is_shown_what_happened(page, base):
    wire, ours = wired(page, base)
    address, _ = opens(page, ours, "gin_rummy", [{"kind": "me"}, {"kind": "open"}], {})
    page.until("document.querySelector('.log li')")
    wire.cut()
    page.until("document.querySelector('[role=alert] .problem')?.innerText.startsWith('Connection lost')")
    ann = player(base, "Ann")
    seat = f"{address.replace(ours, base)}/seats/1"
    assert requests.put(seat, json={}, headers=ann, timeout=60).status_code == 200
    assert page.evaluates("Boolean(document.querySelector('.lobby'))")
    wire.mend()
    page.evaluates("dispatchEvent(new Event('online'))")
    page.until("document.querySelector('.own .card') && !document.querySelector('[role=alert] .problem')")
    hangs_up(page, wire)


@pytest.mark.long
def test_silent_connection_is_noticed_and_replaced_when_the_page_is_visible(page, base):
    wire, ours = wired(page, base)
    address, _ = opens(page, ours, "gin_rummy", [{"kind": "me"}, {"kind": "open"}], {})
    page.until("document.querySelector('.log li')")
    page.evaluates(NOTES)
    page.evaluates("document.dispatchEvent(new Event('visibilitychange'))")
    time.sleep(1)
    assert page.evaluates(LOSSES) == 0  # asking again to be sure does not count as a loss
    wire.fall_silent(also_new=True)
    fell = time.monotonic()
    page.until("document.querySelector('[role=alert] .problem')?.innerText.startsWith('Connection lost')")
    assert time.monotonic() - fell < 2 * HEARTBEAT_SECONDS
    seat = f"{address.replace(ours, base)}/seats/1"
    assert requests.put(seat, json={}, headers=player(base, "Ann"), timeout=60).status_code == 200
    wire.speak()
    woken = time.monotonic()
    page.evaluates("document.dispatchEvent(new Event('visibilitychange'))")
    page.until("document.querySelector('.own .card') && !document.querySelector('[role=alert] .problem')")
    assert time.monotonic() - woken < SILENT_SECONDS * 3 / 4
    hangs_up(page, wire)


@pytest.mark.long
def test_back_and_forward_restore_the_page(page, base):
    opens(page, base, "gin_rummy", against(1), {})
    page.until(READY)
    seen, place = page.evaluates(VERSION), page.evaluates("location.hash")
    page.clicks(".back")
    page.until("document.querySelector('.mine a')")
    page.evaluates("history.back()")
    page.until(f"{VERSION} === {seen} && {READY}")
    page.evaluates("location.hash += '&v=3'")
    page.until("document.querySelector('.slider')")
    page.evaluates("history.back()")
    page.until(f"{VERSION} === {seen} && {READY} && location.hash === '{place}'")
    page.evaluates("history.forward()")
    page.until("document.querySelector('.slider')?.innerText.startsWith('Event 3 ')")
    page.reloads()
    page.until("document.querySelector('.slider')?.innerText.startsWith('Event 3 ')")


def test_near_deadlines_are_announced(page, base):
    opens(page, base, "gin_rummy", [{"kind": "me"}, {"kind": "bot"}], {}, {"clock": {"per_decision_seconds": 14}})
    said = "[...document.querySelectorAll('.bar [role=status]')].map((one) => one.innerText).join(' ')"
    page.until(f"{said}.includes('Ten seconds left.')")
    assert not page.evaluates(f"{said}.includes('A minute left.')")


def test_two_tabs_stay_in_step_and_a_stale_move_is_explained(page, base):
    # If nobody passes, every press plays a card and asks for nothing more.
    address, mine = opens(page, base, "hearts", against(3), {"variant": "1-2-2-3"})
    other = page.tab()
    other.is_wide(1280)
    other.opens(page.evaluates("location.href"))
    for tab in (page, other):
        tab.until(READY)
    assert page.evaluates(OFFERED) == other.evaluates(OFFERED)
    seen = page.evaluates(VERSION)
    page.evaluates(f"{CAN}.click()")
    for tab in (page, other):
        tab.until(f"{VERSION} > {seen} && {READY}")
    until(lambda: page.evaluates(VERSION) == other.evaluates(VERSION), 60)
    assert page.evaluates(OFFERED) == other.evaluates(OFFERED)

    other.evaluates(HOLDS)
    stale = other.evaluates(VERSION)
    page.evaluates(f"{CAN}.click()")
    page.until(f"{VERSION} > {stale} && {TURN} && {CAN}")
    version = requests.get(address, headers=mine, timeout=60).json()["version"]
    assert other.evaluates(VERSION) == stale
    other.evaluates(f"{CAN}.click()")
    other.evaluates("window.isHeld = false")
    other.until("/The table has changed/.test(document.querySelector('[role=alert]').textContent)")
    other.until(f"{VERSION} === {version} && {READY}")
    assert requests.get(address, headers=mine, timeout=60).json()["version"] == version
    assert page.evaluates(OFFERED) == other.evaluates(OFFERED)
    other.evaluates(f"{CAN}.click()")
    other.until(f"{VERSION} > {version} && !document.querySelector('[role=alert] .problem')")
    page.until(f"{VERSION} > {version}")
    assert all("412" in one for one in other.errors), other.errors
    other.closes()


def test_stale_move_is_not_made_even_if_it_is_offered_again(page, base):
    address, mine = opens(page, base, "holdem", [{"kind": "me"}, {"kind": "open"}], {})
    ben = player(base, "Ben")
    requests.put(f"{address}/seats/1", json={}, headers=ben, timeout=60).raise_for_status()

    def plays(who, name):
        offered = requests.get(f"{address}/moves", headers=who, timeout=60).json()["moves"]
        if is_there := name in [move["name"] for move in offered]:
            requests.post(f"{address}/moves", json={"name": name, "args": {}}, headers=who, timeout=60)
        return is_there

    for who, name in ((mine, "call"), (ben, "call"), (mine, "check"), (ben, "check"), (ben, "check")):
        plays(who, name)
    check = "[...document.querySelectorAll('.actions button:enabled')].find((one) => one.innerText === 'Check')"
    page.until(f"{VERSION} === {requests.get(address, headers=mine, timeout=60).json()['version']} && {check}")
    page.evaluates(HOLDS)
    plays(mine, "check")  # on another device
    plays(ben, "check")
    version = requests.get(address, headers=mine, timeout=60).json()["version"]
    page.evaluates(f"{check}.click()")
    page.evaluates("window.isHeld = false")
    page.until("/The table has changed/.test(document.querySelector('[role=alert]').textContent)")
    assert requests.get(address, headers=mine, timeout=60).json()["version"] == version
    assert all("412" in one for one in page.errors), page.errors
    page.errors.clear()


@pytest.mark.long
def test_many_tabs_share_connections_and_all_get_updates(page, base):
    address, _ = opens(page, base, "crazy_eights", [{"kind": "me"}, {"kind": "open"}], {})
    ben, tabs = player(base, "Ben"), [page]
    assert requests.put(f"{address}/seats/1", json={}, headers=ben, timeout=60).status_code == 200
    for begins_with in (UNSEEN, UNSEEN, ""):
        tabs.append(page.tab())
        tabs[-1].is_wide(1280)
        tabs[-1].begins_with(begins_with)
        tabs[-1].opens(page.evaluates("location.href"))
    for tab in tabs:
        tab.until("document.querySelector('.felt') && document.querySelector('.chat form')")
    tabs[-1].evaluates("document.querySelector('.chat input').value = 'Hello'")
    tabs[-1].evaluates("document.querySelector('.chat form').requestSubmit()")
    for tab in tabs:
        tab.until("document.querySelector('.chat li .said')?.innerText === 'Hello'")
    for tab in tabs[1:]:
        assert tab.errors == []
        tab.closes()


@pytest.mark.long
def test_page_opened_offline_shows_a_notice_and_loads_on_reconnect(page, base):
    wire, ours = wired(page, base)
    opens(page, ours, "gin_rummy", against(1), {})
    page.until(READY)
    problems = "[...document.querySelectorAll('.problem')].map((one) => one.innerText).join()"
    is_lost = f"{problems}.startsWith('Connection lost')"
    for goes, is_there in (
        ("location.hash += '&v=first'", "document.querySelector('.told')"),
        ("location.hash = '#new=gin_rummy'", "document.querySelector('form')"),
    ):
        wire.cut()
        page.evaluates(goes)
        begun = time.monotonic()
        page.until(is_lost)
        assert time.monotonic() - begun < SAID_SECONDS
        wire.mend()
        page.until(f"{is_there} && {problems} === ''")
        page.evaluates("history.back()")
        page.until(READY)
    wire.cut()
    page.evaluates("location.hash = ''")
    page.until(is_lost)
    page.evaluates("history.back()")
    page.until(f"document.querySelector('.playing') && {is_lost}")
    time.sleep(2 * SAID_SECONDS)  # the requests of the start are not repeated
    assert page.evaluates(is_lost)
    wire.mend()
    page.until(f"{READY} && {problems} === ''")
    assert not [one for one in page.errors if "net::ERR" not in one and "Failed to load" not in one]
    hangs_up(page, wire)
