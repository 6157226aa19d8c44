"""Law 3 on the page: cards that are hidden from a reader make no difference to what their browser shows or asks."""

import re
import time

import pytest

from tests.chromium import browsing
from tests.laws.test_http_leaks import World, moves, seat_everybody
from tests.web.stage import serving

SHOWN = "document.title + document.body.outerHTML"
ASKED = "performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname + new URL(one.name).search)"
TURNED = (0, 11)
"""In the two worlds the hidden cards are dealt with so many places between them."""
QUIET_SECONDS = 0.15


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser")) as page:
        yield page


def seen_by(reader, page, world):
    """Follow a match on the page while it is played; gives all documents, and then the requests."""
    documents, asked = [], []
    with serving(world.client.application) as base:
        page.opens(f"{base}/docs/problems")
        page.until("location.pathname === '/docs/problems'")
        token = (
            "delete localStorage['dealt.token /']" if reader is None else f"localStorage['dealt.token /'] = 't{reader}'"
        )
        page.evaluates(token)
        page.opens(f"{base}/play#m={'m' * 20}")
        for seat, move in (*moves(world), (None, None)):
            version = int(world.sends(None, "GET", world.path).headers["ETag"].strip('"'))
            page.until(f"document.querySelector('.felt')?.dataset.version === '{version}'")
            time.sleep(QUIET_SECONDS)
            documents.append(plain(page.evaluates(SHOWN)))
            # How often a table is read while it is opened depends on what comes first; after that nothing does.
            now = sorted(page.evaluates(ASKED))
            asked.append(now if documents[1:] else sorted({*now}))
            page.evaluates("performance.clearResourceTimings()")
            if move is not None:
                assert world.sends(seat, "POST", f"{world.path}/moves", move).status_code == 200
        page.opens("about:blank")
    return documents, asked


def plain(document):
    """Leave out the digests of the match, and what the renderer draws to find its places."""
    return re.sub(r"[0-9a-f]{64}|lit\$\d+\$", "*", document)


@pytest.mark.long
@pytest.mark.parametrize("reader", [0, None], ids=["player", "spectator"])
def test_hidden_cards_differ_in_nothing_that_the_page_shows_or_asks(reader, chromium, tmp_path, monkeypatch):
    made = []
    for turned in TURNED:
        with monkeypatch.context() as patch:
            world = World(tmp_path, patch, turned, signing=False)
            seat_everybody(world)
        made.append(seen_by(reader, chromium, world))
        world.store.close()
    (documents, asked), (others, asked_there) = made
    assert len({*documents}) > 1
    assert documents == others
    assert asked == asked_there


@pytest.mark.long
def test_another_seat_is_shown_that_its_cards_differ(chromium, tmp_path, monkeypatch):
    made = []
    for turned in TURNED:
        with monkeypatch.context() as patch:
            world = World(tmp_path, patch, turned, signing=False)
            seat_everybody(world)
        made.append(seen_by(1, chromium, world)[0][0])
        world.store.close()
    assert made[0] != made[1]
