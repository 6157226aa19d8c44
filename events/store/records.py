"""Defines the plain types that the store takes and returns.

The log has one row per move, a *commit*, with the move's events as one JSON array. PostgreSQL writes it in one round
trip and half the space of a row per event; the view ``events`` still shows each event as a row. The projections are
written in the transaction of the commit and can be rebuilt from the log. This includes ``due``, the pending work of the
server.

Times are whole milliseconds since 1970 UTC, and their names end in ``_ms``. Ids are opaque text. Digests and hashes are
raw bytes. JSON travels as text, so that its bytes stay as hashed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, Final, Literal, NamedTuple

from sqlalchemy import Connection

from domain.core.values import mutable, value
from domain.match.vacation_days import Allowance

MATCH: Final = "match"
"""The kind of a match's stream; the other kinds are in `events.service.stream_kinds`."""

LONG: Final = "has eight bytes"
"""Marks numbers that may exceed four bytes in a column."""

Long = Annotated[int, LONG]

Beside = Callable[[Connection], object]
"""A part of the transaction of a commit, which may end it by an exception."""


class CommitRow(NamedTuple):
    """A stored commit: ``n`` events, the first with number ``first``."""

    first: int
    n: int
    at_ms: int
    events: str
    """A JSON array with one object per event; the number of an event is ``first`` plus its place."""
    secrets: str | None
    """A JSON object, ``{"<seq>": {"hand": h, "fields": {field: {reader: value}}}}``, or nothing.

    In an imported match there are ``keys`` next to the fields, in the same shape: they cannot be derived here.
    """
    mac: bytes | None = None
    """The code that only a holder of the match's secrets can compute: see ``events.log.seals.mac``.

    None in an imported match.
    """


@mutable
class Head:
    """The end of the log of a match. Version 0 and 32 zero bytes are an empty log."""

    match_no: int
    match_id: str
    version: int
    head: bytes
    created_ms: int
    imported: str | None = None
    """JSON of ``Imported``, for an imported match."""


@value
class Imported:
    """How an imported match is shown here.

    `signed` is the head with the signature of the server that ran it, if it signed.
    """

    visibility: Literal["public", "unlisted"]
    signed: dict[str, Any] | None = None


@mutable
class MatchRow:
    """A match in lists. ``match_no``, ``match_id`` and ``created_ms`` come from its stream.

    Writing it again keeps its start time, and voiding it keeps its end time.
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
    """JSON of the match and the hand whose deals are replayed."""
    owner: str = ""
    """The player who created it, and for whose limits its work counts, even if ``creator`` is hidden."""
    bots_alone: bool = False
    """Whether the match is still running and a bot plays every seat."""
    annulled: str | None = None
    """Why it was voided, although it has a result."""
    match_no: int = 0
    match_id: str = ""
    created_ms: int = 0


@mutable
class SeatRow:
    """The holder of a seat: ``kind`` is one of player, bot, open, invite."""

    seat: int
    kind: str
    player_id: str | None = None
    level: str | None = None


@mutable
class TurnRow:
    """A player's seat that its match waits for since ``since_ms``, as of the event ``version``.

    Or a seat with a request: then ``decision`` is one of `domain.match.REQUESTS`.
    """

    seat: int
    player_id: str
    version: int
    since_ms: int
    deadline_ms: int | None = None
    decision: str = ""


@mutable
class ResultRow:
    """The result of a seat in a match. ``player_id`` is empty for a bot."""

    seat: int
    player_id: str | None
    game: str
    place: int
    score: int | None
    ended_ms: int
    result: str | None = None
    """won, shared or lost; the first place is shared if another side has it too."""


@mutable
class ReliabilityRow:
    """The promises that a player broke in a match: nonces not revealed, or the match aborted."""

    player_id: str
    aborted: int
    """1 if the player has cancelled the match after seats had promised nonces."""
    unopened: int
    """The number of nonces that the player promised, but did not give in time."""


@mutable
class DueRow:
    """Pending work for a match: ``kind`` is one of bot, clock, start, expire, order, group.

    No other worker claims it before ``lease_ms``.

    A writer that publishes the work itself, right after its commit, writes the row with a running lease.
    """

    kind: str
    due_ms: int
    lease_ms: int = 0


@mutable
class Projected:
    """The projections of a match after a commit. ``None``: as before.

    A list: all rows of this match from now on.
    """

    match: MatchRow | None = None
    seats: list[SeatRow] | None = None
    turns: list[TurnRow] | None = None
    results: list[ResultRow] | None = None
    due: list[DueRow] | None = None
    reliability: list[ReliabilityRow] | None = None


Import = tuple[Head, list[CommitRow], Projected, Mapping[str, str]]
"""An imported match: its head, log and projections, and the names of its players by their ids here."""


@mutable
class Idempotency:
    """Identifies a repeatable request: the hash of caller, path and key; and the hash of its body."""

    key_hash: bytes
    body_hash: bytes


class ListedPlayer(NamedTuple):
    """A player who is blocked or muted, and since when, in milliseconds."""

    player_id: str
    at_ms: int


class Ordered(NamedTuple):
    """Identifies the standing orders that made a move, and the start of the decision."""

    orders_id: str
    since_ms: int


class VacationTaken(NamedTuple):
    """The vacations of a player before a commit, and after it."""

    player_id: str
    had: Allowance
    has: Allowance


Lines = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows of a stream other than a match, by table."""


