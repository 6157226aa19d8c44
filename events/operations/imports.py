"""This module imports records: a match that was finished elsewhere is kept here, to be replayed, served and audited.

It is written as it was hashed, with the secret parts that the record opens and their keys; what it does not open
stays shut. It has no secrets of its own, its players are no players of this server
(`events.log.imported_players`), and it counts in no results.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

import msgspec

from domain import match as life
from domain.core.clock import Time
from domain.games.catalogue import GAMES
from events import proof
from events.ids import is_id
from events.log import imported_players
from events.log.codec import EVERYBODY, canonical
from events.proof import record
from events.proof.findings import VOUCHING, Evidence, Fact, Report
from events.proof.keys import KeyRing
from events.proof.own_keys import by_own_keys, keys_of
from events.proof.record import Record
from events.service import projections, reading_check
from events.service.context import Context
from events.store import tables
from events.store.records import CommitRow, Head, Imported
from events.store.search_records import option_text
from events.times import read_time, write_time

Visibility = Literal["public", "unlisted"]

AHEAD_MS: Final = 24 * 3600 * 1000
"""The most that the end of a match may lie in the future, in milliseconds, since clocks differ."""

MOST_IN_COMMIT: Final = 32_767
MOST_IN_TEXT: Final = 500
"""The longest option or preset, in characters, since they stand in an index."""

_PLAYER: Final = re.compile(
    r"(?!foreign:)[!-~]{1,64}"
)  # what `events.log.imported_players` names is nobody's id where it was played


class NotImported(Exception):
    """Nothing was written; the message says why. `report` is what the verification found, if it came to that."""

    def __init__(self, why: str, report: Report | None = None) -> None:
        super().__init__(why)
        self.report = report


@dataclass(slots=True, frozen=True)
class ImportedMatch:
    """This is a match that was imported. `shut` says, sentence by sentence, what of it could not be verified."""

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

    `visibility` is as in the record unless it is given; a private match is unlisted here, for there is nobody who might
    read it. `partial`: also a record of which some could not be verified, as its secrets were never disclosed.
    `ring` holds this server's keys, if it has any, without which nobody signs in its name.
    """
    given = _read(text)
    if tables.stream_rows.head(context.store, given.match.id) is not None:
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
            reading_check.try_reading(m.id, rows)
    except Exception as error:  # what could not be verified may be anything
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


# --- What is refused ----------------------------------------------------------------------------------------


def _refusals(given: Record, facts: Sequence[Fact], report: Report, now: Time) -> Iterator[tuple[bool, str]]:
    """Say why a record cannot be imported, and whether that is so with this one."""
    m = given.match
    yield m.game not in GAMES, f"The game {m.game[:40]!r} is not installed here."
    yield report.verdict == "failed", _first_fault(report)
    yield (
        m.status != "finished",
        f"The match is {m.status}. Only finished matches can be imported.",
    )
    yield not is_id(m.id), "No server creates such an id for a match."
    yield facts[0].type != "MatchCreated", "The first event must be MatchCreated."
    odd = reading_check.find_alien_event(m.game, facts, len(m.seats))
    yield odd is not None, f"No server writes an event such as event {odd}."
    players = {fact.data["player"] for fact in facts if fact.type == "SeatTaken"}
    yield not all(map(_PLAYER.fullmatch, players)), "No server creates such an id for a player."
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
    return f"It does not verify: {fault.name}{at}: {fault.detail}"


def _time(text: str) -> Time | None:
    """Read a time that can be written again just as it stands."""
    try:
        at = read_time(text)
        return at if at >= 0 and write_time(at) == text else None
    except (ValueError, OverflowError):
        return None


def _shut(facts: Sequence[Fact], report: Report) -> tuple[str, ...]:
    """Say what of a record could not be verified; nothing if all could."""
    skipped = [
        f"{check.name}: {check.detail}" for check in report.checks if check.skipped and check.name not in VOUCHING
    ]
    sealed = sum(len(part) for fact in facts for part in fact.seals.values())
    opened = sum(len(part) for fact in facts for part in fact.parts.values())
    if opened < sealed and not any(why.startswith("seals") for why in skipped):
        skipped.insert(0, f"seals: {opened} of {sealed} are open.")
    return tuple(skipped)


# --- What is written ----------------------------------------------------------------------------------------


def _hands(given: Record) -> list[int]:
    """Return for each event the hand whose key seals it."""
    events = record.shown_events(given, EVERYBODY)
    state, hands = life.initial_match(GAMES[given.match.game], given.match.id, next(events)), [0]
    for event in events:
        hands.append(life.sealing_hand(state, event))
        life.evolve(state, event)
    return hands


def _rows(facts: Sequence[Fact], hands: Sequence[int]) -> Iterator[CommitRow]:
    """Write the commits of a match as they lay in its own log, but for what the record does not open."""
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
