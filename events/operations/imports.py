"""Imports records: stores a match that was finished on another server, to replay, serve and audit it.

It is stored as it was hashed, with the secret parts that the record opens and their keys; other parts stay sealed. It
has no secrets. Its players are not players of this server (`events.log.imported_players`), and it counts in no results.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal

import msgspec

from domain import match as life
from domain.core.cards import is_seat
from domain.core.clock import Time
from domain.core.types import Typed, leaves
from domain.core.values import value
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from events import proof
from events.ids import is_id
from events.log import commits as log
from events.log import imported_players
from events.log.codec import EVERYBODY, Shape, canonical, shapes
from events.proof import record
from events.proof.checks.rules import read_event
from events.proof.findings import VOUCHING, Evidence, Fact, Report
from events.proof.keys import KeyRing
from events.proof.own_keys import by_own_keys, keys_of
from events.proof.record import Record
from events.service import projections, replay_marks
from events.service.context import Context
from events.service.replay import last_disclosed_hand
from events.store.records import CommitRow, Head, Imported
from events.store.search_records import option_text
from events.store.tables import stream_rows
from events.times import read_time, write_time

Visibility = Literal["public", "unlisted"]

AHEAD_MS: Final = 24 * 3600 * 1000
"""Maximum milliseconds by which the end of a match may be in the future, since clocks differ."""

MOST_IN_COMMIT: Final = 32_767
MOST_IN_TEXT: Final = 500
"""Maximum characters of an option or preset, since an index contains them."""

_PLAYER: Final = re.compile(
    r"(?!foreign:)[!-~]{1,64}"
)  # An id in `events.log.imported_players` belongs to no player of the original server.


class NotImported(Exception):
    """Nothing was written; the message says why. `report` is the report of the verification, if it ran."""

    def __init__(self, why: str, report: Report | None = None) -> None:
        super().__init__(why)
        self.report = report


@value
class ImportedMatch:
    """An imported match. `shut` lists in sentences what could not be verified."""

    match_id: str
    game: str
    version: int
    visibility: str
    shut: tuple[str, ...]
    report: Report


def import_record(
    context: Context,
    text: bytes,
    visibility: Visibility | None = None,
    *,
    partial: bool = False,
    ring: KeyRing | None = None,
) -> ImportedMatch:
    """Import a record. Raises `NotImported`.

    `visibility` is that of the record by default; a private match becomes unlisted, because none of its players is
    here. `partial` accepts records with undisclosed parts that could not be verified. `ring` holds this server's keys,
    if it has any; records signed in its name by other keys are refused.
    """
    given = _read(text)
    if stream_rows.head(context.store, given.match.id) is not None:
        raise NotImported(HERE)
    facts = record.facts(given)
    report = proof.verify_match(
        given.match.id, facts, record.claims(given, Evidence(keys=keys_of(ring) if ring else ()))
    )
    if ring is not None:
        report = by_own_keys(report, ring)
    shut = _shut(facts, report)
    for wrong, why in _refusals(given, facts, report, context.now()):
        if wrong:
            raise NotImported(why, report)
    if shut and not partial:
        raise NotImported(f"{' '.join(shut)} {UNWANTED}", report)
    shown_as = visibility or ("public" if given.match.visibility == "public" else "unlisted")
    as_shown = Imported(shown_as, None if given.signed is None else msgspec.to_builtins(given.signed))
    m = given.match
    try:
        rows = list(_rows(facts, _hands(given)))
        shown = msgspec.json.encode(as_shown).decode()
        head = Head(0, m.id, m.version, bytes.fromhex(m.head), rows[0].at_ms, shown)
        projected = projections.project_log(head, rows, b"")
        if shut:
            try_reading(m.id, rows)
    except Exception as error:  # Unverified parts may contain anything.
        raise NotImported(UNPLAYABLE, report) from error
    if not context.store.import_matches([(head, rows, projected, _names(given))]):
        raise NotImported(HERE, report)
    return ImportedMatch(m.id, m.game, m.version, as_shown.visibility, shut, report)


HERE: Final = "A match with this id already exists here."
UNPLAYABLE: Final = "The unverified parts of this record cannot be replayed."
UNWANTED: Final = "A record that cannot be fully verified needs a partial import (--partial)."


def _read(text: bytes) -> Record:
    try:
        return record.read_record(text)
    except record.Unreadable as error:
        raise NotImported(str(error)) from error


# --- Refusals ----------------------------------------------------------------------------------------------


def _refusals(given: Record, facts: Sequence[Fact], report: Report, now: Time) -> Iterator[tuple[bool, str]]:
    """Yield each reason against an import, and whether it applies."""
    m = given.match
    yield m.game not in GAMES, f"The game {m.game[:40]!r} is not installed here."
    yield report.verdict == "failed", _first_fault(report)
    yield (
        m.status != "finished",
        f"The match is {m.status}. Only finished matches can be imported.",
    )
    yield not is_id(m.id), "The id of the match is not one that a server creates."
    yield facts[0].type != "MatchCreated", "The first event must be MatchCreated."
    odd = find_alien_event(m.game, facts, len(m.seats))
    yield odd is not None, f"Event {odd} is not one that a server writes."
    players = {fact.data["player"] for fact in facts if fact.type == "SeatTaken"}
    yield not all(map(_PLAYER.fullmatch, players)), "The id of a player is not one that a server creates."
    created = facts[0].data
    texts = [*map(option_text, m.options.values()), str(created.get("preset"))]
    yield max(map(len, texts)) > MOST_IN_TEXT, f"An option has more than {MOST_IN_TEXT} characters."
    yield any(b"\\u0000" in canonical(fact.data) for fact in facts), "A text contains a zero character."
    commits = groupby(facts, lambda fact: fact.commit)
    longest = max(sum(1 for _ in commit) for _, commit in commits)
    yield longest > MOST_IN_COMMIT, f"A move has more than {MOST_IN_COMMIT} events."
    times = [_time(fact.at) for fact in facts]
    odd = next((fact.seq for fact, at in zip(facts, times, strict=True) if at is None), None)
    yield odd is not None, f"The time of event {odd} is malformed."
    yield max(at or 0 for at in times) > now + AHEAD_MS, "The match ends in the future."


def _first_fault(report: Report) -> str:
    fault = next((check for check in report.checks if not check.ok), None)
    if fault is None:
        return ""
    at = "" if fault.seq is None else f" at event {fault.seq}"
    return f"Verification failed: {fault.name}{at}: {fault.detail}"


def _time(text: str) -> Time | None:
    """Read a time that would be written the same way."""
    try:
        at = read_time(text)
        return at if at >= 0 and write_time(at) == text else None
    except (ValueError, OverflowError):
        return None


def _shut(facts: Sequence[Fact], report: Report) -> tuple[str, ...]:
    """Return the unverified parts of a record, in sentences; empty if everything was verified."""
    skipped = [
        f"{check.name}: {check.detail}" for check in report.checks if check.skipped and check.name not in VOUCHING
    ]
    sealed = sum(len(part) for fact in facts for part in fact.seals.values())
    opened = sum(len(part) for fact in facts for part in fact.parts.values())
    if opened < sealed and not any(why.startswith("seals") for why in skipped):
        skipped.insert(0, f"seals: {opened} of {sealed} are open.")
    return tuple(skipped)


# --- The stored match --------------------------------------------------------------------------------------


def _hands(given: Record) -> list[int]:
    """Return for each event the hand whose key seals it."""
    events = record.shown_events(given, EVERYBODY)
    state, hands = life.initial_match(GAMES[given.match.game], given.match.id, next(events)), [0]
    for event in events:
        hands.append(life.sealing_hand(state, event))
        life.evolve(state, event)
    return hands


def _rows(facts: Sequence[Fact], hands: Sequence[int]) -> Iterator[CommitRow]:
    """Return the commits of a match as its own log had them, except for sealed parts."""
    for first, commit in groupby(facts, lambda fact: fact.commit):
        events, secrets = [], {}
        for fact in commit:
            events.append(
                {
                    "cause": fact.cause,
                    "data": fact.data,
                    "digest": fact.digest,
                    "seals": fact.seals,
                    "type": fact.type,
                    "v": fact.v,
                }
            )
            if fact.seals:
                hand = hands[fact.seq - 1]
                secrets[str(fact.seq)] = {"hand": hand, "fields": fact.parts, "keys": _keys(fact)}
        at = read_time(facts[first - 1].at)
        hidden = canonical(secrets).decode() if secrets else None
        yield CommitRow(first, len(events), at, canonical(events).decode(), hidden)


def _keys(fact: Fact) -> dict[str, dict[str, str]]:
    return {field: {reader: fact.keys[field][reader] for reader in part} for field, part in fact.parts.items()}


def _names(given: Record) -> dict[str, str]:
    players = [seat.player for seat in given.match.seats if seat.player is not None]
    return imported_players.foreign_names(given.match.id, {player.id: player.name for player in players})


def find_alien_event(game: str, facts: Sequence[Fact], seats: int) -> int | None:
    """Return the first event that no server can have written; None if there is none."""
    known = shapes(game)
    return next((fact.seq for fact in facts if not _is_unchanged_by_reading(known, fact, seats)), None)


def _is_unchanged_by_reading(known: Mapping[str, Shape], fact: Fact, seats: int) -> bool:
    """Return whether an event, read and written again, is the same, with its own types and existing seats."""
    try:
        event = read_event(known, fact, seats)
    except Exception:  # Event contents are untrusted.
        return False
    named = (seat for leaf, seat in leaves(Typed("record", type(event)), event) if is_seat(leaf))
    return all(seat in range(seats) for seat in named if type(seat) is int)


def try_reading(match_id: str, rows: Sequence[CommitRow]) -> None:
    """Read a match in every way that readers can: its tables at each version, its feed and its marks.

    Raises any error.
    """
    game, seats = log.game_and_seats(rows[0])
    shown = last_disclosed_hand(rows)
    m = _looked_through(match_id, rows, SPECTATORS, None)
    for reader in (*map(str, range(seats)), EVERYBODY):
        _looked_through(match_id, rows, reader, shown)
    for _ in log.serve_match_events(rows, SPECTATORS, 0, lambda _: b"", m):
        pass
    for _ in replay_marks.find_marks(GAMES[game], rows):
        pass


def _looked_through(match_id: str, rows: Sequence[CommitRow], reader: Reader, hands: int | None) -> Match:
    """Compute every table of a reader, up to this number of hands; return the last."""
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
