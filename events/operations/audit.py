"""This audit checks a match as it is stored (contract 7): all that a verification does, with all secrets, and the rest.

Two checks stand beside those of `events.proof`. `codes`: every commit was written by who holds the secrets of the
match. `projections`: what stands beside the log is what the log makes of it. No report says what a card, a key or a
seed is, so that every reader of a match may read its audit.
"""

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from typing import Final, cast

import msgspec

from domain.core.fairness import Dealer
from domain.games.catalogue import GAMES
from domain.match import MOST_LINKS, Chance
from domain.ratings import READING, FinishedMatch
from events.log import imported_players
from events.log.codec import UNREADABLE
from events.operations.as_stored import Kept, StoredLog, codes, secrets_of, stored_claims
from events.proof import limits, verify_match
from events.proof.disclosed import bound_to
from events.proof.findings import (
    VOUCHING,
    Claims,
    Evidence,
    Fact,
    Finding,
    Report,
    bad,
    good,
    in_json,
    make_report,
    skip_check,
)
from events.proof.signed_heads import SignedHead
from events.ratings.rated_handler import encode, read_ended_match
from events.service.projections import project_log
from events.settings import settings
from events.store import tables
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import (
    MATCH,
    Head,
    MatchRow,
    Projected,
    ResultRow,
    SeatRow,
    TurnRow,
)
from events.store.tables.projection_rows import options_one_by_one
from events.store.tables.stored_rows import Line, Stored, sort_lines


def audit(store: Store, match_id: str, kept: Kept = ()) -> Report | None:
    """Audit a match of the store; None if there is no such match."""
    found = tables.stored_rows.read_stored(store, match_id)
    return None if found is None or found.kind != MATCH else report(found, kept)


def report(found: Stored, kept: Kept = ()) -> Report:
    """Audit a match that was read from the store."""
    head, imported = found.head, found.head.imported is not None
    dealer, lost = secrets_of(found)
    log = StoredLog(found.commits, dealer if not imported else None)
    if dealer is not None:
        bound, known = bound_to(head.match_id, log.facts)
        dealer = replace(dealer, match=bound, known=known)
    roots = None if imported else _roots(log.facts, dealer, lost)
    chance = cast("Chance | None", None if roots or imported else dealer)
    said = Claims(evidence=Evidence(kept)) if log.broken else stored_claims(head, kept)
    said.signed, unread = _signed(head, log.facts)
    made = verify_match(head.match_id, log.facts, said, chance, whole=not imported)
    # Whoever audits holds the head, so that only a stored signature that does not hold matters.
    checks = {check.name: check for check in made.checks if not check.ok or check.name not in VOUCHING}
    for check in (roots, log.strange, log.broken, unread):
        if check is not None:
            checks[check.name] = _earlier(check, checks.get(check.name, check))
    if not imported:
        checks["codes"] = codes(found, log.facts, dealer, lost)
    checks["projections"] = _projections(found, log, dealer)
    game = made.game or _listed_as(found)
    found_all = make_report(made.match, game, made.version, made.head, list(checks.values()), made.signed)
    seats = {name: getattr(made, name) for name in ("signed_seats", "contributed", "unopened", "unvouched")}
    return replace(found_all, **seats)


def _listed_as(found: Stored) -> str | None:
    """Return the game of which lists say that the match is; None if it is not known here."""
    return next((line["game"] for line in found.projections["matches"] if line["game"] in GAMES), None)


def _signed(head: Head, facts: Sequence[Fact]) -> tuple[SignedHead | None, Finding | None]:
    """Return the signed head that an imported match came with, or what is wrong with what is stored of it."""
    try:
        how = imported_players.stored_import(head)
        signed = None if how is None or how.signed is None else msgspec.convert(how.signed, SignedHead)
    except UNREADABLE:
        return None, bad(
            "signatures", facts[-1].seq if facts else None, "The stored data of the import cannot be read."
        )
    return signed, None


def _earlier(one: Finding, other: Finding) -> Finding:
    """Return the one of two checks that names the earlier event; `one` fails."""
    return other if not other.ok and (other.seq or 0) < (one.seq or 0) else one


# --- Secrets ------------------------------------------------------------------------------------------------


def _roots(facts: Sequence[Fact], dealer: Dealer | None, lost: str) -> Finding | None:
    """Say which epoch's root is not the one that was committed to, if one is not."""
    epochs = [fact for fact in facts if fact.type == "FairnessCommitted"]
    if dealer is None:
        return bad("shuffles", epochs[0].seq if epochs else 1, lost)
    for i, fact in enumerate(epochs):
        links = fact.data.get("links")
        if i >= len(dealer.roots) or not dealer.roots[i]:
            return bad("shuffles", fact.seq, f"The root of epoch {i + 1} is lost.")
        if type(links) is not int or not 1 <= links <= MOST_LINKS:
            break  # the verification says so
        if dealer.commitment(i + 1, links) != fact.data.get("commitment"):
            return bad("shuffles", fact.seq, f"The root of epoch {i + 1} does not match its commitment.")
    if len(dealer.roots) > max(1, len(epochs)):
        return bad("shuffles", None, "There are more roots than epochs.")
    return None


