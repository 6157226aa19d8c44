"""This module has the plain types that the store takes and gives.

The log has one row per move, a *commit*, holding the move's events as one JSON array: PostgreSQL writes it in one
round trip, it takes half the space of a row per event, and the view ``events`` still shows every event as its own
row. Beside the log stand the projections, which are written in the transaction of the commit and can be rebuilt from
it, and ``due``, the pending work of the server.

Times are whole milliseconds since 1970 UTC and their names end in ``_ms``. Ids are opaque text. Digests and hashes
are raw bytes. JSON travels as text, so that its bytes stay as they were hashed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from domain.match.vacation_days import Allowance

MATCH: Final = "match"
"""The kind of stream that a match is; all others are in `events.service.stream_kinds`."""


class CommitRow(NamedTuple):
    """This is one commit as stored: ``n`` events of which the first has number ``first``."""

    first: int
    n: int
    at_ms: int
    events: str
    """A JSON array with one object per event; the number of an event is ``first`` plus its place."""
    secrets: str | None
    """A JSON object, ``{"<seq>": {"hand": h, "fields": {field: {reader: value}}}}``, or nothing.

    In an imported match there are ``keys`` beside the fields, in the same shape: they cannot be derived here.
    """
    mac: bytes | None = None
    """Only who holds the match's secrets can make it: see ``events.log.seals.mac``. None in an imported match."""


@dataclass(slots=True)
class Head:
    """A head says where the log of a match ends. Version 0 and 32 zero bytes stand for a log without events."""

    match_no: int
    match_id: str
    version: int
    head: bytes
    created_ms: int
    imported: str | None = None
    """JSON of ``Imported``, for a match that was played elsewhere."""


@dataclass(slots=True, frozen=True)
class Imported:
    """This says how an imported match is shown here.

    `signed` is the head with the signature of the server that ran it, if that has signed it.
    """

    visibility: Literal["public", "unlisted"]
    signed: dict[str, Any] | None = None


@dataclass(slots=True)
class MatchRow:
    """This row is a match in lists. Its stream gives ``match_no``, ``match_id`` and ``created_ms`` as it is written.

    As it is written anew, when it started stays as it was noted; and so does, as it is annulled, when it ended.
    """

    game: str
    status: str
    visibility: str
    creator: str
    options: str
    started_ms: int | None = None
    ended_ms: int | None = None
    result: str | None = None
    preset: str | None = None
    deal_group: str | None = None
    """The id of the group of tables that have the same deals."""
    deal_known: str | None = None
    """JSON of the match and the hand whose deals are played once more."""
    owner: str = ""
    """The player who created it, to whom its work is counted, also where ``creator`` is not shown."""
    bots_alone: bool = False
    """Whether the match is still running and a bot plays every seat."""
    annulled: str | None = None
    """Why it counts for nothing although it has a result."""
    match_no: int = 0
    match_id: str = ""
    created_ms: int = 0


@dataclass(slots=True)
class SeatRow:
    """This row says who holds a seat: ``kind`` is one of player, bot, open, invite."""

    seat: int
    kind: str
    player_id: str | None = None
    level: str | None = None


@dataclass(slots=True)
class TurnRow:
    """This row is a human seat that its match waits for since ``since_ms``, as of the event ``version``.

    Or one that is asked for something: then ``decision`` is one of `domain.match.REQUESTS`.
    """

    seat: int
    player_id: str
    version: int
    since_ms: int
    deadline_ms: int | None = None
    decision: str = ""


@dataclass(slots=True)
class ResultRow:
    """This row is the result of a seat in a match. ``player_id`` is empty for a bot."""

    seat: int
    player_id: str | None
    game: str
    place: int
    score: int | None
    ended_ms: int
    result: str | None = None
    """won, shared or lost; the first place is shared if another side has it too."""


@dataclass(slots=True)
class ReliabilityRow:
    """This row says of a player what did not come of the promises of nonces in a match, where anything did not."""

    player_id: str
    aborted: int
    """1 if the player has cancelled the match after seats had promised nonces."""
    unopened: int
    """The number of nonces that the player has promised and not given in time."""


@dataclass(slots=True)
class DueRow:
    """This row is pending work for a match: ``kind`` is one of bot, clock, start, expire, order, group.

    No other worker claims it before ``lease_ms``.

    A writer that publishes the work itself, right after its commit, writes the row with a lease already running.
    """

    kind: str
    due_ms: int
    lease_ms: int = 0


