"""Guards the functions of a game that others wrote: whatever one raises becomes `GameFailed`, which names it.

So a game that fails can be told from all else that may go wrong, and its failure harms the one match.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, Final

from domain.core import choices
from domain.core.choices import Choice
from domain.core.dealing import WrongDeal
from domain.core.game import AnyGame, Refused


class GameFailed(Exception):
    """A function of a game has raised.

    The message names the function, the type of what was raised, and the line; not its text, which may quote cards.
    """


def guarded(game: AnyGame) -> AnyGame:
    """Give the game with all its functions guarded, and with them the choices that `legal` gives."""
    made: AnyGame = _record(game.name, "", game)
    return replace(made, legal=lambda table, seat: tuple(_choice(game.name, c) for c in made.legal(table, seat)))


def _choice(game: str, choice: Choice) -> Choice:
    """Guard a choice of a class that the game has brought."""
    if type(choice).__module__ == choices.__name__:
        return choice
    own: Any = GuardedChoice(game, choice)
    return own  # type: ignore[no-any-return]


class GuardedChoice:
    """This stands for a choice, and guards its methods and what else is read of it."""

    def __init__(self, game: str, choice: Choice) -> None:
        self._game, self._choice = game, choice

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Pass for what it stands for: a game may bring a kind of its own of a common choice."""
        return type(self._choice)

    def __getattr__(self, name: str) -> Any:
        at = f"legal, {type(self._choice).__name__}.{name}"
        try:
            part = getattr(self._choice, name)
        except (Exception, SystemExit) as error:
            if isinstance(error, AttributeError) and name in OPTIONAL:
                raise
            raise _failed(self._game, at, error) from error
        return _function(self._game, at, part) if callable(part) and not isinstance(part, type) else part


OPTIONAL: Final = ("of", "plain", "proposals")
"""A choice need not have these attributes."""


def _record(game: str, at: str, record: Any) -> Any:
    parts = {f.name: getattr(record, f.name) for f in fields(record)}
    return replace(record, **{name: _part(game, f"{at}{name}", part) for name, part in parts.items()})


def _part(game: str, at: str, part: Any) -> Any:
    if isinstance(part, type):
        return part
    if isinstance(part, Mapping):
        return {name: _part(game, f"{at}[{getattr(name, '__name__', name)}]", entry) for name, entry in part.items()}
    if is_dataclass(part):
        return _record(game, f"{at}.", part)
    return _function(game, at, part) if callable(part) else part


def _function(game: str, at: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any) -> Any:
        try:
            return function(*args)
        except (GameFailed, Refused, WrongDeal):
            raise
        except (Exception, SystemExit) as error:
            raise _failed(game, at, error) from error

    return call


def _failed(game: str, at: str, error: BaseException) -> GameFailed:
    return GameFailed(f"{game}: {at} raises {type(error).__name__} at {_place(error)}")


def _place(error: BaseException) -> str:
    """Name the file and the line in which it was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "an unknown place" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
