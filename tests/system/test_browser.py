"""Tests how Chromium's own EventSource follows a match through refusals and restarts."""

import json
from typing import Any

import pytest

from domain.games.catalogue import GAMES
from domain.match.evolve import TEXTS
from tests.chromium import Page
from tests.system.processes import Process, until
from tests.system.test_open_connections import Alone, Table, begins

FOLLOWS = """(() => {
  window.seen = [];
  const source = new EventSource(ADDRESS);
  const loses = () => source.readyState === EventSource.CLOSED ? "gave up" : "lost";
  source.onerror = () => { seen.push([loses(), performance.now() / 1000]); };
  for (const type of TYPES) source.addEventListener(type, (one) => { seen.push(["event", Number(one.lastEventId)]); });
})()"""


class Follower:
    """A page that follows the events of a match, and the events it has seen."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        types = [event.__name__ for event in (*TEXTS, *GAMES["hearts"].events)]
        page.evaluates(FOLLOWS.replace("ADDRESS", json.dumps(address)).replace("TYPES", json.dumps(types)))

    @property
    def seen(self) -> list[tuple[str, float]]:
        return [(what, number) for what, number in self._page.evaluates("seen")]

    def ids(self) -> list[float]:
        return [number for what, number in self.seen if what == "event"]

    def losses(self) -> list[float]:
        """The times, in seconds, at which the connection was refused or lost."""
        return [at for what, at in self.seen if what == "lost"]


@pytest.fixture
def page(chromium):
    page = chromium.stranger()
    yield page
    page.closes()


@pytest.mark.long
def test_browser_reconnects_after_refusals_and_restarts_without_missing_events(page, tmp_path, held):
    api = Alone(tmp_path / "dealt.sqlite3", DEALT_MAX_WAITERS_WITHOUT_TOKEN="1", DEALT_RATE_PER_SECOND="0")
    held.callback(api.kill)
    table = Table(api, held)

    def has_all() -> Any:
        version = table.person.see(table.match)["version"]
        return tab.ids() == list(range(1, version + 1))

    only_place = held.enter_context(api.streams(table.match))
    assert begins(only_place)
    page.opens(f"{api.base}/docs/problems")
    tab = Follower(page, f"/v1/matches/{table.match}/events")
    until(lambda: len(tab.losses()) == 2, 60)
    assert tab.ids() == []
    only_place.close()
    until(has_all, 60)
    first, second, *_ = tab.losses()
    assert second - first > 4.9  # as `retry:` says
    table.moves(4)
    until(has_all, 60)
    for end in (Process.terminate, Process.kill):
        losses = len(tab.losses()) + 1
        end(api.process)
        until(lambda at_least=losses: len(tab.losses()) >= at_least, 60)
        api.start()
        table.moves(4)
        until(has_all, 60)
    assert "gave up" not in dict(tab.seen)
