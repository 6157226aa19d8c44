"""Standing orders: what a player wants done while he is away, as data (no code), looked at when he is to move.

    {"auto_play_forced": true,
     "orders": [{"if": {"phase": "playing", "led": "H"},
                 "do": [{"move": "play_card", "card": "highest", "below": "winning"},
                        {"move": "play_card", "card": "lowest"}]}]}

The first order whose conditions hold, and one of whose moves is legal, is carried out. Conditions ask what the seat's own
table shows; a card is chosen among those that may be played. Nothing that the player could not see is ever asked. An order
no longer fits when its conditions hold and moves of its kind can be made, but none of those that it names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from domain.cards import NAMES, NUMBERS, RANK_OF, RANKS, SUITS, Card, Cards, Seat
from domain.catalogue import GAMES
from domain.choices import Choice
from domain.game import Game, admitted
from domain.values import value

AnyGame = Game[Any, Any, Any, Any]
Facts = Mapping[str, Any]

MOST_ORDERS: Final = 50
MOST_MOVES: Final = 10


class BadOrders(Exception):
    """The document is none; `errors` say for each place what is wrong with it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(str(errors))
        self.errors = errors


@value
class Orders:
    """A player's orders for one seat, checked. `document` is what he wrote."""

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
    known |= game.asked_by_orders(state, seat)
    return {name: x for name, x in known.items() if x is not None}


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
    """Give the only legal move, if there is but one; else None (RULES 1.1)."""
    if len(choices) != 1:
        return None
    (choice,) = choices
    cards, arguments = _cards(choice), fields(choice.make)
    if len(cards) == 1 and (len(arguments) == 1 or cards == getattr(choice, "plain", ())):
        return choice.make(cards[0])
    return choice.make() if not arguments else None


def carried(game: AnyGame, state: Any, seat: Seat, orders: Orders) -> Carried | None:
    """Give the move that the orders make now, from what the seat's own table shows; None if none of them applies."""
    choices = game.legal(state, seat)
    if not choices:
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
    return game.completed(state, seat, cls) if _needs_arguments(cls) else cls()


def _cards(choice: Any) -> Cards:
    """Give the cards that a choice is one of, where it is."""
    cards: Cards = getattr(choice, "of", ()) or getattr(choice, "discards", ())
    return cards


def _with_card(game: AnyGame, state: Any, seat: Seat, cls: type, card: Card) -> Any:
    bare = cls(card)
    return bare if admitted(game.legal(state, seat), bare) else game.completed(state, seat, cls, card)


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
    hints = get_type_hints(cls)
    return cls(**{name: _read(hints[name], x) for name, x in args.items()})


