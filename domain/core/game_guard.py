"""Guards the functions of an external game against exceptions and results of the wrong type.

Both become `GameFailed`, which names the function. So a failing game is distinct from any other fault, and affects only
its match.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import Any, Final

from domain.core import choices
from domain.core.choice_faults import part_fault
from domain.core.choices import Choice
from domain.core.dealing import WrongDeal
from domain.core.game import AnyGame, Refused
from domain.core.options import misfit
from domain.core.type_faults import NO_FAULT, find_type_faults, place_of
from domain.core.types import Typed, fields_of


class GameFailed(Exception):
    """A function of a game raised, or returned a value of the wrong type.

    The message names the function, the exception's type, and the line, but not its text, which may quote cards.
    """


MAKE_EVENTS: Final = frozenset(
    [
        *("decide", "consequences", "entry.opening", "leaving.stop", "leaving.resign"),
        *("lifecycle.staking.opening", "timing.before_hand"),
    ]
)
"""The paths of a game's functions that return events."""


def guard_game(game: AnyGame) -> AnyGame:
    """Return the game with all its functions guarded, including the choices that `legal` returns."""
    legal = game.legal
    own = replace(game, legal=lambda table, seat: tuple(_choice(game.name, c) for c in legal(table, seat)))
    made: AnyGame = _record(own, "", own)
    return made


def _choice(game: str, choice: Choice) -> Choice:
    """Guard a choice of a class that the game has brought."""
    if type(choice).__module__ == choices.__name__:
        return choice
    own: Any = GuardedChoice(game, choice)
    return own  # type: ignore[no-any-return]


class GuardedChoice:
    """Wraps a choice, and guards its methods and attributes."""

    def __init__(self, game: str, choice: Choice) -> None:
        self._game, self._choice = game, choice

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Report the wrapped class: a game may subclass a common choice."""
        return type(self._choice)

    def __getattr__(self, name: str) -> Any:
        at = f"legal, {type(self._choice).__name__}.{name}"
        try:
            part = getattr(self._choice, name)
        except NO_FAULT:
            raise
        except BaseException as error:
            if isinstance(error, AttributeError) and name in OPTIONAL:
                raise
            raise _failed(self._game, at, error) from error
        if part is None and name in OPTIONAL:
            return None
        if callable(part) and not isinstance(part, type):
            return _function(self._game, at, lambda *args: self._typed(at, name, part(*args)))
        return self._typed(at, name, part)

    def _typed(self, at: str, name: str, given: Any) -> Any:
        """Return the result of a part of the choice. Raise `GameFailed` if it has the wrong type."""
        make = given if name == "make" else self.make
        if part_fault(name, make, given):
            raise GameFailed(f"{self._game}: {at} returns a value of the wrong type")
        return given


OPTIONAL: Final = ("of", "plain", "proposals")
"""Optional attributes of a choice; they may be missing or None."""


def _record(game: AnyGame, at: str, record: Any) -> Any:
    declared = fields_of(type(record))
    parts = {f.name: getattr(record, f.name) for f in fields(record)}
    return replace(record, **{name: _part(game, f"{at}{name}", declared[name], part) for name, part in parts.items()})


def _part(game: AnyGame, at: str, t: Typed, part: Any) -> Any:
    if isinstance(part, type):
        return part
    if isinstance(part, Mapping):
        entries: Typed = t.of[1]
        return {
            name: _part(game, f"{at}[{getattr(name, '__name__', name)}]", entries, entry)
            for name, entry in part.items()
        }
    if is_dataclass(part):
        return _record(game, f"{at}.", part)
    if not callable(part):
        return part
    return _function(game.name, at, _typed(game, at, t.of[1], part) if t.kind == "function" else part)


def _typed(game: AnyGame, at: str, t: Typed, function: Callable[..., Any]) -> Callable[..., Any]:
    """Fail if a function returns a value of another type, or events of the wrong types."""
    kinds = frozenset(game.events) if at in MAKE_EVENTS else None

    @wraps(function)
    def call(*args: Any) -> Any:
        given = function(*args)
        odd = next(find_type_faults(at, t, given), None) is not None
        if odd or (kinds is not None and any(type(event) not in kinds or misfit(event) for event in given)):
            raise GameFailed(f"{game.name}: {at} returns a value of the wrong type")
        return given

    return call


def _function(game: str, at: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any) -> Any:
        try:
            return function(*args)
        except (GameFailed, Refused, WrongDeal, *NO_FAULT):
            raise
        except BaseException as error:
            raise _failed(game, at, error) from error

    return call


def _failed(game: str, at: str, error: BaseException) -> GameFailed:
    return GameFailed(f"{game}: {at} raises {type(error).__name__} at {place_of(error)}")
