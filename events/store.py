"""What the event store keeps and how it is asked: plain types, and the protocol that both databases answer.

The log has one row per move, a *commit*, holding the move's events as one JSON array: PostgreSQL writes it in one
round trip, it takes half the space of a row per event, and the view ``events`` still shows every event as its own row.
Beside the log stand the projections, which are written in the transaction of the commit and can be rebuilt from it,
and ``due``, the pending work of the server.

Times are whole milliseconds since 1970 UTC and their names end in ``_ms``. Ids are opaque text. Digests and hashes
are raw bytes. JSON travels as text, so that its bytes stay as they were hashed.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol


class Unavailable(Exception):
    """The database cannot be reached, or was still busy after several tries. What was asked has not been done."""


class Row(NamedTuple):
    """One commit as stored: ``n`` events of which the first has number ``first``."""

    first: int
    n: int
    at_ms: int
    events: str
    """A JSON array with one object per event; the number of an event is ``first`` plus its place."""
    secrets: str | None
    """A JSON object, ``{"<seq>": {"hand": h, "fields": {field: {reader: value}}}}``, or nothing."""


@dataclass(slots=True)
class Head:
    """Where the log of a match ends. Version 0 and 32 zero bytes stand for a log without events."""

    match_no: int
    match_id: str
    version: int
    head: bytes
    created_ms: int


@dataclass(slots=True)
class MatchRow:
    """A match in lists. When written, ``match_no``, ``match_id`` and ``created_ms`` are taken from the stream."""

    game: str
    status: str
    visibility: str
    creator: str
    options: str
    started_ms: int | None = None
    ended_ms: int | None = None
    result: str | None = None
    match_no: int = 0
    match_id: str = ""
    created_ms: int = 0


@dataclass(slots=True)
class SeatRow:
    """Who holds a seat: ``kind`` is one of player, bot, open, invite."""

    seat: int
    kind: str
    player_id: str | None = None
    level: str | None = None


@dataclass(slots=True)
class TurnRow:
    """A human seat that its match waits for, since the event ``version`` was written at ``since_ms``."""

    seat: int
    player_id: str
    version: int
    since_ms: int
    deadline_ms: int | None = None


@dataclass(slots=True)
class ResultRow:
    """How a seat came out of a match. ``player_id`` is empty for a bot."""

    seat: int
    player_id: str | None
    game: str
    place: int
    score: int | None
    ended_ms: int


@dataclass(slots=True)
class DueRow:
    """Work to do for a match: ``kind`` is one of bot, clock, start, expire. Nobody else claims it before ``lease_ms``.

    A writer that publishes the work itself, right after its commit, writes the row with a lease already running.
    """

    kind: str
    due_ms: int
    lease_ms: int = 0


@dataclass(slots=True)
class Projected:
    """The projections of a match after a commit. ``None``: as before. A list: all rows of this match from now on."""

    match: MatchRow | None = None
    seats: list[SeatRow] | None = None
    turns: list[TurnRow] | None = None
    results: list[ResultRow] | None = None
    due: list[DueRow] | None = None


@dataclass(slots=True)
class Idempotency:
    """A request that may be repeated: the hash of who, where and key; and the hash of its body."""

    key_hash: bytes
    body_hash: bytes


@dataclass(slots=True)
class Commit:
    """What one append writes, all of it or nothing."""

    first: int
    n: int
    at_ms: int
    events: str
    secrets: str | None
    head: bytes
    projected: Projected = field(default_factory=Projected)
    new_root: str | None = None
    """Hex root of a new epoch of shuffles, added to the match's roots."""
    idempotency: Idempotency | None = None
    spent_invites: list[int] = field(default_factory=list)
    """Seats whose invites are used up by this commit."""


class Outcome(NamedTuple):
    """What became of an append. Only ``ok`` has written anything.

    ``ok``: ``version`` is the match's new version, ``position`` the commit's place in the log of all matches.
    ``conflict``: somebody else wrote first (or there is no such match: version 0); ``version`` is what is there now.
    ``duplicate``: the idempotency key was used before; ``version`` is the last event of that earlier commit, 0 if it
    appended none. Ask ``idempotent`` for the rest.
    """

    status: Literal["ok", "conflict", "duplicate"]
    version: int
    position: int | None = None


