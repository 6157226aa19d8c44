"""What nobody could verify of an imported match, and what everybody may ask for all the same: it must not break.

A record can hold anything where its cards are not disclosed. `unlike` finds what no server can have written; `tried`
reads a match as it will lie in the log in every way in which it is read later.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain import match as life
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from events.log import commits as log
from events.log.codec import EVERYBODY, Shape, shapes
from events.proof.facts import Fact
from events.proof.rules import lifted, read_event
from events.service import marks
from events.store.records import CommitRow
from events.times import write_time

SEATS: Final = frozenset([
    "accused", "among", "big_blind", "button", "by", "dealer", "defender", "eligible", "from", "knocker", "leader", "moon",
    "next_dealer", "picked", "revokes", "seat", "small_blind", "winner", "winners",
])  # fmt: skip
"""What holds a seat, or several, in the JSON of events. An option never does, and `to` does only beside `from`."""


def unlike(game: str, facts: Sequence[Fact], seats: int) -> int | None:
    """Give the first event that no server can have written; None if there is none."""
    known = shapes(game)
    return next((fact.seq for fact in facts if not _like(known, fact, seats)), None)


def _like(known: Mapping[str, Shape], fact: Fact, seats: int) -> bool:
    """Say whether an event, read and written again, is the same, of the same types, with seats that there are."""
    try:
        read_event(known, fact, seats)
    except Exception:  # what an event is made of may be anything
        return False
    return not any(_astray(x, seats) for x in lifted(fact))


def _astray(x: Any, seats: int) -> bool:
    """Say whether a seat is named somewhere that there is not."""
    if isinstance(x, dict):
        return any(
            _astray(entry, seats)
            or ((name in SEATS or (name == "to" and "from" in x)) and _outside(entry, seats))
            for name, entry in x.items()
            if name != "options"
        )
    return isinstance(x, list) and any(_astray(entry, seats) for entry in x)


def _outside(x: Any, seats: int) -> bool:
    if isinstance(x, list):
        return any(_outside(entry, seats) for entry in x)
    return type(x) is int and x not in range(seats)


def tried(match_id: str, rows: Sequence[CommitRow]) -> None:
    """Read a match as everybody may later: its tables at each version, its feed and its marks. Raises anything."""
    game, seats = log.opening(rows[0])
    kind = "SeedRevealed"
    shown = max((data["hand_no"] for _, _, data in log.public(rows, {kind})), default=0)
    m = _looked_through(match_id, rows, SPECTATORS, None)
    for reader in (*map(str, range(seats)), EVERYBODY):
        _looked_through(match_id, rows, reader, shown)
    for _ in log.feed(rows, match_id, SPECTATORS, 0, lambda _: b"", m):
        pass
    for _ in marks.found(GAMES[game], rows):
        pass


def _looked_through(match_id: str, rows: Sequence[CommitRow], reader: Reader, hands: int | None) -> Match:
    """Look at every table of a reader, up to so many hands; give the last."""
    game, seats = log.opening(rows[0])
    seat = int(reader) if reader.isdigit() else None
    events = log.events(rows, game, seats, reader)
    m = life.opened(GAMES[game], match_id, next(events))
    for event in events:
        life.evolve(m, event)
        if hands is None or m.hand_no <= hands:
            _looked_at(m, seat)
    return m


def _looked_at(m: Match, seat: int | None) -> None:
    if (at := life.due(m)) is not None:
        write_time(at)
    if m.table is not None:
        msgspec.json.encode(m.game.view(m.table, seat))
