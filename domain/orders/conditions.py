"""Reads the facts that a game declares, as a seat knows them, and decides conditions by them."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.game import AnyGame

KnownFacts = Mapping[str, Any]


def read_facts(game: AnyGame, state: Any, seat: Seat) -> KnownFacts:
    """Return the facts that have a value now; declared facts without one are left out."""
    return {name: fact for name, fact in game.facts.known(state, seat).items() if fact is not None}


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
