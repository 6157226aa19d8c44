"""Plays matches of drawn seeds, and shows a page what one seat sees: the same cards in every run, in every phase.

`python -m tests.web.stage FOLDER [GAME …]` writes pictures of all phases, at three widths and in both schemes.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from unittest.mock import patch

from werkzeug.serving import WSGIRequestHandler, make_server

from api.app import create_app
from api.http.app_state import put
from domain.core.clock import Time
from domain.games.bots import BOTS
from domain.games.catalogue import BUILT_IN
from domain.match import paused
from domain.match.match_commands import ContinueMatch
from events.ids import ID_LENGTH, from_bytes
from events.service.access import Caller
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from tests.api.driven import blocking
from tests.bound import Matches
from tests.chromium import Page, browsing
from tests.factories import StoredPlayer

NOW = Time(1_790_000_000_000)
WIDTHS = (360, 768, 1280)
HEIGHTS = {360: 740, 768: 1024, 1280: 900}
LONGEST = 300
"""A match is played for so many moves at most."""


SETTLED = """(async () => { for (let before = ""; before !== document.body.innerHTML;) {
before = document.body.innerHTML; await new Promise((done) => setTimeout(done, 150)); } })()"""
"""What comes after a start is there."""


class Silent(WSGIRequestHandler):
    """It logs nothing."""

    protocol_version = "HTTP/1.1"

    def log(self, *args: Any) -> None:
        pass


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Serve an app to a browser; gives its address."""
    app.wsgi_app = blocking(app.wsgi_app)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    server.daemon_threads = True  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


class Stage:
    """A server whose matches are the same in every run, and a page at which one seat of them looks."""

    def __init__(self, store: Store, page: Page) -> None:
        self.page, self.store = page, store
        self.app = create_app(
            Settings(dealt_rate_per_second=0, dealt_prize_organisers="*"), store=store, now=lambda: NOW
        )
        self.draws, self.rng = Random(), Random()
        self.matches = Matches(store, now=lambda: NOW, draw=self.draws.randbytes)
        put(self.app, replace(self.app.extensions["dealt"], context=self.matches))
        self.me: Any = StoredPlayer(store=store, name="Ann")
        self.base = ""

    def enters(self, base: str) -> None:
        """Let the page be that of the player."""
        self.base = base
        self.page.opens(f"{base}/docs/problems")
        self.page.until("location.pathname === '/docs/problems'")
        self.page.evaluates(f"localStorage.setItem('dealt.token /', {json.dumps(self.me['token'])})")

    def sits(self, game: str, **chosen: Any) -> str:
        """Sit down at a table with bots, with options as they are chosen, and show it; gives the id of the match."""
        seed = int.from_bytes(sha256(game.encode()).digest()[:4], "big")
        self.draws.seed(seed)
        self.rng.seed(seed)
        law = import_module(f"tests.games.{game}.law")
        seats, options = law.SETUPS[0]
        body = {
            "game": game,
            "options": options | law.SHORT | chosen,
            "seats": [{"kind": "me"}, *[{"kind": "bot"}] * (seats - 1)],
        }
        match = self.makes(body)
        self.page.opens(f"{self.base}/play#m={match}")
        return match

    def makes(self, body: dict[str, Any], maker: Any = None) -> str:
        """Make a table, the player's own if no other makes it; gives the id of the match."""
        with patch(
            "events.service.create.new_id", lambda: from_bytes(self.draws.randbytes(ID_LENGTH))
        ):  # cards are drawn by it
            return str(self.asks(maker or self.me, "POST", "/v1/matches", body)["id"])

    def asks(self, player: Any, method: str, path: str, body: Any = None) -> Any:
        """Ask the API for a player, who is not refused; gives the answer."""
        headers = {"Authorization": f"Bearer {player['token']}"}
        answer = self.app.test_client().open(path, method=method, json=body, headers=headers)
        assert answer.status_code < 400, answer.text
        return answer.json

    def sees(self, match: str) -> Any:
        return self.asks(self.me, "GET", f"/v1/matches/{match}")

    def phases(self, match: str, nth: tuple[int, ...] = (1,), until: str = "over") -> Iterator[str]:
        """Play a match up to a phase; names one when the page shows where the seat acts in it for the nth time."""
        met: dict[str, int] = {}
        for seen in self.moments(match):
            phase = seen["scene"]["phase"] if not seen["result"] else "over"
            met[phase] = met.get(phase, 0) + 1
            if met[phase] in nth or phase == "over":
                self.shown(seen["version"])
                yield f"{phase}-{met[phase]}" if nth != (1,) else phase
            if phase in (until, "over"):
                return

    def moments(self, match: str) -> Iterator[Any]:
        """Play a match; gives what the seat sees each time that it acts, and at the end."""
        for _ in range(LONGEST):
            self._bots(match)
            yield (seen := self.sees(match))
            if seen["result"]:
                return
            self._moves(match)

    def plays_on(self, match: str, version: int) -> int:
        """Play a match until it has so many versions, without showing it; gives how many it has."""
        while (now := int(self.sees(match)["version"])) < version:
            self._bots(match)
            self._moves(match)
        return now

    def shown(self, version: int) -> None:
        """Wait until the page shows a version, with all that comes after a start."""
        shown = f"document.querySelector('.felt')?.dataset.version === '{version}'"
        rest = "document.querySelector('.log') && document.querySelector('.keys')"
        self.page.until(f"{shown} && !document.querySelector('.felt [disabled]') && {rest}")
        self.page.evaluates(SETTLED)

    def _bots(self, match: str) -> None:
        while (seen := self.matches.bot_to_move(match)) is not None:
            self.matches.bot_move(seen, self._chosen(seen, seen.seat or 0))

    def _moves(self, match: str) -> None:
        caller = Caller(self.me["player_id"], self.me["token"])
        seen = self.matches.see(match, caller)
        self.matches.move(match, caller, 0, ContinueMatch() if paused(seen.match) else self._chosen(seen, 0))

    def _chosen(self, seen: Any, seat: int) -> Any:
        choose = BOTS[seen.match.game.name]
        return choose("steady", seen.match.table, seat, self.matches.shown(seen), self.rng)


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """Set a stage with a store and a browser of its own, on which one player may run any number of tournaments."""
    address = f"sqlite:///{folder / 'stage.sqlite3'}"
    migrate(address)
    store = open_store(address)
    with browsing(folder / "browser") as page, patch("events.service.tournaments.MOST_RUNNING", 1000):
        stage = Stage(store, page)
        with serving(stage.app) as base:
            stage.enters(base)
            yield stage
    store.close()


def pictures(folder: Path, games: list[str]) -> None:
    """Write pictures of all phases of games."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary, staged(Path(temporary)) as stage:
        for game in games:
            for phase in stage.phases(stage.sits(game), (1, 4)):
                for width in WIDTHS:
                    for is_dark in (False, True):
                        stage.page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
                        stage.page.shows(folder / f"{game}-{phase}-{width}-{'dark' if is_dark else 'light'}.png")


if __name__ == "__main__":
    pictures(Path(sys.argv[1]), sys.argv[2:] or [game.name for game in BUILT_IN])
