"""A document of standing orders that was checked, and the bounds of any such document."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.values import value

MOST_ORDERS: Final = 50
MOST_MOVES: Final = 10
MOST_NAMED: Final = 53
"""The most entries of any list in an order."""
BOUND: Final = 10**9
"""Every number in a document lies between this and its negative."""


class BadOrders(Exception):
    """The document is none; `errors` say for each place what is wrong with it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(str(errors))
        self.errors = errors


@value
class Orders:
    """A player's orders for one seat, checked. `document` is what they wrote, each card named as tables name it."""

    document: Mapping[str, Any]

    @property
    def auto_play_forced(self) -> bool:
        return bool(self.document.get("auto_play_forced", False))

    @property
    def orders(self) -> Sequence[Mapping[str, Any]]:
        orders: Sequence[Mapping[str, Any]] = self.document.get("orders", ())
        return orders
