"""Caches earlier states of matches, so that long replays are fast. The cache is never a source.

A snapshot is a match as one reader knew it after the last event of a commit. A replay starts from the latest one before
the requested version, and writes new ones if it had to fold many events. All of them may be dropped at any time. A
damaged one is ignored, and so is one for another place or by other code.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from domain import match as life
from domain.core.json_form import JsonForm, apply, as_row, compile_form, in_a_state
from domain.core.types import Typed, compiled_fields, fields_of, parse_hint
from domain.core.visibility import Reader
from domain.games.catalogue import GAMES, folder_of
from domain.match import Match, Undo
from domain.match.creation import MatchCreated
from events.store.records import Snapshot

SPACING: Final = 500
"""The distance between snapshots, in events: the most that a replay has to fold. It is larger in very long matches.
"""

MOST: Final = 64
"""Maximum snapshots of a match per reader. As many again may remain from when the match was shorter."""


def write_snapshot(match_id: str, reader: Reader, version: int, m: Match) -> Snapshot:
    """Write a match as this reader knows it at a version."""
    state = encode_match(m)
    return Snapshot(version, hash_of_code(), state, _sum(match_id, reader, version, hash_of_code(), state))


def read_snapshot(match_id: str, reader: Reader, kept: Snapshot) -> Match | None:
    """Read a snapshot of this match and reader; None if it is not reliable."""
    if kept.code != hash_of_code() or kept.sum != _sum(match_id, reader, *kept[:3]):
        return None
    return decode_match(match_id, kept.state)


def spacing(version: int) -> int:
    """Return the number of events between snapshots of a match with this number of events."""
    distance = SPACING
    while version > MOST * distance:
        distance *= 2
    return distance


@cache
def hash_of_code() -> bytes:
    """Return a hash of the code that states depend on, because it gives them their shape and meaning."""
    digest = sha256()
    for path in sources():
        digest.update(sha256(path.read_bytes()).digest())
    return digest.digest()


def sources() -> list[Path]:
    """Return the files of the code that states depend on, and of the data that games read."""
    here = Path(__file__).parent
    packages = {here.parents[1] / "domain", *map(folder_of, GAMES.values())}
    files = {path for package in packages for path in package.rglob("*") if path.suffix in (".py", ".json")}
    return sorted({*here.glob("*.py"), *files})


def _sum(match_id: str, reader: Reader, version: int, by: bytes, state: str) -> bytes:
    return sha256(f"{match_id}|{reader}|{version}|{by.hex()}|{state}".encode()).digest()


# --- States as JSON, by the types of their fields -------------------------------------------------------

_MADE_AGAIN: Final[Mapping[type, frozenset[str]]] = {
    Match: frozenset({"id", "game", "options", "common", "table", "undo"}),
    Undo: frozenset({"table"}),
}
"""Fields derived from the creation of the match, and tables written separately.

A game marks such fields of its own state.
"""


def encode_match(m: Match) -> str:
    """Write a match as JSON: the life around the game, the table, and the table before a move that can be undone."""
    undo = None if m.undo is None else [_written(m.undo), _written(m.undo.table)]
    written = [_written(m), None if m.table is None else _written(m.table), undo]
    return msgspec.json.encode(written).decode()


def decode_match(match_id: str, state: str) -> Match:
    """Read a match from JSON."""
    around, table, undo = msgspec.json.decode(state)
    created = apply(_form(parse_hint(MatchCreated)).read, around["created"])
    m = life.initial_match(GAMES[created.game], match_id, created)
    _assign(m, around)
    if table is not None:
        m.table = _table(m, table)
    if undo is not None:
        m.undo = Undo(table=_table(m, undo[1]), **_read(Undo, undo[0]))
    return m


def _table(m: Match, values: Any) -> Any:
    table = m.game.start(m.options, len(m.seats), None)
    _assign(table, values)
    return table


def _written(record: Any) -> dict[str, Any]:
    cls: Any = type(record)
    return {name: apply(c.write, getattr(record, name)) for name, c in _fields(cls).items()}


def _assign(record: Any, values: Any) -> None:
    for name, x in _read(type(record), values).items():
        setattr(record, name, x)


def _read(cls: Any, values: Any) -> dict[str, Any]:
    return {name: apply(c.read, values[name]) for name, c in _fields(cls).items()}


@cache
def _fields(cls: Any) -> Mapping[str, JsonForm]:
    again = _MADE_AGAIN.get(cls, frozenset()) | compiled_fields(cls)
    return {name: _form(t) for name, t in fields_of(cls).items() if name not in again}


@cache
def _form(t: Typed) -> JsonForm:
    """Compile the form of a type. Raises `Unwritable` for one that states cannot have."""
    return compile_form(t, in_a_state, as_row)
