"""Checks a document of orders, with a sentence for each place that is wrong."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.core.cards import NAMES, SUITS, read_card
from domain.core.game import AnyGame, FactKind, Facts
from domain.orders.arguments import is_card, is_number, is_of_a_card, needs_arguments, read_move
from domain.orders.document import MOST_MOVES, MOST_NAMED, MOST_ORDERS, BadOrders, Orders


def read_orders(game: AnyGame, document: Any) -> Orders:
    """Check a document of orders for a game. Raises `BadOrders`."""
    wrong: dict[str, str] = {}
    if not isinstance(document, Mapping):
        raise BadOrders({"": "Send an object with `orders`, `auto_play_forced`, or both."})
    _check_names(document, ("auto_play_forced", "orders"), "", wrong)
    if type(document.get("auto_play_forced", False)) is not bool:
        wrong["auto_play_forced"] = "Must be true or false."
    orders = document.get("orders", [])
    if not isinstance(orders, list) or len(orders) > MOST_ORDERS:
        wrong["orders"] = f"Must be a list of at most {MOST_ORDERS} orders."
        orders = []
    for i, order in enumerate(orders):
        _check_order(game, order, f"orders.{i}", wrong)
    if wrong:
        raise BadOrders(wrong)
    return Orders(_with_card_names(document))


def _with_card_names(x: Any) -> Any:
    """Return the document with every card in the form that tables use."""
    if isinstance(x, Mapping):
        return {name: _with_card_names(entry) for name, entry in x.items()}
    if isinstance(x, list):
        return [_with_card_names(entry) for entry in x]
    return NAMES[read_card(x)] if is_card(x) else x


def _check_names(x: Mapping[str, Any], names: Sequence[str], at: str, wrong: dict[str, str]) -> None:
    for name in x:
        if name not in names:
            wrong[f"{at}.{name}".lstrip(".")] = f"The valid names are: {', '.join(names)}."


def _check_order(game: AnyGame, order: Any, at: str, wrong: dict[str, str]) -> None:
    if not isinstance(order, Mapping):
        wrong[at] = "An order is an object with `do`, and with `if` unless it is for every decision."
        return
    _check_names(order, ("if", "do"), at, wrong)
    conditions, moves = order.get("if", {}), order.get("do")
    if not isinstance(conditions, Mapping):
        wrong[f"{at}.if"] = "Conditions are an object: each fact with its required value."
        conditions = {}
    for name, wanted in conditions.items():
        if sentence := _wrong_with(game.facts, name, wanted):
            wrong[f"{at}.if.{name}"] = sentence
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        wrong[f"{at}.do"] = f"Must be a list of 1 to {MOST_MOVES} moves. The first legal one is made."
        moves = []
    for i, action in enumerate(moves):
        _check_action(game, action, f"{at}.do.{i}", wrong)


def _wrong_with(facts: Facts[Any], name: str, wanted: Any) -> str:
    """Return the fault in a condition, if there is one."""
    if name not in facts.kinds:
        return f"The valid facts are: {', '.join(facts.kinds)}."
    kind = facts.kinds[name]
    if not _is_condition(kind, wanted):
        return _KINDS[kind][1]
    if name == "phase" and facts.phases and not _words(wanted) <= facts.phases:
        return f"The phases with decisions are: {', '.join(sorted(facts.phases))}."
    return ""


def _words(wanted: Any) -> set[str]:
    return {wanted} if isinstance(wanted, str) else set(wanted)


_KINDS: Mapping[FactKind, tuple[Callable[[Any], bool], str]] = {
    FactKind.NUMBER: (is_number, "Must be a whole number, a list of them, or an object with `min`, `max` or both."),
    FactKind.WORD: (lambda x: isinstance(x, str) and len(x) <= 40, "Must be a word or a list of words."),
    FactKind.SUIT: (
        lambda x: isinstance(x, str) and x in tuple(SUITS),
        "Must be C, D, H or S, or a list of them.",
    ),
    FactKind.CARD: (is_card, "Must be a card such as QS, or a list of cards."),
    FactKind.CARDS: (lambda x: False, "Must be an object with `all` or `none`, each a list of cards."),
}


def _is_condition(kind: FactKind, wanted: Any) -> bool:
    one = _KINDS[kind][0]
    if isinstance(wanted, Mapping):
        each, names = _COMPARED.get(kind, (_are_cards, frozenset[str]()))
        return bool(wanted) and set(wanted) <= names and all(map(each, wanted.values()))
    if isinstance(wanted, list):
        return 1 <= len(wanted) <= MOST_NAMED and all(map(one, wanted))
    return one(wanted)


def _are_cards(x: Any) -> bool:
    return isinstance(x, list) and len(x) <= MOST_NAMED and all(map(is_card, x))


_COMPARED: Mapping[FactKind, tuple[Callable[[Any], bool], frozenset[str]]] = {
    FactKind.NUMBER: (is_number, frozenset(("min", "max"))),
    FactKind.CARDS: (_are_cards, frozenset(("all", "none"))),
}
"""An object may compare a fact with bounds; each kind has the check of a bound, and the names of the bounds."""


def _check_action(game: AnyGame, action: Any, at: str, wrong: dict[str, str]) -> None:
    if not isinstance(action, Mapping) or action.get("move") not in tuple(game.moves):
        wrong[at] = f"A move is an object with `move`, one of {', '.join(game.moves)}."
        return
    _check_names(action, ("move", "args", "card", "suit", "below", "above", "except"), at, wrong)
    cls = game.moves[action["move"]]
    if "card" in action:
        _check_choosing(cls, action, at, wrong)
    elif set(action) & {"suit", "below", "above", "except"}:
        wrong[at] = "`suit`, `below`, `above` and `except` need `card`."
    elif "args" not in action and not is_whole(game, cls):
        wrong[at] = f"{action['move']} needs `args`{', or a `card`' if is_of_a_card(cls) else ''}."
    if "args" in action:
        if "card" in action:
            wrong[f"{at}.args"] = "Use either `args` or `card`."
        try:
            read_move(cls, action["args"])
        except (TypeError, ValueError, LookupError, AttributeError):
            wrong[f"{at}.args"] = f"Must be the arguments of {action['move']}, as in the API."


def is_whole(game: AnyGame, cls: type) -> bool:
    """Return whether an order can give the move by its name only."""
    return cls in game.facts.completes or not needs_arguments(cls)


def _check_choosing(cls: type, action: Mapping[str, Any], at: str, wrong: dict[str, str]) -> None:
    if not is_of_a_card(cls):
        wrong[f"{at}.card"] = "This move does not name a card."
    if action["card"] not in ("highest", "lowest"):
        wrong[f"{at}.card"] = "Must be `highest` or `lowest`."
    if "suit" in action and action["suit"] not in (*SUITS, "led"):
        wrong[f"{at}.suit"] = "Must be C, D, H, S or `led`."
    for bound in ("below", "above"):
        if bound in action and action[bound] != "winning" and not is_card(action[bound]):
            wrong[f"{at}.{bound}"] = "Must be a card or `winning`."
    if not _are_cards(action.get("except", [])):
        wrong[f"{at}.except"] = "Must be a list of cards."
