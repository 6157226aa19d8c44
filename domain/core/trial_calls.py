"""Calls the functions of a game on trial, and compares what they give with what the record declares."""

from dataclasses import dataclass, fields
from operator import attrgetter
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.declared import NO_FAULT, ContractFault, mistyped, raised
from domain.core.time_limit import TimeOver
from domain.core.types import Typed, compiled_fields, fields_of


class TrialFailed(Exception):
    """A function of the record, at `at`, does not do what the record says; `sentence` says how."""

    def __init__(self, at: str, sentence: str) -> None:
        super().__init__(sentence)
        self.fault: ContractFault = (at, sentence)


@dataclass(slots=True)
class TrialTable:
    """A table holds the state of the game on trial, and that of each reader: the seats, and a spectator at None."""

    game: Any
    state: Any
    own: dict[Seat | None, Any]
    rng: Random
    hand_open: bool = False
    """Whether a hand has begun and not ended."""

    @property
    def seats(self) -> range:
        """Give the seats."""
        return range(len(self.own) - 1)


def call(game: Any, at: str, *args: Any) -> Any:
    """Call a function of the record by its path; what it gives must be of the type that the record declares."""
    result = run(at, attrgetter(at)(game), *args)
    for fault in run(at, lambda: [*mistyped(at, _gives(game, at), result)]):
        raise TrialFailed(*fault)
    return result


def ask_of(game: Any, at: str, state: Any, *args: Any) -> Any:
    """Call a function that tells of a state, as `call` does; the state must be the same afterwards."""
    before = _as_it_is(state)
    result = call(game, at, state, *args)
    if _as_it_is(state) != before:
        raise TrialFailed(at, "It changes the state that it is given.")
    return result


def _as_it_is(state: Any) -> list[Any]:
    """Give what a state is now, down to what could be changed in its place; of what never changes, which one it is."""
    cls: Any = type(state)
    kept = compiled_fields(cls)
    return [id(getattr(state, f.name)) if f.name in kept else repr(getattr(state, f.name)) for f in fields(state)]


def run(at: str, function: Any, *args: Any) -> Any:
    """Call a function; what it raises is a fault of what stands at this path."""
    try:
        return function(*args)
    except TimeOver as over:
        raise TrialFailed(at, f"While it ran, {over}.") from over
    except NO_FAULT:
        raise
    except BaseException as error:
        raise TrialFailed(at, f"It raises {raised(error)}.") from error


def _gives(game: Any, at: str) -> Typed:
    """Give the declared type of what a function of the record gives."""
    record, _, name = at.rpartition(".")
    given: Typed = fields_of(type(attrgetter(record)(game) if record else game))[name].of[1]
    return given
