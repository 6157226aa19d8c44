"""Makes schemas from the domain's own records: the options of a game, the arguments of a move.

What a record's types and marks say (`domain.core.options`) is what is checked; `domain.core.type_schema` describes it.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from functools import cache, partial
from typing import Any

from marshmallow import Schema, post_load, validate
from marshmallow import fields as ma

from api.http.strict_fields import Flag, OddWithin, OneKind, Strict, TextField, Whole, check_distinct
from domain.core import options as marks
from domain.core import type_schema
from domain.core.field_docs import field_docs
from domain.core.game import AnyGame, Game
from domain.core.json_form import has_keys, shape_of
from domain.core.scene_pointers import add_titles, parts_titled
from domain.core.types import Typed, fields_of, key, plain, record_of, text_form
from domain.games.catalogue import GAMES
from domain.match.creation import COMMON_TITLES, Common
from domain.match.match_parts import SEAT_COMMANDS
from domain.match.move_texts import commands


@cache
def record_request_schema(cls: type) -> Schema:
    """Make the schema of a record: one field for each of its own."""

    class RecordOnly(Strict):
        made_of = cls

    return RecordOnly.from_dict(_fields(cls), name=cls.__name__)()


@cache
def _of_value(cls: type) -> Schema:
    """Make the schema of a record inside another: it is read as the record itself."""

    class Value(Strict):
        @post_load
        def make(self, data: dict[str, Any], **_: Any) -> Any:
            return record_sent(cls, data)

    return Value.from_dict(_fields(cls), name=cls.__name__)()


def record_sent(cls: type, given: Mapping[str, Any]) -> Any:
    """Make the record that a client has sent, from what its schema has read."""
    return record_of(cls, {name: _rows(x) for name, x in given.items()})


def _rows(x: Any) -> Any:
    """Make tuples of lists, all the way down: the domain knows no others."""
    return tuple(map(_rows, x)) if isinstance(x, list) else x


@cache
def options_request_schema(game: str) -> Schema:
    """Make the schema of the options of a game, the common ones among them."""
    options = GAMES[game].setup.options
    return Strict.from_dict(_fields(options) | _fields(Common), name=f"{options.__qualname__}Of{game}")()


@cache
def command_request_schema(game: str, name: str) -> Schema | None:
    """Make the schema of the arguments of a move of the game, or a command of the match; None if there is none."""
    cls = commands(GAMES[game]).get(name)
    return None if cls is None else record_request_schema(cls)


def options_schema(game: Game[Any, Any, Any, Any]) -> dict[str, Any]:
    """Describe the options of a game."""
    described = type_schema.of_record(game.setup.options, Common)
    described["description"] = f"The options of {game.words.title}, and those that every game has."
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


def _fields(cls: type) -> dict[str, ma.Field[Any]]:
    known = fields_of(cls)
    docs = {name: {"metadata": {"description": doc}} for name, doc in field_docs(cls).items()}
    return {key(f.name): request_field(known[f.name], {**_default(f), **docs.get(f.name, {})}) for f in fields(cls)}


def _default(field: Field[Any]) -> dict[str, Any]:
    return {"required": True} if field.default is MISSING else {"load_default": field.default}


def request_field(t: Typed, said: dict[str, Any]) -> ma.Field[Any]:
    """Make the field for a type; `said` is what else is known of it."""
    limits = [check for mark in t.marks if (check := _validator(mark))]
    said = said | ({"allow_none": True} if t.optional else {}) | ({"validate": limits} if limits else {})
    match t.kind:
        case "words":
            return ma.String(**{**said, "validate": validate.OneOf(t.of)})
        case "row":
            form = text_form(t.of)
            return ma.List(
                request_field(t.of, {}), **(said | ({"validate": check_distinct} if form and form.once else {}))
            )
        case "record":
            return ma.Nested(_of_value(t.of), **said)
        case "either":
            return OneKind(
                [(shape_of(kind), partial(has_keys, kind), request_field(kind, {})) for kind in t.of], **said
            )
        case "leaf" if form := text_form(t):
            return TextField(form, **said)
        case "leaf" if plain(t.of) in _PLAIN:
            return _PLAIN[plain(t.of)](**said)
    raise TypeError(f"a client cannot send a {t}")


_PLAIN: Mapping[Any, type[ma.Field[Any]]] = {bool: Flag, int: Whole, str: ma.String}


def _validator(mark: Any) -> validate.Validator | None:
    """Make the check of a mark; None for a mark that limits nothing."""
    match mark:
        case marks.Range():
            return validate.Range(mark.low, mark.high)
        case marks.Odd():
            return OddWithin(mark.low, mark.high)
        case marks.Pattern():
            return validate.Regexp(re.compile(rf"^(?:{mark.regex})\Z"))
        case _:
            return None
