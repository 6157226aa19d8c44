"""Reads and describes the parts of requests that depend on the game: options, and arguments of moves."""

from collections.abc import Mapping
from typing import Any

from api.http.record_reader import read_field, read_fields, read_record
from domain.core import type_schema
from domain.core.game import AnyGame, Game
from domain.core.scene_pointers import add_titles, parts_titled
from domain.core.types import fields_of, key
from domain.games.catalogue import GAMES
from domain.match.creation import COMMON_TITLES, Common
from domain.match.match_parts import SEAT_COMMANDS
from domain.match.move_texts import commands


def read_options(game: AnyGame, given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the options of a game, the common ones among them, with their defaults. Raise `Faults`."""
    return read_fields((game.setup.options, Common), given)


def read_option(game: AnyGame, name: str, value: Any) -> Any:
    """Read the value of one option. Raise `Faults`."""
    return read_field((game.setup.options, Common), name, value)


def option_names(game: AnyGame) -> list[str]:
    """Name the options of a game, the common ones last."""
    return [key(name) for cls in (game.setup.options, Common) for name in fields_of(cls)]


def read_command(game: str, name: str, args: Mapping[str, Any]) -> Any:
    """Make a move of the game, or a command of the match, with these arguments; None if there is none.

    Raise `Faults`.
    """
    cls = commands(GAMES[game]).get(name)
    return None if cls is None else read_record(cls, args)


def options_schema(game: Game[Any, Any, Any, Any]) -> dict[str, Any]:
    """Describe the options of a game."""
    described = type_schema.of_record(game.setup.options, Common)
    described["description"] = f"The options of {game.words.title}."
    described["properties"]["fairness_reveal"]["default"] = game.setup.reveal
    for name, understood in game.setup.written.items():
        described["properties"][name] |= understood
    for name, titles in {**COMMON_TITLES, **game.setup.titles}.items():
        chosen = described["properties"][name]
        chosen.get("items", chosen)["x-titles"] = dict(titles)
    return described


def options_titled(game: Game[Any, Any, Any, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a game's options with titles, for forms."""
    return parts_titled(options_schema(game), game.setup.options, Common)


def moves_schemas(game: Game[Any, Any, Any, Any]) -> dict[str, Any]:
    """Describe the arguments of each move of a game."""
    return {name: add_titles(name, cls, type_schema.of_record(cls)) for name, cls in game.moves.items()}


def options_by_game(games: Mapping[str, AnyGame]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Describe the options of these games, by the name of the game."""
    return {(name, "options"): options_schema(game) for name, game in games.items()}


def moves_by_name(games: Mapping[str, AnyGame]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Describe the moves of these games, and what a seat may send in every match, by their names."""
    moves = {
        (game.name, name): type_schema.of_record(cls) for game in games.values() for name, cls in game.moves.items()
    }
    commands = {(name,): type_schema.of_record(cls) for name, cls in SEAT_COMMANDS.items()}
    return {name: schema for name, schema in (moves | commands).items() if schema["properties"]}
