"""Shows the history of a match: its table at a version, from snapshots if possible, and each step."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version as version_of
from typing import Any, Final, NamedTuple

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import AnyGame, Game
from domain.core.values import value
from domain.core.visibility import SPECTATORS, Reader, reader_of
from domain.games.catalogue import game_of
from domain.match import Match
from domain.match.match_shuffles import SeedRevealed
from events.errors import NotDisclosed, NotFound
from events.ids import is_id
from events.log import commits as log
from events.log import imported_players, snapshots
from events.log.cache import fold_commits
from events.log.codec import EVERYBODY, has_fading, shapes_of
from events.proof.checks.shuffles import DEALT_ELSEWHERE
from events.service import replay_marks
from events.service.access import Caller, check_installed, open_match, playing_seats
from events.service.context import Context
from events.service.views import Seen, match_at_version
from events.store.records import CommitRow, Head
from events.store.tables import match_rows, seat_rows, snapshot_rows, stream_rows


@value
class Past:
    """A match that the caller may replay, with what access depends on; `reader` is the caller's own."""

    head: Head
    game: Game[Any, Any, Any, Any]
    over: bool
    seats: range
    mine: tuple[Seat, ...]
    creator: bool
    """Whether the caller is the creator."""
    reader: Reader


def open_past(context: Context, match_id: str, caller: Caller) -> Past:
    """Open the past of a match, without reading all of it. Raises `NotFound`."""
    head = stream_rows.head(context.store, match_id) if is_id(match_id) else None
    row = match_rows.row(context.store, head.match_no) if head else None
    if head is None or row is None:
        raise NotFound
    held = seat_rows.of_matches(context.store, [head.match_no])[head.match_no]
    mine = tuple(
        s.seat for s in held if caller.player is not None and s.kind == "player" and s.player_id == caller.player
    )
    creator = caller.player is not None and caller.player == row.creator
    if row.visibility == "private" and not mine and not creator:
        open_match(context, match_id, caller)  # An invite to the lobby may still admit the caller.
    if mine and row.status == "playing":
        mine = playing_seats(context.loaded(match_id).state, mine)
    over, reader = row.status not in ("lobby", "playing"), reader_of(mine[0] if mine else None)
    return Past(head, game_of(row.game), over, range(len(held)), mine, creator, reader)


def replay_table(context: Context, past: Past, version: int, seat: str | None) -> Seen:
    """Return the table at a version, from a seat (`all` for every card), if the caller may see it.

    Raises `GameNotInstalled`; `NotDisclosed` for another's seat in a hand that is not disclosed.
    """
    check_installed(past.game)
    reader = past.reader if seat is None else EVERYBODY if seat == "all" else seat
    head = past.head
    if has_fading(past.game.name) and not past.over:
        now = context.loaded(head.match_id).state  # The visible history depends on its position.
        match, digest = match_at_version(context, head, reader, version, log.fading_filter(now, reader))
    else:
        match, digest = _replayed(context, head, reader, version)
    own = (past.reader, SPECTATORS, *map(str, past.mine))
    if reader not in own and not is_disclosed(context, head.match_no, match):
        raise NotDisclosed
    return Seen(
        head.match_no,
        head.match_id,
        version,
        digest,
        Time(head.created_ms),
        reader,
        past.mine,
        past.creator,
        match,
        imported_players.import_of(head),
    )


def is_disclosed(context: Context, match_no: int, then: Match) -> bool:
    """Return whether all hands up to a version are disclosed. Disclosures are in order, so the last one decides.

    A hand dealt on another server has nothing more to disclose.
    """
    if then.created.rules == DEALT_ELSEWHERE:
        return True
    kind = SeedRevealed.__name__
    rows = stream_rows.rows_naming(context.store, match_no, kind, last=True) if then.hand_no else []
    return last_disclosed_hand(rows) >= then.hand_no


def last_disclosed_hand(rows: Sequence[CommitRow]) -> int:
    """Return the number of the last hand that these commits disclose; 0 if they disclose none."""
    return max((data["hand_no"] for _, _, data in log.public_events(rows, shapes_of((SeedRevealed,)))), default=0)


