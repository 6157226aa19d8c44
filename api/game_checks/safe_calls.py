"""Calls the functions of a game under check, and compares their results with its declaration."""

from dataclasses import dataclass, fields
from operator import attrgetter
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.time_limit import TimeOver
from domain.core.type_faults import NO_FAULT, ContractFault, describe_error, find_type_faults, place_of
from domain.core.types import Typed, compiled_fields, fields_of


class CheckFailed(Exception):
    """A field of the definition, at `at`, breaks its contract; `sentence` says how."""

    def __init__(self, at: str, sentence: str) -> None:
        super().__init__(f"{at}: {sentence}")
        self.fault: ContractFault = (at, sentence)


@dataclass(slots=True, kw_only=True)
class CheckedTable:
    """The state of the game under check, and that of each reader: the seats, and a spectator at None."""

    game: Any
    state: Any
    own: dict[Seat | None, Any]
    rng: Random
    game_no: int = 1
    """The number of this game in its series."""
    hand_no: int = 0
    """The number of the hand that was begun last, counted through the series."""
    trick_no: int = 0
    hand_open: bool = False
    """Whether a hand is in progress."""

    @property
    def seats(self) -> range:
        """Return the seats."""
        return range(len(self.own) - 1)


def call(game: Any, at: str, *args: Any) -> Any:
    """Call a function of the definition by its path. Raise `CheckFailed` if it raises, or returns another type."""
    result = run(at, attrgetter(at)(game), *args)
    for fault in run(at, lambda: [*find_type_faults(at, _returned_type(game, at), result)]):
        raise CheckFailed(*fault)
    return result


def ask_of(game: Any, at: str, state: Any, *args: Any) -> Any:
    """Call a function that only reads a state, as `call` does. Raise `CheckFailed` if it changes the state."""
    before = _fingerprint(state)
    result = call(game, at, state, *args)
    if _fingerprint(state) != before:
        raise CheckFailed(at, "It changes the state that it is given.")
    return result


def _fingerprint(state: Any) -> list[Any]:
    """Describe a state down to what could be changed in place; compiled fields never change, so identify them."""
    cls: Any = type(state)
    kept = compiled_fields(cls)
    return [id(getattr(state, f.name)) if f.name in kept else repr(getattr(state, f.name)) for f in fields(state)]


def run(at: str, function: Any, *args: Any) -> Any:
    """Call a function for the field at this path. Raise `CheckFailed` with its error."""
    try:
        return function(*args)
    except TimeOver as over:
        raise CheckFailed(at, f"While it ran, {over}.") from over
    except NO_FAULT:
        raise
    except BaseException as error:
        raise CheckFailed(at, f"It raises {describe_error(error)}. See {place_of(error)}.") from error


def _returned_type(game: Any, at: str) -> Typed:
    record, _, name = at.rpartition(".")
    given: Typed = fields_of(type(attrgetter(record)(game) if record else game))[name].of[1]
    return given
