"""This module finds imported matches that could not be read later, although their verification found no fault.

A record can hold anything where its cards are not disclosed. `find_alien_event` finds what no server can have
written; `try_reading` reads a match in every way in which it is read once it is in the log.
"""

from collections.abc import Mapping, Sequence

import msgspec

from domain import match as life
from domain.core.cards import is_seat
from domain.core.types import Typed, leaves
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from domain.match.match_shuffles import SeedRevealed
from events.log import commits as log
from events.log.codec import EVERYBODY, Shape, shapes, shapes_of
from events.proof.checks.rules import read_event
from events.proof.findings import Fact
from events.service import replay_marks
from events.store.records import CommitRow
from events.times import write_time


def find_alien_event(game: str, facts: Sequence[Fact], seats: int) -> int | None:
    """Give the first event that no server can have written; None if there is none."""
    known = shapes(game)
    return next((fact.seq for fact in facts if not _like(known, fact, seats)), None)


def _like(known: Mapping[str, Shape], fact: Fact, seats: int) -> bool:
    """Say whether an event, read and written again, is the same, of the same types, with seats that there are."""
    try:
        event = read_event(known, fact, seats)
    except Exception:  # what an event is made of may be anything
        return False
    named = (seat for leaf, seat in leaves(Typed("record", type(event)), event) if is_seat(leaf))
    return all(seat in range(seats) for seat in named if type(seat) is int)


def try_reading(match_id: str, rows: Sequence[CommitRow]) -> None:
    """Read a match in every way that readers can: its tables at each version, its feed and its marks.

    Raises any error.
    """
    game, seats = log.game_and_seats(rows[0])
    shown = max((data["hand_no"] for _, _, data in log.public_events(rows, shapes_of((SeedRevealed,)))), default=0)
    m = _looked_through(match_id, rows, SPECTATORS, None)
    for reader in (*map(str, range(seats)), EVERYBODY):
        _looked_through(match_id, rows, reader, shown)
    for _ in log.serve_match_events(rows, SPECTATORS, 0, lambda _: b"", m):
        pass
    for _ in replay_marks.find_marks(GAMES[game], rows):
        pass


def _looked_through(match_id: str, rows: Sequence[CommitRow], reader: Reader, hands: int | None) -> Match:
    """Look at every table of a reader, up to this number of hands; give the last."""
    game, seats = log.game_and_seats(rows[0])
    seat = int(reader) if reader.isdigit() else None
    events = log.read_match_events(rows, game, seats, reader)
    m = life.initial_match(GAMES[game], match_id, next(events))
    for event in events:
        life.evolve(m, event)
        if hands is None or m.hand_no <= hands:
            _looked_at(m, seat)
    return m


def _looked_at(m: Match, seat: int | None) -> None:
    if (at := life.first_due_time(m)) is not None:
        write_time(at)
    if m.table is not None:
        msgspec.json.encode(m.game.view(m.table, seat))
