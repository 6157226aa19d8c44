"""Describes the events of collections and of tournaments by their types, as those of matches are."""

from collections.abc import Iterable
from typing import Any, Final

from api.http.openapi_games import extend_schema, omit_properties, one_of, ref
from domain.collection.collection_events import EVENTS
from domain.core.event_versions import current_version
from domain.core.shown_schema import of_event, version_of_event
from domain.tournament.tournament_events import EVENTS as TOURNAMENT_EVENTS

Json = dict[str, Any]

EVENT: Final = "CollectionEvent"
OF_TOURNAMENTS: Final = "TournamentEvent"
_OWN: Final = ("v", "type", "data")
"""These fields differ from event to event."""


def collection_events(event: Json) -> Json:
    """Describe the events of collections; `event` describes any of them."""
    return _told_apart(EVENT, EVENTS, event, "An event of a collection, distinguished by its type.")


def tournament_events(event: Json) -> Json:
    """Describe the events of tournaments; `event` describes any of them."""
    return _told_apart(OF_TOURNAMENTS, TOURNAMENT_EVENTS, event, "An event of a tournament, distinguished by its type.")


def _told_apart(any_: str, events: Iterable[type], event: Json, says: str) -> Json:
    names = {cls.__name__: f"{cls.__name__}Event" for cls in events}
    return {
        f"{any_}Base": omit_properties(event, *_OWN),
        **{f"{cls.__name__}Data": of_event(cls) for cls in events},
        **{f"{cls.__name__}Event": _event(cls, any_, event) for cls in events},
        any_: one_of("type", names, description=says),
    }


def _event(cls: type, any_: str, event: Json) -> Json:
    of = cls.__name__
    said = {name: event["properties"][name]["description"] for name in _OWN}
    own = {
        "v": {**version_of_event(current_version(cls)), "description": said["v"]},
        "type": {"type": "string", "const": of, "description": said["type"]},
        "data": {**ref(f"{of}Data"), "description": said["data"]},
    }
    return extend_schema(f"{any_}Base", own, event["required"])
