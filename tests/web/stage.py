"""Plays matches of drawn seeds, and shows a page what one seat sees: the same cards in every run, in every phase.

`python -m tests.web.stage FOLDER [GAME …]` writes pictures of all phases, at three widths and in both schemes.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from itertools import chain
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from unittest.mock import patch

from werkzeug.serving import WSGIRequestHandler, make_server

from api.app import create_app
from api.http.app_state import store_app_state
from domain.core.clock import Time
from domain.games.bots import BOTS
from domain.games.catalogue import BUILT_IN
from domain.match import is_paused
from domain.match.clocks import ContinueMatch
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
from tests.laws.entry import Further
from tests.system.page_hands import CAN, OVER, TURN, UNREADY

NOW = Time(1_790_000_000_000)
WIDTHS = (360, 768, 1280)
HEIGHTS = {360: 740, 768: 1024, 1280: 900}
LONGEST = 300
"""The maximum number of moves of a match."""


SETTLED = """(async () => { for (let before = ""; before !== document.body.innerHTML;) {
before = document.body.innerHTML; await new Promise((done) => setTimeout(done, 150)); } })()"""
"""The parts that load after a start have loaded."""
PRINTED = """!document.querySelector('.named:not(:has(.says))')
&& (!document.querySelector('.step') || document.querySelector('.printed, [type=number]'))"""
"""The printed texts of cards have loaded, if any cards have names."""


FIRST = Further(0, frozenset())
"""Return the shortest match of a game."""


def further_matches(game: str) -> tuple[Further, ...]:
    """Return the matches with phases that the shortest match of a game does not reach."""
    return tuple(getattr(import_module(f"tests.games.{game}.law"), "FURTHER", ()))


def phase_in(seen: Any) -> str:
    """Return the phase that a seat sees."""
    return str(seen["scene"]["phase"]) if not seen["result"] else "over"


class Silent(WSGIRequestHandler):
    """Log nothing."""

    protocol_version = "HTTP/1.1"

    def log(self, *args: Any) -> None:
        pass


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Serve an app to a browser; return its address."""
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
    """A server whose matches are the same in every run, and a page that shows one of their seats."""

    def __init__(self, store: Store, page: Page) -> None:
        self.page, self.store = page, store
        self.app = create_app(
            Settings(dealt_rate_per_second=0, dealt_prize_organisers="*"), store=store, now=lambda: NOW
        )
        self.draws, self.rng = Random(), Random()
        self.matches = Matches(store, now=lambda: NOW, draw=self.draws.randbytes)
        store_app_state(self.app, replace(self.app.extensions["dealt"], context=self.matches))
        self.me: Any = StoredPlayer(store=store, name="Ann")
        self.base = ""

    def enters(self, base: str) -> None:
        """Make the page that of the player."""
        self.base = base
        self.page.opens(f"{base}/docs/problems")
        self.page.until("location.pathname === '/docs/problems'")
        self.page.evaluates(f"localStorage.setItem('dealt.token /', {json.dumps(self.me['token'])})")

    def sits(self, game: str, further: Further = FIRST, **chosen: Any) -> str:
        """Create and show a table with bots and the chosen options; return the id of the match."""
        named = f"{game} {further.number}" if further.number else game
        seed = int.from_bytes(sha256(named.encode()).digest()[:4], "big")
        self.draws.seed(seed)
        self.rng.seed(seed)
        law = import_module(f"tests.games.{game}.law")
        seats, options = law.SETUPS[further.setup]
        me = {"kind": "me"} | ({"deck": further.deck} if further.deck else {})
        body = {
            "game": game,
            "options": options | law.SHORT | further.options | chosen,
            "seats": [me, *[{"kind": "bot", "level": further.bots}] * (seats - 1)],
        }
        match = self.makes(body)
        self.page.opens(f"{self.base}/play#m={match}")
        return match

    def phases_of(self, game: str, number: int) -> Iterator[str]:
        """Play one of the matches that reach the phases of a game; yield the names of its own phases as they come."""
        if number == 0:
            yield from self.phases(self.sits(game))
            return
        further = further_matches(game)[number - 1]
        missing = set(further.phases)
        for seen in self.moments(self.sits(game, further)):
            phase = phase_in(seen)
            if phase in missing:
                missing.remove(phase)
                self.shown(seen["version"], is_over=phase == "over")
                yield phase
            if not missing:
                return
        raise AssertionError(f"{game} {number}: {missing} did not come up")

    def makes(self, body: dict[str, Any], maker: Any = None) -> str:
        """Create a table, the player's own by default; return the id of the match."""
        with patch(
            "events.service.create.new_id", lambda: from_bytes(self.draws.randbytes(ID_LENGTH))
        ):  # it draws the cards
            return str(self.asks(maker or self.me, "POST", "/v1/matches", body)["id"])

    def asks(self, player: Any, method: str, path: str, body: Any = None) -> Any:
        """Send a request for a player, which must succeed; return the answer."""
        headers = {"Authorization": f"Bearer {player['token']}"}
        answer = self.app.test_client().open(path, method=method, json=body, headers=headers)
        assert answer.status_code < 400, answer.text
        return answer.json

    def all_move(self, match: str, *players: Any) -> None:
        """Let players move as a bot would until each has moved: otherwise the match would not be rated."""
        waited_for = {one["player_id"] for one in players}
        for _ in range(LONGEST):
            if not waited_for:
                return
            for one in players:
                caller = Caller(one["player_id"], one["token"])
                shown = self.asks(one, "GET", f"/v1/matches/{match}")
                if (seat := shown["your_seat"]) in shown["to_act"]:
                    self.matches.move(match, caller, seat, self._chosen(self.matches.see(match, caller), seat))
                    waited_for.discard(one["player_id"])
        raise AssertionError(f"{match}: not all have moved")

    def sees(self, match: str) -> Any:
        return self.asks(self.me, "GET", f"/v1/matches/{match}")

    def phases(self, match: str, nth: tuple[int, ...] = (1,), until: str = "over") -> Iterator[str]:
        """Play a match up to a phase; yield its name when the page shows where the seat acts in it for the nth time."""
        met: dict[str, int] = {}
        for seen in self.moments(match):
            phase = phase_in(seen)
            met[phase] = met.get(phase, 0) + 1
            if met[phase] in nth or phase == "over":
                self.shown(seen["version"], is_over=phase == "over")
                yield f"{phase}-{met[phase]}" if nth != (1,) else phase
            if phase in (until, "over"):
                return

    def moments(self, match: str) -> Iterator[Any]:
        """Play a match; yield what the seat sees each time that it acts, and at the end."""
        for _ in range(LONGEST):
            self._bots(match)
            yield (seen := self.sees(match))
            if seen["result"]:
                return
            self._moves(match)

    def plays_on(self, match: str, version: int) -> int:
        """Play a match to this number of versions without showing it; return the number reached."""
        while (now := int(self.sees(match)["version"])) < version:
            self._bots(match)
            self._moves(match)
        return now

    def shown(self, version: int, *, is_over: bool = False) -> None:
        """Wait until the page has loaded a version and the player's moves completely; at the end, also the places."""
        shown = f"document.querySelector('.felt')?.dataset.version === '{version}'"
        rest = "document.querySelector('.log li') && document.querySelector('.keys')"
        sent = f"!document.querySelector('main [disabled]:not({UNREADY})')"
        offered = f"(!{TURN} || {CAN})"
        self.page.until(" && ".join([shown, sent, rest, PRINTED, offered, *([OVER] if is_over else ())]))
        self.page.evaluates(SETTLED)

    def _bots(self, match: str) -> None:
        while (seen := self.matches.bot_to_move(match)) is not None:
            self.matches.bot_move(seen, self._chosen(seen, seen.seat or 0))

    def _moves(self, match: str) -> None:
        caller = Caller(self.me["player_id"], self.me["token"])
        seen = self.matches.see(match, caller)
        self.matches.move(match, caller, 0, ContinueMatch() if is_paused(seen.match) else self._chosen(seen, 0))

    def _chosen(self, seen: Any, seat: int) -> Any:
        choose, level = BOTS[seen.match.game.name], seen.match.created.seats[seat].level or "steady"
        return choose(level, seen.match.table, seat, self.matches.shown(seen), self.rng)


