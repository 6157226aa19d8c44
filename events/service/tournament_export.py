"""This module gives what the record of a tournament consists of, and the matches that belong to it."""

from collections.abc import Iterator

from msgspec import json

from domain.tournament.pods import PodFinished, PodRepeated
from domain.tournament.round_tables import TableAdjudicated, TableDrawn, TableFinished, TableForfeited
from events.log.commits import read_events, serve_events
from events.proof.signed_heads import SignedHead
from events.proof.tournament_record import FORMAT, AboutTournament
from events.service.stream_kinds import TOURNAMENT
from events.service.tournaments import HeldTournament


def export_lines(found: HeldTournament, signed: SignedHead | None = None) -> Iterator[bytes]:
    """Give the lines of a record without its matches: one that says what it is of, and one for each event.

    `signed` is its signed head, if this server has a key.
    """
    head = found.head
    yield json.encode(AboutTournament(FORMAT, head.match_id, head.version, head.head.hex(), signed))
    yield from serve_events(found.rows)


def cited_matches(found: HeldTournament) -> tuple[str, ...]:
    """Give the ids of the matches by which tables have ended, or were to be played once more, in their order."""
    events = read_events(found.rows, TOURNAMENT.shapes, 0)
    over = TableFinished | TableDrawn | TableForfeited | TableAdjudicated | PodFinished | PodRepeated
    return tuple(dict.fromkeys(event.match for event in events if isinstance(event, over)))
