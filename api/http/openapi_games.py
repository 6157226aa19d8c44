"""Describes what differs from game to game, so that clients get each game's own options, tables, moves and events.

A schema that has a part `x-of-game: Table`, and says in `game` which game it is about, is a template: of it a schema is
made for each game, with that game's own table, and one of these by the value of `game` is what the template's name
then stands for. What may also be about a game that is not installed any longer says so by `x-of-game: any`.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, get_type_hints, is_typeddict

from msgspec import to_builtins

from api.http.game_schemas import moves_of, options_of
from domain.core.game import AnyGame
from domain.core.shown_schema import of_event, of_records, of_table
from domain.core.types import fields_of
from domain.games.catalogue import GAMES
from domain.match.events import EVENTS, SEAT_COMMANDS, Common
from events.log.upcasts import VERSIONS, version

Json = dict[str, Any]

OF_GAME: Final = "x-of-game"
"""This key of a schema names the part of a game that stands in its place."""

ANY: Final = "any"
"""With this, `game` may be a game that is not installed."""

NO_ARGUMENTS: Final = "NoArguments"


def ref(name: str) -> Json:
    """Refer to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def camel(*names: str) -> str:
    """Name a schema of a game: `PlayCard` for `play_card`, after the name of the game."""
    return "".join(word.capitalize() for name in names for word in name.split("_"))


def one_of(property_: str, mapping: Mapping[str, str], *others: str, **said: Any) -> Json:
    """Describe one of several schemas, each named by a value of a property; the others have none of these values."""
    mapped = {value: ref(name)["$ref"] for value, name in mapping.items()}
    names = dict.fromkeys([*mapping.values(), *others])
    return {
        "oneOf": [ref(name) for name in names],
        "discriminator": {"propertyName": property_, "mapping": mapped},
        **said,
    }


# --- Templates ------------------------------------------------------------------------------------------


def by_game(schemas: Mapping[str, Json]) -> Json:
    """Make a schema for each game of every template, and leave the others as they are."""
    made: Json = {}
    for name, schema in schemas.items():
        made |= _for_each_game(name, schema) if _is_template(schema) else {name: schema}
    return made


def _is_template(schema: Json) -> bool:
    return "game" in schema.get("properties", {}) and any(map(_asks, schema["properties"].values()))


def _asks(schema: Any) -> bool:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return (isinstance(schema, dict) and OF_GAME in schema) or any(map(_asks, inner))


def _for_each_game(name: str, template: Json) -> Json:
    """Describe a template for each game. What answers have in common stands apart; bodies repeat it, and are closed."""
    which = template["properties"]["game"].get(OF_GAME)
    said = {key: template[key] for key in ("description",) if key in template}
    names = {game: camel(game) + name for game in GAMES}
    if which is None:
        made = {names[game]: _closed(template, _own(template, game)) for game in GAMES}
        return {**made, name: one_of("game", names, **said)}
    base = f"{name}Base"
    made = {base: _common(template), **{names[game]: _extended(base, _own(template, game)) for game in GAMES}}
    if which != ANY:
        return {**made, name: one_of("game", names, **said)}
    other = f"Uninstalled{name}"
    return {**made, other: _extended(base, _own(template, None)), name: one_of("game", names, other, **said)}


def _own(template: Json, game: str | None) -> Json:
    """Give the properties that are a game's own; for None it is one that is not installed."""
    properties = template["properties"]
    which = {"not": {"enum": list(GAMES)}} if game is None else {"const": game}
    named = {key: value for key, value in properties["game"].items() if key not in (OF_GAME, "enum")}
    filled = {name: _filled(part, game) for name, part in properties.items() if _asks(part)}
    return {**filled, "game": named | which}


def _closed(template: Json, own: Json) -> Json:
    return {**template, "properties": {name: own.get(name, of) for name, of in template["properties"].items()}}


def _common(template: Json) -> Json:
    common = {name: part for name, part in template["properties"].items() if name != "game" and not _asks(part)}
    return {"type": "object", "properties": common, "required": [n for n in template["required"] if n in common]}


def _extended(base: str, own: Json) -> Json:
    """Describe an object that has some properties more than the base; all of them are always there."""
    more = {"type": "object", "properties": own, "required": list(own)}
    return {"allOf": [ref(base), more], "unevaluatedProperties": False}


