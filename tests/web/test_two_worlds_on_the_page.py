"""Law 3 on the page: cards hidden from a reader make no difference to the page's content, requests or timers.

Both worlds are played beforehand, only by the rules, as long as the reader's events are the same in them. Then each
is played before a page, whose clock moves only when the test lets time pass. So delayed work of the page, such as
preloading, does not happen before a move in one world and after it in the other.
"""

import json
import re
import time
from dataclasses import asdict, replace
from random import Random

import pytest

from api.app import create_app
from api.game_checks.secret_checks import both_worlds
from api.http import app_state as here
from domain.core.clock import Time
from domain.core.fairness import Dealer
from domain.core.game import CHANCE
from domain.core.visibility import view_event
from events.ids import hash_secret
from events.service.access import Caller
from events.settings import Settings
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.tables import player_rows
from tests.bound import Matches
from tests.laws.games import OF
from tests.laws.play import steps
from tests.web.stage import serving

MATCH = "m" * 20
NOW = Time(1_790_000_000_000)
ENOUGH_MOVES = 6
"""The maximum number of moves made before a page."""
TRIES = 60
"""The number of plays, of which the one is used whose worlds stay equal the longest."""
SOON_MS, LATER_MS = 2_000, 12_000
"""In the first period, one table after another is shown; in the second, everything has loaded, and no stream is
silent yet."""
STANDS_STILL = """(() => {
  const held = new Map(), fetches = window.fetch;
  let last = 0;
  window.asked = [];
  window.open_ = 0;
  window.setTimeout = (what, ms = 0, ...given) => { held.set(--last, {what: () => what(...given), ms}); return last; };
  window.clearTimeout = (id) => { held.delete(id); };
  window.setInterval = (_, ms) => { held.set(--last, {what() {}, ms: Infinity}); return last; };
  window.clearInterval = window.clearTimeout;
  window.waiting = () => [...held.values()].map(({ms}) => ms).sort((a, b) => a - b).join(" ");
  window.passes = (ms) => { for (const [id, one] of [...held]) if (one.ms <= ms) { held.delete(id); one.what(); } };
  window.fetch = async (...given) => {
    window.asked.push(`${given[1]?.method ?? "GET"} ${given[0]}`);
    window.open_ += 1;
    try { return await fetches(...given); } finally { window.open_ -= 1; }
  };
})()"""
"""Time passes only by `passes(ms)`, which runs everything due by then; `waiting()` lists waiting timers."""
SHOWN = "document.title + document.body.outerHTML"
BROUGHT = (
    "performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname).filter(one => !/v1/.test(one))"
)
LOG = """import(document.querySelector('script[type=module]').src)
.then(({state}) => state.log.at(-1)?.seq)"""


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.stranger()
    page.begins_with(STANDS_STILL)
    yield page
    page.closes()


def scripts(game, reader):
    """Return seats, options, and the moves in each world, for as long as the reader's events are the same."""
    longest = None
    for seed in range(TRIES):
        rng = Random(seed)
        entry = OF[game][seed % len(OF[game])]
        options = rng.choice(rng.choice(list(entry.blocks.values())))
        made = []
        for step, move, told, _ in both_worlds(entry, steps(entry, options, rng), reader, rng):
            if [view_event(event, reader) for event in step.events] != [view_event(event, reader) for event in told]:
                break
            made.append((step.seat, step.move, move, CHANCE in entry.game.to_act(step.after)))
            if moves_of(made) == ENOUGH_MOVES or is_end(entry.game, step.events):
                break
        while made and made[-1][-1]:  # chance would answer where the script says nothing
            made.pop()
        if any(one != other for _, one, other, _ in made) and (not longest or moves_of(made) > moves_of(longest[-1])):
            longest = entry.seats, json.loads(json.dumps(asdict(options))), made
            if moves_of(made) == ENOUGH_MOVES:
                break
    seats, options, made = longest
    return seats, options, [(seat, one) for seat, one, *_ in made], [(seat, other) for seat, _, other, _ in made]


def moves_of(made):
    return sum(seat != CHANCE for seat, *_ in made)


def is_end(game, events):
    return any(isinstance(event, game.lifecycle.hand_ends) for event in events)


