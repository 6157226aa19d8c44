"""Shares a limited resource among callers: the largest holder gives way to smaller ones (decision 35)."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar


class Holding(Protocol):
    """A holder of a share of a limited resource, such as a request or a connection."""

    def evict(self) -> None:
        """End this; its share goes to another caller."""


H = TypeVar("H", bound=Holding)


class NoRoom(Exception):
    """There is no room; `by_caller` is true if the caller has used its own share."""

    def __init__(self, *, by_caller: bool) -> None:
        super().__init__(by_caller)
        self.by_caller = by_caller


class FairShares(Generic[H]):
    """Counts the shares of `most` by caller.

    A single caller can hold everything. Once everything is held, a caller takes from the largest holder, as long as it
    then holds less than that one did. So a caller without a share gets one while there are fewer callers than `most`.
    `choose` picks the holding of a caller to evict, from the newest to the oldest, or None.
    """

    def __init__(self, most: int, choose: Callable[[Iterator[H]], H | None]) -> None:
        self._free = most
        self._choose = choose
        self._totals: Counter[str] = Counter()
        # By caller, the newest last.
        self._held: dict[str, dict[H, int]] = {}

    def take(self, who: str, holding: H, amount: int = 1) -> None:
        """Increase a caller's holding. Raise `NoRoom`."""
        while self._free < amount:
            self._make_room(who, amount)
        self._free -= amount
        self._totals[who] += amount
        held = self._held.setdefault(who, {})
        held[holding] = held.get(holding, 0) + amount

    def give_back(self, who: str, holding: H) -> None:
        """Free everything that a holding holds; nothing if it was evicted."""
        held = self._held.get(who, {})
        amount = held.pop(holding, 0)
        self._free += amount
        self._totals[who] -= amount
        if not held:
            self._held.pop(who, None)
            del self._totals[who]

    def held(self, who: str) -> int:
        """Return how much a caller holds."""
        return self._totals.get(who, 0)

    def _make_room(self, who: str, amount: int) -> None:
        """Evict a holding of the caller who holds the most. Raises `NoRoom`."""
        for other, total in self._totals.most_common():
            if total <= self.held(who) + amount:
                break
            if (evicted := self._choose(reversed(self._held[other]))) is not None:
                self.give_back(other, evicted)
                evicted.evict()
                return
        raise NoRoom(by_caller=self.held(who) > 0)
