"""Defines a checked document of standing orders, and the limits of any such document."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.values import value

MOST_ORDERS: Final = 50
MOST_MOVES: Final = 10
MOST_NAMED: Final = 53
"""A list in an order has at most this many entries."""
BOUND: Final = 10**9
"""Limit of every number in a document; its negative is the lower limit."""


class BadOrders(Exception):
    """The document is not valid; `errors` has a sentence for each place."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(str(errors))
        self.errors = errors


@value
class Orders:
    """A player's checked orders for one seat; `document` is what the player wrote, with cards in the form of tables."""

    document: Mapping[str, Any]

    @property
    def auto_play_forced(self) -> bool:
        return bool(self.document.get("auto_play_forced", False))

    @property
    def orders(self) -> Sequence[Mapping[str, Any]]:
        orders: Sequence[Mapping[str, Any]] = self.document.get("orders", ())
        return orders
