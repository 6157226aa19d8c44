"""Reads the record of a tournament, and verifies it only from its events and match records.

The record is lines of JSON: a header, a line per event, and the records of matches at its tables. Match records are
read one after another, so that a tournament of thousands of matches needs little memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, Final, Literal

import msgspec

from domain.core.clock import read_time
from domain.tournament.entrants import LAPSED, EntriesClosed
from domain.tournament.formats.arena import NOT_BEGUN, PairingEnded, TablesPaired
from domain.tournament.organiser import TournamentCancelled
from domain.tournament.round_tables import RoundPaired
from domain.tournament.tournament_events import EVENTS
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import MOST_OPEN_DAYS, RULES
from events.proof.cited_matches import TableMatches
from events.proof.contributions import contributions_of_entrants, describe_contributions
from events.proof.findings import NO_EVIDENCE, Claims, Evidence, Fact, Finding, Report, bad, good, skip_check
from events.proof.open_events import OpenItem, facts_of, is_of_format, read_events, report_on
from events.proof.record import ID, MOST_BYTES, MOST_EVENTS, Unreadable, decode_exact
from events.proof.signed_heads import TOURNAMENT, SignedHead
from events.times import write_time

FORMAT: Final = "dealt-tournament/1"
MEDIA_TYPE: Final = "application/x-ndjson"

MOST_ABOUT: Final = 16_384
"""Maximum size of the first line, in bytes."""


class AboutTournament(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of the record: the tournament, its number of events, its head, signed or not."""

    format: Literal["dealt-tournament/1"]
    tournament: str
    version: int
    head: str
    signed: SignedHead | None = None


class TournamentRecord(msgspec.Struct):
    """The record of a tournament as far as it was read: `tables` gives the lines that are left."""

    about: AboutTournament
    events: list[OpenItem]
    tables: Iterator[bytes]


def is_about_tournament(line: bytes) -> bool:
    """Return whether this is the first line of the record of a tournament."""
    return is_of_format(line, FORMAT, MOST_ABOUT)


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Return the lines of a file, without their ends, each cut off just above the limit."""
    while line := file.readline(MOST_BYTES + 2):
        yield line.removesuffix(b"\n")


def read_tournament_record(lines: Iterable[bytes]) -> TournamentRecord:
    """Read the header and events of a tournament's record; leave its matches. Raises `Unreadable`."""
    rest = iter(lines)
    about = decode_exact(next(rest, b""), _decode_about, "It does not have the form of a tournament's record")
    if not ID.fullmatch(about.tournament):
        raise Unreadable("The id of a tournament has 1 to 64 letters and digits.")
    if not 1 <= about.version <= MOST_EVENTS:
        raise Unreadable(f"A record has 1 to {MOST_EVENTS} events; this one says {about.version}.")
    events: list[OpenItem] = []
    for n, line in zip(range(1, about.version + 1), rest, strict=False):
        events.append(decode_exact(line, _decode_item, f"Event {n} does not have the form of a tournament's event"))
    if len(events) < about.version:
        raise Unreadable(f"The record claims {about.version} events, but has {len(events)}.")
    return TournamentRecord(about, events, rest)


_decode_about = msgspec.json.Decoder(AboutTournament).decode
_decode_item = msgspec.json.Decoder(OpenItem).decode


def verify_tournament(record: TournamentRecord, evidence: Evidence = NO_EVIDENCE) -> Report:
    """Verify a record. Raises `Unreadable`."""
    about, facts = record.about, facts_of(record.events)
    events, rules = _rules(about.tournament, facts)
    tables = TableMatches(about.tournament, events)
    for line in record.tables:
        tables.take(line)
    claims = Claims(about.version, about.head, signed=about.signed, evidence=evidence)
    report = report_on(TOURNAMENT, about.tournament, facts, claims, [rules, tables.found()])
    found = contributions_of_entrants(facts)
    report.contributed, report.unvouched = list(found.contributed), list(found.unvouched)
    return report


def _rules(tournament: str, facts: Sequence[Fact]) -> tuple[Sequence[Any], Finding]:
    """Judge the events, and return them too; none if they cannot be judged or are invalid."""
    rules = facts[0].data.get("rules")
    if type(rules) is int and rules > RULES:  # its plan may have options that are not known here
        return (), skip_check(
            "rules", f"It was played by version {rules} of the rules, but version {RULES} is installed."
        )
    events, fault = read_events(EVENTS, facts, CAUSES, "tournament")
    for seq, (fact, event) in enumerate(zip(facts, events, strict=False), 1):
        if _too_early(events, event, fact.at):
            return (), bad("rules", seq, "Entries were closed before their set time.")
        if _lapses_early(event, facts[0].at, fact.at):
            return (), bad("rules", seq, "Entries had not been open for a year.")
        if _out_of_time(events, event, fact.at):
            return (), bad("rules", seq, "An arena is paired only until its time is over.")
    if fault is not None:
        return (), fault
    if (wrong := find_tournament_fault(tournament, events)) is not None:
        return (), bad("rules", wrong.place + 1, wrong.why)
    found = contributions_of_entrants(facts)
    note = ("" if found.contributed else NOBODY) + describe_contributions(found, "Entrant")
    return events, good("rules", HOLDS + note)


HOLDS: Final = "All draws, pairings, standings and prizes follow from the seeds and the results."

NOBODY: Final = (
    " No entrant gave a nonce that counts: this proves that nothing was changed afterwards,"
    " not that the server did not choose the draws and deals."
)
"""The note on a tournament to whose draws no entrant contributed."""

CAUSES: Final = frozenset({"move", "bot", "timeout", "auto"})
"""The causes of the events of a tournament."""


def _too_early(events: Sequence[Any], event: Any, at: str) -> bool:
    closes = getattr(events[0], "closes", None)
    is_by_time = isinstance(event, EntriesClosed | TournamentCancelled) and event.by is None
    return is_by_time and closes is not None and at < write_time(closes)


def _lapses_early(event: Any, announced: str, at: str) -> bool:
    is_lapse = isinstance(event, TournamentCancelled) and event.by is None and event.reason == LAPSED
    return is_lapse and not _are_apart(announced, at, 86_400_000 * MOST_OPEN_DAYS)


def _are_apart(one: str, other: str, ms: int) -> bool:
    """Return whether two times are at least this far apart; False if one of them is malformed."""
    try:
        times = read_time(one), read_time(other)
    except ValueError:
        return False
    return (write_time(times[0]), write_time(times[1])) == (one, other) and times[1] - times[0] >= ms


def _out_of_time(events: Sequence[Any], event: Any, at: str) -> bool:
    """Return whether an arena was ended before its time was over, or paired afterwards."""
    ends = getattr(getattr(events[0], "plan", None), "ends", None)
    if ends is None:
        return False
    by_time = isinstance(event, TournamentCancelled) and event.by is None and event.reason == NOT_BEGUN
    if by_time or isinstance(event, PairingEnded):
        return at < write_time(ends)
    return isinstance(event, RoundPaired | TablesPaired) and at >= write_time(ends)