# --- Projections --------------------------------------------------------------------------------------------

EARLIER_READING: Final = (
    "The projections follow from the log. Notes for ratings by an earlier version are not compared."
)


def _projections(found: Stored, log: StoredLog, dealer: Dealer | None) -> Finding:
    """Compare what stands beside the log with what the log makes of it."""
    if log.broken:
        return skip_check("projections", "Parts of the log cannot be read.")
    game = log.facts[0].data.get("game") if log.facts else None
    if log.facts and (not isinstance(game, str) or game not in GAMES):
        return skip_check("projections", "The game is not installed.")
    head, last = found.head, log.facts[-1].seq if log.facts else None
    try:
        due = _lines(head, project_log(head, found.commits, dealer.seal_secret if dealer else b""))
        turns = msgspec.json.decode(found.turns, type=list[TurnRow])
    except Exception:  # whatever may lie there
        return bad("projections", last, "Some data to compare cannot be read.")
    if head.imported is None and head.created_ms != found.commits[0].at_ms:
        return bad("projections", last, "The stored creation time of the match is different.")
    if not _noted_as_played(found):
        return bad("projections", last, "The notes of the match for ratings do not follow from the log.")
    there = {**found.projections, "turns": sort_lines("turns", map(asdict, turns))}
    for table, lines in due.items():
        if there[table] != sort_lines(table, lines):
            return bad("projections", last, f"The rows in {table} do not follow from the log.")
    noted = found.projections["rated_matches"]
    if noted and _is_of_earlier_reading(noted):
        return good("projections", EARLIER_READING)
    return good("projections", "The projections follow from the log.")


def _noted_as_played(found: Stored) -> bool:
    """Say whether what was noted for ratings is what the log makes of it.

    Nothing may be noted yet; and what was annulled is forgotten a little later. What was noted by an earlier version of
    the reading may differ.
    """
    noted = found.projections["rated_matches"]
    if not noted or any(line["annulled"] is not None for line in found.projections["matches"]):
        return True
    if _is_of_earlier_reading(noted):
        return True
    try:
        made = read_ended_match(found.head.match_no, found.head.match_id, found.commits).result
    except Exception:  # whatever may lie there
        return False
    rated = [] if made is None or found.head.imported is not None else [_noted(made)]
    return noted == rated


def _noted(made: FinishedMatch) -> Line:
    return {"ended_ms": made.at, "facts": encode(made).decode(), "reading": READING}


def _is_of_earlier_reading(noted: Sequence[Line]) -> bool:
    return all(type(line["reading"]) is int and 1 <= line["reading"] < READING for line in noted)


def _lines(head: Head, made: Projected) -> dict[str, list[Line]]:
    """Return the rows of all projections as they are stored."""
    match, seats, results = made.match, made.seats or [], made.results or []
    assert match is not None
    return {
        "matches": [{**_but(match, "match_no"), "match_id": head.match_id, "created_ms": head.created_ms}],
        "seats": [{**asdict(seat), "live": match.ended_ms is None} for seat in seats],
        "results": [asdict(result) for result in results],
        "reliability": [asdict(row) for row in made.reliability or []],
        "involved": _involved(head, match, seats, results),
        "match_options": [{**line, "created_ms": head.created_ms} for line in options_one_by_one(match)],
        "due": [{"kind": work.kind, "due_ms": work.due_ms} for work in made.due or []],
        "turns": [asdict(turn) for turn in made.turns or []],
    }


def _but(row: MatchRow, *names: str) -> Line:
    return {name: x for name, x in asdict(row).items() if name not in names}


def _involved(head: Head, match: MatchRow, seats: Sequence[SeatRow], results: Sequence[ResultRow]) -> list[Line]:
    """Return the rows of `schema.involved` for a match."""
    whose = {seat.player_id for seat in seats if seat.player_id is not None}
    if match.visibility != "public" and match.creator:
        whose.add(match.creator)
    best: dict[str | None, str] = {}
    for r in results:
        best[r.player_id] = max(best.get(r.player_id, ""), r.result or "")
    about = {
        "public": match.visibility == "public",
        "created_ms": head.created_ms,
        "ended_ms": match.ended_ms,
    }
    return [{"player_id": player, **about, "result": best.get(player) or None} for player in whose]


# --- In a process of its own ----------------------------------------------------------------------------------

SECONDS: Final = 25
"""Limit of the computing time for one match, in seconds."""

MEMORY: Final = 2 * 1024**3


def audit_to_output(match_id: str, *heads: str) -> int:
    """Audit a match of the database at DATABASE_URL within the limits; the report is written as JSON."""
    limits.limit_process(MEMORY, SECONDS)
    try:
        with closing(open_store(settings().url)) as store:
            found = audit(store, match_id, [limits.kept_head(text) for text in heads])
        sys.stdout.buffer.write(msgspec.json.encode(in_json(found) if found else None))
    except Exception as error:
        sys.stderr.write(limits.place(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(audit_to_output(*sys.argv[1:]))
