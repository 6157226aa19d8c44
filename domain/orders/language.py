"""Standing orders: what a player wants done while he is away, as data (no code), looked at when he is to move.

    {"auto_play_forced": true,
     "orders": [{"if": {"phase": "playing", "led": "H"},
                 "do": [{"move": "play_card", "card": "highest", "below": "winning"},
                        {"move": "play_card", "card": "lowest"}]}]}

The first order whose conditions hold, and one of whose moves is legal, is carried out. Conditions ask what the seat's own
table shows; a card is chosen among those that may be played. Nothing that the player could not see is ever asked. An order
no longer fits when its conditions hold and moves of its kind can be made, but none of those that it names.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from domain.core.cards import NAMES, NUMBERS, RANK_OF, RANKS, SUITS, Card, Cards, Seat
from domain.core.cards import read as read_card
from domain.core.choices import Choice, SomeCards
from domain.core.game import AnyGame, admitted
from domain.core.values import value

Facts = Mapping[str, Any]

MOST_ORDERS: Final = 50
MOST_MOVES: Final = 10
MOST_NAMED: Final = 53
"""So many entries any list in an order has, at most."""
BOUND: Final = 10**9
"""Every number is less, and greater than its negative."""


class BadOrders(Exception):
    """The document is none; `errors` say for each place what is wrong with it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(str(errors))
        self.errors = errors


@value
class Orders:
    """A player's orders for one seat, checked. `document` is what he wrote, each card named as tables name it."""

    document: Mapping[str, Any]

    @property
    def auto_play_forced(self) -> bool:
        return bool(self.document.get("auto_play_forced", False))

    @property
    def orders(self) -> Sequence[Mapping[str, Any]]:
        orders: Sequence[Mapping[str, Any]] = self.document.get("orders", ())
        return orders


@value
class Carried:
    """What the orders make of a decision: the move, and the number of the order; None: it was forced.

    Without a move: this order no longer fits, and none that follows makes a move.
    """

    move: Any
    order: int | None


# --- What can be asked ----------------------------------------------------------------------------------

NUMBER, WORD, SUIT, CARD, CARDS = "number", "word", "suit", "card", "cards"

FACTS: Final[Mapping[str, str]] = {
    "phase": WORD, "hand_no": NUMBER, "trick_no": NUMBER, "turn_no": NUMBER, "score": NUMBER, "hand": CARDS,
    "led": SUIT, "winning": CARD, "suit": SUIT, "discard_top": CARD, "drawn": CARD, "stock_count": NUMBER,
    "fewest_cards": NUMBER, "deadwood": NUMBER,
}  # fmt: skip
"""What conditions may ask, and what kind of thing it is.

`led` and `winning`: the suit of the trick's first card, and the card that takes it so far. `fewest_cards`: of any other
seat. `deadwood`: what is left at best, after a discard if one is due.
"""


@cache
def askable(game: AnyGame) -> tuple[str, ...]:
    """Name what conditions may ask in a game: what there can be at its tables."""
    table = game.view(game.start(game.setup.options(), game.setup.usual, None), 0)
    of_cards = any(_is_of_cards(cls) for cls in game.moves.values())
    plain = {name for name in set(FACTS) & set(table) if isinstance(table[name], _SHOWN[FACTS[name]])}
    there = (plain if of_cards else plain - {"hand"}) | {"score", "fewest_cards"} | set(game.facts.kinds)
    return tuple(name for name in FACTS if name in there or (name in ("led", "winning") and "trick" in table))


def _is_of_cards(cls: type) -> bool:
    return any(hint in (Card, Cards) for hint in get_type_hints(cls).values())


_SHOWN: Final[Mapping[str, Any]] = {
    NUMBER: int | None, WORD: str, SUIT: str | None, CARD: str | None, CARDS: list,
}  # fmt: skip
"""How a table shows things of a kind; what has the name but is none of the kind cannot be asked."""


