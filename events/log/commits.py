"""Writes commits from events, and reads them for a reader.

A commit is one row: its events as a JSON array, and next to it the secret parts that were split off when it was
written. Reading for a seat selects from the stored parts; nothing is ever removed from an event.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from domain import match as life
from domain.core.cards import Seat
from domain.core.fairness import Dealer
from domain.core.game_guard import GameFailed
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES, game_of
from domain.match import Match, RecordedEvent
from domain.match.match_results import MatchEnded
from domain.match.take_backs import MoveTakenBack, UndoKept
from events.log.codec import EVERYBODY, Shape, canonical, shapes
from events.log.seals import digest, mac, seal_key, seals
from events.store.records import CommitRow
from events.times import write_time

HandKey = Callable[[int], bytes]

Keeps = Callable[[Any], bool]
"""Returns whether a reader is still shown the fading parts of an event (rules 1.4.5)."""


class Secret(msgspec.Struct):
    """The secret parts of one event, and the hand whose key seals them.

    In an imported match, these are the known parts, with the `keys` of their seals.
    """

    hand: int
    fields: dict[str, dict[Reader, Any]]
    keys: dict[str, dict[Reader, str]] | None = None


class Written(msgspec.Struct):
    """An event of the log, decoded for folding."""

    type: str
    v: int
    data: dict[str, Any]


class LogEvent(msgspec.Struct):
    """An event of the log as JSON, unchanged for serving."""

    type: str
    v: int
    cause: str
    data: msgspec.Raw
    seals: msgspec.Raw
    digest: str


class Caused(msgspec.Struct):
    """The field with the cause of an event."""

    cause: str


class Beginning(msgspec.Struct):
    """The fields of a commit's first event that identify its mover."""

    type: str
    cause: str
    data: dict[str, Any]


_beginning = msgspec.json.Decoder(list[Beginning]).decode
_caused = msgspec.json.Decoder(list[Caused]).decode
_written = msgspec.json.Decoder(list[Written]).decode
_lying = msgspec.json.Decoder(list[LogEvent]).decode
_secrets = msgspec.json.Decoder(dict[int, Secret]).decode


class AppendPoint(NamedTuple):
    """The place for the next commit: the number of its first event, the time, and the digest of the event before it."""

    first: int
    at: int
    before: str


def write_commit(
    stream_id: str,
    known: Mapping[str, Shape],
    seats: int,
    tail: AppendPoint,
    happened: Sequence[RecordedEvent],
    dealer: Dealer,
) -> tuple[CommitRow, str]:
    """Write what happened in a stream, whose events have one of the shapes, as a commit: the row, and the new head.

    The `dealer` holds the secrets that seal it.
    """
    first, at, before = tail
    when = write_time(at)
    events, secrets = [], {}
    for seq, happening in enumerate(happened, first):
        event = happening.event
        kind = type(event).__name__
        shape = known[kind]
        data, parts = shape.data(event), shape.parts(event, seats)
        sealed = seals(dealer.hand_key(happening.hand), seq, parts) if parts else {}
        stored = {"cause": happening.cause, "data": data, "seals": sealed, "type": kind, "v": shape.version}
        before = digest(before, {**stored, "at": when, "commit": first, "match": stream_id, "seq": seq})
        events.append({**stored, "digest": before})
        if parts:
            secrets[str(seq)] = {"hand": happening.hand, "fields": parts}
    hidden = canonical(secrets).decode() if secrets else None
    code = mac(dealer.seal_secret, first + len(events) - 1, before)
    return CommitRow(first, len(events), at, canonical(events).decode(), hidden, code), before


def read_match_events(
    rows: Sequence[CommitRow], game: str, seats: int, reader: Reader = EVERYBODY, keeps: Keeps | None = None
) -> Iterator[Any]:
    """Read the events of commits as this reader was shown them, upcast to today's version, ready to be folded.

    With `keeps`, return them as they are shown now, without faded parts. If the game is not installed, only events that
    all matches have are read, without those that change the table.
    """
    if game in GAMES:
        return read_events(rows, shapes(game), seats, reader, keeps)
    known = {name: shape for name, shape in shapes(game).items() if name not in OF_THE_TABLE}
    return read_events([_keep_known_events(row, known) for row in rows], known, seats, reader, keeps)


OF_THE_TABLE: Final = frozenset(kind.__name__ for kind in (UndoKept, MoveTakenBack))
"""Events of all matches that change the table."""


