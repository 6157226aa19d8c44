"""Describes what differs from game to game, so that clients get each game's own options, tables, moves and events.

A schema that has a part `x-of-game: Table`, and says in `game` which game it is about, is a template: of it a schema is
made for each game, with that game's own table, and one of these by the value of `game` is what the template's name
then stands for. What may also be about a game that is not installed any longer says so by `x-of-game: any`.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, get_type_hints, is_typeddict

from msgspec import to_builtins

from api.http.game_request_schemas import moves_by_name, options_by_game
from domain.core.cards import BACK, CARD, NAMES
from domain.core.event_versions import current_version
from domain.core.game import AnyGame
from domain.core.shown_schema import of_disclosure, of_event, of_records, of_table, version_of_event
from domain.core.type_schema import or_null
from domain.core.types import fields_of
from domain.games.catalogue import GAMES
from domain.match.creation import Common
from domain.match.events import EVENTS
from domain.match.match_parts import SEAT_COMMANDS

Json = dict[str, Any]

OF_GAME: Final = "x-of-game"
"""This key of a schema names the part of a game that stands in its place."""

ANY: Final = "any"
"""With this, `game` may be a game that is not installed."""

NO_ARGUMENTS: Final = "NoArguments"


def ref(name: str) -> Json:
    """Refer to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def component_name(*names: str) -> str:
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


def expand_templates(schemas: Mapping[str, Json]) -> Json:
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
    names = {game: component_name(game) + name for game in GAMES}
    if which is None:
        made = {names[game]: _closed(template, _own(template, game)) for game in GAMES}
        return {**made, name: one_of("game", names, **said)}
    base = f"{name}Base"
    made = {base: _common(template), **{names[game]: extend_schema(base, _own(template, game)) for game in GAMES}}
    if which != ANY:
        return {**made, name: one_of("game", names, **said)}
    other = f"Uninstalled{name}"
    return {**made, other: extend_schema(base, _own(template, None)), name: one_of("game", names, other, **said)}


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


def extend_schema(base: str, own: Json, required: Iterable[str] | None = None) -> Json:
    """Describe an object that has some properties more than the base; all of them are there, or those `required`."""
    more = {"type": "object", "properties": own, "required": [name for name in own if name in (required or own)]}
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
    said = {key: rest[key] for key in ("description", "examples") if key in rest}
    part = ref(component_name(game) + schema[OF_GAME])
    return {"anyOf": [part, {"type": "null"}], **said} if nullable else {**part, **said}


# --- Options and moves ----------------------------------------------------------------------------------


def game_components() -> Json:
    """Describe the parts of all games by their names."""
    sent = {component_name(*names): schema for names, schema in (options_by_game() | moves_by_name()).items()}
    described = {name: without_defaults(schema) for name, schema in sent.items()}
    given = {name: described[name] for name in (component_name(game, "options") for game in GAMES)}
    completed = {
        component_name(name) + "MatchOptions": {
            **of_records(game.setup.options, Common),
            "description": f"The options of a match of {game.words.title}, all of them.",
            "examples": [_by_default(game)],
        }
        for name, game in GAMES.items()
    }
    return {
        **described,
        **_sharing("CommonOptions", given),
        **_sharing("CommonMatchOptions", completed),
        **{component_name(name) + "Table": _table(game) for name, game in GAMES.items()},
    }


def _sharing(base: str, schemas: Mapping[str, Json]) -> Json:
    """Describe objects with closed properties, and apart, by the name `base`, those that all of them have alike."""
    first, *others = [schema["properties"] for schema in schemas.values()]
    alike = [name for name, of in first.items() if all(other.get(name) == of for other in others)]
    made: Json = {base: _part(next(iter(schemas.values())), alike)}
    for name, schema in schemas.items():
        said = {key: schema[key] for key in ("description", "examples") if key in schema}
        own = [part for part in schema["properties"] if part not in alike]
        parts = [ref(base), *([_part(schema, own)] if own else [])]
        made[name] = {**said, "allOf": parts, "unevaluatedProperties": False}
    return made


def _part(schema: Json, names: Collection[str]) -> Json:
    """Describe an object by its properties of these names."""
    required = [name for name in schema.get("required", ()) if name in names]
    properties = {name: of for name, of in schema["properties"].items() if name in names}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _by_default(game: AnyGame) -> Json:
    """Give the options of a match whose creator has said nothing of them."""
    own = game.setup.options(**game.setup.resolve({}, game.setup.usual))
    common = Common(fairness_reveal=game.setup.reveal, seats_per_player=1)  # type: ignore[arg-type]
    return {**to_builtins(own), **to_builtins(common)}