def facts(game: AnyGame, state: Any, seat: Seat) -> dict[str, Any]:
    """Give what conditions may ask, as the seat's own table shows it; what there is not is left out."""
    table = game.view(state, seat)
    known = {name: table.get(name) for name in FACTS}
    known["score"] = table["scores"][seat] if seat < len(table.get("scores", ())) else None
    known["fewest_cards"] = min(n for s, n in enumerate(table["hand_counts"]) if s != seat)
    if trick := table.get("trick"):
        led = trick[0]["card"][1]
        known["led"] = led
        known["winning"] = max((t["card"] for t in trick if t["card"][1] == led), key=_rank)
    known |= game.facts.known(state, seat)
    return {name: known[name] for name in askable(game) if known[name] is not None}


def _rank(name: str) -> tuple[int, int]:
    return RANKS.index(name[0]), SUITS.index(name[1])


def _holds(wanted: Any, fact: Any) -> bool:
    if isinstance(wanted, Mapping):
        return all(_COMPARED[how](fact, x) for how, x in wanted.items())
    return fact in wanted if isinstance(wanted, (list, tuple)) else bool(fact == wanted)


_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "min": lambda fact, x: fact >= x,
    "max": lambda fact, x: fact <= x,
    "all": lambda fact, x: set(x) <= set(fact),
    "none": lambda fact, x: not set(x) & set(fact),
}


# --- Carrying out ---------------------------------------------------------------------------------------


def forced(choices: Sequence[Choice]) -> Any:
    """Give the only legal move, if there is but one; else None (rules 1.1)."""
    if len(choices) != 1:
        return None
    (choice,) = choices
    if isinstance(choice, SomeCards):
        return None if (only := choice.only()) is None else choice.make(only)
    cards, arguments = _cards(choice), fields(choice.make)
    if len(cards) == 1 and (len(arguments) == 1 or cards == getattr(choice, "plain", ())):
        return choice.make(cards[0])
    return choice.make() if not arguments else None


def carried(game: AnyGame, state: Any, seat: Seat, orders: Orders) -> Carried | None:
    """Give the move that the orders make now, from what the seat's own table shows; None if none of them applies."""
    choices = game.legal(state, seat)
    if not choices or seat not in game.to_act(state):  # what can be done off turn, no order does
        return None
    if orders.auto_play_forced and (only := forced(choices)) is not None:
        return Carried(only, None)
    known, unfit = facts(game, state, seat), None
    for number, order in enumerate(orders.orders):
        if all(name in known and _holds(x, known[name]) for name, x in order.get("if", {}).items()):
            for action in order["do"]:
                move = _made(game, state, seat, action, choices, known)
                if move is not None and admitted(choices, move):
                    return Carried(move, number)
            kinds = [game.moves[action["move"]] for action in order["do"]]
            if unfit is None and any(choice.make in kinds for choice in choices):
                unfit = Carried(None, number)
    return unfit


def _made(
    game: AnyGame, state: Any, seat: Seat, action: Mapping[str, Any], choices: Sequence[Choice], known: Facts
) -> Any:
    cls = game.moves[action["move"]]
    if "card" in action:
        card = _chosen(action, [c for choice in choices if choice.make is cls for c in _cards(choice)], known)
        return None if card is None else _with_card(game, state, seat, cls, card)
    if "args" in action:
        return read_move(cls, action["args"])
    return game.facts.completed(state, seat, cls) if _needs_arguments(cls) else cls()


def _cards(choice: Any) -> Cards:
    """Give the cards that a choice is one of, where it is."""
    cards: Cards = getattr(choice, "of", ()) or getattr(choice, "discards", ())
    return cards


def _with_card(game: AnyGame, state: Any, seat: Seat, cls: type, card: Card) -> Any:
    bare = cls(card)
    return bare if admitted(game.legal(state, seat), bare) else game.facts.completed(state, seat, cls, card)


_BOUNDS: Mapping[str, Callable[[Card, Card], bool]] = {
    "below": lambda c, bound: c < bound,
    "above": lambda c, bound: c > bound,
}


