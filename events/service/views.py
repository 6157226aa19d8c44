"""Shows matches to callers, folded only from the events as their reader was shown them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.values import value
from domain.core.visibility import Reader, reader_of
from domain.match import Match
from events.log import commits as log
from events.log import imported_players
from events.log.cache import Loaded, fold_commits
from events.log.codec import has_fading
from events.service.access import Caller, is_creator, open_match, playing_seats, seats_of
from events.service.context import Context
from events.store.records import Head, Imported
from events.store.tables import match_rows, stream_rows

PART: Final = 500
"""The number of commits per query of an export."""


@value
class Seen:
    """A match as one reader knows it at a version. `head` is the digest of the event of that version, hex."""

    match_no: int
    match_id: str
    version: int
    head: str
    created: Time
    reader: Reader
    seats: tuple[Seat, ...]
    """The seats of the caller."""
    creator: bool
    """Whether the caller is the creator."""
    match: Match
    imported: Imported | None = None

    @property
    def visibility(self) -> str:
        """Return the visibility, which decides who can read and find the match."""
        return self.imported.visibility if self.imported else self.match.created.visibility

    @property
    def seat(self) -> Seat | None:
        """Return the seat from which the match is seen."""
        return int(self.reader) if self.reader.isdigit() else None


# --- Views -------------------------------------------------------------------------------------------------


def see_match(context: Context, match_id: str, caller: Caller) -> Seen:
    """Return the match as the caller may see it: from their seat, otherwise as a spectator. Raises `NotFound`."""
    loaded = open_match(context, match_id, caller)
    mine = playing_seats(loaded.state, seats_of(loaded.state, caller))
    return seen_by(
        context, loaded, reader_of(mine[0] if mine else None), mine, creator=is_creator(loaded.state, caller)
    )


def see_from_seat(context: Context, match_id: str, caller: Caller, seat: Seat) -> Seen:
    """Return the match as seen from one of the caller's seats. Raises `NotFound`, `Refused` for another's."""
    loaded = open_match(context, match_id, caller)
    mine = playing_seats(loaded.state, seats_of(loaded.state, caller))
    if seat not in mine:
        raise Refused("not_seated")
    return seen_by(context, loaded, reader_of(seat), mine, creator=is_creator(loaded.state, caller))


def seen_by(context: Context, loaded: Loaded, reader: Reader, mine: tuple[Seat, ...], *, creator: bool) -> Seen:
    """Return the current state of a match as a reader knows it; the reader's state is cached."""
    head = loaded.head
    version, match = loaded.seen.get(reader, (0, None))
    if match is None or version != head.version:
        known = match if version < head.version else None  # Another thread may be ahead of this one.
        rows = stream_rows.rows(context.store, head.match_no, version if known else 0, upto=head.version)
        match = fold_commits(head, rows, reader, known)
        if version < head.version:
            loaded.seen[reader] = (head.version, match)
    return Seen(
        head.match_no,
        head.match_id,
        head.version,
        head.head.hex(),
        Time(head.created_ms),
        reader,
        mine,
        creator,
        match,
        imported_players.import_of(head),
    )


def view_at_version(context: Context, seen: Seen, version: int) -> Seen:
    """Return the match after the event of this version, for the same reader."""
    head = stream_rows.head(context.store, seen.match_id)
    assert head is not None
    match, digest = match_at_version(context, head, seen.reader, version, log.fading_filter(seen.match, seen.reader))
    return replace(seen, version=version, head=digest, match=match)


def match_at_version(context: Context, head: Head, reader: Reader, version: int, keeps: log.Keeps) -> tuple[Match, str]:
    """Return the match at a version, and that event's digest, from all events up to it."""
    rows = stream_rows.rows(context.store, head.match_no, upto=version)
    return fold_commits(head, rows, reader, upto=version, keeps=keeps), log.digest_of(rows[-1], version)


def end_time(context: Context, seen: Seen) -> int | None:
    """Return when a match ended, if it has."""
    row = match_rows.row(context.store, seen.match_no) if seen.match.over else None
    return row.ended_ms if row else None


# --- The history ------------------------------------------------------------------------------------------


def export_events(context: Context, seen: Seen, after: int) -> Iterator[tuple[int, Time, Any, str]]:
    """Return each event after a version as the reader may know it: number, time, event and a line of text.

    Reads the log in parts.
    """
    m, keeps, known = seen.match, log.fading_filter(seen.match, seen.reader), hands_known(context, seen)
    while after < seen.version:
        for row in stream_rows.rows(context.store, seen.match_no, after, PART):
            shown = log.read_match_events([row], m.game.name, len(m.seats), seen.reader, keeps)
            for seq, event in enumerate(shown, row.first):
                if after < seq <= seen.version:
                    after = seq
                    yield seq, Time(row.at_ms), event, life.describe_event(m.game, event, m, known(seq))


def hands_known(context: Context, seen: Seen) -> log.Known:
    """Return the function for the reader's knowledge of an event's hand: the current state, or that at its end.

    The names of objects on a table belong to one hand; the next hand reuses them.
    """
    m = seen.match
    if m.game.words.text_at is None:
        return log.nothing_known
    kinds = {m.game.lifecycle.game_starts.__name__, m.game.lifecycle.hand_starts.__name__} if m.hand_no > 1 else ()
    rows = {kind: stream_rows.rows_naming(context.store, seen.match_no, kind) for kind in kinds}
    begun = sorted(place for kind, those in rows.items() for place in log.event_numbers(those, kind))

    @cache
    def at_end(version: int) -> Match:
        return view_at_version(context, seen, version).match

    def known(seq: int) -> Match:
        following = next((start for start in begun if seq < start <= seen.version), None)
        return m if following is None else at_end(following - 1)

    return known


def last_event_text(context: Context, seen: Seen) -> str:
    """Return the text of the event of this version, as its reader may know it now."""
    m = seen.match
    rows = stream_rows.rows(context.store, seen.match_no, seen.version - 1, upto=seen.version)
    now = context.loaded(seen.match_id).state if has_fading(m.game.name) else m
    shown = log.read_match_events(rows, m.game.name, len(m.seats), seen.reader, log.fading_filter(now, seen.reader))
    return life.describe_event(m.game, next(islice(shown, seen.version - rows[0].first, None)), m, m)


def read_feed(context: Context, seen: Seen, after: int, limit: int | None = None) -> Iterator[bytes]:
    """Return the reader's feed after a version, each event one JSON object, at most `limit` of them."""
    rows = stream_rows.rows(context.store, seen.match_no, after, limit)
    kept = context.cache.get(seen.match_id) or context.loaded(seen.match_id)
    footing = log.FeedContext(known=hands_known(context, seen))
    items = log.serve_match_events(rows, seen.reader, after, kept.dealer.hand_key, seen.match, footing)
    return items if limit is None else (item for _, item in zip(range(limit), items, strict=False))


def shown_events(context: Context, seen: Seen) -> list[Any]:
    """Return all events as the reader of `seen` may see them, up to its version."""
    rows = stream_rows.rows(context.store, seen.match_no, upto=seen.version)
    return list(log.read_match_events(rows, seen.match.game.name, len(seen.match.seats), seen.reader))