def _read(hint: Any, x: Any) -> Any:
    """Read one argument, or an entry of it, by its type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint == Card:
        return _read_card(x)
    if hint == Cards:
        return tuple(sorted(map(_read_card, _checked(x, list))))
    if origin in (Union, UnionType):
        return None if x is None else _read(next(arg for arg in args if arg is not NoneType), x)
    if origin is Literal:
        return args[args.index(_checked(x, str))]
    if origin is tuple:
        return tuple(_read(args[0], entry) for entry in _checked(x, list))
    if is_dataclass(hint):
        return read_move(hint, _checked(x, dict))  # type: ignore[arg-type]
    return _checked(x, getattr(hint, "__supertype__", hint))


def _checked(x: Any, kind: Any) -> Any:
    if type(x) is not kind:
        raise TypeError(f"{type(x).__name__} in the place of {kind.__name__}")
    return x


def _read_card(x: Any) -> Card:
    if not _is_card(x):
        raise ValueError("not a card")
    return NUMBERS[x]


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
    return Orders(document)


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
        if name not in FACTS:
            wrong[f"{at}.if.{name}"] = f"What can be asked: {', '.join(FACTS)}."
        elif not _fits(FACTS[name], wanted):
            wrong[f"{at}.if.{name}"] = f"{_KINDS[FACTS[name]][1]}"
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        wrong[f"{at}.do"] = f"A list of 1 to {MOST_MOVES} moves, of which the first legal one is made."
        moves = []
    for i, action in enumerate(moves):
        _check_action(game, action, f"{at}.do.{i}", wrong)


def _is_card(x: Any) -> bool:
    return isinstance(x, str) and x in NUMBERS and x != NAMES[-1]


def _is_number(x: Any) -> bool:
    return type(x) is int and abs(x) < 10**9


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
        each = _is_number if kind == NUMBER else lambda x: isinstance(x, list) and all(map(_is_card, x))
        return bool(wanted) and set(wanted) <= names and all(map(each, wanted.values()))
    if isinstance(wanted, list):
        return 1 <= len(wanted) <= len(NAMES) and all(map(one, wanted))
    return one(wanted)


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
    if "args" in action:
        if "card" in action:
            wrong[f"{at}.args"] = "Either `args` or `card`."
        try:
            read_move(cls, action["args"])
        except (TypeError, ValueError, LookupError, AttributeError):
            wrong[f"{at}.args"] = f"The arguments of {action['move']}, as they are posted."


def _check_choosing(cls: type, action: Mapping[str, Any], at: str, wrong: dict[str, str]) -> None:
    if not fields(cls) or get_type_hints(cls)[fields(cls)[0].name] != Card:
        wrong[f"{at}.card"] = "This move is not one of a card."
    if action["card"] not in ("highest", "lowest"):
        wrong[f"{at}.card"] = "Either highest or lowest."
    if "suit" in action and action["suit"] not in (*SUITS, "led"):
        wrong[f"{at}.suit"] = "One of C, D, H, S, or led."
    for bound in ("below", "above"):
        if bound in action and action[bound] != "winning" and not _is_card(action[bound]):
            wrong[f"{at}.{bound}"] = "A card, or winning."
    excepted = action.get("except", [])
    if not isinstance(excepted, list) or len(excepted) > len(NAMES) or not all(map(_is_card, excepted)):
        wrong[f"{at}.except"] = "A list of cards."


# --- The published schema -------------------------------------------------------------------------------


def schema(name: str) -> dict[str, Any]:
    """Describe the orders that a game understands, as a JSON Schema."""
    moves = list(GAMES[name].moves)
    card = {"type": "string", "enum": NAMES[:-1]}
    suit = {"type": "string", "enum": list(SUITS)}
    cards = {"type": "array", "items": card, "maxItems": len(NAMES)}
    kinds: dict[str, dict[str, Any]] = {
        NUMBER: {"type": "integer", "exclusiveMinimum": -(10**9), "exclusiveMaximum": 10**9},
        WORD: {"type": "string", "maxLength": 40},
        SUIT: suit,
        CARD: card,
    }
    asked: dict[str, Any] = {}
    for fact, kind in FACTS.items():
        if kind == CARDS:
            asked[fact] = _object({"all": cards, "none": cards}, least=1)
            continue
        several = {"type": "array", "items": kinds[kind], "minItems": 1, "maxItems": len(NAMES)}
        asked[fact] = {"anyOf": [kinds[kind], several]}
        if kind == NUMBER:
            asked[fact]["anyOf"].append(_object({"min": kinds[NUMBER], "max": kinds[NUMBER]}, least=1))
    action = _object({
        "move": {"enum": moves}, "args": {"type": "object"}, "card": {"enum": ["highest", "lowest"]},
        "suit": {"enum": [*SUITS, "led"]}, "below": {"enum": [*NAMES[:-1], "winning"]},
        "above": {"enum": [*NAMES[:-1], "winning"]}, "except": cards,
    }) | {"required": ["move"]}  # fmt: skip
    do = {"type": "array", "items": action, "minItems": 1, "maxItems": MOST_MOVES}
    order = _object({"if": _object(asked), "do": do}) | {"required": ["do"]}
    orders = {"type": "array", "items": order, "maxItems": MOST_ORDERS}
    return _object({"auto_play_forced": {"type": "boolean", "default": False}, "orders": orders})


def _object(properties: Mapping[str, Any], least: int = 0) -> dict[str, Any]:
    described = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return described | ({"minProperties": least} if least else {})
