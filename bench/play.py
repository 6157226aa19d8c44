"""Measures deals played at random on one core, every event made and folded, for all games.

Hearts is also measured as whole matches, and against a peer.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

from bench.rounds import rate, rounds
from bench.tables import Table, compared
from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import CHANCE, Game, play_move
from domain.games.catalogue import GAMES
from domain.games.hearts import GAME
from domain.games.hearts.events import HandScored
from domain.match.creation import MatchCreated, SeatPlan, Series
from domain.match.seating import Sit
from events.log import commits as log
from events.log.codec import shapes
from events.log.seals import NO_EVENT
from tests.match.table import dealer, options

SEED = 20261122
HANDS = 30  # number of hands whose logs are dumped
DEALS = 3_000
DUMPS = 30_000
"""The target is `DEALS` deals a second on a machine that dumps the log of a deal this many times a second."""


def measure(*, quick: bool) -> Table:
    """Compare deals a second with dumping a deal's log as JSON, and with OpenSpiel driven from Python."""
    seconds = 0.3 if quick else 0.5
    hands, whole = _hands(GAME, Random(SEED)), _match(Random(SEED))
    written = _as_lists(GAME, list(islice(_hands(GAME, Random(SEED)), 2))[1])
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
    rules = compared(
        "rules alone (game.play, every event made and folded)", got["game"], got["json"], "/s", DEALS / DUMPS
    )
    table.lines.append(replace(rules, target=f"≥ {DEALS:,} where the floor is {DUMPS:,}"))
    table.lines.append(compared("with match, clock, seals, digests, rows as stored", got["match"], got["json"], "/s"))
    if peer:
        table.lines.append(
            compared("rules alone; floor: OpenSpiel's hearts driven from Python", got["game"], got["peer"], "/s")
        )
    else:
        table.notes.append("OpenSpiel is not installed here; python3 dev.py bench installs it.")
    for game in GAMES.values():
        _add(table, game, 3 if quick else 5, seconds)
    return table


def _add(table: Table, game: Game[Any, Any, Any, Any], times: int, seconds: float) -> None:
    """Measure whole hands of a game, and dumping the log of as many of them."""
    some = list(islice(_hands(game, Random(SEED)), HANDS))
    logs, events = [_as_lists(game, hand) for hand in some], sum(map(len, some)) / HANDS
    hands = _hands(game, Random(SEED))
    measured: dict[str, Callable[[], float]] = {
        "hands": lambda: rate(lambda: len(next(hands)) > 0, seconds),
        "json": lambda: rate(lambda: sum(map(_dumped, logs)), 0.1),
    }
    got = rounds(times, measured)
    said = f"{game.name}: random hands, {game.setup.usual} seats, {events:.0f} events each"
    line = compared(said, got["hands"], got["json"], "/s")
    table.lines.append(line)
    rates = [n * events for n in got["hands"]]
    table.notes.append(f"{game.name}: {sorted(rates)[len(rates) // 2]:,.0f} events/s")


def _hands(game: Game[Any, Any, Any, Any], rng: Random) -> Iterator[list[Any]]:
    """Play game after game at random; yield the events of each hand, the last with the end of the game."""
    ends = {*game.lifecycle.hand_ends, game.lifecycle.game_ends}
    while True:
        state = game.start(game.setup.options(), game.setup.usual, None)
        hand: list[Any] = []
        asked: Any
        while seats := game.to_act(state):
            seat = seats[0]
            if seat == CHANCE:
                asked = game.ask(state)
            else:
                choices = game.legal(state, seat)
                asked = choices[0] if len(choices) == 1 else choices[int(rng.random() * len(choices))]
            state, events = play_move(game, state, seat, asked.sample(rng))
            hand += events
            if not ends.isdisjoint(map(type, events)):
                yield hand
                hand = []


def _as_lists(game: Game[Any, Any, Any, Any], hand: list[Any]) -> list[list[Any]]:
    """Write events as lists of their values, the least that a log could hold."""
    written, known = [], shapes(game.name)
    for event in hand:
        shape = known[type(event).__name__]
        secret = [part for parts in shape.parts(event, game.setup.usual).values() for part in parts.values()]
        written.append([type(event).__name__, *shape.data(event).values(), *secret])
    return written


def _dumped(written: list[list[Any]]) -> int:
    json.dumps(written)
    return 1


def _match(rng: Random) -> Iterator[int]:
    """Play whole matches of four people with a clock, and write every commit. Yield 1 for each deal."""
    n = 0
    while True:
        n += 1
        match_id, now = f"match-{n}", Time(1_763_758_632_345)
        secrets = dealer(match_id, n)
        created = MatchCreated(
            "hearts",
            life.rules_of(GAMES["hearts"]),
            options("hearts"),
            None,
            (SeatPlan("open"),) * 4,
            "public",
            Clock(per_decision_seconds=86_400),
            Series(),
            "a",
        )
        match, happened = life.create_match(
            GAMES["hearts"], match_id, created, [(s, Sit("abcd"[s])) for s in range(4)], secrets, now
        )
        row, head = log.write_commit(
            match_id, shapes("hearts"), 4, log.AppendPoint(1, now, NO_EVENT), happened, secrets
        )
        while not match.over:
            now = Time(now + 5_000)
            seat = life.to_act(match)[0]
            move = life.legal(match, seat)[0].sample(rng)
            match, happened = life.carry_out(match, life.Admitted(seat, move, "move"), secrets, now)
            first = row.first + row.n
            row, head = log.write_commit(
                match_id, shapes("hearts"), 4, log.AppendPoint(first, now, head), happened, secrets
            )
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
