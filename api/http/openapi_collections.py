"""Describes the events of collections by their types, as those of matches are."""

from typing import Any, Final

from api.http.openapi_games import extended, one_of, ref, without
from domain.collection.collection_events import EVENTS
from domain.core.shown_schema import of_event
from events.log.upcasts import version

Json = dict[str, Any]

EVENT: Final = "CollectionEvent"
_BASE: Final = "CollectionEventBase"
_OWN: Final = ("v", "type", "data")
"""These fields differ from event to event."""


def collection_events(event: Json) -> Json:
    """Describe the events of collections; `event` describes any of them."""
    names = {cls.__name__: f"{cls.__name__}Event" for cls in EVENTS}
    return {
        _BASE: without(event, *_OWN),
        **{f"{cls.__name__}Data": of_event(cls) for cls in EVENTS},
        **{name: _event(of, event) for of, name in names.items()},
        EVENT: one_of("type", names, description="An event of a collection, told by its type."),
    }


def _event(of: str, event: Json) -> Json:
    said = {name: event["properties"][name]["description"] for name in _OWN}
    own = {
        "v": {"type": "integer", "const": version(of), "description": said["v"]},
        "type": {"type": "string", "const": of, "description": said["type"]},
        "data": {**ref(f"{of}Data"), "description": said["data"]},
    }
    return extended(_BASE, own, event["required"])