def _keep_known_events(row: CommitRow, known: Collection[str]) -> CommitRow:
    """Return a commit without events of unknown types, for a fold in which their numbers do not matter."""
    kept = [event for event in msgspec.json.decode(row.events) if event["type"] in known]
    return row._replace(events=canonical(kept).decode(), secrets=None)


def read_events(
    rows: Sequence[CommitRow],
    known: Mapping[str, Shape],
    seats: int,
    reader: Reader = EVERYBODY,
    keeps: Keeps | None = None,
) -> Iterator[Any]:
    """Read events that have one of the shapes, as `read_match_events` does those of a match."""
    for row in rows:
        secrets = _secrets(row.secrets) if row.secrets else {}
        for seq, stored in enumerate(_written(row.events), row.first):
            shape, parts = known[stored.type], secrets[seq].fields if seq in secrets else {}
            data = stored.data if stored.v == shape.version else shape.upcast(stored.v, stored.data)
            if keeps and shape.fades and not keeps(shape.event(data, seats, parts, EVERYBODY)):
                parts = shape.faded(parts)
            yield shape.event(data, seats, parts, reader)


Known = Callable[[int], Match | None]
"""Returns the match as a reader knew it after the event with this number, or later in its hand; None if unknown."""


def nothing_known(seq: int) -> None:
    """Return None: no reader's state is known."""


class FeedContext(NamedTuple):
    """Additional data for a feed: the disclosed hands (None: the current ones), and the reader's knowledge."""

    disclosed: Collection[int] | None = None
    known: Known = nothing_known


NOTHING_MORE: Final = FeedContext()


def serve_match_events(
    rows: Sequence[CommitRow],
    reader: Reader,
    after: int,
    hand_key: HandKey,
    m: Match,
    footing: FeedContext = NOTHING_MORE,
) -> Iterator[bytes]:
    """Return the events after a version as this reader may see them, each as one JSON object (contract 6).

    `m` is the match in its current state, as any reader knows it: it determines what has faded, and, unless given, the
    disclosed hands. Each event has a line of text as the reader was shown it, with the names that the reader knows.
    """
    opened = life.disclosed_hands(m) if footing.disclosed is None else footing.disclosed
    for row in rows:
        secrets = _secrets(row.secrets) if row.secrets else {}
        when = write_time(row.at_ms)
        for seq, e in enumerate(_lying(row.events), row.first):
            if seq <= after:
                continue
            item: dict[str, Any] = {
                "v": e.v,
                "seq": seq,
                "commit": row.first,
                "type": e.type,
                "data": e.data,
                "at": when,
                "cause": e.cause,
                "seals": e.seals,
                "digest": e.digest,
            }
            secret = _still_shown(m, e, secrets[seq], reader) if seq in secrets else None
            item["text"] = _text(m, e, secret, reader, footing.known(seq))
            if secret:
                _open(item, secret, reader, hand_key, opened)
            yield msgspec.json.encode(item)


def serve_events(rows: Sequence[CommitRow]) -> Iterator[bytes]:
    """Return the events of a stream without secret parts, each as one JSON object."""
    for row in rows:
        when = write_time(row.at_ms)
        for seq, e in enumerate(_lying(row.events), row.first):
            item = {"v": e.v, "seq": seq, "commit": row.first, "type": e.type, "data": e.data, "at": when}
            yield msgspec.json.encode(item | {"cause": e.cause, "seals": e.seals, "digest": e.digest})


def _text(m: Match, e: LogEvent, secret: Secret | None, reader: Reader, known: Match | None) -> str:
    """Write an event in one line; its name, if its type is unknown here or its game fails."""
    if e.type not in shapes(m.game.name):
        return f"{e.type}, of a game that is not installed."
    try:
        return life.describe_event(m.game, _shown(m, e, secret, reader), m, known)
    except GameFailed:
        return f"{e.type}, which the game has failed to put into words."


def _shown(m: Match, e: LogEvent, secret: Secret | None, reader: Reader) -> Any:
    """Read an event as this reader was shown it."""
    shape = shapes(m.game.name)[e.type]
    data = shape.upcast(e.v, msgspec.json.decode(e.data))
    return shape.event(data, len(m.seats), secret.fields if secret else {}, reader)


def fading_filter(m: Match, reader: Reader) -> Keeps:
    """Return the function that decides which fading events a reader is still shown in this state of the match."""
    seat = int(reader) if reader.isdigit() else None
    return lambda event: m.table is None or m.game.memory is None or m.game.memory.remembered(m.table, seat, event)


