"""This module has what lists of matches are asked for, and give."""

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from events.store.records import MatchRow


def option_text(value: Any) -> str:
    """Write the value of an option as it is searched for: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


@dataclass(slots=True)
class Search:
    """A search says which matches are wanted: all that is given must hold.

    Times: from `after` on, and earlier than `before`.
    """

    game: str | None = None
    status: str | None = None
    player: str | None = None
    """A player who sits there."""
    result: str | None = None
    """The result of `player`: won, shared or lost."""
    options: dict[str, str] = field(default_factory=dict)
    """Options of `game` as `option_text` writes them; `preset` stands among them."""
    rating: int | None = None
    """The rating of a player who would join."""
    created_after: int | None = None
    created_before: int | None = None
    ended_after: int | None = None
    ended_before: int | None = None

    @property
    def by_end(self) -> bool:
        """Say whether matches come in the order of their end, and not of their creation."""
        return self.ended_after is not None or self.ended_before is not None


class PagePlace(NamedTuple):
    """This is a place in a list of matches: the time that it goes by, and a match of that time."""

    at_ms: int
    match_id: str


class Found(NamedTuple):
    """This is a page of matches; `next` is where the list goes on, None at its end.

    A page may hold fewer than were asked for, and none, though the list goes on.
    """

    rows: list[MatchRow]
    next: PagePlace | None