@dataclass(slots=True)
class Projected:
    """These are the projections of a match after a commit. ``None``: as before.

    A list: all rows of this match from now on.
    """

    match: MatchRow | None = None
    seats: list[SeatRow] | None = None
    turns: list[TurnRow] | None = None
    results: list[ResultRow] | None = None
    due: list[DueRow] | None = None
    reliability: list[ReliabilityRow] | None = None


Import = tuple[Head, list[CommitRow], Projected, Mapping[str, str]]
"""A match that was played elsewhere: its head, log and projections, and the names of its players by their ids here."""


@dataclass(slots=True)
class Idempotency:
    """This identifies a request that may be repeated: the hash of who, where and key; and the hash of its body."""

    key_hash: bytes
    body_hash: bytes


class Ordered(NamedTuple):
    """This names the standing orders that made a move, and since when the decision was open."""

    orders_id: str
    since_ms: int


class VacationTaken(NamedTuple):
    """These are the vacations that a player had taken before a commit, and has taken with it."""

    player_id: str
    had: Allowance
    has: Allowance


Lines = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows of a stream that is no match, by their table."""


@dataclass(slots=True)
class Commit:
    """A commit is what one append writes, all of it or nothing."""

    first: int
    n: int
    at_ms: int
    events: str
    secrets: str | None
    head: bytes
    mac: bytes | None = None
    projected: Projected = field(default_factory=Projected)
    new_root: str | None = None
    """Hex root of a new epoch of shuffles, added to the match's roots."""
    idempotency: Idempotency | None = None
    spent_invites: list[int] = field(default_factory=list)
    """Seats whose invites are used up by this commit."""
    ordered: Ordered | None = None
    """The orders that make the move: if they are gone, it is a conflict. What became of them is noted."""
    vacation: VacationTaken | None = None
    """The vacations that move a deadline: if they are not what they were, it is a conflict."""
    lines: tuple[Lines, Lines] | None = None
    """The rows of a stream that is no match which go with this commit, and those which come, by their table."""
    wakes: tuple[Sequence[str], Sequence[str]] | None = None
    """Matches, by their ids, whose pending work of some kinds is due from this commit on."""

    @property
    def row(self) -> CommitRow:
        return CommitRow(self.first, self.n, self.at_ms, self.events, self.secrets, self.mac)


class Appended(NamedTuple):
    """This is the outcome of an append. Only ``ok`` has written anything.

    ``ok``: ``version`` is the match's new version, ``position`` the commit's place in the log of all matches.
    ``conflict``: another writer was first (or there is no such match: version 0); ``version`` is what is there now.
    ``duplicate``: the idempotency key was used before; ``version`` is the last event of that earlier commit, 0 if it
    appended none. Ask ``idempotent`` for the rest.
    """

    status: Literal["ok", "conflict", "duplicate"]
    version: int
    position: int | None = None


class NewStream(NamedTuple):
    """This is a stream to be created, a match by default: its first commit, its secrets, the hashes of its invites."""

    match_id: str
    seal_secret: bytes
    root: str | None
    """Hex root of its first epoch of shuffles; None where nothing is shuffled."""
    commit: Commit
    invites: list[tuple[int, bytes]]
    kind: str = MATCH


class Remembered(NamedTuple):
    """This is an idempotency key that was used: what its request appended, if anything."""

    body_hash: bytes
    match_no: int | None
    first: int | None
    n: int | None
    at_ms: int


class Secrets(NamedTuple):
    """These are the secrets of a match, which lie beside the log: roots are hex, one for each epoch of shuffles."""

    seal_secret: bytes
    roots: list[str]


class Snapshot(NamedTuple):
    """This is a match as a reader knew it at a version: see ``events.log.snapshots``."""

    version: int
    code: bytes
    state: str
    sum: bytes


@dataclass(slots=True, frozen=True)
class GroupOfTables:
    """This is a group as it was found; `tables` are the ids of its matches, `nonces` theirs, once they begin."""

    group_id: str
    creator: str
    state: str
    tables: tuple[str, ...]
    nonces: tuple[tuple[str, ...], ...]
    created_ms: int


class LastRows(NamedTuple):
    """These are the last commits of a match, in order, and how many seats it has."""

    seats: int
    rows: list[CommitRow]