def _replayed(context: Context, head: Head, reader: Reader, version: int) -> tuple[Match, str]:
    """Return what `match_at_version` returns, folded from the snapshot before; store snapshots on the way."""
    begun, match = find_snapshot(context, head, reader, version)
    rows = stream_rows.rows(context.store, head.match_no, max(begun - 1, 0), upto=version)
    digest, kept = log.digest_of(rows[-1], version), []
    distance, on_the_way = snapshots.spacing(head.version), []
    for row in rows:
        last = row.first + row.n - 1
        if last <= begun:
            continue  # It is kept only for its digest.
        on_the_way.append(row)
        if last <= version and last // distance > begun // distance:
            match, begun = fold_commits(head, on_the_way, reader, match), last
            kept.append(snapshots.write_snapshot(head.match_id, reader, last, match))
            on_the_way = []
    match = fold_commits(head, on_the_way, reader, match, upto=version)
    if kept:
        snapshot_rows.keep(context.store, head.match_no, reader, kept)
    return match, digest


def find_snapshot(context: Context, head: Head, reader: Reader, version: int) -> tuple[int, Match | None]:
    """Return the latest valid snapshot at or before a version; 0 and None if there is none."""
    while kept := snapshot_rows.latest(context.store, head.match_no, reader, version):
        if (match := snapshots.read_snapshot(head.match_id, reader, kept)) is not None:
            return kept.version, match
        version = kept.version - 1
    return 0, None


# --- Moments to jump to -----------------------------------------------------------------------------------


def list_marks(context: Context, past: Past) -> list[replay_marks.ReplayMark]:
    """List the marks of a match for replay. Raises `GameNotInstalled`."""
    check_installed(past.game)
    rows = stream_rows.rows(context.store, past.head.match_no, upto=past.head.version)
    return list(replay_marks.find_marks(past.game, rows))


def version_of_mark(context: Context, past: Past, at: str) -> int:
    """Return the version of a mark. Raises `replay_marks.NoSuchMark`, `GameNotInstalled`."""
    check_installed(past.game)
    return replay_marks.version_of(context.store, past.head, past.game, at)


MOST: Final = 500
"""Maximum number of versions in an answer."""


class Step(NamedTuple):
    """The match after an event, the time, and the event in words as the reader may know it now."""

    seen: Seen
    commit: int
    """The number of the first event of its commit: a move, and all its consequences, are one commit."""
    at: Time
    text: str


@cache
def name_release() -> str:
    """Identify the code of this server and its games: other code may show the same history differently."""
    return sha256(version_of("dealt").encode() + snapshots.hash_of_code()).hexdigest()[:16]


def replay_versions(context: Context, past: Past, last: Seen, first: int) -> Iterator[Step]:
    """See the table after each event from `first` to `last`, as the reader of the last may."""
    head, game, reader, seats = past.head, past.game, last.reader, len(past.seats)
    keeps = told = None
    if has_fading(game.name):
        told = log.fading_filter(context.loaded(head.match_id).state, reader)
        keeps = None if past.over else told
    # A snapshot contains values that have faded since, which must not be shown again during the match.
    begun, match = (0, None) if keeps else find_snapshot(context, head, reader, first)
    for row in stream_rows.rows(context.store, head.match_no, max(begun - 1, 0), upto=last.version):
        shown = log.read_match_events([row], game.name, seats, reader, keeps)
        said = log.read_match_events([row], game.name, seats, reader, told)
        for seq, (event, words) in enumerate(zip(shown, said, strict=True), row.first):
            if seq > last.version:
                return
            if match is None or seq > begun:
                match = _after(head, game, match, event)
            if seq >= first:
                seen = replace(last, version=seq, head=log.digest_of(row, seq), match=match)
                yield Step(seen, row.first, Time(row.at_ms), life.describe_event(game, words, match, match))


def _after(head: Head, game: AnyGame, match: Match | None, event: Any) -> Match:
    """Return the match after one more event; leave the match before unchanged."""
    made = life.fold_from_start(game, head.match_id, [event]) if match is None else life.fold(match, [event])
    return imported_players.hide_players(head, made)
