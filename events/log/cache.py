"""Caches streams in their current state, in limited caches; every append checks the version."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import field
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

from domain import match as life
from domain.core.fairness import Dealer
from domain.core.values import mutable
from domain.core.visibility import Reader
from domain.games.catalogue import game_of
from domain.match import Match
from events.log import commits as log
from events.log import imported_players
from events.log.codec import EVERYBODY
from events.store.records import CommitRow, Head

State = TypeVar("State")


@mutable
class LoadedStream(Generic[State]):
    """A stream at a version: its head, its state, and the secrets for its next events.

    `rows` are its commits. If its kind does not keep them, they are those appended since it was loaded. `seen` has the
    states that readers know, with their versions.
    """

    head: Head
    state: State
    dealer: Dealer
    rows: Sequence[CommitRow] = ()
    seen: dict[Reader, tuple[int, State]] = field(default_factory=dict)


Loaded = LoadedStream[Match]
"""A match as the server knows it, and as readers who have asked know it."""


class Cache(Generic[State]):
    """The cache holds the streams used last, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, LoadedStream[State]] = OrderedDict()
        self._lock = Lock()

    def get(self, match_id: str) -> LoadedStream[State] | None:
        with self._lock:
            if match_id in self._kept:
                self._kept.move_to_end(match_id)
            return self._kept.get(match_id)

    def put(self, loaded: LoadedStream[State]) -> None:
        """Keep a stream, unless a later version of it is kept already."""
        with self._lock:
            kept = self._kept.get(loaded.head.match_id)
            if kept is None or kept.head.version <= loaded.head.version:
                self._kept[loaded.head.match_id] = loaded
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


def fold_commits(
    head: Head,
    rows: Sequence[CommitRow],
    reader: Reader = EVERYBODY,
    before: Match | None = None,
    *,
    upto: int | None = None,
    keeps: log.Keeps | None = None,
) -> Match:
    """Fold commits into the match as a reader knows it, by default the server. All states are made here.

    The commits are all from the first one on, or all since `before`; events later than `upto` are left.
    """
    if before is not None and not rows:
        return before
    game, seats = (before.game.name, len(before.seats)) if before else log.game_and_seats(rows[0])
    shown = log.read_match_events(rows, game, seats, reader, keeps)
    if upto is not None:
        shown = islice(shown, upto + 1 - rows[0].first)
    return imported_players.hide_players(
        head, life.fold(before, shown) if before else life.fold_from_start(game_of(game), head.match_id, shown)
    )
