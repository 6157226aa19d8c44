"""Contains the context of the service: the store, the clock, the source of secrets, and the cached streams."""

import secrets
from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

from domain.core.clock import Time
from domain.core.fairness import Dealer
from events import times
from events.errors import NotFound
from events.ids import is_id
from events.log.cache import Cache, Loaded, LoadedStream
from events.log.streams import StreamKind
from events.service.last_move_summary import LastMoveSummaries
from events.service.match_kind import MATCH_KIND
from events.store.protocol import Store
from events.store.records import Commit, CommitRow, Head
from events.store.tables import secret_rows, stream_rows

State = TypeVar("State")


class Context:
    """The dependencies of every part of the service.

    `woken` is called after a commit that leaves pending work, now or later. A worker that continues to play holds a
    bot's turn for `lease_ms`, during which no other worker takes it. `bot_matches` is the maximum number of running
    bot-only matches of one player; 0 for no limit. The context reads the server's own knowledge, for these parts only.
    Callers of the service get a `Seen`, the match folded from its reader's feed.
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
        # A worker sets the time in milliseconds that a strong bot may think about a move.
        self.bot_ms = 100
        # A process that sends heartbeats ends the outage caused by its own freeze before it serves or writes anything.
        self.note_work: Callable[[], None] = lambda: None
        self.now = now
        self.woken = woken
        self.lease_ms = lease_ms
        self.draw = draw
        self._caches: dict[str, Cache[Any]] = {}
        self.cache = self.cache_of(MATCH_KIND)
        self.recent = LastMoveSummaries(store)

    def by_hand(self) -> "Context":
        """Return a context whose commits leave bots' turns to the next worker, as those of players' moves do."""
        twin = copy(self)
        twin.lease_ms = 0
        return twin

    def loaded(self, match_id: str) -> Loaded:
        """Return a match without asking who the caller is. Raises `NotFound`."""
        return self.require_stream(MATCH_KIND, match_id)

    def load(self, match_id: str) -> Loaded | None:
        """Return a match without asking who the caller is; None if there is none."""
        return self.stream(MATCH_KIND, match_id)

    def require_stream(self, kind: StreamKind[State], stream_id: str) -> LoadedStream[State]:
        """Return a stream without asking who the caller is. Raises `NotFound`."""
        loaded = self.stream(kind, stream_id)
        if loaded is None:
            raise NotFound
        return loaded

    def stream(self, kind: StreamKind[State], stream_id: str) -> LoadedStream[State] | None:
        """Return a stream without checking the caller; None if there is none. Reads only new commits."""
        if not is_id(stream_id):
            return None
        kept = self.cache_of(kind).get(stream_id)
        after = kept.head.version if kept else 0
        return self.current(kind, kept, stream_rows.load(self.store, stream_id, after, kind.name))

    def current(
        self, kind: StreamKind[State], kept: LoadedStream[State] | None, found: tuple[Head, list[CommitRow]] | None
    ) -> LoadedStream[State] | None:
        """Return the current state of a stream, from the cached one and the commits since."""
        if found is None:
            return None
        head, new = found
        if kept is not None and not new:
            return kept
        state = kind.fold(head, new, kept.state if kept else None)
        if kept is not None and kind.has_spare_root(kept.dealer, state):
            dealer = kept.dealer
        else:
            dealer = self._read_dealer(kind, head, state)
        rows = [*(kept.rows if kept else ()), *new] if kind.has_rows else ()
        loaded = LoadedStream(head, state, dealer, rows, kept.seen if kept else {})
        self.cache_of(kind).put(loaded)
        return loaded

    def _read_dealer(self, kind: StreamKind[State], head: Head, state: State) -> Dealer:
        secrets = secret_rows.read_secrets(self.store, head.match_no)
        return kind.add_spare_root(kind.make_dealer(head, state, secrets), state, self.draw)

    def cache_of(self, kind: StreamKind[State]) -> Cache[State]:
        """Return the cache of the streams of a kind."""
        return self._caches.get(kind.name) or self._caches.setdefault(kind.name, Cache(kind.most))

    def keep(self, kind: StreamKind[State], loaded: LoadedStream[State], commit: Commit) -> None:
        """Cache a stream that was just written, and wake the dispatcher if there is new pending work."""
        kept = loaded if kind.has_rows else LoadedStream(loaded.head, loaded.state, loaded.dealer, (), loaded.seen)
        self.cache_of(kind).put(kept)
        self.wake_for(commit)

    def wake_for(self, commit: Commit) -> None:
        """Wake the dispatcher if a commit leaves pending work."""
        if commit.projected.due:
            self.woken()
