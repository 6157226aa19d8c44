"""Tests answers cut at any byte, which browsers often take for complete: the page requests them again and continues."""

from random import Random

import pytest
import requests

from tests import built
from tests.draws import first_of
from tests.system.page_hands import READY, VERSION, Mouse, against, opens, plays
from tests.system.rough_wire import RoughWire

HEAD = (3, 9, 10, 11, 12, 17, 40, 80, 120, 140, 170, 200, 250, 300, 350)
"""The positions at which an answer is cut: in its status, and in and after its headers."""
MANY = 8
"""More cuts than the page's automatic reloads for the same part."""
FORGIVEN = ("net::ERR", "Failed to load")
"""Beginnings of the browser's own errors about a cut connection."""


@pytest.fixture
def wire(page, base):
    """Return a connection to the server on which a page is open."""
    wire = RoughWire(("127.0.0.1", int(base.rpartition(":")[2])), seed=1)
    page.opens(f"http://127.0.0.1:{wire.port}/docs/problems")
    page.until(f"location.port === '{wire.port}'")
    yield wire
    page.errors[:] = [one for one in page.errors if not any(said in one for said in FORGIVEN)]
    page.opens("about:blank")
    wire.close()


@pytest.mark.long
@pytest.mark.parametrize("asked", ["POST /v1/matches/{}/moves", "GET /v1/matches/{}?"])
def test_match_continues_after_a_truncated_answer(asked, page, wire):
    ours = f"http://127.0.0.1:{wire.port}"
    address, mine = opens(page, ours, "hearts", against(3), {})
    page.until(READY)
    hand, rng = Mouse(page), Random(1)
    for at in HEAD:
        wire.cuts_next(asked.format(address.rpartition("/")[2]), at)
        while not wire.has_cut:
            plays(page, hand, rng)
            page.until(READY)
        page.until("!document.querySelector('[role=alert] .problem')")
        assert page.evaluates(VERSION) == requests.get(address, headers=mine, timeout=60).json()["version"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["looking.js", "past.css"])
def test_truncated_script_is_loaded_again(name, page, wire):
    address, _ = opens(page, f"http://127.0.0.1:{wire.port}", "gin_rummy", against(1), {})
    for at in HEAD:
        page.opens("about:blank")
        page.forgets()
        wire.cuts_next(f"GET /play/static/{built.chunk(name)} ", at)
        page.opens(f"http://127.0.0.1:{wire.port}/play#m={address.rpartition('/')[2]}&v=1")
        page.until("document.querySelector('.slider')")
        page.until("[...document.styleSheets].some((one) => one.href.includes('/past-') && one.cssRules.length)")
        assert wire.has_cut, at


@pytest.mark.long
@pytest.mark.parametrize(("name", "at"), [("looking.js", 120), ("looking.js", 300), ("copying.js", 300)])
def test_repeatedly_truncated_script_is_finally_loaded(name, at, page, wire):
    """Load a script that the page asks for, or one that this script imports."""
    address, _ = opens(page, f"http://127.0.0.1:{wire.port}", "gin_rummy", against(1), {})
    page.opens("about:blank")
    page.forgets()
    wire.cuts_next(f"GET /play/static/{built.chunk(name)} ", at, MANY)
    page.opens(f"http://127.0.0.1:{wire.port}/play#m={address.rpartition('/')[2]}&v=1")
    page.until("document.querySelector('.slider')")
    assert wire.has_cut


@pytest.mark.parametrize(
    ("name", "at"), first_of([("page.js", 150), ("page.js", 5_000), ("table.css", 150), ("table.css", 3_000)])
)
def test_page_offers_to_reload_after_a_truncated_start(name, at, page, wire):
    page.opens("about:blank")
    page.forgets()
    wire.cuts_next(f"GET /play/static/{built.entry(f'table/{name}')} ", at)
    page.opens(f"http://127.0.0.1:{wire.port}/play")
    page.until("location.pathname === '/play' && document.readyState === 'complete'")
    if name.endswith(".js"):
        page.until("document.querySelector('.again').checkVisibility({opacityProperty: true})")
        assert page.evaluates("document.body.innerText").startswith("Loading")
        page.points(".again a")
    page.until("document.querySelector('.games .main')")
    page.until("[...document.styleSheets].some((one) => one.href.includes('/table-') && one.cssRules.length > 50)")
    assert wire.has_cut
