"""Describes files of cards as JSON Schema, from the records that they are read into."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from domain.card_sets.cards import abilities, costs, effects, filters
from domain.card_sets.cards.card import CardSet
from domain.card_sets.cards.card_kinds import Mana, OpenZone
from domain.card_sets.cards.read import ABILITIES, CONDITIONS, EFFECTS, FORMAT, ODDS
from domain.core.type_schema import object_of
from domain.core.types import Typed, fields_of, key, parse_hint
from domain.core.values import with_fields

Schema = dict[str, Any]

_FILTER: Final = {"$ref": "#/$defs/filter"}
_EFFECT: Final = {"$ref": "#/$defs/effect"}
_TARGET: Final = {
    "type": "string",
    "pattern": f"^([a-z]|{filters.TRIGGER})$",
    "description": "The id of a target, or `trigger` for the object that a trigger happened to.",
}
_WHOLE: Final = {"type": "integer"}


def _words(cls: type[Enum]) -> Schema:
    return {"enum": [one.value for one in cls]}


_PLAIN: Final[Mapping[Any, Schema]] = {int: _WHOLE, str: {"type": "string"}, bool: {"type": "boolean"}}

_OWN: Final[Mapping[Typed, Schema]] = {
    parse_hint(effects.Effect): _EFFECT,
    parse_hint(abilities.Ability): {"$ref": "#/$defs/ability"},
    parse_hint(filters.Condition): {"$ref": "#/$defs/condition"},
    parse_hint(filters.Filter): _FILTER,
    parse_hint(filters.Itself | filters.Filter): {"anyOf": [{"const": "self"}, _FILTER]},
    parse_hint(filters.Itself | filters.Targeted): {"anyOf": [{"const": "self"}, _TARGET]},
    parse_hint(filters.Recipient): {
        "anyOf": [{"enum": ["self", "opponent"]}, _TARGET, object_of({"all": _FILTER}, ["all"])]
    },
    parse_hint(filters.Players): {
        "anyOf": [
            {"enum": [one.value for one in filters.Party]},
            {"type": "string", "pattern": f"^(target:[a-z]|controller:([a-z]|{filters.TRIGGER}))$"},
        ]
    },
    parse_hint(filters.Amount): {
        "anyOf": [
            _WHOLE | {"minimum": 0},
            {"const": "X"},
            object_of({"count": _FILTER}, ["count"]),
            object_of(
                {"count": _FILTER, "zone": _words(OpenZone), "who": _words(filters.Party)}, ["count", "zone", "who"]
            ),
            object_of({"power_of": {"anyOf": [{"const": "self"}, _TARGET]}}, ["power_of"]),
        ],
    },
    parse_hint(costs.ManaCost): {"type": "string", "pattern": costs.WRITTEN, "minLength": 1},
    parse_hint(costs.AddedMana): {"enum": [*(one.name for one in Mana), "any"]},
    parse_hint(Mana): {"enum": [one.name for one in Mana]},
    parse_hint(Fraction): {"type": "string", "pattern": ODDS},
}
"""The values with their own notation in card files."""


def file_schema() -> Schema:
    """Return the JSON Schema of a file of cards. It cannot check that numbers agree with each other."""
    hints = fields_of(CardSet)
    head = {name: _of(hints[name]) for name in ("code", "name", "kind", "released")} | {"size": _WHOLE}
    booster = {"size": _WHOLE, "slots": _of(hints["booster"])}
    top = {
        "format": {"const": FORMAT},
        "set": object_of(head, list(head)),
        "booster": object_of(booster, list(booster)),
        "tokens": _of(hints["tokens"]),
        "cards": _of(hints["cards"]),
    }
    tables = {"effect": EFFECTS, "ability": ABILITIES, "condition": CONDITIONS}
    definitions = {name: {"oneOf": [_tagged(*row) for row in table.items()]} for name, table in tables.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A set of cards, format {FORMAT}",
        **object_of(top, [name for name in top if name != "tokens"]),
        "$defs": definitions | {"filter": _record(filters.Filter)},
    }


def _of(hint: Typed) -> Schema:
    hint = with_fields(hint, optional=False)
    if (own := _OWN.get(hint)) is not None:
        return own
    match hint.kind:
        case "row":
            return {"type": "array", "items": _of(hint.of)}
        case "record":
            return _record(hint.of)
        case "words":
            return {"enum": list(hint.of)}
        case _ if issubclass(hint.of, Enum):
            return {"enum": [one.value for one in hint.of]}
        case _:
            return _PLAIN[hint.of]


def _record(cls: Any) -> Schema:
    hints = fields_of(cls)
    required = [key(f.name) for f in fields(cls) if f.default is MISSING]
    return object_of({key(name): _of(hint) for name, hint in hints.items()}, required)


def _tagged(name: str, cls: type) -> Schema:
    inner: Schema = _record(cls)
    if cls is effects.ChooseOne:
        inner = {"type": "array", "items": {"type": "array", "items": _EFFECT}}
    if cls is effects.IfDone:
        inner = {"type": "array", "items": _EFFECT}
    if cls is abilities.EntersTapped:
        inner = {"const": True}
    return object_of({name: inner}, [name])