_PHASE: Final[Json] = {"type": "string", "description": "The current phase, in one word."}


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
    if "properties" in rest:
        rest = without_defaults(rest)
    if isinstance(rest.get("items"), dict):
        rest["items"] = _without_default(rest["items"])
    if "anyOf" in rest:
        rest["anyOf"] = [_without_default(kind) for kind in rest["anyOf"]]
    default = schema.get("default")
    if default is None or default in ([], {}) or _SAYS_DEFAULT.search(rest.get("description", "")):
        return rest
    said = f"By default {json.dumps(default) if not isinstance(default, str) else f'`{default}`'}."
    return {**rest, "description": f"{rest['description']} {said}" if "description" in rest else said}


def describe_moves(move: Json) -> Json:
    """Describe a move as one of those that there are, by its name; `move` describes any of them."""
    arguments: dict[str, list[str]] = {name: [] for game in GAMES.values() for name in (*game.moves, *SEAT_COMMANDS)}
    described = moves_by_name()
    for game, name in [(game, name) for game, rules in GAMES.items() for name in rules.moves]:
        arguments[name].append(component_name(game, name) if (game, name) in described else NO_ARGUMENTS)
    for name in SEAT_COMMANDS:
        arguments[name] = [component_name(name) if (name,) in described else NO_ARGUMENTS]
    known = {component_name(*names): schema for names, schema in described.items()}
    # A client that takes the first that fits loses nothing if the one with most arguments comes first.
    order = {name: sorted(set(of), key=lambda one: _arguments(known, one)) for name, of in arguments.items()}
    made = {component_name(name, "move"): _move(move, name, of, known) for name, of in order.items()}
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    of_games = {
        component_name(name, "move"): one_of(
            "name",
            {move: component_name(move, "move") for move in (*rules.moves, *SEAT_COMMANDS)},
            description=f"A move of {rules.words.title}, or of the match around it.",
        )
        for name, rules in GAMES.items()
    }
    return {
        NO_ARGUMENTS: {"description": "The move has no arguments.", **nothing},
        **{component_name("move", part): of for part, of in move["properties"].items() if part not in ("name", "args")},
        **made,
        **of_games,
        "Move": one_of(
            "name", {name: component_name(name, "move") for name in arguments}, description=move["description"]
        ),
    }


def _arguments(known: Mapping[str, Json], name: str) -> tuple[int, str]:
    return -len(known.get(name, {}).get("properties", ())), name


def _move(move: Json, name: str, arguments: list[str], known: Mapping[str, Json]) -> Json:
    """Describe one move; where games have different moves of a name, its arguments are those of one of them."""
    needed = all(known.get(of, {}).get("required") for of in arguments)
    said = {part: move["properties"][part]["description"] for part in ("name", "args")}
    args = ref(NO_ARGUMENTS) if arguments == [NO_ARGUMENTS] else {**any_of(arguments), "description": said["args"]}
    own = {"name": {"type": "string", "const": name, "description": said["name"]}, "args": args}
    return {
        **move,
        "description": f"The move `{name}`.",
        "properties": {part: own.get(part) or ref(component_name("move", part)) for part in move["properties"]},
        "required": ["name", "args"] if needed else ["name"],
    }


# --- Events ---------------------------------------------------------------------------------------------

EVENT: Final = "Event"
BASE: Final = "EventBase"
RECORDED: Final = "RecordedEvent"
DISCLOSED_CARD: Final = "DisclosedCard"
OWN: Final = ("v", "type", "data", "disclosed")
"""These fields differ from event to event."""


def describe_events(event: Json, recorded: Json) -> Json:
    """Describe events by their types: those of feeds game by game, and those of records, which say no game, together.

    `event` and `recorded` describe any event of either.
    """
    of_each = [cls for cls in EVENTS if _FREE.keys() & fields_of(cls).keys()]
    common = {cls: cls.__name__ for cls in EVENTS if cls not in of_each}
    owners = Counter(cls for game in GAMES.values() for cls in game.events)
    made: Json = {}
    named: dict[str, list[str]] = {cls.__name__: [name] for cls, name in common.items()}
    for cls, name in common.items():
        made |= _event_parts(cls, name)
    for cls in of_each:
        if "options" in fields_of(cls):
            made[f"{cls.__name__}Base"] = omit_properties(of_event(cls), "options")
    for game in GAMES.values():
        own = {cls: f"{component_name(_owner(game, cls, owners))}{cls.__name__}" for cls in game.events}
        own |= {cls: f"{component_name(game.name)}{cls.__name__}" for cls in of_each}
        for cls, name in own.items():
            made |= _event_parts(cls, name, game.name)
            made[f"{name}{EVENT}"] = _event(cls.__name__, current_version(cls), [name], made, event, BASE)
            named.setdefault(cls.__name__, []).append(name)
        types = {cls.__name__: f"{name}{EVENT}" for cls, name in (own | common).items()}
        said = f"An event of {game.words.title}, or of the match around it."
        made[component_name(game.name) + EVENT] = one_of("type", types, description=said)
    for cls, name in common.items():
        made[f"{name}{EVENT}"] = _event(name, current_version(cls), [name], made, event, BASE)
    return {**_of_any(event), **made, **_recorded(named, made, recorded)}


