"""An answer may be cut at any byte, and browsers take much for whole that is not: the page asks again, and goes on."""

from random import Random

import pytest
import requests

from tests import built
from tests.draws import first_of
from tests.system.page_hands import READY, VERSION, Mouse, against, opens, plays
from tests.system.rough_wire import RoughWire

HEAD = (3, 9, 10, 11, 12, 17, 40, 80, 120, 140, 170, 200, 250, 300, 350)
"""After so many bytes an answer is cut: in its status, and in and after its headers."""
FORGIVEN = ("net::ERR", "Failed to load")
"""So begins what a browser says of itself about a connection that was cut."""


@pytest.fixture
def wire(page, base):
    """A line to the server on which a page is open."""
    wire = RoughWire(("127.0.0.1", int(base.rpartition(":")[2])), seed=1)
    page.opens(f"http://127.0.0.1:{wire.port}/docs/problems")
    page.until(f"location.port === '{wire.port}'")
    yield wire
    page.errors[:] = [one for one in page.errors if not any(said in one for said in FORGIVEN)]
    page.opens("about:blank")
    wire.close()


@pytest.mark.long
@pytest.mark.parametrize("asked", ["POST /v1/matches/{}/moves", "GET /v1/matches/{}?"])
def test_a_match_goes_on_wherever_an_answer_is_cut(asked, page, wire):
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
        assert page.evaluates(VERSION) == requests.get(address, headers=mine, timeout=10).json()["version"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["looking.js", "past.css"])
def test_a_part_of_the_page_that_is_cut_is_brought_again(name, page, wire):
    address, _ = opens(page, f"http://127.0.0.1:{wire.port}", "gin_rummy", against(1), {})
    for at in HEAD:
        page.opens("about:blank")
        page.forgets()
        wire.cuts_next(f"GET /play/static/{built.chunk(name)} ", at)
        page.opens(f"http://127.0.0.1:{wire.port}/play#m={address.rpartition('/')[2]}&v=1")
        page.until("document.querySelector('.slider')")
        page.until("[...document.styleSheets].some((one) => one.href.includes('/past-') && one.cssRules.length)")
        assert wire.has_cut, at


@pytest.mark.parametrize(
    ("name", "at"), first_of([("page.js", 150), ("page.js", 5_000), ("table.css", 150), ("table.css", 3_000)])
)
def test_a_start_that_is_cut_offers_to_load_the_page_again(name, at, page, wire):
    page.opens("about:blank")
    page.forgets()
    wire.cuts_next(f"GET /play/static/{built.entry(f'table/{name}')} ", at)
    page.opens(f"http://127.0.0.1:{wire.port}/play")
    page.until("location.pathname === '/play' && document.readyState === 'complete'")
    if name.endswith(".js"):
        page.until("document.querySelector('.again').checkVisibility({opacityProperty: true})")
        assert page.evaluates("document.body.innerText").startswith("The cards are being brought")
        page.points(".again a")
    page.until("document.querySelector('.games .main')")
    page.until("[...document.styleSheets].some((one) => one.href.includes('/table-') && one.cssRules.length > 50)")
    assert wire.has_cut
