"""Describes the orders that a game understands, as a JSON Schema."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Final

from domain.core.cards import SUITS, Card
from domain.core.game import AnyGame, FactKind
from domain.core.options import Range
from domain.core.types import Typed, fields_of, typed
from domain.core.values import changed
from domain.orders.arguments import CARD, is_of_a_card
from domain.orders.check import is_whole
from domain.orders.document import BOUND, MOST_MOVES, MOST_NAMED, MOST_ORDERS


def schema(game: AnyGame) -> dict[str, Any]:
    """Describe the orders that a game understands, as a JSON Schema.

    It says all but one thing: that a card which is written in two ways is the same.
    """
    do = {"type": "array", "items": {"anyOf": _actions(game)}, "minItems": 1, "maxItems": MOST_MOVES}
    asked = {fact: _asked(game, fact, kind) for fact, kind in game.facts.kinds.items()}
    order = _object({"if": _object(asked), "do": do}, ["do"])
    orders = {"type": "array", "items": order, "maxItems": MOST_ORDERS}
    return _object({"auto_play_forced": {"type": "boolean", "default": False}, "orders": orders})


_NUMBER: Final = {"type": "integer", "exclusiveMinimum": -BOUND, "exclusiveMaximum": BOUND}
_A_CARD: Final = {"type": "string", "pattern": f"^{CARD.pattern}$"}
_SOME_CARDS: Final = {"type": "array", "items": _A_CARD, "maxItems": MOST_NAMED}
_ONE: Final[Mapping[FactKind, Mapping[str, Any]]] = {
    FactKind.NUMBER: _NUMBER,
    FactKind.WORD: {"type": "string", "maxLength": 40},
    FactKind.SUIT: {"enum": list(SUITS)},
    FactKind.CARD: _A_CARD,
}


def _asked(game: AnyGame, fact: str, kind: FactKind) -> dict[str, Any]:
    """Describe what a condition may demand of a fact."""
    if kind == FactKind.CARDS:
        return _object({"all": _SOME_CARDS, "none": _SOME_CARDS}) | {"minProperties": 1}
    one = {"enum": sorted(game.facts.phases)} if fact == "phase" and game.facts.phases else _ONE[kind]
    demands = [one, {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_NAMED}]
    if kind == FactKind.NUMBER:
        demands.append(_object({"min": _NUMBER, "max": _NUMBER}) | {"minProperties": 1})
    return {"anyOf": demands}


def _actions(game: AnyGame) -> list[dict[str, Any]]:
    """Describe the ways to order each move: by its name, with arguments, with a card to be chosen."""
    bound = {"anyOf": [_A_CARD, {"const": "winning"}]}
    choosing = {
        "card": {"enum": ["highest", "lowest"]},
        "suit": {"enum": [*SUITS, "led"]},
        "below": bound,
        "above": bound,
        "except": _SOME_CARDS,
    }
    found = []
    for name, cls in game.moves.items():
        move = {"move": {"const": name}}
        if is_whole(game, cls):
            found.append(_object(move, ["move"]))
        found.append(_object(move | {"args": _arguments(cls)}, ["move", "args"]))
        if is_of_a_card(cls):
            found.append(_object(move | choosing, ["move", "card"]))
    return found


def _arguments(cls: Any) -> dict[str, Any]:
    """Describe the arguments of a move, or the entries of a record among them."""
    needed = [f.name for f in fields(cls) if f.default is MISSING]
    return _object({name: _argument(t) for name, t in fields_of(cls).items()}, needed)


def _argument(t: Typed) -> dict[str, Any]:
    """Describe one argument, or an entry of it, as `read_move` reads it."""
    if t.optional:
        return {"anyOf": [{"type": "null"}, _argument(changed(t, optional=False))]}
    match t.kind:
        case "words":
            return {"enum": list(t.of)}
        case "row":
            row = {"type": "array", "items": _argument(typed(t.of)), "maxItems": MOST_NAMED}
            return row | ({"uniqueItems": True} if t.of == Card else {})
        case "record":
            return _arguments(t.of)
        case "leaf" if t.of == Card:
            return dict(_A_CARD)
    ranges = [{"type": "integer", "minimum": m.low, "maximum": m.high} for m in t.marks if isinstance(m, Range)]
    return ranges[0] if ranges else dict(_NUMBER)


def _object(properties: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    described = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return described | ({"required": list(required)} if required else {})
