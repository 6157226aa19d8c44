"""A table that waits says by when its seats are to be taken, also where that could not be read at first."""

import pytest

from tests.web.evening import Evening

UNTIL = "document.querySelector('.lobby .until')?.innerText"
FAILS = """(() => { const asks = window.fetch; window.asked_ = 0;
window.fetch = (address, how) => {
  if (!String(address).includes("fields=seats_until")) return asks(address, how);
  window.asked_ += 1;
  return window.asked_ > 1 ? asks(address, how)
    : Promise.resolve(new Response('{"title": "The server has failed", "code": "internal_error"}', {status: 500}));
}; })()"""
"""When seats are to be taken is answered the second time alone."""
MOMENT = "new Date({ms}).toLocaleString('en', {{dateStyle: 'medium', timeStyle: 'short'}})"
MONTH_MS = 30 * 86_400_000
NOW_MS = 1_790_000_000_000


def test_a_table_with_a_free_seat_says_when_it_is_closed(stage):
    page = stage.page
    match = stage.makes({"game": "crazy_eights", "seats": [{"kind": "me"}, {"kind": "open"}]})
    page.opens(f"{stage.base}/play")
    page.until("document.querySelector('#title')")
    page.evaluates(FAILS)
    page.opens(f"{stage.base}/play#m={match}")
    page.until("document.querySelector('.lobby')")
    page.until(f"{UNTIL}?.startsWith('All seats are to be taken by')")
    assert page.evaluates(f"{UNTIL}.includes({MOMENT.format(ms=NOW_MS + MONTH_MS)})")
    assert page.evaluates("window.asked_") == 2


@pytest.mark.long
def test_a_table_of_a_tournament_says_when_who_has_not_come_may_lose(stage):
    one = Evening(stage, 2, show_up_seconds=600).begins()
    stage.page.opens(f"{stage.base}/play#m={one.tables()[0]['match']}")
    stage.page.until(f"{UNTIL}?.endsWith('Who has not come then may lose.')")
    assert stage.page.evaluates(f"{UNTIL}.includes({MOMENT.format(ms=NOW_MS + 600_000)})")