@mutable
class Commit:
    """The data that one append writes, all of it or nothing."""

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
    """The orders that make the move. If they are gone, it is a conflict. Their outcome is recorded."""
    vacation: VacationTaken | None = None
    """The vacations that move a deadline; if they have changed, the append is a conflict."""
    lines: tuple[Lines, Lines] | None = None
    """For a stream other than a match: the rows that this commit deletes, and those that it adds, by table."""
    wakes: tuple[Sequence[str], Sequence[str]] | None = None
    """Matches, by their ids, whose pending work of some kinds is due from this commit on."""
    beside: Beside | None = None
    """Writes other tables with a commit that has `lines`."""

    @property
    def row(self) -> CommitRow:
        return CommitRow(self.first, self.n, self.at_ms, self.events, self.secrets, self.mac)


class Appended(NamedTuple):
    """The outcome of an append. Only ``ok`` has written anything.

    ``ok``: ``version`` is the match's new version, ``position`` the commit's place in the log of all matches.
    ``conflict``: another writer was first (or there is no such match: version 0); ``version`` is the current one.
    ``duplicate``: the idempotency key was used before; ``version`` is the last event of that earlier commit, 0 if it
    appended none. Ask ``idempotent`` for the rest.
    """

    status: Literal["ok", "conflict", "duplicate"]
    version: int
    position: int | None = None


Invite = tuple[int, bytes]
"""An invited seat, and the hash of its code."""


class NewStream(NamedTuple):
    """A stream to be created, a match by default: its first commit, its secrets, the hashes of its invites."""

    match_id: str
    seal_secret: bytes
    root: str | None
    """Hex root of its first epoch of shuffles; None if nothing is shuffled."""
    commit: Commit
    invites: Sequence[Invite]
    kind: str = MATCH


class Remembered(NamedTuple):
    """A used idempotency key, with the events that its request appended, if any."""

    body_hash: bytes
    match_no: int | None
    first: int | None
    n: int | None
    at_ms: int


class Secrets(NamedTuple):
    """The secrets of a match, stored outside the log; roots are hex, one for each epoch of shuffles."""

    seal_secret: bytes
    roots: list[str]


class ArchivedLog(NamedTuple):
    """The place of an archived match: the `size` bytes of a file from `start_byte` on, with their SHA-256.

    They have the commits up to `version`, whose last event has the digest `head`.
    """

    match_no: int
    version: int
    head: bytes
    file: str
    start_byte: Long
    size: int
    sha256: bytes


class Snapshot(NamedTuple):
    """A match as a reader knew it at a version: see ``events.log.snapshots``."""

    version: int
    code: bytes
    state: str
    sum: bytes


@value
class GroupOfTables:
    """A duplicate group; `tables` are the ids of its matches, and `nonces` their nonces once they begin."""

    group_id: str
    creator: str
    state: str
    tables: tuple[str, ...]
    nonces: tuple[tuple[str, ...], ...]
    created_ms: int


class LastRows(NamedTuple):
    """The last commits of a match, in order, and its number of seats."""

    seats: int
    rows: list[CommitRow]
