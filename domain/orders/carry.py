"""Carries out orders: finds the first whose conditions hold on the known facts, and chooses its card."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from domain.core.cards import NAMES, NUMBERS, RANK_OF, Card, Cards, Seat
from domain.core.choices import Choice, SomeCards
from domain.core.game import AnyGame, is_admitted, shown_facts
from domain.core.values import value
from domain.orders.arguments import needs_arguments, read_move
from domain.orders.document import Orders

KnownFacts = Mapping[str, Any]


def read_facts(game: AnyGame, state: Any, seat: Seat) -> KnownFacts:
    """Return the facts that have a value now; declared facts without one are left out."""
    known = {**shown_facts(game, game.view(state, seat)), **game.facts.known(state, seat)}
    return {name: fact for name, fact in known.items() if fact is not None}


def conditions_hold(conditions: Mapping[str, Any], known: KnownFacts) -> bool:
    """Return whether all conditions hold; a condition on an unknown fact does not."""
    return all(name in known and _holds(wanted, known[name]) for name, wanted in conditions.items())


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


@value
class OrderedMove:
    """The result of the orders for a decision: the move, and the number of the order (None if the move was forced).

    Without a move, this order no longer fits, and no later order moves.
    """

    move: Any
    order: int | None


def forced_move(choices: Sequence[Choice]) -> Any:
    """Return the only legal move if there is exactly one, otherwise None (rules 1.1)."""
    if len(choices) != 1:
        return None
    (choice,) = choices
    if isinstance(choice, SomeCards):
        return None if (only := choice.only()) is None else choice.make(only)
    cards, arguments = _cards(choice), fields(choice.make)
    if len(cards) == 1 and (len(arguments) == 1 or cards == getattr(choice, "plain", ())):
        return choice.make(cards[0])
    return choice.make() if not arguments else None


def carry_out_orders(game: AnyGame, state: Any, seat: Seat, orders: Orders) -> OrderedMove | None:
    """Return the move that the orders make now, from the seat's own view; None if none of them applies."""
    choices = game.legal(state, seat)
    # Orders make no moves out of turn, and such moves do not make a move less forced.
    if not choices or seat not in game.to_act(state):
        return None
    asked = [choice for choice in choices if choice.make not in game.answers.off_turn]
    if orders.auto_play_forced and (only := forced_move(asked)) is not None:
        return OrderedMove(only, None)
    known, unfit = read_facts(game, state, seat), None
    for number, order in enumerate(orders.orders):
        if conditions_hold(order.get("if", {}), known):
            for action in order["do"]:
                move = _build_move(game, state, seat, action, choices, known)
                if move is not None and is_admitted(choices, move):
                    return OrderedMove(move, number)
            kinds = [game.moves[action["move"]] for action in order["do"]]
            if unfit is None and any(choice.make in kinds for choice in choices):
                unfit = OrderedMove(None, number)
    return unfit


def _build_move(
    game: AnyGame,
    state: Any,
    seat: Seat,
    action: Mapping[str, Any],
    choices: Sequence[Choice],
    known: KnownFacts,
) -> Any:
    cls = game.moves[action["move"]]
    if "card" in action:
        card = _choose_card(action, [c for choice in choices if choice.make is cls for c in _cards(choice)], known)
        return None if card is None else _with_card(game, state, seat, cls, card)
    if "args" in action:
        return read_move(cls, action["args"])
    return game.facts.completed(state, seat, cls) if needs_arguments(cls) else cls()


def _cards(choice: Any) -> Cards:
    """Return the cards to choose from, if the move names a card."""
    cards: Cards = getattr(choice, "of", ())
    return cards


def _with_card(game: AnyGame, state: Any, seat: Seat, cls: type, card: Card) -> Any:
    bare = cls(card)
    return bare if is_admitted(game.legal(state, seat), bare) else game.facts.completed(state, seat, cls, card)


_BOUNDS: Mapping[str, Callable[[Card, Card], bool]] = {
    "below": lambda c, bound: c < bound,
    "above": lambda c, bound: c > bound,
}


def _choose_card(action: Mapping[str, Any], cards: Sequence[Card], known: KnownFacts) -> Card | None:
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