def _still_shown(m: Match, e: LogEvent, secret: Secret, reader: Reader) -> Secret:
    shape = shapes(m.game.name).get(e.type)
    if shape is None:
        return _never_faded(secret)
    if not shape.fades or fading_filter(m, reader)(_shown(m, e, secret, EVERYBODY)):
        return secret
    return Secret(secret.hand, shape.faded(secret.fields), secret.keys)


def _never_faded(secret: Secret) -> Secret:
    """Leave out fading fields that spectators were shown: whether they have faded is unknown."""
    kept = {field: part for field, part in secret.fields.items() if SPECTATORS not in part}
    return Secret(secret.hand, kept, secret.keys)


def _open(item: dict[str, Any], secret: Secret, reader: Reader, hand_key: HandKey, disclosed: Collection[int]) -> None:
    """Add to a served event the parts that its reader may see, with the keys of their seals."""
    key = _keys_of(secret, item["seq"], hand_key)
    own = {field: part[reader] for field, part in secret.fields.items() if reader in part}
    unseal = {field: {reader: key(field, reader)} for field in own}
    if secret.hand in disclosed:
        others = {field: {r: x for r, x in part.items() if r != reader} for field, part in secret.fields.items()}
        if opened := {field: part for field, part in others.items() if part}:
            item["disclosed"] = opened
        for field, part in opened.items():
            unseal.setdefault(field, {}).update({r: key(field, r) for r in part})
    if own:
        item["data"] = msgspec.json.decode(item["data"]) | own
    if unseal:
        item["unseal"] = unseal


def _keys_of(secret: Secret, seq: int, hand_key: HandKey) -> Callable[[str, Reader], str]:
    """Return the keys of an event's seals: those stored, or those from the key of its hand."""
    if (stored := secret.keys) is not None:
        return lambda field, reader: stored[field][reader]
    key = hand_key(secret.hand)
    return lambda field, reader: seal_key(key, seq, field, reader).hex()


def game_and_seats(row: CommitRow) -> tuple[str, int]:
    """Return the game and the number of seats of a match from its first commit."""
    created = _written(row.events)[0].data
    return created["game"], len(created["seats"])


def digest_of(row: CommitRow, seq: int) -> str:
    """Return the digest of an event of a commit."""
    return _lying(row.events)[seq - row.first].digest


MATCH_ENDS: Final = f'"type":"{MatchEnded.__name__}"'
"""Occurs in the stored events of the commit that ends a match, and in no other."""


def public_events(
    rows: Sequence[CommitRow], known: Mapping[str, Shape]
) -> Iterator[tuple[CommitRow, str, Mapping[str, Any]]]:
    """Yield the commit, the type and the public data of each event that has one of these shapes."""
    for row in rows:
        for stored in _written(row.events):
            if shape := known.get(stored.type):
                yield row, stored.type, shape.upcast(stored.v, stored.data)


def event_numbers(rows: Sequence[CommitRow], kind: str) -> list[int]:
    """Return the numbers of the events of this type."""
    return [seq for row in rows for seq, e in enumerate(_lying(row.events), row.first) if e.type == kind]


def latest_causes(rows: Sequence[CommitRow], kind: str) -> dict[Any, str]:
    """Return the cause of the latest event of this type, for each seat in such events."""
    found = (stored for row in rows for stored in _lying(row.events) if stored.type == kind)
    return {msgspec.json.decode(stored.data)["seat"]: stored.cause for stored in found}


def causes(rows: Sequence[CommitRow]) -> list[str]:
    """Return the cause of each event, in order."""
    return [e.cause for row in rows for e in _caused(row.events)]


def played_by(row: CommitRow, game: str) -> Seat | None:
    """Return the seat whose person made a commit's move; None for a bot or the clock."""
    first = _beginning(row.events)[0]
    return _mover(first, game) if first.cause == "move" else None


def answered_by(row: CommitRow, game: str) -> Seat | None:
    """Return the seat that made a commit's move in the game itself; None for commands of the match."""
    first = _beginning(row.events)[0]
    shape = shapes(game).get(first.type)
    return None if shape is None or shape.cls in life.OF_NO_HAND else _mover(first, game)


def seat_of_move(row: CommitRow, game: str) -> Seat | None:
    """Return the seat that made a commit's move, from its first event; None if no seat did."""
    return _mover(_beginning(row.events)[0], game)


def _mover(first: Beginning, game: str) -> Seat | None:
    shape = shapes(game).get(first.type)
    if shape is None:
        return None  # the game is not installed
    if shape.cls in life.LIFE:
        seat: Seat | None = first.data.get(shape.seat)
        return seat
    move = game_of(game).answers.move_of(shape.event(first.data, 0, {}, EVERYBODY))
    return move[0] if move else None
