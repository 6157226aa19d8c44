"""Describes the orders that a game understands, as a JSON Schema."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.cards import CARD, SUITS
from domain.core.game import AnyGame, FactKind
from domain.core.scene_pointers import parts_titled, readable_name, title_of
from domain.core.type_schema import ValueForm, object_of, of_record
from domain.orders.arguments import is_of_a_card
from domain.orders.check import is_whole
from domain.orders.document import BOUND, MOST_MOVES, MOST_NAMED, MOST_ORDERS


def orders_schema(game: AnyGame) -> dict[str, Any]:
    """Describe a game's orders as JSON Schema.

    It covers everything except that two forms of a card can be the same card.
    """
    do = {"type": "array", "items": {"anyOf": _actions(game)}, "minItems": 1, "maxItems": MOST_MOVES}
    asked = {
        fact: {"title": _titled(fact)} | _conditions_on(game, fact, kind) for fact, kind in game.facts.kinds.items()
    }
    order = object_of({"if": object_of(asked), "do": do}, ["do"])
    orders = {"type": "array", "items": order, "maxItems": MOST_ORDERS}
    return object_of({"auto_play_forced": {"type": "boolean", "default": False}, "orders": orders})


_BOUNDED: Final = ValueForm(
    number={"exclusiveMinimum": -BOUND, "exclusiveMaximum": BOUND}, row={"maxItems": MOST_NAMED}
)
_NUMBER: Final = {"type": "integer", **_BOUNDED.number}
_A_CARD: Final = CARD.schema
_SOME_CARDS: Final = {"type": "array", "items": _A_CARD, "maxItems": MOST_NAMED}
_ONE: Final[Mapping[FactKind, Mapping[str, Any]]] = {
    FactKind.NUMBER: _NUMBER,
    FactKind.WORD: {"type": "string", "maxLength": 40},
    FactKind.SUIT: {"type": "string", "enum": list(SUITS)},
    FactKind.CARD: _A_CARD,
}


def _titled(fact: str) -> str:
    """Return the name of a fact for people, such as `Hand number` for `hand_no`."""
    return readable_name(f"{fact[:-2]}number" if fact.endswith("_no") else fact)


def _conditions_on(game: AnyGame, fact: str, kind: FactKind) -> dict[str, Any]:
    """Describe the possible conditions on a fact of a game."""
    return demand(kind, sorted(game.facts.phases) if fact == "phase" else ())


def demand(kind: FactKind, words: Sequence[str] = ()) -> dict[str, Any]:
    """Describe the possible conditions on a fact of this kind, which may be limited to some words."""
    if kind == FactKind.CARDS:
        return _bounded(
            {"all": (_SOME_CARDS, "All of these are present."), "none": (_SOME_CARDS, "None of these is present.")}
        )
    one = {"enum": list(words)} if words else _ONE[kind]
    demands = [one, {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_NAMED}]
    if kind == FactKind.NUMBER:
        demands.append(_bounded({"min": (_NUMBER, "At least this."), "max": (_NUMBER, "At most this.")}))
    return {"anyOf": demands}


def _bounded(bounds: Mapping[str, tuple[Mapping[str, Any], str]]) -> dict[str, Any]:
    """Describe an object with one or more limits, each with its description."""
    return object_of({name: {**of, "description": said} for name, (of, said) in bounds.items()}) | {"minProperties": 1}


def _actions(game: AnyGame) -> list[dict[str, Any]]:
    """Describe the ways to order each move: by its name, with arguments, with a card to be chosen."""
    found = []
    for name, cls in game.moves.items():
        move, called = {"move": {"const": name}}, {"title": title_of(name, cls)}
        if is_whole(game, cls):
            found.append(called | object_of(move, ["move"]))
        args = parts_titled(of_record(cls, form=_BOUNDED), cls)
        found.append(called | object_of(move | {"args": args}, ["move", "args"]))
        if is_of_a_card(cls):
            found.append(called | object_of({**move, **CHOOSING}, ["move", "card"]))
    return found


_BOUND: Final = {"anyOf": [_A_CARD, {"type": "string", "const": "winning"}]}
CHOOSING: Final[Mapping[str, Any]] = {
    "card": {
        "type": "string",
        "enum": ["highest", "lowest"],
        "description": "The card to choose among those that the other conditions allow.",
    },
    "suit": {
        "type": "string",
        "enum": [*SUITS, "led"],
        "description": "Only this suit, or the suit led.",
    },
    "below": {**_BOUND, "description": "Only below this card, or below the card winning the trick."},
    "above": {**_BOUND, "description": "Only above this card, or above the card winning the trick."},
    "except": {**_SOME_CARDS, "description": "None of these cards."},
}
"""How a card is chosen for a move whose first argument is a card."""
