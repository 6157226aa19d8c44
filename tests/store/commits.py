"""Provides commits for tests of the store, which examines neither their events nor their digests."""

import json
from hashlib import sha256
from typing import Any

from events.store.protocol import Store
from events.store.records import Commit, DueRow, Head, Idempotency, MatchRow, NewStream, Projected, SeatRow, TurnRow

ANNA, BERT = "anna-3456789012345678", "bert-3456789012345678"
NOW = 1_750_000_000_000


def events(n: int, mark: Any = "") -> str:
    """`n` events as JSON; `mark` tells them from others."""
    digest = sha256(str(mark).encode()).hexdigest()
    one = {
        "type": "CardPlayed",
        "v": 1,
        "cause": "move",
        "data": {"mark": mark},
        "seals": {},
        "digest": digest,
    }
    return json.dumps([one] * n)


def commit(first: int, n: int = 4, mark: Any = "", **others: Any) -> Commit:
    """Return a commit of `n` events from number `first` on."""
    return Commit(first, n, NOW + first, events(n, mark), None, sha256(str(mark).encode()).digest(), **others)


def key(name: str, body: str = "body") -> Idempotency:
    return Idempotency(sha256(name.encode()).digest(), sha256(body.encode()).digest())


def match_row(**others: Any) -> MatchRow:
    shown = {"game": "hearts", "status": "playing", "visibility": "public", "creator": ANNA, "options": "{}"}
    return MatchRow(**(shown | others))


def begin(
    store: Store,
    match_id: str = "match-1",
    *,
    match: MatchRow | None = None,
    seats: tuple[str | None, ...] = (ANNA, BERT),
    turns: list[TurnRow] | None = None,
    due: list[DueRow] | None = None,
    **others: Any,
) -> Head:
    """Create a match whose first commit has two events; a seat without a player is a bot's."""
    rows = [SeatRow(s, "player" if p else "bot", p, None if p else "easy") for s, p in enumerate(seats)]
    projected = Projected(match or match_row(), rows, turns, None, due)
    outcome, head = store.create(
        NewStream(match_id, b"s" * 32, "aa", commit(1, 2, match_id, projected=projected, **others), [])
    )
    assert outcome.status == "ok"
    assert head is not None
    return head
