"""Writes and reads records: JSON documents with everything that replay and verification need without the server.

`write_record` writes it from the data that one reader may see; `read_record` parses it, and trusts nothing (contract
7).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

import msgspec

from domain import match as life
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from events.log.codec import shapes
from events.proof.disclosed import MOST_LINKS
from events.proof.epochs import fairness, tells_fairness
from events.proof.findings import NO_EVIDENCE, Claims, Evidence, Fact
from events.proof.signed_heads import SignedHead

T = TypeVar("T")

FORMAT: Final = "dealt-record/1"
MEDIA_TYPE: Final = "application/vnd.dealt.record+json"

MOST_BYTES: Final = 16 * 1024 * 1024
MOST_EVENTS: Final = 50_000

MOST_SEATS: Final = 99
MOST_DEPTH: Final = 32

MOST_INT: Final = 2**53 - 1
"""Whole numbers beyond this are not the same in every language."""


class Unreadable(Exception):
    """The text is not a record, or exceeds the limits; the message explains the fault."""


ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
# The group never backtracks, so that a text of megabytes needs no memory.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


class Item(msgspec.Struct, omit_defaults=True):
    """An event as feeds serve it, without the fields that prove nothing."""

    v: int
    seq: int
    commit: int
    type: str
    data: dict[str, Any]
    at: str
    cause: str
    seals: dict[str, dict[str, str]]
    digest: str
    unseal: dict[str, dict[str, str]] = {}
    disclosed: dict[str, dict[str, Any]] = {}


class SeatedPlayer(msgspec.Struct):
    """A player in a seat. A record does not prove the name, which is null for a player who was erased."""

    id: str
    name: str | None


class Seat(msgspec.Struct):
    """The holder of a seat."""

    seat: int
    kind: str
    player: SeatedPlayer | None
    level: str | None


class About(msgspec.Struct):
    """The claimed data of the match of a record."""

    id: str
    game: str
    rules: str
    reader: str
    version: int
    head: str
    status: str
    visibility: str
    options: dict[str, Any]
    seats: list[Seat]
    result: dict[str, Any] | None
    preset: str | None
    series: dict[str, Any]
    clock: dict[str, Any]
    created_at: str


class Record(msgspec.Struct):
    """A record as it was read."""

    format: str
    match: About
    events: list[Item]
    fairness: dict[str, Any]
    signed: SignedHead | None = None


read_item = msgspec.json.Decoder(Item).decode


# --- Writing ------------------------------------------------------------------------------------------------


def write_record(about: Mapping[str, Any], feed: Iterable[bytes], signed: SignedHead | None = None) -> Iterator[bytes]:
    """Return a record piece by piece: `about` the match, its feed, each event one JSON object, and its signed head."""
    yield (b'{"format":' + msgspec.json.encode(FORMAT) + b',"match":' + msgspec.json.encode(about) + b',"events":[')
    on_fairness: list[Fact] = []
    for i, text in enumerate(feed):
        item = read_item(text)
        yield b"," * (i > 0) + msgspec.json.encode(item)
        if tells_fairness(item.type):
            on_fairness.append(fact(item))
    yield b'],"fairness":' + msgspec.json.encode(fairness(on_fairness))
    yield b"}" if signed is None else b',"signed":' + msgspec.json.encode(signed) + b"}"


# --- Reading ------------------------------------------------------------------------------------------------


def read_record(text: bytes) -> Record:
    """Read a record. Raises `Unreadable`."""
    record = decode_exact(text, _decode, "This is not a record")
    for wrong, why in _limits_exceeded(record):
        if wrong:
            raise Unreadable(why)
    return record


def decode_exact(text: bytes, decode: Callable[[bytes], T], otherwise: str) -> T:
    """Decode a text that is written in one way only. Raises `Unreadable`, which begins with `otherwise` for others."""
    if len(text) > MOST_BYTES:
        raise Unreadable(f"A record may have at most {MOST_BYTES} bytes.")
    try:
        found = decode(text)
        names = _names(msgspec.json.decode(text))
    except RecursionError as error:
        raise Unreadable(_DEEP) from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Unreadable(f"{otherwise}: {error}.") from error
    if _STRING.sub(b"", text).count(b":") != names:
        raise Unreadable("An object has the same name twice.")
    return found


_DEEP: Final = "This is nested too deeply to be a record."


def _names(plain: Any) -> int:
    """Count the names in all objects. Raise `Unreadable` for values without a single form (RFC 8785)."""
    names, depth, level = 0, 0, [plain]
    while level:
        if depth > MOST_DEPTH:
            raise Unreadable(_DEEP)
        below: list[Any] = []
        for x in level:
            kind = type(x)
            if kind is dict:
                names += len(x)
                if not all(map(str.isascii, x)):
                    raise Unreadable("Names in a record must be ASCII.")
                below += x.values()
            elif kind is list:
                below += x
            elif kind is float or (kind is int and not -MOST_INT <= x <= MOST_INT):
                raise Unreadable("Numbers in a record must be whole and within 2^53.")
        level, depth = below, depth + 1
    return names


_decode = msgspec.json.Decoder(Record).decode


def _limits_exceeded(record: Record) -> Iterator[tuple[bool, str]]:
    """Yield each limit of records with whether this one exceeds it."""
    m, n = record.match, len(record.events)
    yield record.format != FORMAT, f"The format must be {FORMAT}."
    yield not ID.fullmatch(m.id), "The id of a match has 1 to 64 letters and digits."
    yield not 1 <= n <= MOST_EVENTS, f"A record has 1 to {MOST_EVENTS} events; this one has {n}."
    seats = record.events[0].data.get("seats")
    n = max(len(m.seats), len(seats) if isinstance(seats, list) else 0)
    yield n > MOST_SEATS, f"A match has at most {MOST_SEATS} seats; this one has {n}."
    readers = {SPECTATORS, *(str(seat) for seat in range(len(m.seats)))}
    yield m.reader not in readers, f"The reader must be a seat of the match, or {SPECTATORS}."
    both = (
        item.seq
        for item in record.events
        for name, values in item.disclosed.items()
        if name in item.data and m.reader in values
    )
    twice = next(both, None)
    yield (
        twice is not None,
        f"A part of event {twice} is in both the reader's data and the disclosed data.",
    )
    named = (item.data.get("links") for item in record.events)
    links = sum(x for x in named if type(x) is int and x > 0)
    yield links > MOST_LINKS, f"A record has at most {MOST_LINKS} links; this one names {links}."


def fact(item: Item, reader: Reader = "") -> Fact:
    """Return an event for verification. `reader` is the reader whose own parts are among its data."""
    parts: dict[str, dict[Reader, Any]] = {name: dict(part) for name, part in item.disclosed.items()}
    for name in item.seals:
        if name in item.data:
            parts.setdefault(name, {})[reader] = item.data[name]
    public = {name: x for name, x in item.data.items() if name not in item.seals}
    return Fact(
        item.seq,
        item.commit,
        item.type,
        item.v,
        item.cause,
        item.at,
        public,
        item.seals,
        item.digest,
        parts,
        item.unseal,
    )


def facts(record: Record) -> list[Fact]:
    """Return the events of a record as verification takes them."""
    return [fact(item, record.match.reader) for item in record.events]


def claims(record: Record, evidence: Evidence = NO_EVIDENCE) -> Claims:
    """Return the claims of a record about its match, apart from the events."""
    m = record.match
    said = {
        "game": m.game,
        "rules": m.rules,
        "visibility": m.visibility,
        "options": m.options,
        "preset": m.preset,
        "series": m.series,
        "clock": m.clock,
    }
    return Claims(
        m.version,
        m.head,
        m.status,
        m.result,
        said,
        record.fairness,
        [_sits(seat) for seat in m.seats],
        m.created_at,
        record.signed,
        evidence,
    )


def _sits(seat: Seat) -> dict[str, Any]:
    player = None if seat.player is None else seat.player.id
    return {"seat": seat.seat, "kind": seat.kind, "player": player, "level": seat.level}


def shown_events(record: Record, reader: Reader) -> Iterator[Any]:
    """Return a record's events as a reader sees them, as far as known, ready to fold.

    A record with only one reader's feed shows the others only public data. Raise `Unreadable`.
    """
    if record.match.game not in GAMES:
        raise Unreadable(f"The game {record.match.game} is not installed here.")
    known = shapes(record.match.game)
    seats = len(record.match.seats)
    for f in facts(record):
        try:
            shape = known[f.type]
            yield shape.event(shape.upcast(f.v, f.data), seats, f.parts, reader)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Unreadable(f"Event {f.seq} cannot be read.") from error


def match_at(record: Record, reader: Reader, version_: int) -> Match:
    """Return the match of a record as a reader knew it at a version. Raises `Unreadable`."""
    return life.fold_from_start(
        GAMES[record.match.game],
        record.match.id,
        (event for _, event in zip(range(version_), shown_events(record, reader), strict=False)),
    )