class World:
    """A match in which chance answers by a script."""

    def __init__(self, folder, monkeypatch, game, seats, options, script):
        address = f"sqlite:///{folder}.sqlite3"
        migrate(address)
        self.store = open_store(address)
        for seat in range(seats):
            player_rows.add_player(
                self.store, f"player{seat}".ljust(20, "0"), f"P{seat}", hash_secret(f"t{seat}"), 0, f"p-{seat}"
            )
        answers = [move for seat, move in script if seat == CHANCE]
        known = {}

        class Scripted(Dealer):
            """A dealer who answers by the script, and repeats its answers to earlier questions."""

            def answer(self, ask, epoch, links, link, nonces):
                return known.setdefault((epoch, link, ask.purpose, ask.n), answers[min(len(known), len(answers) - 1)])

        monkeypatch.setattr("events.log.dealers.Dealer", Scripted)
        monkeypatch.setattr("events.service.create.new_id", lambda: MATCH)
        self.app = create_app(Settings(dealt_rate_per_second=0), store=self.store, now=lambda: NOW)
        self.matches = Matches(self.store, now=lambda: NOW, draw=bytes)
        here.store_app_state(self.app, replace(self.app.extensions["dealt"], context=self.matches))
        body = {"game": game, "options": options, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}
        self.sends(0, "POST", "/v1/matches", body)
        for seat in range(1, seats):
            self.sends(seat, "PUT", f"/v1/matches/{MATCH}/seats/{seat}", {})
        self.moves = [(seat, move) for seat, move in script if seat != CHANCE]

    def sends(self, seat, method, path, body):
        headers = {"Authorization": f"Bearer t{seat}"}
        answer = self.app.test_client().open(path, method=method, json=body, headers=headers)
        assert answer.status_code < 300, answer.text

    def plays(self, seat, move):
        self.matches.move(MATCH, Caller(f"player{seat}".ljust(20, "0"), f"t{seat}"), seat, move)

    @property
    def version(self):
        answer = self.app.test_client().get(f"/v1/matches/{MATCH}", headers={"Authorization": "Bearer t0"})
        return answer.json["version"]


def shown_to(reader, page, world):
    """Follow a match while it is played; return all documents, requests, timers and loaded resources."""
    documents, asked, waits = [], [], []
    with serving(world.app) as base:
        page.opens(f"{base}/docs/problems")
        page.until("location.pathname === '/docs/problems'")
        # Another match may have been served at this port before, so clear everything that was kept of it.
        page.evaluates("localStorage.clear(), sessionStorage.clear()")
        if reader is not None:
            page.evaluates(f"localStorage['dealt.token /'] = 't{reader}'")
        page.opens(f"{base}/play#m={MATCH}")
        page.until("document.querySelector('.felt')")
        rests(page)
        page.evaluates(f"passes({LATER_MS})")
        page.until("document.querySelector('.keys')")
        for seat, move in (*world.moves, (None, None)):
            version = world.version
            page.until(f"(window.told ??= 0, {LOG}.then((seq) => {{ window.told = seq }}), told === {version})")
            page.until(f"(passes({SOON_MS}), document.querySelector('.felt')?.dataset.version === '{version}')")
            rests(page)
            documents.append(plain(page.evaluates(SHOWN)))
            # How often a table is read while it opens depends on which answer arrives first; after that nothing depends
            # on it.
            now = page.evaluates("asked.splice(0).sort()")
            asked.append(now if documents[1:] else sorted({*now}))
            waits.append(page.evaluates("waiting()"))
            if move is not None:
                world.plays(seat, move)
        brought = {*page.evaluates(BROUGHT)}
        page.opens("about:blank")
    return documents, asked, waits, brought


def rests(page):
    """Wait until nothing is requested and nothing changes."""
    before = alike = 0
    while alike < 3:
        now = page.evaluates(f"open_ ? '' : {SHOWN}")
        alike = alike + 1 if now and now == before else 0
        before = now
        time.sleep(0.04)


def plain(document):
    """Remove the digests of the match, and the identifiers that the renderer generates."""
    return re.sub(r"[0-9a-f]{64}|lit\$\d+\$", "*", document)


SPECTATED = 3
"""Every third game is watched by a spectator too: the page has the same code for spectators of all games."""
CASES = [
    pytest.param(game, reader, id=f"{game}-{'spectator' if reader is None else 'player'}")
    for nth, game in enumerate(OF)
    for reader in ((0, None) if nth % SPECTATED == 0 else (0,))
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "reader"), CASES)
def test_hidden_cards_do_not_affect_what_the_page_shows_requests_or_waits_for(
    game, reader, page, tmp_path, monkeypatch
):
    seats, options, *both_scripts = scripts(game, reader)
    assert both_scripts[0] != both_scripts[1]
    found = []
    for name, script in zip(("one", "other"), both_scripts, strict=True):
        with monkeypatch.context() as patch:
            world = World(tmp_path / name, patch, game, seats, options, script)
            found.append(shown_to(reader, page, world))
            world.store.close()
    (documents, *rest), (others, *other_rest) = found
    assert len({*documents}) > 1
    assert documents == others
    assert rest == other_rest


@pytest.mark.long
def test_seat_with_the_cards_sees_the_difference(page, tmp_path, monkeypatch):
    seats, options, *both_scripts = scripts("gin_rummy", 0)
    found = []
    for name, script in zip(("one", "other"), both_scripts, strict=True):
        with monkeypatch.context() as patch:
            world = World(tmp_path / name, patch, "gin_rummy", seats, options, script)
            found.append([shown_to(seat, page, world)[0][0] for seat in range(1, seats)])
            world.store.close()
    assert found[0] != found[1]
