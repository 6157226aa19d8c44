"""Describes game-specific data, so that clients get each game's own options, tables, moves and events.

A schema with a part `x-of-game: Table` is a template. It becomes one schema per game, with that game's own table, and
its name then refers to one of these, selected by the value of `game`. `x-of-game: any` adds a schema for games that are
no longer installed.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, get_type_hints, is_typeddict

from msgspec import to_builtins

from api.http.game_request_schemas import moves_by_name, options_by_game
from domain.core.game import AnyGame
from domain.core.type_schema import SHOWN, of_record, of_table
from domain.match.creation import Common
from domain.match.match_parts import SEAT_COMMANDS

Json = dict[str, Any]

OF_GAME: Final = "x-of-game"
"""The keyword that names the part of a game to insert."""

ANY: Final = "any"
"""With this, `game` may be a game that is not installed."""

NO_ARGUMENTS: Final = "NoArguments"
OPTIONS: Final = "Options"
MOVE_BASE: Final = "MoveBase"
_PLAIN_BASE: Final = "PlainMoveBase"

Games = Mapping[str, AnyGame]
"""Games by their names."""


def ref(name: str) -> Json:
    """Refer to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def component_name(*names: str) -> str:
    """Name a schema of a game: `PlayCard` for `play_card`, after the name of the game."""
    return "".join(word.capitalize() for name in names for word in name.split("_"))


def one_of(property_: str, mapping: Mapping[str, str], *others: str, **said: Any) -> Json:
    """Describe one of several schemas, each named by a value of a property; the others have none of these values.

    A schema that has the value as its name is not mapped.
    """
    mapped = {value: ref(name)["$ref"] for value, name in mapping.items() if value != name}
    names = dict.fromkeys([*mapping.values(), *others])
    return {
        "oneOf": [ref(name) for name in names],
        "discriminator": {"propertyName": property_, **({"mapping": mapped} if mapped else {})},
        **said,
    }


# --- Templates ------------------------------------------------------------------------------------------


def expand_templates(schemas: Mapping[str, Json], games: Games) -> Json:
    """Expand every template into one schema per game, and keep other schemas.

    Without games there is one schema, with open game parts.
    """
    made: Json = {}
    for name, schema in schemas.items():
        made |= _for_each_game(name, schema, games) if _is_template(schema) else {name: _unmarked(schema)}
    return made


