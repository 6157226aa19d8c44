"""Describes the events of collections and of tournaments by their types, as those of matches are."""

from collections.abc import Iterable
from typing import Any, Final

from api.http.openapi_events import common_properties
from api.http.openapi_games import extend_schema, one_of
from domain.collection.collection_events import EVENTS
from domain.core.type_schema import of_event
from domain.tournament.tournament_events import EVENTS as TOURNAMENT_EVENTS

Json = dict[str, Any]

EVENT: Final = "CollectionEvent"
OF_TOURNAMENTS: Final = "TournamentEvent"


def collection_events(event: Json) -> Json:
    """Describe the events of collections; `event` describes any of them."""
    return _told_apart(EVENT, EVENTS, event, "An event of a collection, distinguished by its type.")


def tournament_events(event: Json) -> Json:
    """Describe the events of tournaments; `event` describes any of them."""
    return _told_apart(OF_TOURNAMENTS, TOURNAMENT_EVENTS, event, "An event of a tournament, distinguished by its type.")


def _told_apart(any_: str, events: Iterable[type], event: Json, says: str) -> Json:
    names = {cls.__name__: cls.__name__ for cls in events}
    base = f"{any_}Base"
    return {
        base: common_properties(event),
        **{cls.__name__: _event(cls, base) for cls in events},
        any_: one_of("type", names, description=says),
    }


def _event(cls: type, base: str) -> Json:
    of = cls.__name__
    own = {"type": {"type": "string", "const": of}, "data": of_event(cls)}
    return extend_schema(base, own)
