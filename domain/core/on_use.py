"""Holds values by name that are made when they are first used."""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import TypeVar

T = TypeVar("T")


class OnUse(MutableMapping[str, T]):
    """A mapping of known names, in their order, to values that `make` makes on first use.

    Two threads may both make the value of a name, so `make` must return equal values.
    """

    def __init__(self, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._make = make
        self._made: dict[str, T | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> T:
        made = self._made[name]
        if made is None:
            made = self._made[name] = self._make(name)
        return made

    def __setitem__(self, name: str, made: T) -> None:
        self._made[name] = made

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._made

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
