"""Deals of Hearts played at random on one core, every event made and folded; with the match around them; and peers."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

from domain import match as life
from domain import match_events as ev
from domain.clock import Clock, Time
from domain.game import CHANCE, play
from domain.hearts import GAME, HandScored, Options
from events import log
from events.codec import shapes
from events.seals import NO_EVENT
from tests.bench.rounds import rate, rounds
from tests.bench.tables import Table, beside
from tests.domain.table import dealer, options

SEED = 20261122
DEALS = 3_000
DUMPS = 30_000
"""The target is so many deals a second on a machine that dumps the log of one so many times a second."""


def measure(*, quick: bool) -> Table:
    """Compare deals a second with dumping a deal's log as JSON, and with OpenSpiel driven from Python."""
    seconds = 0.3 if quick else 0.5
    hands, whole = _game(Random(SEED)), _match(Random(SEED))
    written = _as_lists(list(islice(_game(Random(SEED)), 2))[1])
    measured: dict[str, Callable[[], float]] = {
        "game": lambda: rate(lambda: len(next(hands)) > 0, seconds),
        "match": lambda: rate(lambda: next(whole), seconds),
        "json": lambda: rate(lambda: _dumped(written), 0.3),
    }
    peer = _open_spiel()
    if peer:
        measured["peer"] = lambda: rate(peer, seconds)
    got = rounds(5 if quick else 9, measured)
    table = Table(
        f"play: random deals of Hearts on one core; floor: json.dumps of a deal's log ({len(written)} events)"
    )
    rules = beside(
        "rules alone (game.play, every event made and folded)", got["game"], got["json"], "/s", DEALS / DUMPS
    )
    table.lines.append(replace(rules, target=f"≥ {DEALS:,} where the floor is {DUMPS:,}"))
    table.lines.append(
        beside("with match, clock, seals, digests, rows as stored", got["match"], got["json"], "/s")
    )
    if peer:
        table.lines.append(
            beside(
                "rules alone; floor: OpenSpiel's hearts driven from Python", got["game"], got["peer"], "/s"
            )
        )
    else:
        table.notes.append("OpenSpiel is not installed here; python3 dev.py bench installs it.")
    return table


def _game(rng: Random) -> Iterator[list[Any]]:
    """Play game after game at random; gives the events of each deal."""
    while True:
        state = GAME.start(Options(), 4, None)
        deal: list[Any] = []
        while seats := GAME.to_act(state):
            seat = seats[0]
            asked = GAME.ask(state) if seat == CHANCE else GAME.legal(state, seat)[0]
            state, events = play(GAME, state, seat, asked.sample(rng))
            deal += events
            if state.phase in ("scored", "game_over"):
                yield deal
                deal = []


def _as_lists(deal: list[Any]) -> list[list[Any]]:
    """Write events as lists of their values, the least that a log could hold."""
    written, known = [], shapes("hearts")
    for event in deal:
        shape = known[type(event).__name__]
        secret = [part for parts in shape.parts(event, 4).values() for part in parts.values()]
        written.append([type(event).__name__, *shape.data(event).values(), *secret])
    return written


def _dumped(written: list[list[Any]]) -> int:
    json.dumps(written)
    return 1


def _match(rng: Random) -> Iterator[int]:
    """Play whole matches of four people with a clock, and write every commit; gives a 1 for each deal."""
    n = 0
    while True:
        n += 1
        match_id, now = f"match-{n}", Time(1_763_758_632_345)
        secrets = dealer(match_id, n)
        created = ev.MatchCreated(
            "hearts", life.RULES, options("hearts"), None, (ev.SeatPlan("open"),) * 4, "public",
            Clock(per_decision_seconds=86_400), ev.Series(), "a",
        )  # fmt: skip
        match, happened = life.create(
            match_id, created, [(s, ev.Sit("abcd"[s])) for s in range(4)], secrets, now
        )
        row, head = log.write(match_id, "hearts", 4, 1, now, NO_EVENT, happened, secrets.hand_key)
        while not match.over:
            now = Time(now + 5_000)
            seat = life.to_act(match)[0]
            move = life.legal(match, seat)[0].sample(rng)
            match, happened = life.play(match, seat, move, "move", secrets, now)
            first = row.first + row.n
            row, head = log.write(match_id, "hearts", 4, first, now, head, happened, secrets.hand_key)
            if any(type(h.event) is HandScored for h in happened):
                yield 1


def _open_spiel() -> Callable[[], int] | None:
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    game, rng = pyspiel.load_game("hearts"), Random(SEED)

    def deal() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
        return 1

    return deal
