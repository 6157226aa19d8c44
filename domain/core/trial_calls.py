"""Calls the functions of a game on trial, and compares what they give with what the record declares."""

from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.declared import ContractFault, mistyped, raised
from domain.core.types import Typed, fields_of


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
    for fault in mistyped(at, _gives(game, at), result):
        raise TrialFailed(*fault)
    return result


def run(at: str, function: Any, *args: Any) -> Any:
    """Call a function; what it raises is a fault of what stands at this path."""
    try:
        return function(*args)
    except (Exception, SystemExit) as error:
        raise TrialFailed(at, f"It raises {raised(error)}.") from error


def _gives(game: Any, at: str) -> Typed:
    """Give the declared type of what a function of the record gives."""
    record, _, name = at.rpartition(".")
    given: Typed = fields_of(type(attrgetter(record)(game) if record else game))[name].of[1]
    return given