@contextmanager
def staged(folder: Path, chromium: Page) -> Iterator[Stage]:
    """Create a stage with a store and a page in a separate browser context, where one player may run any number of
    tournaments."""
    address = f"sqlite:///{folder / 'stage.sqlite3'}"
    migrate(address)
    store = open_store(address)
    page = chromium.stranger()
    with patch("events.service.tournaments.MOST_RUNNING", 1000):
        stage = Stage(store, page)
        with serving(stage.app) as base:
            stage.enters(base)
            yield stage
    page.closes()
    store.close()


@contextmanager
def standing_alone() -> Iterator[Stage]:
    """Create a stage with its own browser, outside a test run."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        yield stack.enter_context(staged(folder, stack.enter_context(browsing(folder))))


def pictures(folder: Path, games: list[str]) -> None:
    """Take pictures of all phases of games."""
    folder.mkdir(parents=True, exist_ok=True)
    with standing_alone() as stage:
        for game in games:
            further = (stage.phases_of(game, number + 1) for number in range(len(further_matches(game))))
            for phase in chain(stage.phases(stage.sits(game), (1, 4)), *further):
                for width in WIDTHS:
                    for is_dark in (False, True):
                        stage.page.is_wide(width, HEIGHTS[width], is_dark=is_dark)
                        stage.page.shows(folder / f"{game}-{phase}-{width}-{'dark' if is_dark else 'light'}.png")


if __name__ == "__main__":
    pictures(Path(sys.argv[1]), sys.argv[2:] or [game.name for game in BUILT_IN])
