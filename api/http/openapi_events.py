"""Describes the events of matches, collections and tournaments by their types.

Several games may have events of one type. Their data are described together: fields that only some of them have may be
missing. A description for one game says exactly what that game's events have.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from api.http.openapi_games import Games, admit_alike, component_name, description_of, extend_schema, one_of, ref
from domain.collection.collection_events import EVENTS as COLLECTION_EVENTS
from domain.core.type_schema import of_event
from domain.match.match_parts import EVENTS
from domain.tournament.tournament_events import EVENTS as TOURNAMENT_EVENTS

Json = dict[str, Any]

EVENT: Final = "Event"
COLLECTION_EVENT: Final = "CollectionEvent"
TOURNAMENT_EVENT: Final = "TournamentEvent"
BASE: Final = "EventBase"
OWN: Final = ("type", "data")
"""The fields that differ by type of event."""
_NOT_RECORDED: Final = ("text",)
"""The fields that events of records lack."""


def describe_events(event: Json, games: Games) -> Json:
    """Describe events by their types; `event` describes any of them. Without games, their data is not described."""
    if not games:
        return {EVENT: event | {"required": _names_except(event["required"], _NOT_RECORDED)}}
    by_type: dict[str, dict[type, None]] = {}
    for cls in (*EVENTS, *(cls for game in games.values() for cls in game.events)):
        by_type.setdefault(cls.__name__, {})[cls] = None
    made: Json = {}
    for of, classes in by_type.items():
        own = {"type": {"type": "string", "const": of}, "data": merge_objects([_data(cls, games) for cls in classes])}
        made[of] = extend_schema(BASE, own)
    return {**_of_any(event, list(by_type)), **made}


def _of_any(event: Json, types: list[str]) -> Json:
    """Describe the common part of all events, and the event of any type."""
    other = f"Uninstalled{EVENT}"
    unknown = {"type": "string", "not": {"enum": types}}
    own = {name: event["properties"][name] for name in OWN} | {"type": unknown}
    return {
        EVENT: one_of("type", dict(zip(types, types, strict=True)), other, **description_of(event)),
        BASE: common_properties(event),
        other: {
            "description": "An event of a game that is not installed.",
            **extend_schema(BASE, own, event["required"]),
        },
    }


def common_properties(event: Json) -> Json:
    """Describe the common fields of events once, and the rest per type."""
    common = {name: of for name, of in event["properties"].items() if name != "type"}
    common["data"] = description_of(common["data"])
    return {
        "type": "object",
        "properties": common,
        "required": _names_except(event["required"], (*OWN, *_NOT_RECORDED)),
    }


def _names_except(names: Iterable[str], left_out: Iterable[str]) -> list[str]:
    return [name for name in names if name not in left_out]


# --- Data -----------------------------------------------------------------------------------------------


_FREE: Final[Mapping[str, Callable[[Games], Json]]] = {
    "options": lambda games: (
        ref(f"{component_name(*games)}MatchOptions")
        if len(games) == 1
        else {"type": "object", "additionalProperties": True}
    ),
    "move": lambda games: {"anyOf": [ref("Move"), {"type": "null"}]},
}
"""The schemas of fields of events that the events themselves leave open, by their names."""


def _data(cls: type, games: Games) -> Json:
    """Describe the data of an event."""
    data = of_event(cls)
    for field, of in data["properties"].items():
        if field in _FREE and ("type" not in of or of.get("additionalProperties") is True):
            data["properties"][field] = {**_FREE[field](games), "description": of["description"]}
    return data


def merge_objects(objects: list[Json]) -> Json:
    """Describe any of several objects: fields that only some of them have may be missing."""
    properties: Json = {}
    for one in objects:
        for name, of in one["properties"].items():
            properties[name] = _describe_either(properties.get(name, of), of)
    required = [name for name in properties if all(name in one.get("required", ()) for one in objects)]
    return {**objects[0], "properties": properties, "required": required}


def _describe_either(one: Json, other: Json) -> Json:
    """Describe a value of one schema or the other, by the description of the first."""
    if admit_alike(one, other):
        return one
    if one.get("type") == other.get("type") and "enum" in one and "enum" in other:
        return {**one, "enum": list(dict.fromkeys([*one["enum"], *other["enum"]]))}
    if one.get("type") == other.get("type") and "properties" in one and "properties" in other:
        return merge_objects([one, other])
    for part in ("items", "additionalProperties"):
        if one.get("type") == other.get("type") and part in one and part in other:
            return {**one, part: _describe_either(one[part], other[part])}
    kinds = [kind for each in (one, other) for kind in each.get("anyOf", [_undescribed(each)])]
    return {"anyOf": [kind for i, kind in enumerate(kinds) if kind not in kinds[:i]], **description_of(one)}


def _undescribed(schema: Json) -> Json:
    return {key: of for key, of in schema.items() if key != "description"}


def collection_events(event: Json) -> Json:
    """Describe the events of collections; `event` describes any of them."""
    return _told_apart(COLLECTION_EVENT, COLLECTION_EVENTS, event, "a collection")


def tournament_events(event: Json) -> Json:
    """Describe the events of tournaments; `event` describes any of them."""
    return _told_apart(TOURNAMENT_EVENT, TOURNAMENT_EVENTS, event, "a tournament")


def _told_apart(any_: str, events: Iterable[type], event: Json, kind: str) -> Json:
    names = {cls.__name__: cls.__name__ for cls in events}
    base = f"{any_}Base"
    return {
        base: common_properties(event),
        **{cls.__name__: _typed_event(cls, base) for cls in events},
        any_: one_of("type", names, description=f"An event of {kind}, distinguished by its type."),
    }


def _typed_event(cls: type, base: str) -> Json:
    of = cls.__name__
    own = {"type": {"type": "string", "const": of}, "data": of_event(cls)}
    return extend_schema(base, own)
