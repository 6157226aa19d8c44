"""Defines searches for matches, and their results."""

import json
from collections.abc import Iterable
from dataclasses import field, replace
from itertools import product
from typing import Any, NamedTuple

from domain.core.values import mutable
from events.store.records import MatchRow


def option_text(value: Any) -> str:
    """Return the searched form of an option's value: a text unchanged, other values as JSON."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


@mutable
class Search:
    """The conditions of a search for matches; a match must meet all that are given.

    Times: from `after` on, and before `before`.
    """

    game: str | tuple[str, ...] | None = None
    """The game, or one of several."""
    status: str | tuple[str, ...] | None = None
    """The status, or one of several."""
    player: str | None = None
    """A player who sits there."""
    opponents: tuple[str, ...] = ()
    """Other players who sit there too."""
    mine: bool = False
    """Whether only the viewer's own matches are wanted."""
    result: str | None = None
    """The result of `player`: won, shared or lost."""
    options: dict[str, str] = field(default_factory=dict)
    """Options of `game` as `option_text` writes them; `preset` can be among them."""
    rating: int | None = None
    """The rating of a player who would join."""
    created_after: int | None = None
    created_before: int | None = None
    ended_after: int | None = None
    ended_before: int | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """Return the player and the opponents."""
        return tuple(dict.fromkeys([*([] if self.player is None else [self.player]), *self.opponents]))

    def singles(self) -> list["Search"]:
        """Return disjoint searches with one game and one status each, which together find the same matches."""
        return [
            replace(self, game=game, status=status)
            for game, status in product(_values(self.game), _values(self.status))
        ]

    @property
    def by_end(self) -> bool:
        """Return whether matches are ordered by their end instead of their creation."""
        return self.ended_after is not None or self.ended_before is not None


def _values(wanted: str | tuple[str, ...] | None) -> Iterable[str | None]:
    """Return the different values of a condition; None for no condition."""
    return dict.fromkeys(wanted) if isinstance(wanted, tuple) else (wanted,)


class PagePlace(NamedTuple):
    """A place in a list of matches: the time by which the list is ordered, and a match with that time."""

    at_ms: int
    match_id: str


class Found(NamedTuple):
    """A page of matches; `next` is where the list continues, None at its end.

    A page can have fewer matches than requested, or none, although the list continues.
    """

    rows: list[MatchRow]
    next: PagePlace | None