def _owner(game: AnyGame, cls: type, owners: Mapping[type, int]) -> str:
    """Name the game of an event, or what several games share."""
    return game.name if owners[cls] == 1 else cls.__module__.split(".")[-2]


def _of_any(event: Json) -> Json:
    """Describe what all events have in common, and one of which no more is known."""
    return {
        EVENT: {"description": event["description"], **extend_schema(BASE, _own_of(event), event["required"])},
        BASE: common_properties(event),
        DISCLOSED_CARD: {
            "anyOf": [ref("Card"), {"type": "string", "const": NAMES[BACK]}],
            "description": f"A card that is disclosed; `{NAMES[BACK]}` if an imported match does not have it.",
        },
    }


def _recorded(named: Mapping[str, list[str]], made: Json, recorded: Json) -> Json:
    """Describe the events of records; where games have different events of a type, the data are those of one of them.

    `named` are the names of the events of each type.
    """
    base = f"{RECORDED}Base"
    kinds = {
        f"{of}{RECORDED}": _event(of, _latest(of), list(dict.fromkeys(names)), made, recorded, base)
        for of, names in named.items()
    }
    unknown = {**recorded["properties"]["type"], "not": {"enum": list(named)}}
    other = {
        "description": "An event of a game that is not installed.",
        **extend_schema(base, _own_of(recorded) | {"type": unknown}, recorded["required"]),
    }
    union = one_of(
        "type",
        {of: f"{of}{RECORDED}" for of in named},
        f"Uninstalled{RECORDED}",
        description=recorded["description"],
    )
    return {
        base: common_properties(recorded),
        **kinds,
        f"Uninstalled{RECORDED}": other,
        RECORDED: union,
    }


def omit_properties(schema: Json, *left_out: str) -> Json:
    """Describe an object by some of its properties, for others to add the rest."""
    kept = {name: part for name, part in schema["properties"].items() if name not in left_out}
    return {"type": "object", "properties": kept, "required": [n for n in schema["required"] if n in kept]}


def common_properties(event: Json) -> Json:
    """Describe what all events have; of what differs it says the same once, and each event the rest."""
    base = omit_properties(event, *OWN)
    said = {name: {"description": event["properties"][name]["description"]} for name in OWN if name != "disclosed"}
    return {**base, "properties": base["properties"] | said}


def _own_of(event: Json) -> Json:
    return {name: event["properties"][name] for name in OWN}


_FREE: Final[Mapping[str, Callable[[str], Json]]] = {
    "options": lambda game: ref(f"{component_name(game)}MatchOptions"),
    "move": lambda game: {"anyOf": [ref(component_name(game, "move")), {"type": "null"}]},
}
"""The schemas of fields of events that the events themselves leave open, by their names."""


def _event_parts(cls: type, name: str, game: str = "") -> Json:
    """Describe the data of an event, and what a later disclosure opens; `game` is the one that it differs by."""
    data = of_event(cls)
    for field, of in data["properties"].items():
        if field in _FREE and ("type" not in of or of.get("additionalProperties") is True):
            data["properties"][field] = {**_FREE[field](game), "description": of["description"]}
    opened = of_disclosure(cls)
    for field, of in opened["properties"].items():
        of["additionalProperties"] = or_null(_disclosed(of["additionalProperties"]) or _FREE[field](game))
    if game and "options" in data["properties"] and cls in EVENTS:
        data = extend_schema(f"{cls.__name__}Base", {"options": data["properties"]["options"]})
    return {f"{name}Data": data, **({f"{name}Disclosed": opened} if opened["properties"] else {})}


def _disclosed(schema: Any) -> Any:
    """Describe what was secret: a card of it may be one that nobody knows."""
    if isinstance(schema, list):
        return [_disclosed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("pattern") == CARD.schema["pattern"]:
        return ref(DISCLOSED_CARD)
    return {key: _disclosed(value) for key, value in schema.items()}


def _latest(of: str) -> int:
    """Return the latest version of all events of this type; games may have different ones."""
    classes = (*EVENTS, *(cls for game in GAMES.values() for cls in game.events))
    return max(current_version(cls) for cls in classes if cls.__name__ == of)


def _event(of: str, latest: int, names: list[str], parts: Json, event: Json, base: str) -> Json:
    """Describe an event of this type up to its latest version; it has one of these names, `event` describes any."""
    said = event["properties"]["disclosed"]["description"]
    opened = [f"{name}Disclosed" for name in names if f"{name}Disclosed" in parts]
    own = {
        "v": version_of_event(latest),
        "type": {"const": of},
        "data": any_of([f"{name}Data" for name in names]),
        **({"disclosed": {**any_of(opened), "description": said}} if opened else {}),
    }
    return extend_schema(base, own, event["required"])


def any_of(names: list[str]) -> Json:
    """Refer to a schema, or to several of which each may be meant."""
    return ref(names[0]) if len(names) == 1 else {"anyOf": [ref(name) for name in names]}
