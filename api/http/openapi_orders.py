"""Describes standing orders, of all games at once: an order is given to a match, and only the match says the game.

`GET /v1/games/{game}/orders` describes the orders of one game to the last detail.
"""

from collections.abc import Mapping
from typing import Any, Final

from api.http.openapi_games import component_name, one_of, ref
from domain.core.game import AnyGame, FactKind
from domain.core.type_schema import object_of
from domain.games.catalogue import GAMES
from domain.orders.arguments import is_of_a_card
from domain.orders.check import is_whole
from domain.orders.document import MOST_MOVES, MOST_ORDERS
from domain.orders.json_schema import CHOOSING, demand

Json = dict[str, Any]

ORDERS: Final = "StandingOrders"
_ORDER: Final = "StandingOrder"
_CONDITIONS: Final = "OrderConditions"
_NUMBER: Final = "DemandedNumber"
_ACTION: Final = "OrderedMove"
_TRIED: Final = "TriedMove"


def describe_orders(moves: Mapping[str, Json]) -> Json:
    """Describe orders, and the moves that they make; `moves` has the descriptions of moves as they are sent."""
    named: dict[str, list[AnyGame]] = {}
    for game in GAMES.values():
        for name in game.moves:
            named.setdefault(name, []).append(game)
    return {
        ORDERS: _document(),
        _ORDER: _order(),
        _CONDITIONS: _conditions(),
        _NUMBER: {"description": "A number, one of several, or bounds.", **demand(FactKind.NUMBER)},
        **{component_name(name, "order"): _action(name, games, moves) for name, games in named.items()},
        _ACTION: one_of(
            "move",
            {name: component_name(name, "order") for name in named},
            description="A move, or how one is to be chosen.",
        ),
        **_tried(list(named), moves),
    }


def _document() -> Json:
    forced = {"type": "boolean", "description": "Whether a move that is the only one is played; by default not."}
    listed = {
        "type": "array",
        "items": ref(_ORDER),
        "maxItems": MOST_ORDERS,
        "description": "The orders, of which the first that fits counts.",
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
    return {"description": "What is done, and when.", **object_of({"if": asked, "do": do}, ["do"])}


def _conditions() -> Json:
    """Describe what the facts of all games can be asked; several games may have facts of one name."""
    facts: dict[str, list[Json]] = {}
    for game in GAMES.values():
        for fact, kind in game.facts.kinds.items():
            # The phases of a game are words among those of all others.
            one = ref(_NUMBER) if kind == FactKind.NUMBER else demand(kind)
            if one not in facts.setdefault(fact, []):
                facts[fact].append(one)
    asked = {
        fact: {**(ways[0] if len(ways) == 1 else {"anyOf": ways}), "description": f"What `{fact}` is to be."}
        for fact, ways in facts.items()
    }
    return {"description": "Facts of the game, each with its required value.", **object_of(asked)}


def _action(name: str, games: list[AnyGame], moves: Mapping[str, Json]) -> Json:
    """Describe the ways to order a move of this name."""
    classes = [game.moves[name] for game in games]
    whole = any(is_whole(game, cls) for game, cls in zip(games, classes, strict=True))
    of_a_card = any(map(is_of_a_card, classes))
    said = {"type": "string", "const": name, "description": "The name of the move."}
    properties = {"move": said, "args": moves[component_name(name, "move")]["properties"]["args"]}
    needed = ["move"] if whole or of_a_card else ["move", "args"]
    described = object_of(properties | (dict(CHOOSING) if of_a_card else {}), needed)
    return {
        "description": f"The move `{name}`, with its arguments{' or a choice of a card' if of_a_card else ''}.",
        **described,
    }


def _tried(names: list[str], moves: Mapping[str, Json]) -> Json:
    """Describe a move that orders would make: it has its arguments always."""
    made: Json = {}
    kinds = {}
    for name in names:
        kinds[name] = component_name(name, "move")
        sent = moves[kinds[name]]
        if "args" not in sent["required"]:
            kinds[name] = component_name("tried", name)
            own = {part: sent["properties"][part] for part in ("name", "args")}
            made[kinds[name]] = {"description": sent["description"], **object_of(own, ["name", "args"])}
    return {**made, _TRIED: one_of("name", kinds, description="A move that orders would make.")}