def _chosen(action: Mapping[str, Any], cards: Sequence[Card], known: Facts) -> Card | None:
    """Choose the highest or lowest card that the action leaves, by rank and then in the order of suits."""
    suit = known.get("led") if action.get("suit") == "led" else action.get("suit")
    if action.get("suit") == "led" and suit is None:
        return None
    kept = [c for c in cards if NAMES[c] not in action.get("except", ()) and suit in (None, NAMES[c][1])]
    for bound, keep in _BOUNDS.items():
        if bound in action:
            limit = known.get("winning") if action[bound] == "winning" else action[bound]
            if limit is None:
                return None
            b = NUMBERS[limit]
            kept = [c for c in kept if c // 13 == b // 13 and keep(c, b)]
    best = max if action["card"] == "highest" else min
    return best(kept, key=lambda c: (RANK_OF[c], c), default=None)


def read_move(cls: type, args: Mapping[str, Any]) -> Any:
    """Make a move from its arguments as clients write them. Raises `TypeError`, `ValueError` or `LookupError`."""
    hints = get_type_hints(cls, include_extras=True)
    return cls(**{name: _read(hints[name], x) for name, x in args.items()})


def _read(hint: Any, x: Any) -> Any:
    """Read one argument, or an entry of it, by its type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint == Card:
        return read_card(x) if _is_card(x) else _wrong(x)
    if origin is Annotated:
        read = _read(args[0], x)
        return read if args[1].low <= read <= args[1].high else _wrong(x)
    if origin in (Union, UnionType):
        return None if x is None else _read(next(arg for arg in args if arg is not NoneType), x)
    if origin is Literal:
        return x if isinstance(x, str) and x in args else _wrong(x)
    if origin is tuple:
        return _read_row(hint, x if isinstance(x, list) and len(x) <= MOST_NAMED else _wrong(x))
    if is_dataclass(hint):
        return read_move(hint, x if isinstance(x, Mapping) else _wrong(x))  # type: ignore[arg-type]
    return int(x) if _is_number(x) else _wrong(x)


def _read_row(hint: Any, row: list[Any]) -> tuple[Any, ...]:
    entries = tuple(_read(get_args(hint)[0], entry) for entry in row)
    if hint != Cards:
        return entries
    return tuple(sorted(entries)) if len(set(entries)) == len(entries) else _wrong(row)


def _wrong(x: Any) -> Any:
    raise ValueError(f"{type(x).__name__} that cannot be here")


def _needs_arguments(cls: type) -> bool:
    return any(f.default is MISSING for f in fields(cls))


# --- Checking what was written --------------------------------------------------------------------------


def read(game: AnyGame, document: Any) -> Orders:
    """Check a document of orders for a game. Raises `BadOrders`."""
    wrong: dict[str, str] = {}
    if not isinstance(document, Mapping):
        raise BadOrders({"": "Orders are an object with `orders`, `auto_play_forced`, or both."})
    _known(document, ("auto_play_forced", "orders"), "", wrong)
    if type(document.get("auto_play_forced", False)) is not bool:
        wrong["auto_play_forced"] = "True or false."
    orders = document.get("orders", [])
    if not isinstance(orders, list) or len(orders) > MOST_ORDERS:
        wrong["orders"] = f"A list of at most {MOST_ORDERS} orders."
        orders = []
    for i, order in enumerate(orders):
        _check_order(game, order, f"orders.{i}", wrong)
    if wrong:
        raise BadOrders(wrong)
    return Orders(_named(document))


def _named(x: Any) -> Any:
    """Name every card in a document as tables do, however it was written."""
    if isinstance(x, Mapping):
        return {name: _named(entry) for name, entry in x.items()}
    if isinstance(x, list):
        return [_named(entry) for entry in x]
    return NAMES[read_card(x)] if _is_card(x) else x


def _known(x: Mapping[str, Any], names: Sequence[str], at: str, wrong: dict[str, str]) -> None:
    for name in x:
        if name not in names:
            wrong[f"{at}.{name}".lstrip(".")] = f"Known here are: {', '.join(names)}."


def _check_order(game: AnyGame, order: Any, at: str, wrong: dict[str, str]) -> None:
    if not isinstance(order, Mapping):
        wrong[at] = "An order is an object with `do`, and `if` where it is not for every decision."
        return
    _known(order, ("if", "do"), at, wrong)
    conditions, moves = order.get("if", {}), order.get("do")
    if not isinstance(conditions, Mapping):
        wrong[f"{at}.if"] = "Conditions are an object: what is asked, and what it must be."
        conditions = {}
    for name, wanted in conditions.items():
        if name not in askable(game):
            wrong[f"{at}.if.{name}"] = f"What can be asked: {', '.join(askable(game))}."
        elif not _fits(FACTS[name], wanted):
            wrong[f"{at}.if.{name}"] = f"{_KINDS[FACTS[name]][1]}"
        elif name == "phase" and game.facts.phases and not _words(wanted) <= game.facts.phases:
            wrong[f"{at}.if.{name}"] = (
                f"A player is asked something in: {', '.join(sorted(game.facts.phases))}."
            )
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        wrong[f"{at}.do"] = f"A list of 1 to {MOST_MOVES} moves, of which the first legal one is made."
        moves = []
    for i, action in enumerate(moves):
        _check_action(game, action, f"{at}.do.{i}", wrong)


def _words(wanted: Any) -> set[str]:
    return {wanted} if isinstance(wanted, str) else set(wanted)


def _is_card(x: Any) -> bool:
    return isinstance(x, str) and _CARD.fullmatch(x) is not None


_CARD: Final = re.compile(f"([{RANKS}{RANKS.lower()}]|10)[{SUITS}{SUITS.lower()}♣♦♥♠♧♢♡♤]")
"""A card as people write it (rules 1.2)."""


def _is_number(x: Any) -> bool:
    return (type(x) is int or (type(x) is float and x.is_integer())) and abs(x) < BOUND


_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    NUMBER: (_is_number, "A whole number, a list of them, or an object with `min`, `max` or both."),
    WORD: (lambda x: isinstance(x, str) and len(x) <= 40, "A word, or a list of words."),
    SUIT: (lambda x: isinstance(x, str) and x in tuple(SUITS), "One of C, D, H, S, or a list of them."),
    CARD: (_is_card, "A card such as QS, or a list of cards."),
    CARDS: (lambda x: False, "An object with `all` or `none`, each a list of cards."),
}


def _fits(kind: str, wanted: Any) -> bool:
    one = _KINDS[kind][0]
    if isinstance(wanted, Mapping):
        names = {"min", "max"} if kind == NUMBER else {"all", "none"} if kind == CARDS else set()
        each = _is_number if kind == NUMBER else _are_cards
        return bool(wanted) and set(wanted) <= names and all(map(each, wanted.values()))
    if isinstance(wanted, list):
        return 1 <= len(wanted) <= MOST_NAMED and all(map(one, wanted))
    return one(wanted)


def _are_cards(x: Any) -> bool:
    return isinstance(x, list) and len(x) <= MOST_NAMED and all(map(_is_card, x))


def _check_action(game: AnyGame, action: Any, at: str, wrong: dict[str, str]) -> None:
    if not isinstance(action, Mapping) or action.get("move") not in tuple(game.moves):
        wrong[at] = f"A move is an object with `move`, one of {', '.join(game.moves)}."
        return
    _known(action, ("move", "args", "card", "suit", "below", "above", "except"), at, wrong)
    cls = game.moves[action["move"]]
    if "card" in action:
        _check_choosing(cls, action, at, wrong)
    elif set(action) & {"suit", "below", "above", "except"}:
        wrong[at] = "`suit`, `below`, `above` and `except` go with `card`."
    elif "args" not in action and not _is_whole(game, cls):
        wrong[at] = f"{action['move']} needs `args`{', or a `card`' if _is_of_a_card(cls) else ''}."
    if "args" in action:
        if "card" in action:
            wrong[f"{at}.args"] = "Either `args` or `card`."
        try:
            read_move(cls, action["args"])
        except (TypeError, ValueError, LookupError, AttributeError):
            wrong[f"{at}.args"] = f"The arguments of {action['move']}, as they are posted."


def _is_whole(game: AnyGame, cls: type) -> bool:
    """Say whether its name is enough to order a move."""
    return cls in game.facts.completes or not _needs_arguments(cls)


def _is_of_a_card(cls: type) -> bool:
    return bool(fields(cls)) and get_type_hints(cls)[fields(cls)[0].name] == Card


def _check_choosing(cls: type, action: Mapping[str, Any], at: str, wrong: dict[str, str]) -> None:
    if not _is_of_a_card(cls):
        wrong[f"{at}.card"] = "This move is not one of a card."
    if action["card"] not in ("highest", "lowest"):
        wrong[f"{at}.card"] = "Either highest or lowest."
    if "suit" in action and action["suit"] not in (*SUITS, "led"):
        wrong[f"{at}.suit"] = "One of C, D, H, S, or led."
    for bound in ("below", "above"):
        if bound in action and action[bound] != "winning" and not _is_card(action[bound]):
            wrong[f"{at}.{bound}"] = "A card, or winning."
    if not _are_cards(action.get("except", [])):
        wrong[f"{at}.except"] = "A list of cards."


# --- The published schema -------------------------------------------------------------------------------


def schema(game: AnyGame) -> dict[str, Any]:
    """Describe the orders that a game understands, as a JSON Schema.

    It says all but one thing: that a card which is written in two ways is the same.
    """
    do = {"type": "array", "items": {"anyOf": _actions(game)}, "minItems": 1, "maxItems": MOST_MOVES}
    asked = {fact: _asked(game, fact) for fact in askable(game)}
    order = _object({"if": _object(asked), "do": do}, ["do"])
    orders = {"type": "array", "items": order, "maxItems": MOST_ORDERS}
    return _object({"auto_play_forced": {"type": "boolean", "default": False}, "orders": orders})


_NUMBER: Final = {"type": "integer", "exclusiveMinimum": -BOUND, "exclusiveMaximum": BOUND}
_A_CARD: Final = {"type": "string", "pattern": f"^{_CARD.pattern}$"}
_SOME_CARDS: Final = {"type": "array", "items": _A_CARD, "maxItems": MOST_NAMED}
_ONE: Final[Mapping[str, Mapping[str, Any]]] = {
    NUMBER: _NUMBER, WORD: {"type": "string", "maxLength": 40}, SUIT: {"enum": list(SUITS)}, CARD: _A_CARD,
}  # fmt: skip


def _asked(game: AnyGame, fact: str) -> dict[str, Any]:
    """Describe what a condition may demand of a fact."""
    kind = FACTS[fact]
    if kind == CARDS:
        return _object({"all": _SOME_CARDS, "none": _SOME_CARDS}) | {"minProperties": 1}
    one = {"enum": sorted(game.facts.phases)} if fact == "phase" and game.facts.phases else _ONE[kind]
    demands = [one, {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_NAMED}]
    if kind == NUMBER:
        demands.append(_object({"min": _NUMBER, "max": _NUMBER}) | {"minProperties": 1})
    return {"anyOf": demands}


def _actions(game: AnyGame) -> list[dict[str, Any]]:
    """Describe the ways to order each move: by its name, with arguments, with a card to be chosen."""
    bound = {"anyOf": [_A_CARD, {"const": "winning"}]}
    choosing = {
        "card": {"enum": ["highest", "lowest"]}, "suit": {"enum": [*SUITS, "led"]}, "below": bound, "above": bound,
        "except": _SOME_CARDS,
    }  # fmt: skip
    found = []
    for name, cls in game.moves.items():
        move = {"move": {"const": name}}
        if _is_whole(game, cls):
            found.append(_object(move, ["move"]))
        found.append(_object(move | {"args": _arguments(cls)}, ["move", "args"]))
        if _is_of_a_card(cls):
            found.append(_object(move | choosing, ["move", "card"]))
    return found


def _arguments(cls: Any) -> dict[str, Any]:
    """Describe the arguments of a move, or the entries of a record among them."""
    hints = get_type_hints(cls, include_extras=True)
    needed = [f.name for f in fields(cls) if f.default is MISSING]
    return _object({f.name: _argument(hints[f.name]) for f in fields(cls)}, needed)


def _argument(hint: Any) -> dict[str, Any]:
    """Describe one argument, or an entry of it, as `_read` reads it."""
    origin, args = get_origin(hint), get_args(hint)
    if hint == Card:
        return dict(_A_CARD)
    if origin is Annotated:
        return {"type": "integer", "minimum": args[1].low, "maximum": args[1].high}
    if origin in (Union, UnionType):
        return {"anyOf": [{"type": "null"}, *[_argument(arg) for arg in args if arg is not NoneType]]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        row = {"type": "array", "items": _argument(args[0]), "maxItems": MOST_NAMED}
        return row | ({"uniqueItems": True} if hint == Cards else {})
    return _arguments(hint) if is_dataclass(hint) else dict(_NUMBER)


def _object(properties: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    described = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return described | ({"required": list(required)} if required else {})
