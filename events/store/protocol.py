"""What the event store keeps and how it is asked: plain types, and the protocol that both databases answer.

The log has one row per move, a *commit*, holding the move's events as one JSON array: PostgreSQL writes it in one
round trip, it takes half the space of a row per event, and the view ``events`` still shows every event as its own row.
Beside the log stand the projections, which are written in the transaction of the commit and can be rebuilt from it,
and ``due``, the pending work of the server.

Times are whole milliseconds since 1970 UTC and their names end in ``_ms``. Ids are opaque text. Digests and hashes
are raw bytes. JSON travels as text, so that its bytes stay as they were hashed.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from domain.match import REQUESTS
from domain.match.vacation import Allowance

if TYPE_CHECKING:
    from events.store.tables.stored import Stored


class Unavailable(Exception):
    """The database cannot be reached, or was still busy after several tries. What was asked has not been done."""


class AlreadyThere(Exception):
    """There is a match of this id already; or the player sits at another table of the group."""


class Row(NamedTuple):
    """One commit as stored: ``n`` events of which the first has number ``first``."""

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
    """Where the log of a match ends. Version 0 and 32 zero bytes stand for a log without events."""

    match_no: int
    match_id: str
    version: int
    head: bytes
    created_ms: int
    imported: str | None = None
    """JSON of ``Imported``, for a match that was played elsewhere."""


@dataclass(slots=True, frozen=True)
class Imported:
    """How a match that was played elsewhere is shown here: `visibility` is public or unlisted."""

    visibility: str


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
    preset: str | None = None
    deal_group: str | None = None
    """The id of the group of tables that have the same deals."""
    deal_known: str | None = None
    """JSON of the match and the hand whose deals are played once more."""
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
    """A human seat that its match waits for, since the event ``version`` was written at ``since_ms``.

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
    """How a seat came out of a match. ``player_id`` is empty for a bot."""

    seat: int
    player_id: str | None
    game: str
    place: int
    score: int | None
    ended_ms: int
    result: str | None = None
    """won, shared or lost; the first place is shared if another side has it too."""


