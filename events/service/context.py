"""This module has the context of the service: the store, the clock, the source of secrets, and the cached streams."""

import secrets
from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

from domain.core.clock import Time
from domain.core.fairness import Dealer
from domain.match import Match
from events import times
from events.errors import NotFound
from events.ids import is_id
from events.log.cache import Cache, Loaded, LoadedStream, fold_commits
from events.log.dealers import add_spare_root, dealer_of
from events.log.streams import MOST, StreamKind
from events.service.last_move_summary import LastMoveSummaries
from events.store import tables
from events.store.protocol import Store
from events.store.records import Commit, CommitRow, Head

State = TypeVar("State")


class Context:
    """The context is handed to every part of the service.

    `woken` is called after a commit that leaves pending work, now or later. A worker, which plays on by itself, gives
    the `lease_ms` during which no other worker takes a bot's turn. `bot_matches` is the most matches in which only bots
    play that one player may have running; 0: no limit. What it loads is the server's own knowledge, for the parts
    alone. Callers of the service get a `Seen`, the match folded from what its reader was shown.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], Time] = times.now,
        woken: Callable[[], None] = lambda: None,
        lease_ms: int = 0,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        bot_matches: int = 0,
    ) -> None:
        self.store = store
        self.bot_matches = bot_matches
        # A worker sets how many milliseconds a strong bot thinks about a move.
        self.bot_ms = 100
        self.now = now
        self.woken = woken
        self.lease_ms = lease_ms
        self.draw = draw
        self.cache = Cache[Match]()
        self._caches: dict[str, Cache[Any]] = {}
        self.recent = LastMoveSummaries(store)

    def by_hand(self) -> "Context":
        """Give a context whose commits leave bots' turns to the next worker, as those of a move by hand do."""
        twin = copy(self)
        twin.lease_ms = 0
        return twin

    def loaded(self, match_id: str) -> Loaded:
        """Give a match without asking who the caller is. Raises `NotFound`."""
        loaded = self.load(match_id)
        if loaded is None:
            raise NotFound
        return loaded

    def load(self, match_id: str) -> Loaded | None:
        """Give a match without asking who the caller is; None if there is none."""
        if not is_id(match_id):
            return None
        kept = self.cache.get(match_id)
        return self.current(kept, tables.stream_rows.load(self.store, match_id, kept.head.version if kept else 0))

    def current(self, kept: Loaded | None, found: tuple[Head, list[CommitRow]] | None) -> Loaded | None:
        """Give the current state of a match, from the cached one and the commits since."""
        if found is None:
            return None
        head, rows = found
        if kept is not None and not rows:
            return kept
        loaded = self._advanced(kept, head, rows) if kept else self._folded(head, rows)
        self.cache.put(loaded)
        return loaded

    def stream(self, kind: StreamKind[State], stream_id: str) -> LoadedStream[State] | None:
        """Return a stream of another kind than matches, of which only what is new is read; None if there is none."""
        if not is_id(stream_id):
            return None
        kept = self.cache_of(kind).get(stream_id)
        found = tables.stream_rows.load(self.store, stream_id, kept.head.version if kept else 0, kind.name)
        if found is None or (kept is not None and not found[1]):
            return kept if found else None
        head, new = found
        state = kind.fold(new, kept.state if kept else None)
        secrets = tables.secret_rows.read_secrets(self.store, head.match_no)
        dealer = kind.make_dealer(head.match_id, secrets, state, self.draw)
        loaded = LoadedStream(head, state, dealer, [*(kept.rows if kept else ()), *new])
        self.cache_of(kind).put(loaded)
        return loaded

    def found(self, kind: StreamKind[State], stream_id: str) -> LoadedStream[State]:
        """Return a stream without asking who the caller is. Raises `NotFound`."""
        loaded = self.stream(kind, stream_id)
        if loaded is None:
            raise NotFound
        return loaded

    def cache_of(self, kind: StreamKind[State]) -> Cache[State]:
        """Return the cache of the streams of another kind than matches."""
        return self._caches.setdefault(kind.name, Cache(MOST))

    def keep(self, loaded: Loaded, commit: Commit) -> None:
        """Cache a match that was just written, and wake the dispatcher if there is new pending work."""
        self.cache.put(loaded)
        if commit.projected.due:
            self.woken()

    def _advanced(self, kept: Loaded, head: Head, rows: list[CommitRow]) -> Loaded:
        after = fold_commits(head, rows, before=kept.state)
        dealer = kept.dealer if after.epoch == kept.state.epoch else self._dealer(head, after)
        return Loaded(head, after, dealer, seen=kept.seen)

    def _folded(self, head: Head, rows: list[CommitRow]) -> Loaded:
        match = fold_commits(head, rows)
        return Loaded(head, match, self._dealer(head, match))

    def _dealer(self, head: Head, m: Match) -> Dealer:
        seal_secret, roots = tables.secret_rows.read_secrets(self.store, head.match_no)
        dealer = dealer_of(head.match_id, m.created, tuple(map(bytes.fromhex, roots)), seal_secret)
        return add_spare_root(dealer, m, self.draw)
