"""Defines a checked document of standing orders, and the bounds of any such document."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.values import value

MOST_ORDERS: Final = 50
MOST_MOVES: Final = 10
MOST_NAMED: Final = 53
"""A list in an order has at most this many entries."""
BOUND: Final = 10**9
"""Every number in a document lies between this and its negative."""


class BadOrders(Exception):
    """The document is not one of standing orders; `errors` say for each place what is wrong with it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(str(errors))
        self.errors = errors


@value
class Orders:
    """These are a player's checked orders for one seat; `document` is what they wrote, cards named as tables do."""

    document: Mapping[str, Any]

    @property
    def auto_play_forced(self) -> bool:
        return bool(self.document.get("auto_play_forced", False))

    @property
    def orders(self) -> Sequence[Mapping[str, Any]]:
        orders: Sequence[Mapping[str, Any]] = self.document.get("orders", ())
        return orders
