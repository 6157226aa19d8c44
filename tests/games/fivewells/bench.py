"""Measures random duels on one core, with every event made and folded, and the cost of a full board.

Only the process's own CPU time is measured, so that other work of the machine counts little.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from itertools import cycle
from random import Random
from statistics import median
from typing import Any

from bench.rounds import rate, rounds
from bench.tables import Line, Table, compared
from domain.core.game import CHANCE, play_move
from domain.core.scene_pointers import add_titles
from domain.games.fivewells import GAME, Options
from domain.games.fivewells.bot import choose
from domain.games.fivewells.options import NAMES
from domain.match.move_texts import in_text
from tests.games.fivewells.test_sizes import MOMENTS

SEED = 20261122
DUELS = 60
DUMPS = 1_500
"""The target is `DUELS` duels a second on a machine that dumps the log of one duel this many times a second."""

COUNTED = 60
"""The number of duels played to count the events per duel."""

MOST_EVENTS = 350
"""Maximum mean number of events of a random duel."""

MOST_MS = 20
"""The maximum time that a player waits for the moves of a full board."""


def measure(*, quick: bool) -> Table:
    """Compare duels per second with dumping the log of one as JSON; time the legal moves of a full board."""
    duels = _duels(Random(SEED))
    some = [next(duels) for _ in range(COUNTED)]
    logs = cycle([[asdict(event) for event in events] for events, _ in some[:6]])
    measured: dict[str, Callable[[], float]] = {
        "duels": lambda: rate(lambda: len(next(duels)) > 0, 0.4 if quick else 1.0, time.process_time),
        "json": lambda: rate(lambda: len(json.dumps(next(logs))) > 0, 0.2, time.process_time),
    }
    got = rounds(5 if quick else 9, measured)
    events = sum(len(events) for events, _ in some) / len(some)
    turns = sum(turn for _, turn in some) / len(some)
    table = Table(f"duels at random on one core, {events:.0f} events and {turns:.0f} turns each; floor: a log dumped")
    said = compared("duels, every event made and folded", got["duels"], got["json"], "/s", DUELS / DUMPS)
    table.lines.append(replace(said, target=f"≥ {DUELS} where the floor is {DUMPS:,}"))
    table.lines.append(Line("events of a duel", events, "", target=f"≤ {MOST_EVENTS}", held=events <= MOST_EVENTS))
    for moment in MOMENTS:
        table.lines.append(_moves(moment, 5 if quick else 20))
    return table


def _duels(rng: Random) -> Iterator[tuple[list[Any], int]]:
    """Play endless duels of two-colour decks; yield the events of each, and its turns."""
    while True:
        state, told = GAME.start(_options(rng), 2, None), []
        while actors := GAME.to_act(state):
            seat = rng.choice(actors)
            move = GAME.ask(state).sample(rng) if seat == CHANCE else choose("random", state, seat, (), rng)
            state, events = play_move(GAME, state, seat, move)
            told += events
        yield told, state.turn


def _options(rng: Random) -> Options:
    """Start a duel of two decks with two colours each."""
    decks: list[Any] = list(NAMES)
    return Options(first_deck=rng.choice(decks), second_deck=rng.choice(decks))


def _moves(moment: str, times: int) -> Line:
    """Time the legal moves of a full board, as the API sends them."""
    took = []
    for _ in range(times):
        state = MOMENTS[moment]().state
        (seat,) = GAME.to_act(state)
        took.append(1000 / rate(partial(_answered, state, seat), 0.05, time.process_time))
    ms = median(took)
    return Line(f"moves of a full board, {moment}", ms, "ms", target=f"≤ {MOST_MS} ms", held=ms <= MOST_MS)


def _answered(state: Any, seat: int) -> int:
    """Serialise the schemas and examples of the legal moves, without the API's data about the match."""
    rng, lies = Random(0), GAME.answers.where(state, seat)
    rows = []
    for choice in GAME.legal(state, seat):
        example = in_text(GAME, choice.sample(rng))
        rows.append([add_titles(example["name"], choice.make, choice.schema(), lies.get(choice.make)), example])
    return len(json.dumps(rows, separators=(",", ":"))) > 0