def _filled(schema: Any, game: str | None) -> Any:
    if isinstance(schema, list):
        return [_filled(one, game) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if OF_GAME not in schema:
        return {key: _filled(value, game) for key, value in schema.items()}
    rest = {key: value for key, value in schema.items() if key != OF_GAME}
    nullable = isinstance(rest.get("type"), list)
    if game is None and nullable:
        return {**rest, "type": "null"}
    if game is None:
        return rest if "$ref" in rest else {**rest, "additionalProperties": True}
    said = {"description": rest["description"]} if "description" in rest else {}
    part = ref(camel(game) + schema[OF_GAME])
    return {"anyOf": [part, {"type": "null"}], **said} if nullable else {**part, **said}


# --- Options and moves ----------------------------------------------------------------------------------


def parts_of_games() -> Json:
    """Describe the parts of all games by their names."""
    sent = {camel(*names): schema for names, schema in (options_of() | moves_of()).items()}
    return (
        {name: without_defaults(schema) for name, schema in sent.items()}
        | {
            camel(name) + "MatchOptions": {
                **of_records(game.setup.options, Common),
                "description": f"The options of a match of {game.words.title}, all of them.",
                "examples": [_by_default(game)],
            }
            for name, game in GAMES.items()
        }
        | {camel(name) + "Table": _table(game) for name, game in GAMES.items()}
    )


def _by_default(game: AnyGame) -> Json:
    """Give the options of a match whose creator has said nothing of them."""
    own = game.setup.options(**game.setup.resolve({}, game.setup.usual))
    common = Common(fairness_reveal=game.setup.reveal, seats_per_player=1)  # type: ignore[arg-type]
    return {**to_builtins(own), **to_builtins(common)}


_PHASE: Final[Json] = {"type": "string", "description": "What is going on, in a word."}


def _table(game: AnyGame) -> Json:
    """Describe the table of a game by the `TypedDict` that its view gives; of other views nothing is known."""
    said = {"description": f"A table of {game.words.title}, as its reader sees it."}
    shown = get_type_hints(game.view).get("return")
    if not is_typeddict(shown):
        return {**said, "type": "object", "additionalProperties": True}
    described = of_table(shown)
    # A table that waits for the others of its group says so.
    return {**said, **described, "properties": {"phase": _PHASE, **described["properties"]}}


def without_defaults(schema: Json) -> Json:
    """Say in words what is meant where a property is left out.

    As `default`, clients that are generated would send it, and what is sent counts more than a preset, and than what
    follows from the rest.
    """
    return {**schema, "properties": {name: _without_default(of) for name, of in schema["properties"].items()}}


_SAYS_DEFAULT: Final = re.compile("[Bb]y default|left out|default counts")


def _without_default(schema: Json) -> Json:
    rest = {key: value for key, value in schema.items() if key != "default"}
    default = schema.get("default")
    if default is None or default in ([], {}) or _SAYS_DEFAULT.search(rest.get("description", "")):
        return rest
    said = f"By default {json.dumps(default) if not isinstance(default, str) else f'`{default}`'}."
    return {**rest, "description": f"{rest['description']} {said}" if "description" in rest else said}


def moves(move: Json) -> Json:
    """Describe a move as one of those that there are, by its name; `move` describes any of them."""
    arguments: dict[str, list[str]] = {name: [] for game in GAMES.values() for name in (*game.moves, *SEAT_COMMANDS)}
    described = moves_of()
    for game, name in [(game, name) for game, rules in GAMES.items() for name in rules.moves]:
        arguments[name].append(camel(game, name) if (game, name) in described else NO_ARGUMENTS)
    for name in SEAT_COMMANDS:
        arguments[name] = [camel(name) if (name,) in described else NO_ARGUMENTS]
    known = {camel(*names): schema for names, schema in described.items()}
    # A client that takes the first that fits loses nothing if the one with most arguments comes first.
    order = {name: sorted(set(of), key=lambda one: _arguments(known, one)) for name, of in arguments.items()}
    made = {camel(name, "move"): _move(move, name, of, known) for name, of in order.items()}
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    return {
        NO_ARGUMENTS: {"description": "The move has no arguments.", **nothing},
        **made,
        "Move": one_of("name", {name: camel(name, "move") for name in arguments}, description=move["description"]),
    }


def _arguments(known: Mapping[str, Json], name: str) -> tuple[int, str]:
    return -len(known.get(name, {}).get("properties", ())), name


def _move(move: Json, name: str, arguments: list[str], known: Mapping[str, Json]) -> Json:
    """Describe one move; where games have different moves of a name, its arguments are those of one of them."""
    needed = all(known.get(of, {}).get("required") for of in arguments)
    args = ref(arguments[0]) if len(arguments) == 1 else {"anyOf": [ref(of) for of in arguments]}
    said = {part: move["properties"][part]["description"] for part in ("name", "args")}
    own = {
        "name": {"type": "string", "const": name, "description": said["name"]},
        "args": {**args, "description": said["args"]},
    }
    return {
        **move,
        "description": f"The move `{name}`.",
        "properties": {**move["properties"], **own},
        "required": ["name", "args"] if needed else ["name"],
    }


# --- Events ---------------------------------------------------------------------------------------------

EVENT: Final = "Event"
BASE: Final = "EventBase"
EARLIER: Final = "EarlierEvent"
OWN: Final = ("v", "type", "data")
"""These fields differ from event to event."""


def events(event: Json) -> Json:
    """Describe the events of each game by their types; `event` describes any event."""
    base = {name: part for name, part in event["properties"].items() if name not in OWN}
    made: Json = {
        EVENT: {"description": event["description"], **_extended(BASE, {n: event["properties"][n] for n in OWN})},
        BASE: {"type": "object", "properties": base, "required": [n for n in event["required"] if n in base]},
        EARLIER: _earlier(event),
    }
    of_each = [cls for cls in EVENTS if "options" in fields_of(cls)]
    common = {cls.__name__: f"{cls.__name__}Event" for cls in EVENTS if cls not in of_each}
    made |= {common[cls.__name__]: _event(cls, event) for cls in EVENTS if cls not in of_each}
    owners = Counter(cls for game in GAMES.values() for cls in game.events)
    for name, game in GAMES.items():
        owner = {cls: name if owners[cls] == 1 else cls.__module__.split(".")[-2] for cls in game.events}
        own = {cls.__name__: f"{camel(owner[cls])}{cls.__name__}Event" for cls in game.events}
        own |= {cls.__name__: f"{camel(name)}{cls.__name__}Event" for cls in of_each}
        made |= {own[cls.__name__]: _event(cls, event, name) for cls in (*game.events, *of_each)}
        said = f"An event of {game.words.title}, or of the match around it."
        made[camel(name) + EVENT] = one_of("type", {**own, **common}, EARLIER, description=said)
    return made


_FREE: Final[Mapping[str, Callable[[str], Json]]] = {
    "options": lambda game: ref(f"{camel(game)}MatchOptions"),
    "move": lambda game: {"anyOf": [ref("Move"), {"type": "null"}]},
}
"""What fields of events consist of that the events themselves leave open, by their names."""


def _event(cls: type, event: Json, game: str = "") -> Json:
    """Describe an event of this class, where `event` describes any event; `game` is the one that it differs by."""
    data = of_event(cls)
    for name, of in data["properties"].items():
        if name in _FREE and ("type" not in of or of.get("additionalProperties") is True):
            data["properties"][name] = {**_FREE[name](game), "description": of["description"]}
    said = {name: event["properties"][name]["description"] for name in OWN}
    own = {
        "v": {"type": "integer", "const": version(cls.__name__), "description": said["v"]},
        "type": {"type": "string", "const": cls.__name__, "description": said["type"]},
        "data": {**data, "description": said["data"]},
    }
    return _extended(BASE, own)


def _earlier(event: Json) -> Json:
    """Describe events that were written before the fields of their types changed."""
    now = [{"properties": {"type": {"const": name}, "v": {"const": v}}} for name, v in VERSIONS.items()]
    said = "An event that was written before the fields of its type were changed; `v` says when."
    kind = {"type": "string", "enum": list(VERSIONS), "description": event["properties"]["type"]["description"]}
    own = {name: event["properties"][name] for name in OWN} | {"type": kind}
    return {"description": said, **_extended(BASE, own), "not": {"anyOf": now}}
