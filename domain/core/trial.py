"""Plays a game once by its record alone, to find functions that raise or give what is of another type.

The legal moves and the answers of chance are drawn by a generator with a fixed seed, so the same record has the same
faults each time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any, Final, get_args

from domain.core.cards import Seat
from domain.core.declared import ContractFault, called, hints, mistyped, raised
from domain.core.game import CHANCE
from domain.core.options import misfit
from domain.core.visibility import seen

MOVES: Final = 100
"""A trial ends after this many moves, the answers of chance among them, if the game is not over before."""

BATCHES: Final = 100
"""The consequences of one move come in at most this many batches."""

TOLD: Final = ("to_act", "leaving.out", "timing.seconds")
"""These functions are called with the whole state, before each move."""

SEEN: Final = ("view", "scene")
"""These functions are called with a reader's own state: with each reader's in a phase that is new, else in turn."""

CHOSEN: Final = ("setup.most_hands", "setup.sides", "words.about")
"""These functions are called once, with the options and the number of seats."""


class TrialFailed(Exception):
    """A function of the record, at `at`, does not do what the record says; `sentence` says how."""

    def __init__(self, at: str, sentence: str) -> None:
        super().__init__(sentence)
        self.fault: ContractFault = (at, sentence)


@dataclass(slots=True)
class Table:
    """A table holds the state of the game on trial, and that of each reader: the seats, and a spectator at None."""

    game: Any
    state: Any
    own: dict[Seat | None, Any]
    rng: Random


def trial(game: Any) -> Iterator[ContractFault]:
    """Play a game with the default options; give the first thing that is wrong, if any is."""
    try:
        _play(_begun(game))
    except TrialFailed as failed:
        yield failed.fault


def _begun(game: Any) -> Table:
    seats = game.setup.usual
    options = game.setup.options(**game.setup.resolve({}, seats))
    for at in CHOSEN:
        _call(game, at, options, seats)
    state = _call(game, "start", options, seats, None)
    own = {reader: _run("start", state.copy) for reader in (*range(seats), None)}
    return Table(game, state, own, Random(0))


def _play(table: Table) -> None:
    phases: set[str] = set()
    for made in range(MOVES):
        phase = _call(table.game, "phase", table.state)
        readers = [*table.own]
        _look(table, [readers[made % len(readers)]] if phase in phases else readers)
        phases.add(phase)
        if _call(table.game, "outcome", table.state) is not None:
            return
        seat, move = _chosen(table)
        happened = _happen(table, seat, move)
        _answered(table, happened[0], seat)


def _look(table: Table, readers: Sequence[Seat | None]) -> None:
    """Call what tells of the state, and what shows it to these readers; off turn, a seat may ask for its moves too."""
    for at in TOLD:
        _call(table.game, at, table.state)
    for reader in readers:
        for at in SEEN if reader is None else (*SEEN, "legal"):
            _call(table.game, at, table.own[reader], reader)


def _chosen(table: Table) -> tuple[Seat, Any]:
    """Draw a seat that is to act, and a move of it; the answer of chance is a move too."""
    actors = _call(table.game, "to_act", table.state)
    if not actors:
        raise TrialFailed("to_act", "It names no seat, and the game is not over.")
    seat = table.rng.choice(actors)
    if seat == CHANCE:
        return seat, _sampled(table, "ask", _call(table.game, "ask", table.state))
    if seat not in table.own:
        raise TrialFailed("to_act", f"There is no seat {seat}.")
    legal = _call(table.game, "legal", table.own[seat], seat)
    if not legal:
        raise TrialFailed("legal", f"Seat {seat} is to act, and has no legal move.")
    return seat, _sampled(table, "legal", table.rng.choice(legal))


def _sampled(table: Table, at: str, choice: Any) -> Any:
    return _run(at, choice.sample, table.rng)


def _happen(table: Table, seat: Seat, move: Any) -> list[Any]:
    """Let a move happen, with its consequences; give the events."""
    batch = _call(table.game, "decide", table.state, seat, move)
    if not batch:
        raise TrialFailed("decide", f"{called(move)} makes no event.")
    happened: list[Any] = []
    at = "decide"
    for _ in range(BATCHES):
        _evolve(table, at, batch)
        happened += batch
        at, batch = "consequences", _call(table.game, "consequences", table.state)
        if not batch:
            return happened
    raise TrialFailed(at, f"After {called(move)} they do not end.")


def _evolve(table: Table, at: str, batch: Sequence[Any]) -> None:
    for event in batch:
        _declared(table.game, at, event)
        for told in (event, _run(at, seen, event, None)):
            _call(table.game, "words.text", told)
        _call(table.game, "evolve", table.state, event)
        for reader, state in table.own.items():
            _call(table.game, "evolve", state, _run(at, seen, event, reader))


def _declared(game: Any, at: str, event: Any) -> None:
    kind = type(event)
    if kind not in game.events:
        raise TrialFailed(at, f"{kind.__name__} is not among the events.")
    if wrong := misfit(event):
        raise TrialFailed(at, f"{kind.__name__}.{wrong[0]} is not of its type.")


def _answered(table: Table, event: Any, seat: Seat) -> None:
    """Compare the seat that the first event answers for with the one that moved; chance makes no move."""
    answered = _call(table.game, "answers.move_of", event)
    if (CHANCE if answered is None else answered[0]) != seat:
        raise TrialFailed("answers.move_of", f"It does not give the move of seat {seat} that {called(event)} records.")


def _call(game: Any, at: str, *args: Any) -> Any:
    """Call a function of the record by its path; what it gives must be of the type that the record declares."""
    result = _run(at, attrgetter(at)(game), *args)
    for fault in mistyped(at, _gives(game, at), result):
        raise TrialFailed(*fault)
    return result


def _run(at: str, function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (Exception, SystemExit) as error:
        raise TrialFailed(at, f"It raises {raised(error)}.") from error


def _gives(game: Any, at: str) -> Any:
    """Give the declared type of what a function of the record gives."""
    record, _, name = at.rpartition(".")
    return get_args(hints(type(attrgetter(record)(game) if record else game))[name])[1]