class Remembered(NamedTuple):
    """An idempotency key that was used: what its request appended, if anything."""

    body_hash: bytes
    match_no: int | None
    first: int | None
    n: int | None
    at_ms: int


class Secrets(NamedTuple):
    """The secrets of a match that lie beside the log: roots are hex, one for each epoch of shuffles."""

    seal_secret: bytes
    roots: list[str]


class Player(NamedTuple):
    """A player who has not been erased."""

    player_id: str
    name: str


class InboxRow(NamedTuple):
    """A seat of the player that a match waits for."""

    match_no: int
    match_id: str
    game: str
    seat: int
    version: int
    since_ms: int
    deadline_ms: int | None


class Due(NamedTuple):
    """Pending work that was claimed: ``attempts`` counts the claims, this one included."""

    match_no: int
    match_id: str
    kind: str
    due_ms: int
    attempts: int


class Position(NamedTuple):
    """A place in the order in which followers read the log of all matches. On SQLite ``xid`` is always 0."""

    xid: int
    position: int


START = Position(0, 0)


class Followed(NamedTuple):
    """One commit as a follower meets it; ``at`` is the position to follow on from."""

    at: Position
    match_no: int
    row: Row


Turn = tuple[int, int, int]
"""Match number, seat, version: enough to tell whether an inbox differs."""


