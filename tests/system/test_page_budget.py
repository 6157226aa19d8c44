"""What a start costs on the line: all that is asked for until the first legal move is offered, headers counted."""

import pytest

from domain.games.catalogue import BUILT_IN
from tests.services import free_port
from tests.system.page_hands import CAN, TURN
from tests.system.processes import Process, answers, running, until

MOST_REQUESTS, MOST_BYTES, MOST_AGAIN = 10, 40_000, 6_000
"""So much a start may take, and so many bytes, who comes back or loads a match again."""
RICHER = {
    "trio": (41_000, MOST_AGAIN),
    "holdem": (42_000, 7_000),
    "fivewells": (42_000, 7_500),
    "fivewells_draft": (42_000, 7_500),
}
"""Games whose first table, or whose moves, take more: so many bytes at the start, and so many to load it again."""
TRIES = 6
"""So often a start is tried: where bots pause longer than they should, their moves are looked at one by one."""
NOTES = f"""new MutationObserver(() => {{
  if (!window.offeredAt && {TURN} && {CAN}) window.offeredAt = (performance.timeOrigin + performance.now()) / 1000;
}}).observe(document, {{subtree: true, childList: true, attributes: true}})"""
FIRST = BUILT_IN[0].name
GAMES = [pytest.param(game.name, marks=() if game.name == FIRST else pytest.mark.long) for game in BUILT_IN]


def until_offered(page):
    """Give the number of requests that were begun until a move was offered, and the bytes that came for them."""
    page.until("window.offeredAt")
    at = page.evaluates("window.offeredAt")
    page.evaluates("new Promise((rested) => setTimeout(rested, 300))")
    asked = [one for one in page.loaded.values() if one.asked_at <= at and not one.is_kept]
    return len(asked), sum(one.bytes for one in asked)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """The address of a server of these tests alone: tables that wait for players would be listed at the start, too."""
    port = free_port()
    with running(Process("serve", "--port", str(port), "--data", str(tmp_path_factory.mktemp("budget")))):
        until(lambda: answers(f"http://127.0.0.1:{port}"), 60)
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def tab(page):
    """A browser that has nothing yet, and notes when a move is offered first."""
    tab = page.stranger()
    tab.is_wide(1280)
    tab.begins_with(NOTES)
    yield tab
    tab.closes()


@pytest.mark.parametrize("game", GAMES)
def test_a_first_load_is_small_until_a_move_is_offered_and_so_is_a_reload_of_the_match(game, tab, base):
    place = [one.name for one in BUILT_IN].index(game)
    least, again = RICHER.get(game, (MOST_BYTES, MOST_AGAIN))
    starts = []
    for _ in range(TRIES):
        tab.forgets()
        tab.evaluates("location.origin === 'null' || localStorage.clear()")
        tab.opens("about:blank")
        tab.counts()
        tab.opens(f"{base}/")
        tab.until(f"document.querySelectorAll('.games .main').length > {place}")
        tab.clicks(f".games li:nth-child({place + 1}) .main")
        starts.append(until_offered(tab))
        if starts[-1][0] <= MOST_REQUESTS and starts[-1][1] <= least:
            break
    requests_, bytes_ = starts[-1]
    assert (requests_ <= MOST_REQUESTS, bytes_ <= least) == (True, True), starts
    tab.counts()
    tab.reloads()
    requests_, bytes_ = until_offered(tab)
    assert (requests_ <= MOST_REQUESTS, bytes_ <= again) == (True, True), (requests_, bytes_)


def test_who_comes_back_gets_little(tab, base):
    tab.opens(f"{base}/")
    tab.clicks(".games .main")
    until_offered(tab)
    tab.evaluates("location.hash = ''")
    tab.until("document.querySelector('.mine a')")
    tab.opens("about:blank")
    tab.counts()
    tab.opens(f"{base}/")
    tab.until("document.querySelector('.mine a')")
    assert sum(one.bytes for one in tab.loaded.values() if not one.is_kept) <= MOST_AGAIN
