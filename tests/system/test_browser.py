"""A browser that follows a match: what Chromium's own EventSource makes of refusals and restarts."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from domain.games.catalogue import GAMES
from domain.match.event_texts import TEXTS
from tests.system.processes import Process, until
from tests.system.test_front import Alone, Table, begins

PAGE = """<!doctype html><link rel="icon" href="data:,"><script>
const seen = []
const say = (...what) => { seen.push(what); fetch("/seen", {method: "POST", body: JSON.stringify(seen)}) }
const source = new EventSource("%s")
source.onerror = () => say(source.readyState === EventSource.CLOSED ? "gave up" : "lost", performance.now() / 1000)
for (const type of %s) source.addEventListener(type, event => say("event", Number(event.lastEventId)))
</script>"""

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--disable-web-security",  # the page comes from another port than the events, which is another origin
]


class Tab:
    """What the page has seen until now."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, float]] = []

    def ids(self) -> list[float]:
        return [number for what, number in self.seen if what == "event"]

    def losses(self) -> list[float]:
        """The times, in seconds, at which the connection was refused or lost."""
        return [at for what, at in self.seen if what == "lost"]


@contextmanager
def browsing(folder: Path, address: str) -> Iterator[Tab]:
    """Open a page in Chromium that follows the events at an address."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        pytest.skip("no Chromium: neither chromium, chromium-browser nor google-chrome is installed")
    tab = Tab()
    types = [event.__name__ for event in (*TEXTS, *GAMES["hearts"].events)]
    page = (PAGE % (address, json.dumps(types))).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(page)

        def do_POST(self) -> None:
            seen = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            # Reports may overtake each other.
            tab.seen = max(tab.seen, [tuple(one) for one in seen], key=len)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        command = [program, *FLAGS, f"--user-data-dir={folder}", f"http://127.0.0.1:{server.server_port}/"]
        browser = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            yield tab
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait(10)
            server.shutdown()


@pytest.mark.long
def test_a_browser_comes_back_after_refusals_and_restarts_and_misses_nothing(tmp_path, held):
    api = Alone(tmp_path / "dealt.sqlite3", DEALT_MAX_WAITERS_WITHOUT_TOKEN="1", DEALT_RATE_PER_SECOND="0")
    held.callback(api.kill)
    table = Table(api, held)

    def has_all() -> Any:
        version = table.person.see(table.match)["version"]
        return tab.ids() == list(range(1, version + 1))

    only_place = held.enter_context(api.streams(table.match))
    assert begins(only_place)
    with browsing(tmp_path / "browser", f"{api.base}/v1/matches/{table.match}/events") as tab:
        until(lambda: len(tab.losses()) == 2, 30)
        assert tab.ids() == []
        only_place.close()
        until(has_all, 10)
        first, second, *_ = tab.losses()
        assert 4.9 < second - first < 8  # as `retry:` says
        table.moves(4)
        until(has_all, 3)
        for end in (Process.terminate, Process.kill):
            losses = len(tab.losses()) + 1
            end(api.process)
            until(lambda at_least=losses: len(tab.losses()) >= at_least, 10)
            api.start()
            table.moves(4)
            until(has_all, 20)
        assert "gave up" not in dict(tab.seen)
