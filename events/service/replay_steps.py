"""This module shows a part of a match's past, version by version, folded once for all of them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version as version_of
from typing import Any, Final, NamedTuple

from domain import match as life
from domain.core.clock import Time
from domain.core.game import AnyGame
from domain.match import Match
from events.log import commits as log
from events.log import imported_players, snapshots
from events.log.codec import has_fading
from events.service import replay
from events.service.context import Context
from events.service.replay import Past
from events.service.views import Seen
from events.store import tables
from events.store.records import Head

MOST: Final = 500
"""An answer shows at most this many versions, so that 1,500 are three."""


class Step(NamedTuple):
    """A step is the match after an event, when it happened, and the event in words as the reader may know it now."""

    seen: Seen
    at: Time
    text: str


@cache
def name_release() -> str:
    """Name the code of this server and of its games: with another, the same past may be told or drawn otherwise."""
    return sha256(version_of("dealt").encode() + snapshots.hash_of_code()).hexdigest()[:16]


def replay_versions(context: Context, past: Past, last: Seen, first: int) -> Iterator[Step]:
    """See the table after each event from `first` to `last`, as the reader of the last may."""
    head, game, reader, seats = past.head, past.game, last.reader, len(past.seats)
    keeps = told = None
    if has_fading(game.name):
        told = log.fading_filter(context.loaded(head.match_id).state, reader)
        keeps = None if past.over else told
    # A snapshot holds what has faded since, which is not shown again while the match goes on.
    begun, match = (0, None) if keeps else replay.find_snapshot(context, head, reader, first)
    for row in tables.stream_rows.rows(context.store, head.match_no, max(begun - 1, 0), upto=last.version):
        shown = log.read_match_events([row], game.name, seats, reader, keeps)
        said = log.read_match_events([row], game.name, seats, reader, told)
        for seq, (event, words) in enumerate(zip(shown, said, strict=True), row.first):
            if seq > last.version:
                return
            if match is None or seq > begun:
                match = _after(head, game, match, event)
            if seq >= first:
                seen = replace(last, version=seq, head=log.digest_of(row, seq), match=match)
                yield Step(seen, Time(row.at_ms), life.describe_event(game, words, match, match))


def _after(head: Head, game: AnyGame, match: Match | None, event: Any) -> Match:
    """Give the match after one more event; the one before stays as it was."""
    made = life.fold_from_start(game, head.match_id, [event]) if match is None else life.fold(match, [event])
    return imported_players.hide_players(head, made)
