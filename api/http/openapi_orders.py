"""Describes standing orders of all games: an order belongs to a match, and only the match knows the game.

`GET /v1/games/{game}/orders` describes the orders of one game exactly.
"""

from collections.abc import Collection
from typing import Any, Final

from api.http.openapi_games import Games, ref
from domain.core.game import FactKind
from domain.core.type_schema import object_of
from domain.orders.document import MOST_MOVES, MOST_ORDERS
from domain.orders.json_schema import CHOOSING, demand

Json = dict[str, Any]

ORDERS: Final = "StandingOrders"
_ORDER: Final = "StandingOrder"
_CONDITIONS: Final = "OrderConditions"
_NUMBER: Final = "DemandedNumber"
_ACTION: Final = "OrderedMove"


def describe_orders(games: Games) -> Json:
    """Describe orders, and the moves that they make."""
    return {
        ORDERS: _document(),
        _ORDER: _order(),
        _CONDITIONS: _conditions(games),
        _NUMBER: {"description": "A number, one of several, or bounds.", **demand(FactKind.NUMBER)},
        _ACTION: _action(dict.fromkeys(name for game in games.values() for name in game.moves)),
    }


def _document() -> Json:
    forced = {"type": "boolean", "description": "Whether to play a move that is the only legal one; by default false."}
    listed = {
        "type": "array",
        "items": ref(_ORDER),
        "maxItems": MOST_ORDERS,
        "description": "The orders; the first one that fits is played.",
    }
    said = "Standing orders; `GET /v1/games/{game}/orders` says what each game understands."
    return {"description": said, **object_of({"auto_play_forced": forced, "orders": listed})}


def _order() -> Json:
    do = {
        "type": "array",
        "items": ref(_ACTION),
        "minItems": 1,
        "maxItems": MOST_MOVES,
        "description": "What to do then: the first of these moves that is legal.",
    }
    asked = {**ref(_CONDITIONS), "description": "The required conditions; none by default."}
    return {"description": "What to do, and when.", **object_of({"if": asked, "do": do}, ["do"])}


def _conditions(games: Games) -> Json:
    """Describe the conditions on the facts of all games."""
    others = [demand(kind) for kind in FactKind if kind != FactKind.NUMBER]
    kinds = [ref(_NUMBER), *(kind for one in others for kind in one.get("anyOf", [one]))]
    facts = sorted({fact for game in games.values() for fact in game.facts.kinds})
    return {
        "description": "Facts of the game, each with its required value. `GET /v1/games/{game}/orders` describes them.",
        "type": "object",
        "propertyNames": {"type": "string", "enum": facts},
        "additionalProperties": {"anyOf": kinds},
    }


def _action(moves: Collection[str]) -> Json:
    """Describe a move that is ordered, with its arguments or a choice of a card."""
    said = {"type": "string", "enum": list(moves), "description": "The name of the move."}
    args = {"type": "object", "additionalProperties": True, "description": "Its arguments; none if a card is chosen."}
    return {
        "description": "A move, with its arguments or a choice of a card. `GET /v1/games/{game}/orders` says which.",
        **object_of({"move": said, "args": args, **CHOOSING}, ["move"]),
    }
