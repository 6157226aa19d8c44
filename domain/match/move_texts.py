"""Writes a seat's moves as name and arguments, in the form that clients send and sign, and reads them."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from domain.core.game import AnyGame
from domain.core.json_form import JsonForm, apply, as_object, as_text, compile_form
from domain.core.options import misfit
from domain.core.types import fields_of, key, record_of
from domain.match.match_parts import SEAT_COMMANDS


@cache
def commands(game: AnyGame) -> Mapping[str, type]:
    """Return all moves and commands of a seat by name: moves of the game and commands of the match."""
    return {**game.moves, **SEAT_COMMANDS}


@cache
def name_of(game: AnyGame, cls: type) -> str:
    """Return the name of a move or command in the API."""
    return next(name for name, known in commands(game).items() if known is cls)


def arguments(move: Any) -> dict[str, Any]:
    """Write the arguments of a move, without those that have their default."""
    by_default = {key(f.name): f.default for f in fields(move)}
    made: Any = type(move)
    changed = {name: form for name, form in _forms(made).items() if getattr(move, name) != by_default[key(name)]}
    return {key(name): _as_json(apply(form.write, getattr(move, name))) for name, form in changed.items()}


def _as_json(x: Any) -> Any:
    """Return a value in the form in which it is read again, with tuples as lists."""
    if isinstance(x, dict):
        return {name: _as_json(inner) for name, inner in x.items()}
    return [_as_json(inner) for inner in x] if isinstance(x, tuple | list) else x


def in_text(game: AnyGame, move: Any) -> dict[str, Any]:
    """Write a move of the game, or a command of the match, in its single signed form."""
    made: Any = type(move)
    return {"name": name_of(game, made), "args": arguments(move)}


def from_text(game: AnyGame, written: Any) -> Any:
    """Read a move in this form. Raise `ValueError` for anything else."""
    try:
        cls: Any = commands(game)[written["name"]]
        args, forms = written["args"], _forms(cls)
        given = {key(f.name): forms[f.name] for f in fields(cls) if key(f.name) in args or f.default is MISSING}
        move = record_of(cls, {name: apply(form.read, args[name]) for name, form in given.items()})
        sound = not misfit(move) and in_text(game, move) == written
    except (LookupError, TypeError, ValueError, AttributeError):
        sound = False
    if not sound:
        raise ValueError("This game has no such move.")
    return move


@cache
def _forms(cls: Any) -> Mapping[str, JsonForm]:
    return {name: compile_form(t, as_text, as_object) for name, t in fields_of(cls).items()}