@dataclass(slots=True)
class DueRow:
    """Work to do for a match: ``kind`` is one of bot, clock, start, expire, order, group. Nobody else claims it before ``lease_ms``.

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


Import = tuple[Head, list[Row], Projected, Mapping[str, str]]
"""A match that was played elsewhere: its head, log and projections, and the names of its players by their ids here."""


@dataclass(slots=True)
class Idempotency:
    """A request that may be repeated: the hash of who, where and key; and the hash of its body."""

    key_hash: bytes
    body_hash: bytes


class Ordered(NamedTuple):
    """What made a move: the standing orders of this id, looked at for the decision that was there since then."""

    orders_id: str
    since_ms: int


class Taken(NamedTuple):
    """What a player had taken of his vacations, and has taken with a commit."""

    player_id: str
    had: Allowance
    has: Allowance


@dataclass(slots=True)
class Commit:
    """What one append writes, all of it or nothing."""

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
    vacation: Taken | None = None
    """The vacations that move a deadline: if they are not what they were, it is a conflict."""


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


class NewTable(NamedTuple):
    """A match of a group that is to be created, as ``Store.create`` takes one."""

    match_id: str
    seal_secret: bytes
    root: str
    commit: Commit
    invites: list[tuple[int, bytes]]


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


class Snapshot(NamedTuple):
    """A match as a reader knew it at a version: see ``events.log.snapshots``."""

    version: int
    code: bytes
    state: str
    sum: bytes


class Player(NamedTuple):
    """A player who has not been erased."""

    player_id: str
    name: str


@dataclass(slots=True)
class Search:
    """Which matches somebody looks for: all that is given must hold. Times: from `after` on, and earlier than `before`."""

    game: str | None = None
    status: str | None = None
    player: str | None = None
    """Who sits there."""
    result: str | None = None
    """How `player` came out: won, shared or lost."""
    options: dict[str, str] = field(default_factory=dict)
    """Options of `game` as `events.store.tables.search.option_text` writes them; `preset` stands among them."""
    created_after: int | None = None
    created_before: int | None = None
    ended_after: int | None = None
    ended_before: int | None = None

    @property
    def by_end(self) -> bool:
        """Whether what is found comes in the order in which it ended, and not in that of its creation."""
        return self.ended_after is not None or self.ended_before is not None


class Place(NamedTuple):
    """A place in a list of matches: the time that it goes by, and a match of that time."""

    at_ms: int
    match_id: str


class Found(NamedTuple):
    """A page of matches; `next` is where the list goes on, None at its end.

    A page may hold fewer than were asked for, and none, though the list goes on.
    """

    rows: list[MatchRow]
    next: Place | None


class InboxRow(NamedTuple):
    """A seat of the player that a match waits for, or that is asked for something."""

    match_no: int
    match_id: str
    game: str
    seat: int
    version: int
    since_ms: int
    deadline_ms: int | None
    decision: str = ""
    order_failed: bool = False  # orders that were left for it did not fit

    @property
    def asked(self) -> bool:
        """Whether the match goes on without an answer: a draw was offered, or a move is to be taken back."""
        return self.decision in REQUESTS


class LastRows(NamedTuple):
    """The last commits of a match, in order, and how many seats it has."""

    seats: int
    rows: list[Row]


class Invitation(NamedTuple):
    """A seat in a lobby that is kept for the player."""

    match_no: int
    match_id: str
    game: str
    seat: int
    since_ms: int


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


OUTAGE_MS = 60_000
"""Without a scheduler for longer than this, time counts for nobody."""

SILENCE_MS = 30_000
"""Two beats of a scheduler: without one for longer than this, there may be an outage in the end."""

START = Position(0, 0)


class Followed(NamedTuple):
    """One commit as a follower meets it; ``at`` is the position to follow on from."""

    at: Position
    match_no: int
    row: Row


Turn = tuple[int, int, int, bool]
"""Match number, seat, version, whether an order has failed: enough to tell whether an inbox differs."""


class Store(Protocol):
    """The event store. Every method is one transaction; any may raise :class:`Unavailable`.

    A store may be used by any number of threads, but not across a fork: open it after.
    """

    # The log of a match

    def create(
        self, match_id: str, seal_secret: bytes, root: str, commit: Commit, invites: list[tuple[int, bytes]]
    ) -> tuple[Outcome, Head | None]:
        """Begin a match with its first commit, its secrets and the hashes of its invites (seat, code hash).

        Answers ``duplicate`` and no head if the commit's idempotency key was used before. Raises :class:`AlreadyThere`.
        """

    def append(self, match_no: int, commit: Commit) -> Outcome:
        """Write a commit if the match's version is still ``commit.first - 1``. One round trip on PostgreSQL.

        Raises :class:`AlreadyThere` for who sits down at a second table of a group.
        """

    def create_group(self, group_id: str, creator: str, tables: list[NewTable]) -> bool:
        """Begin the matches of a group, all of them or none; False if an idempotency key was used before."""

    def import_match(
        self, head: Head, rows: list[Row], projected: Projected, names: Mapping[str, str]
    ) -> bool:
        """Write a match that was played elsewhere, whole, with the names of its players by their ids here.

        False, and nothing written, if there is a match of this id. ``head.match_no`` is not asked.
        """

    def import_matches(self, played: Sequence[Import]) -> bool:
        """Write several such matches in one transaction: all of them, or none."""

    def imported(self, match_nos: Collection[int]) -> set[int]:
        """Which of these matches were imported. One query for all."""

    def head(self, match_id: str) -> Head | None:
        """Where the match's log ends, or None if there is no such match."""

    def enter(
        self, token_hash: bytes, match_id: str, after: int = 0
    ) -> tuple[Player, tuple[Head, list[Row]] | None] | None:
        """`player_by_token` and `load` in one round trip; None if the token is nobody's."""

    def rows(
        self, match_no: int, after: int = 0, limit: int | None = None, upto: int | None = None
    ) -> list[Row]:
        """The commits with an event later than number ``after``, in order.

        At most ``limit`` of them; or up to the one that holds event ``upto``.
        """

    def rows_naming(self, match_no: int, kind: str, *, last: bool = False) -> list[Row]:
        """The commits that hold an event of this type, in order; with ``last`` only the last of them."""

    def load(self, match_id: str, after: int = 0) -> tuple[Head, list[Row]] | None:
        """The head and the commits with an event later than ``after``, as of one moment, in one round trip."""

    def secrets(self, match_no: int) -> Secrets:
        """The seal secret and the roots. Raises KeyError if there is no such match."""

    def snapshot(self, match_no: int, reader: str, upto: int) -> Snapshot | None:
        """The latest snapshot for a reader at or before a version."""

    def keep_snapshots(self, match_no: int, reader: str, snapshots: Collection[Snapshot]) -> None:
        """Keep snapshots for a reader in the place of those of the same versions; or not, if others do so just now."""

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
        search: Search | None = None,
        after: Place | None = None,
        limit: int = 50,
    ) -> Found:
        """Public matches and the viewer's own (seated or creator) that ``search`` wants, the latest first.

        ``after``: ``next`` of the page before.
        """

    def match_row(self, match_no: int) -> MatchRow | None:
        """One match as in lists."""

    def seat_rows(self, match_nos: Collection[int]) -> dict[int, list[SeatRow]]:
        """The seats of matches, in order, by match number."""

    def turn_rows(self, match_no: int) -> list[TurnRow]:
        """The human seats that a match waits for, or that are asked for something, in order."""

    def result_rows(self, player_id: str, limit: int = 50) -> list[tuple[str, ResultRow]]:
        """A player's results with the ids of their matches, latest first."""

    def due_rows(self, match_no: int) -> list[DueRow]:
        """The pending work of a match, by kind."""

    def inbox(self, player_id: str) -> list[InboxRow]:
        """The seats of the player that are waited for, or asked: nearest deadline first, then those that wait longest."""

    def invitations(self, player_id: str) -> list[Invitation]:
        """The seats in lobbies that are kept for the player, the oldest first."""

    def waiting_stamp(self, player_ids: Collection[str]) -> dict[str, tuple[Turn, ...]]:
        """For each player with a turn to take or a seat kept for him, what tells one inbox from another.

        A seat that is kept stands there with version 0; last, whether an order of the player has failed. One query for all.
        """

    def last_rows(self, upto: Mapping[int, int], n: int) -> dict[int, LastRows]:
        """The last ``n`` commits of each of these matches that begin by a version, in order, without their codes. One query for all."""

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

    # Absence

    def beat(self, now_ms: int) -> None:
        """Note that a scheduler is at work; an outage, if none has been for longer than `OUTAGE_MS`."""

    def beaten(self) -> int | None:
        """When a scheduler was last at work, as far as is known."""

    def outages(self, since_ms: int, now_ms: int) -> list[tuple[int, int]]:
        """The outages that ended after `since_ms`, the one that is still on as the last."""

    def allowance(self, player_id: str, since_ms: int = 0) -> Allowance | None:
        """What vacations a player may take, and those he has taken that ended after `since_ms`.

        None if there is none such, or he was erased.
        """

    def take_vacations(
        self,
        player_id: str,
        change: Callable[[Allowance], Allowance],
        idempotency: Idempotency | None = None,
        at_ms: int = 0,
    ) -> Allowance | None:
        """Let ``change`` say what a player has taken, while nobody else can; what it raises is raised.

        Gives what he then has taken; None as `allowance` does. Raises :class:`AlreadyThere` for a key that was used.
        """

    def away(self, player_ids: Collection[str], now_ms: int) -> dict[str, int]:
        """Until when players are on vacation, of those who are. One query for all."""

    def set_auto_vacation(self, player_id: str, auto: bool) -> None:  # noqa: FBT001 -- what is set
        """Let a player go on vacation by himself when his time runs out, or not."""

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

        A follower would then miss commits. ``events.store.migrate.migrate``, run by the owner, repairs it.
        """

    # Rebuilding projections

    def match_nos(self, after: int = 0, limit: int = 1_000) -> list[int]:
        """Match numbers after one, in order."""

    def rebuild(self, match_no: int, project: Callable[[Head, list[Row]], Projected]) -> None:
        """Replace a match's projections by what ``project`` makes of its log, while nobody can append to it."""

    # Audits

    def stored(self, match_id: str) -> "Stored | None":
        """All that there is of a match, as of one moment and as it lies there; None if there is no such match."""

    def heads(self, after: int = 0, limit: int = 1_000) -> list[Head]:
        """Where the logs of matches end, of those with a number after one, in order."""

    def match_count(self) -> int:
        """How many matches there are."""

    def stray(self, after: int, before: int | None) -> int | None:
        """The first match number between two of which there are commits: None where numbers were never used."""

    # Operation

    def ready(self) -> bool:
        """Whether the database answers and its schema is the one this code was written for."""

    def close(self) -> None:
        """Close all connections."""


def open_store(database_url: str) -> Store:
    """The store behind ``postgresql+psycopg://…`` or ``sqlite:///path``. Does not migrate: see ``events.store.migrate``.

    Raises ValueError for any other database.
    """
    backend = database_url.partition(":")[0].partition("+")[0]
    if backend == "postgresql":
        from events.store.postgres import PostgresStore  # noqa: PLC0415 - it imports this module

        return PostgresStore(database_url)
    if backend == "sqlite":
        from events.store.sqlite import SqliteStore  # noqa: PLC0415 - it imports this module

        return SqliteStore(database_url)
    raise ValueError("DATABASE_URL must begin with postgresql or sqlite")
