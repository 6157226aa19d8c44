"""The surface that is frozen from version 1.0 on (docs/compatibility.md), except the API, which is in `tests/api`.

    python -m tests.frozen_surface

writes it to `tests/frozen/surface.json`. Until 1.0 is out, do so after any change; then only after one that adds.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from msgspec.structs import fields as struct_fields

from domain.collection.collection_events import EVENTS as OF_COLLECTIONS
from domain.core import game
from domain.core.event_versions import current_version, later_versions
from domain.core.types import Typed, fields_of, key
from domain.core.visibility import secret_fields
from domain.deal_group import EVENTS as OF_GROUPS
from domain.games.catalogue import BUILT_IN
from domain.match.match_parts import EVENTS as OF_MATCHES
from domain.tournament.tournament_events import EVENTS as OF_TOURNAMENTS
from events.proof import record
from events.settings import Settings

FROZEN = Path(__file__).with_name("frozen") / "surface.json"

OF_RECORDS = (record.Record, record.About, record.Item, record.Seat, record.SeatedPlayer)

Surface = Mapping[str, Mapping[str, Any]]


def surface() -> Surface:
    """Describe the events by stream, the record of a match, the entry point for games, and the settings."""
    streams = {"match": OF_MATCHES, "tournament": OF_TOURNAMENTS, "collection": OF_COLLECTIONS, "group": OF_GROUPS}
    streams |= {one.name: one.events for one in BUILT_IN}
    parts = [cls for cls in vars(game).values() if isinstance(cls, type) and cls.__module__ == game.__name__]
    return {
        "events": {f"{of}.{cls.__name__}": event_of(cls) for of, classes in streams.items() for cls in classes},
        "record": {cls.__name__: record_of(cls) for cls in OF_RECORDS},
        "games": {cls.__name__: declared_of(cls) for cls in parts if hasattr(cls, "__dataclass_fields__")},
        "settings": {one.name: "setting" for one in fields(Settings)},
    }


def event_of(cls: type) -> dict[str, Any]:
    """Describe an event: its version and its JSON fields, each with the version that added it."""
    since = {name: v for v, added in enumerate(later_versions(cls), 2) for name in added}
    secret = {name: mark.name for name, mark in secret_fields(cls).items()}
    return {
        "v": current_version(cls),
        "fields": {
            key(name): {"of": described(of), "secret": secret.get(name), "since": since.get(name, 1)}
            for name, of in fields_of(cls).items()
        },
    }


def record_of(cls: Any) -> dict[str, str]:
    """Describe the fields of a part of a record, and whether they are optional."""
    return {one.name: "needed" if one.required else "optional" for one in struct_fields(cls)}


def declared_of(cls: Any) -> dict[str, str]:
    """Describe the fields of a part of a game definition, and whether they are optional."""
    kept = (one for one in fields(cls) if not one.name.startswith("_"))
    return {one.name: "needed" if one.default is one.default_factory is MISSING else "optional" for one in kept}


def described(of: Typed, inside: tuple[type, ...] = ()) -> Any:
    """Describe a type by the JSON of its values; a recursive structure is named where it recurs."""
    match of.kind:
        case "row":
            inner: Any = [described(of.of, inside)]
        case "record" if of.of not in inside:
            known = (*inside, of.of)
            inner = {name: described(field, known) for name, field in fields_of(of.of).items()}
        case "either":
            inner = {"either": [described(one, inside) for one in of.of]}
        case "words":
            inner = "text"
        case "fixed":
            each = [described(one, inside) for one in of.of]
            inner = each[:1] if all(one == each[0] for one in each) else each
        case "mapping":
            inner = "Mapping"
        case _:
            inner = getattr(of.of, "__name__", str(of.of))
    return {"optional": inner} if of.optional else inner


def breaks(frozen: Surface, today: Surface) -> Iterator[str]:
    """Yield the parts of the current code that differ from the frozen ones; additions are allowed."""
    for area, names in frozen.items():
        for name, was in names.items():
            now = today[area].get(name)
            if now is None:
                yield f"{area}: {name} is gone"
            elif area == "events":
                yield from (f"events: {name}: {why}" for why in event_breaks(was, now))
            elif area != "settings":
                yield from (f"{area}: {name}.{field} {why}" for field, why in field_breaks(was, now))


def event_breaks(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences of an event from its frozen version, except fields that later versions added."""
    for field in was["fields"]:
        if now["fields"].get(field) != was["fields"][field]:
            yield f"{field} is changed or gone"
    for field, of in now["fields"].items():
        if field not in was["fields"] and of["since"] <= was["v"]:
            yield f"{field} is new, and no later version has added it"


def field_breaks(was: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the fields that were removed, and those that became required."""
    for field in was.keys() - now.keys():
        yield field, "is gone"
    for field, need in now.items():
        if need == "needed" != was.get(field):
            yield field, "must be given now"


def main() -> None:
    """Write the current surface, one line per name."""
    areas = (
        f'"{area}": {{\n' + ",\n".join(f" {json.dumps(name)}: {json.dumps(of)}" for name, of in names.items()) + "\n}"
        for area, names in surface().items()
    )
    FROZEN.write_text("{" + ",\n".join(areas) + "}\n")


if __name__ == "__main__":
    main()
