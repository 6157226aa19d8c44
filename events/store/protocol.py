"""The store as both databases answer it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from domain.match.vacation import Allowance
from events.store.records import (
    Appended,
    Commit,
    CommitRow,
    Due,
    DueRow,
    Followed,
    Found,
    Head,
    Idempotency,
    Import,
    InboxRow,
    Invitation,
    LastRows,
    MatchRow,
    NewTable,
    PagePlace,
    Player,
    Position,
    Projected,
    Remembered,
    ResultRow,
    Search,
    SeatRow,
    Secrets,
    Snapshot,
    Turn,
    TurnRow,
)
from events.store.tables.stored import Stored


class Store(Protocol):
    """The event store. Every method is one transaction; any may raise :class:`Unavailable`.

    A store may be used by any number of threads, but not across a fork: open it after.
    """

    # The log of a match

    def create(
        self, match_id: str, seal_secret: bytes, root: str, commit: Commit, invites: list[tuple[int, bytes]]
    ) -> tuple[Appended, Head | None]:
        """Begin a match with its first commit, its secrets and the hashes of its invites (seat, code hash).

        Answers ``duplicate`` and no head if the commit's idempotency key was used before. Raises :class:`AlreadyThere`.
        """

    def append(self, match_no: int, commit: Commit) -> Appended:
        """Write a commit if the match's version is still ``commit.first - 1``. One round trip on PostgreSQL.

        Raises :class:`AlreadyThere` for who sits down at a second table of a group.
        """

    def create_group(self, group_id: str, creator: str, tables: list[NewTable]) -> bool:
        """Begin the matches of a group, all of them or none; False if an idempotency key was used before."""

    def import_match(
        self, head: Head, rows: list[CommitRow], projected: Projected, names: Mapping[str, str]
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
    ) -> tuple[Player, tuple[Head, list[CommitRow]] | None] | None:
        """`player_by_token` and `load` in one round trip; None if the token is nobody's."""

    def rows(
        self, match_no: int, after: int = 0, limit: int | None = None, upto: int | None = None
    ) -> list[CommitRow]:
        """The commits with an event later than number ``after``, in order.

        At most ``limit`` of them; or up to the one that holds event ``upto``.
        """

    def rows_naming(self, match_no: int, kind: str, *, last: bool = False) -> list[CommitRow]:
        """The commits that hold an event of this type, in order; with ``last`` only the last of them."""

    def load(self, match_id: str, after: int = 0) -> tuple[Head, list[CommitRow]] | None:
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
        after: PagePlace | None = None,
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

    def rebuild(self, match_no: int, project: Callable[[Head, list[CommitRow]], Projected]) -> None:
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