def _unmarked(schema: Any) -> Any:
    """Remove the marks of a schema without game-specific parts."""
    if isinstance(schema, list):
        return [_unmarked(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _unmarked(part) for key, part in schema.items() if key != OF_GAME}


def _is_template(schema: Json) -> bool:
    others = [of for name, of in schema.get("properties", {}).items() if name != "game"]
    return "game" in schema.get("properties", {}) and any(map(_asks, others))


def _asks(schema: Any) -> bool:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return (isinstance(schema, dict) and OF_GAME in schema) or any(map(_asks, inner))


def _for_each_game(name: str, template: Json, games: Games) -> Json:
    """Describe a template for each game, as additions to the properties that all games share."""
    which = template["properties"]["game"].get(OF_GAME)
    if not games:
        return {name: {**template, "properties": template["properties"] | _own_properties(template, None, games)}}
    said = {key: template[key] for key in ("description",) if key in template}
    names = {game: component_name(game) + name for game in games}
    base = f"{name}Base"
    made = {base: _common(template)}
    made |= {
        names[game]: extend_schema(base, _own_properties(template, game, games), template["required"]) for game in games
    }
    if which != ANY:
        return {**made, name: one_of("game", names, **said)}
    other = f"Uninstalled{name}"
    rest = extend_schema(base, _own_properties(template, None, games), template["required"])
    return {**made, other: rest, name: one_of("game", names, other, **said)}


def _own_properties(template: Json, game: str | None, games: Games) -> Json:
    """Return the game's own properties; None is a game that is not installed."""
    properties = template["properties"]
    named: Json = {"type": "string", "const": game}
    if game is None:
        named = {"type": "string", **({"not": {"enum": list(games)}} if games else {})}
    filled = {name: _filled(part, game) for name, part in properties.items() if _asks(part)}
    if not games:
        return {**filled, "game": named | description_of(properties["game"])}
    own = {name: {key: of for key, of in part.items() if key != "description"} for name, part in filled.items()}
    return {**own, "game": named}


def description_of(schema: Json) -> Json:
    """Return the description of a schema, to combine with another."""
    return {key: schema[key] for key in ("description",) if key in schema}


def _common(template: Json) -> Json:
    """Describe the properties that all games share, and in words those that differ; `game` is left to each of them."""
    properties = template["properties"]
    common = {
        name: description_of(part) if _asks(part) else part for name, part in properties.items() if name != "game"
    }
    return {"type": "object", "properties": common, "required": [n for n in template["required"] if n in common]}


def extend_schema(base: str, own: Json, required: Iterable[str] | None = None) -> Json:
    """Describe an object that has some properties more than the base; all of them are there, or those `required`."""
    needed = [name for name in own if required is None or name in required]
    # The second part is present even if it is empty: generators treat an object with one part as that part itself.
    # It does not repeat the type, which the base gives.
    more = {"properties": own, **({"required": needed} if needed else {})}
    return {"allOf": [ref(base), more]}


def _filled(schema: Any, game: str | None) -> Any:
    if isinstance(schema, list):
        return [_filled(one, game) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if OF_GAME not in schema:
        return {key: _filled(value, game) for key, value in schema.items()}
    rest = {key: value for key, value in schema.items() if key != OF_GAME}
    nullable = isinstance(rest.get("type"), list)
    if game is None:
        return rest if "$ref" in rest else {**rest, "additionalProperties": True}
    said = {key: rest[key] for key in ("description", "examples") if key in rest}
    part = ref(component_name(game) + schema[OF_GAME])
    return {"anyOf": [part, {"type": "null"}], **said} if nullable else {**part, **said}


# --- Options and moves ----------------------------------------------------------------------------------


def game_components(games: Games) -> Json:
    """Describe the parts of these games by their names."""
    known = options_by_game(games) | moves_by_name(games)
    sent = {component_name(*names): _untitled(schema) for names, schema in known.items()}
    described = {name: without_defaults(schema) for name, schema in sent.items()}
    return described | (_options(games, described) if games else {}) | _tables(games)


def _options(games: Games, described: Json) -> Json:
    """Describe the options of each game as they are sent, and as a match has them: all of them are there."""
    sent = {component_name(game, "options"): described[component_name(game, "options")] for game in games}
    made = share_properties(f"Common{OPTIONS}", sent)
    for name, game in games.items():
        each = component_name(name)
        shown = of_record(game.setup.options, Common, form=SHOWN)
        alike, given, whole = describe_both(
            f"{each}{OPTIONS}Base", sent[f"{each}{OPTIONS}"], shown, made.pop(f"{each}{OPTIONS}")
        )
        made[f"{each}{OPTIONS}Base"] = alike
        made[f"{each}{OPTIONS}"] = given
        made[f"{each}Match{OPTIONS}"] = {
            "description": f"All options of a match of {game.words.title}.",
            "examples": [_by_default(game)],
            **whole,
        }
    return made


def describe_both(base: str, sent: Json, shown: Json, alike: Json | None = None) -> tuple[Json, Json, Json]:
    """Describe an object as sent and as returned, with all fields. Return the base of both, and both.

    `alike` describes the sent object as an extension of another schema.
    """
    own, all_ = sent["properties"], shown["properties"]
    # Both keep one field: generators treat an object that adds nothing as one without fields.
    other = [name for name, of in all_.items() if not admit_alike(of, own[name])] or [next(iter(all_))]
    common = {key: of for key, of in (alike or sent).items() if key not in ("description", "additionalProperties")}
    return (
        _omitting(common, other),
        {**description_of(sent), **extend_schema(base, {name: own[name] for name in other}, ())},
        _requiring(extend_schema(base, {name: all_[name] for name in other}), shown["required"]),
    )


def _untitled(schema: Any) -> Any:
    """Leave out the titles of values, which the catalogue of games has for forms."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _untitled(part) for key, part in schema.items() if key != "x-titles"}


def admit_alike(one: Any, other: Any) -> bool:
    """Return whether two schemas admit the same values, ignoring their descriptions."""
    return bool(bare_schema(one) == bare_schema(other))


def bare_schema(schema: Any) -> Any:
    """Remove the keywords of a schema that only concern answers."""
    if isinstance(schema, list):
        return [bare_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: bare_schema(part) for key, part in schema.items() if key not in ("description", "x-titles", "default")}


def _requiring(schema: Json, required: list[str]) -> Json:
    """Require fields of an object that adds to a base, and of the base."""
    base, more = schema["allOf"]
    return {**schema, "allOf": [base, more | {"required": required}]}


def _omitting(schema: Json, names: Collection[str]) -> Json:
    """Omit properties from an object, or from its additions to a base."""
    if "allOf" in schema:
        base, more = schema["allOf"]
        return {**schema, "allOf": [base, _omitting(more, names)]}
    return {
        **schema,
        "properties": {name: of for name, of in schema.get("properties", {}).items() if name not in names},
    }


def _tables(games: Games) -> Json:
    """Describe the tables of the games; games of one family that show the same describe it once."""
    tables = {component_name(name) + "Table": _table(game) for name, game in games.items()}
    families = {component_name(name) + "Table": get_type_hints(game.view).get("return") for name, game in games.items()}
    for shown, times in Counter(families.values()).items():
        alike = {name: tables[name] for name, of in families.items() if of is shown}
        if times > 1 and shown is not None:
            tables |= share_properties(shown.__name__, alike)
    return tables


def share_properties(base: str, schemas: Mapping[str, Json]) -> Json:
    """Describe objects with closed properties, and their shared properties separately, under the name `base`."""
    if len(schemas) == 1:
        return dict(schemas)
    first, *others = [schema["properties"] for schema in schemas.values()]
    alike = [name for name, of in first.items() if all(other.get(name) == of for other in others)]
    if any(not properties.keys() - set(alike) for properties in (first, *others)):
        alike = alike[1:]
    made: Json = {base: _part(next(iter(schemas.values())), alike)}
    for name, schema in schemas.items():
        said = {key: schema[key] for key in ("description", "examples") if key in schema}
        own = {part: of for part, of in schema["properties"].items() if part not in alike}
        made[name] = {**said, **extend_schema(base, own, schema.get("required", ()))}
    return made


def _part(schema: Json, names: Collection[str]) -> Json:
    """Describe an object by its properties of these names."""
    required = [name for name in schema.get("required", ()) if name in names]
    properties = {name: of for name, of in schema["properties"].items() if name in names}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _by_default(game: AnyGame) -> Json:
    """Return the default options of a match."""
    own = game.setup.options(**game.setup.resolve({}, game.setup.usual))
    common = Common(fairness_reveal=game.setup.reveal, seats_per_player=1)  # type: ignore[arg-type]
    return {**to_builtins(own), **to_builtins(common)}


_PHASE: Final[Json] = {"type": "string", "description": "The current phase, in one word."}


def _table(game: AnyGame) -> Json:
    """Describe the table of a game by the `TypedDict` that its view gives; of other views nothing is known."""
    said = {"description": f"A table of {game.words.title}."}
    shown = get_type_hints(game.view).get("return")
    if not is_typeddict(shown):
        return {**said, "type": "object", "additionalProperties": True}
    described = of_table(shown)
    # A table that waits for the others of its group says so.
    return {**said, **described, "properties": {"phase": _PHASE, **described["properties"]}}


def without_defaults(schema: Json) -> Json:
    """State the default of a property in words.

    Generated clients would send a `default`, and sent values override a preset and derived values.
    """
    return {**schema, "properties": {name: _without_default(of) for name, of in schema["properties"].items()}}


_SAYS_DEFAULT: Final = re.compile("[Bb]y default|left out|default counts|null for the game's default")


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


def describe_moves(move: Json, games: Games) -> Json:
    """Describe a move by its name as one of several; `move` describes any of them."""
    if not games:
        return {"Move": move}
    arguments: dict[str, list[str]] = {name: [] for game in games.values() for name in (*game.moves, *SEAT_COMMANDS)}
    described = moves_by_name(games)
    for game, name in [(game, name) for game, rules in games.items() for name in rules.moves]:
        arguments[name].append(component_name(game, name) if (game, name) in described else NO_ARGUMENTS)
    for name in SEAT_COMMANDS:
        arguments[name] = [component_name(name) if (name,) in described else NO_ARGUMENTS]
    known = {component_name(*names): schema for names, schema in described.items()}
    # Clients may take the first schema that fits, and would lose arguments if it were not the longest.
    order = {name: sorted(set(of), key=lambda one: _arguments(known, one)) for name, of in arguments.items()}
    made = {component_name(name, "move"): _move(name, of, known) for name, of in order.items()}
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    base = {name: of for name, of in move["properties"].items() if name != "name"}
    base["args"] = description_of(base["args"])
    return {
        NO_ARGUMENTS: {"description": "The move has no arguments.", **nothing},
        MOVE_BASE: {
            "type": "object",
            "properties": base,
        },
        _PLAIN_BASE: {"type": "object", "properties": base | {"args": ref(NO_ARGUMENTS)}},
        **made,
        "Move": one_of(
            "name", {name: component_name(name, "move") for name in arguments}, description=move["description"]
        ),
    }


def _arguments(known: Mapping[str, Json], name: str) -> tuple[int, str]:
    return -len(known.get(name, {}).get("properties", ())), name


def _move(name: str, arguments: list[str], known: Mapping[str, Json]) -> Json:
    """Describe one move; where games have different moves of a name, its arguments are those of one of them."""
    if arguments == [NO_ARGUMENTS]:
        return extend_schema(_PLAIN_BASE, {"name": {"type": "string", "const": name}})
    needed = all(known.get(of, {}).get("required") for of in arguments)
    own = {"name": {"type": "string", "const": name}, "args": any_of(arguments)}
    return extend_schema(MOVE_BASE, own, ["name", "args"] if needed else ["name"])


def any_of(names: list[str]) -> Json:
    """Refer to a schema, or to one of several."""
    return ref(names[0]) if len(names) == 1 else {"anyOf": [ref(name) for name in names]}
