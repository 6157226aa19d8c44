"""Describes the orders that a game understands, as a JSON Schema."""

from collections.abc import Mapping
from typing import Any, Final

from domain.core.cards import CARD, SUITS
from domain.core.game import AnyGame, FactKind
from domain.core.type_schema import Bounds, object_of, of_record
from domain.orders.arguments import is_of_a_card
from domain.orders.check import is_whole
from domain.orders.document import BOUND, MOST_MOVES, MOST_NAMED, MOST_ORDERS


def schema(game: AnyGame) -> dict[str, Any]:
    """Describe the orders that a game understands, as a JSON Schema.

    It says all but one thing: that a card which is written in two ways is the same.
    """
    do = {"type": "array", "items": {"anyOf": _actions(game)}, "minItems": 1, "maxItems": MOST_MOVES}
    asked = {fact: _asked(game, fact, kind) for fact, kind in game.facts.kinds.items()}
    order = object_of({"if": object_of(asked), "do": do}, ["do"])
    orders = {"type": "array", "items": order, "maxItems": MOST_ORDERS}
    return object_of({"auto_play_forced": {"type": "boolean", "default": False}, "orders": orders})


_BOUNDS: Final = Bounds({"exclusiveMinimum": -BOUND, "exclusiveMaximum": BOUND}, {"maxItems": MOST_NAMED})
_NUMBER: Final = {"type": "integer", **_BOUNDS.number}
_A_CARD: Final = CARD.schema
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
        return object_of({"all": _SOME_CARDS, "none": _SOME_CARDS}) | {"minProperties": 1}
    one = {"enum": sorted(game.facts.phases)} if fact == "phase" and game.facts.phases else _ONE[kind]
    demands = [one, {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_NAMED}]
    if kind == FactKind.NUMBER:
        demands.append(object_of({"min": _NUMBER, "max": _NUMBER}) | {"minProperties": 1})
    return {"anyOf": demands}


def _actions(game: AnyGame) -> list[dict[str, Any]]:
    """Describe the ways to order each move: by its name, with arguments, with a card to be chosen."""
    found = []
    for name, cls in game.moves.items():
        move = {"move": {"const": name}}
        if is_whole(game, cls):
            found.append(object_of(move, ["move"]))
        found.append(object_of(move | {"args": of_record(cls, bounds=_BOUNDS)}, ["move", "args"]))
        if is_of_a_card(cls):
            found.append(object_of({**move, **_CHOOSING}, ["move", "card"]))
    return found


_BOUND: Final = {"anyOf": [_A_CARD, {"const": "winning"}]}
_CHOOSING: Final[Mapping[str, Any]] = {
    "card": {"enum": ["highest", "lowest"], "description": "Choose a card: which of those that the rest admits."},
    "suit": {"enum": [*SUITS, "led"], "description": "Only of this suit, or of the suit that was led."},
    "below": {**_BOUND, "description": "Only below this card, or below the one that wins the trick so far."},
    "above": {**_BOUND, "description": "Only above this card, or above the one that wins the trick so far."},
    "except": {**_SOME_CARDS, "description": "None of these cards."},
}


def common() -> dict[str, Any]:
    """Describe what orders have in common in all games; the schema of each game says the rest."""
    action = {
        "move": {"type": "string", "description": "The name of the move."},
        "args": {"type": "object", "additionalProperties": True, "description": "The arguments of the move."},
        **_CHOOSING,
    }
    order = {
        "if": {
            "type": "object",
            "additionalProperties": True,
            "description": "What must hold: for each of these facts of the game, what is demanded of it.",
        },
        "do": {
            "type": "array",
            "items": object_of(action, ["move"]),
            "minItems": 1,
            "maxItems": MOST_MOVES,
            "description": "What to do then: the first of these moves that is legal.",
        },
    }
    orders = {
        "type": "array",
        "items": object_of(order, ["do"]),
        "maxItems": MOST_ORDERS,
        "description": "The orders, of which the first that fits counts.",
    }
    forced = {"type": "boolean", "description": "Whether a move that is the only one is played; by default not."}
    said = "Standing orders; `GET /v1/games/{game}/orders` says what each game understands."
    return {"description": said, **object_of({"auto_play_forced": forced, "orders": orders})}