class Store(Protocol):
    """The event store. Every method is one transaction; any may raise :class:`Unavailable`.

    A store may be used by any number of threads, but not across a fork: open it after.
    """

    # The log of a match

    def create(
        self, match_id: str, seal_secret: bytes, root: str, commit: Commit, invites: list[tuple[int, bytes]]
    ) -> tuple[Outcome, Head | None]:
        """Begin a match with its first commit, its secrets and the hashes of its invites (seat, code hash).

        Answers ``duplicate`` and no head if the commit's idempotency key was used before.
        """

    def append(self, match_no: int, commit: Commit) -> Outcome:
        """Write a commit if the match's version is still ``commit.first - 1``. One round trip on PostgreSQL."""

    def head(self, match_id: str) -> Head | None:
        """Where the match's log ends, or None if there is no such match."""

    def enter(
        self, token_hash: bytes, match_id: str, after: int = 0
    ) -> tuple[Player, tuple[Head, list[Row]] | None] | None:
        """`player_by_token` and `load` in one round trip; None if the token is nobody's."""

    def rows(self, match_no: int, after: int = 0, limit: int | None = None) -> list[Row]:
        """The commits with an event later than number ``after``, in order, at most ``limit`` of them."""

    def load(self, match_id: str, after: int = 0) -> tuple[Head, list[Row]] | None:
        """The head and the commits with an event later than ``after``, as of one moment, in one round trip."""

    def secrets(self, match_no: int) -> Secrets:
        """The seal secret and the roots. Raises KeyError if there is no such match."""

    # Requests that may be repeated

    def idempotent(self, key_hash: bytes) -> Remembered | None:
        """What the key was used for, if it was."""

    def remember(
        self, idempotency: Idempotency, at_ms: int, match_no: int | None = None, version: int | None = None
    ) -> bool:
        """Note the key of a request that appended nothing; False if it was used before.

        ``version`` is what the answer was made from; it is kept as ``first`` with ``n`` = 0.
        """

    def prune(self, now_ms: int) -> int:
        """Forget idempotency keys older than seven days; says how many."""

    # Players and invites

    def add_player(self, player_id: str, name: str, token_hash: bytes, at_ms: int) -> None:
        """A new player."""

    def player_by_token(self, token_hash: bytes) -> Player | None:
        """The player whose token has this hash."""

    def players(self, player_ids: Collection[str]) -> dict[str, str | None]:
        """The names of players; None for one who was erased. Unknown ids are absent."""

    def new_token(
        self,
        player_id: str,
        old_hash: bytes,
        token_hash: bytes,
        at_ms: int = 0,
        remembered: Collection[Idempotency] = (),
    ) -> bool:
        """Put a new token in the old one's place, and note the keys of the request.

        False if the old one is no longer the player's, or a key was used before.
        """

    def erase_player(self, player_id: str, at_ms: int) -> None:
        """Forget the player's name and token. The id stays in the log."""

    def invite(self, match_no: int, seat: int) -> bytes | None:
        """The hash of the code that opens an invited seat, if there is one."""

    def set_invite(self, match_no: int, seat: int, code_hash: bytes) -> None:
        """Issue a code for a seat; an earlier one no longer opens it."""

    def invites(self, match_no: int) -> dict[int, bytes]:
        """All invites of a match that are not spent, by seat."""

    # Projections

    def list_matches(
        self,
        viewer: str | None,
        *,
        game: str | None = None,
        status: str | None = None,
        player: str | None = None,
        before: tuple[int, int] | None = None,
        limit: int = 50,
    ) -> list[MatchRow]:
        """Public matches and the viewer's own (seated or creator), newest first.

        ``player``: only those where this player sits. ``before``: (created_ms, match_no) of the last match seen.
        """

    def match_row(self, match_no: int) -> MatchRow | None:
        """One match as in lists."""

    def seat_rows(self, match_nos: Collection[int]) -> dict[int, list[SeatRow]]:
        """The seats of matches, in order, by match number."""

    def turn_rows(self, match_no: int) -> list[TurnRow]:
        """The human seats that a match waits for, in order."""

    def result_rows(self, player_id: str, limit: int = 50) -> list[tuple[str, ResultRow]]:
        """A player's results with the ids of their matches, latest first."""

    def due_rows(self, match_no: int) -> list[DueRow]:
        """The pending work of a match, by kind."""

    def inbox(self, player_id: str) -> list[InboxRow]:
        """The seats of the player that are waited for: nearest deadline first, then those that wait longest."""

    def waiting_stamp(self, player_ids: Collection[str]) -> dict[str, tuple[Turn, ...]]:
        """For each player with a turn to take, what tells one inbox from another. One query for all."""

    def versions(self, match_nos: Collection[int]) -> dict[int, int]:
        """The versions of matches, by match number. One query for all."""

    # Pending work

    def claim(self, now_ms: int, limit: int, lease_ms: int = 5_000) -> list[Due]:
        """Take work that is due and not leased, earliest first; no two callers get the same.

        The lease lasts ``lease_ms``, twice as long at each attempt, at most five minutes. A row stays until a commit
        replaces the match's pending work.
        """

    def release(self, match_no: int, kind: str) -> None:
        """Give up a claim: it is due again at once."""

    def next_due(self) -> int | None:
        """When the earliest work can be claimed, None if there is none."""

    # Followers

    def follow(self, after: Position, limit: int) -> list[Followed]:
        """Commits of all matches after a position: none is ever missed, none doubled, while others write.

        The order is not that of ``position`` alone: a follower keeps both parts of the last ``at`` it has handled.
        """

    def checkpoint(self, name: str) -> Position:
        """Where the follower of this name has come to; START at first."""

    def save_checkpoint(self, name: str, at: Position) -> None:
        """Note where the follower has come to."""

    def follow_is_sound(self) -> bool:
        """False if stored transaction ids lie in the future, as after restoring a dump into a new cluster.

        A follower would then miss commits. ``events.migrate.migrate``, run by the owner, repairs it.
        """

    # Rebuilding projections

    def match_nos(self, after: int = 0, limit: int = 1_000) -> list[int]:
        """Match numbers after one, in order."""

    def rebuild(self, match_no: int, project: Callable[[Head, list[Row]], Projected]) -> None:
        """Replace a match's projections by what ``project`` makes of its log, while nobody can append to it."""

    # Operation

    def ready(self) -> bool:
        """Whether the database answers and its schema is the one this code was written for."""

    def close(self) -> None:
        """Close all connections."""


def open_store(database_url: str) -> Store:
    """The store behind ``postgresql+psycopg://…`` or ``sqlite:///path``. Does not migrate: see ``events.migrate``.

    Raises ValueError for any other database.
    """
    backend = database_url.partition(":")[0].partition("+")[0]
    if backend == "postgresql":
        from events.postgres import PostgresStore  # noqa: PLC0415 - it imports this module

        return PostgresStore(database_url)
    if backend == "sqlite":
        from events.sqlite import SqliteStore  # noqa: PLC0415 - it imports this module

        return SqliteStore(database_url)
    raise ValueError("DATABASE_URL must begin with postgresql or sqlite")
