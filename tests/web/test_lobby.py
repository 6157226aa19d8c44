"""Tests that a waiting table shows when it expires, can be cancelled, and is seen to begin."""

import pytest

from tests.factories import StoredPlayer
from tests.system.page_hands import fails
from tests.web.evening import Evening
from tests.web.stage import NOW
from tests.web.test_comfort import BEGUN

UNTIL = "document.querySelector('.lobby .until')?.innerText"
MOMENT = "new Date({ms}).toLocaleString('en', {{dateStyle: 'medium', timeStyle: 'short'}})"
MONTH_MS = 30 * 86_400_000


def test_open_table_shows_when_it_expires(stage):
    page = stage.page
    match = stage.makes({"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]})
    page.opens(f"{stage.base}/play")
    page.until("document.querySelector('#title')")
    page.evaluates(fails("fields=seats_until", 1))
    page.opens(f"{stage.base}/play#m={match}")
    page.until("document.querySelector('.lobby')")
    page.until(f"{UNTIL}?.startsWith('The table closes unless all seats')")
    assert page.evaluates(f"{UNTIL}.includes({MOMENT.format(ms=NOW + MONTH_MS)})")
    assert page.evaluates("window.asked_") == 2


@pytest.mark.long
def test_tournament_table_shows_when_absent_players_lose(stage):
    one = Evening(stage, 2, show_up_seconds=600).begins()
    stage.page.opens(f"{stage.base}/play#m={one.tables()[0]['match']}")
    stage.page.until(f"{UNTIL}?.endsWith('No-shows may lose the table.')")
    assert stage.page.evaluates(f"{UNTIL}.includes({MOMENT.format(ms=NOW + 600_000)})")


def test_creator_can_cancel_a_table_that_waits(stage):
    page = stage.page
    match = stage.makes({"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]})
    page.opens(f"{stage.base}/play#m={match}")
    page.clicks(".lobby .cancels button")
    page.until("location.hash === '' && document.querySelector('.games')")
    assert stage.sees(match)["status"] == "cancelled"


def test_spectator_cannot_cancel_a_table_and_sees_the_label_watching(stage):
    page = stage.page
    ben, cem = (StoredPlayer(store=stage.store, name=name) for name in ("Ben", "Cem"))
    match = stage.makes({"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]}, ben)
    page.opens(f"{stage.base}/play#m={match}")
    page.until("document.querySelector('.lobby .main')")
    assert not page.evaluates("document.querySelector('.cancels')")
    stage.asks(cem, "PUT", f"/v1/matches/{match}/seats/1", {})
    page.until("document.querySelector('.felt') && document.querySelector('.bar small')?.innerText === 'Watching'")


def test_player_with_an_open_menu_sees_the_table_begin(stage):
    page = stage.page
    page.is_wide(1280, is_calm=False)
    page.opens("about:blank")
    page.begins_with(BEGUN)
    match = stage.makes({"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]})
    page.opens(f"{stage.base}/play#m={match}")
    page.until("performance.getEntriesByType('resource').some(({name}) => name.includes('/motion-'))")
    page.until("document.querySelector('.lobby') && document.querySelectorAll('.log li').length > 1")
    page.presses("Shift")
    other = StoredPlayer(store=stage.store, name="Ben")
    stage.asks(other, "PUT", f"/v1/matches/{match}/seats/1", {})
    page.until("document.querySelector('.felt .own .card')")
    assert page.errors == []
