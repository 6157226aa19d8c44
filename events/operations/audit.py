"""This audit checks a match as it is stored (contract 7): a verification with all secrets, and two more checks.

These are not in `events.proof`. `codes`: the writer of every commit knew the secrets of the match.
`projections`: the other tables agree with the log. No report reveals a card, a key or a seed, so that every reader of a
match may read its audit.
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
from domain.ratings.finished import READING, FinishedMatch
from events.log import imported_players
from events.log.codec import UNREADABLE
from events.operations.as_stored import Kept, StoredLog, codes, secrets_of, stored_claims
from events.proof import findings, limited_process, verify_match
from events.proof.disclosed import bound_to
from events.proof.signed_heads import SignedHead
from events.ratings.rated_handler import encode, read_ended_match
from events.service.projections import project_log
from events.settings import settings
from events.store import records
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import stored_rows
from events.store.tables.projection_rows import options_one_by_one
from events.store.tables.stored_rows import Line, Stored, unlike_table


def audit(store: Store, match_id: str, kept: Kept = ()) -> findings.Report | None:
    """Audit a match of the store; None if there is no such match."""
    found = stored_rows.read_stored(store, match_id)
    return None if found is None or found.kind != records.MATCH else report(found, kept)


def report(found: Stored, kept: Kept = ()) -> findings.Report:
    """Audit a match that was read from the store."""
    head, imported = found.head, found.head.imported is not None
    dealer, lost = secrets_of(found)
    log = StoredLog(found.commits, dealer if not imported else None)
    if dealer is not None:
        bound, known = bound_to(head.match_id, log.facts)
        dealer = replace(dealer, match=bound, known=known)
    roots = None if imported else _roots(log.facts, dealer, lost)
    chance = cast("Chance | None", None if roots or imported else dealer)
    said = findings.Claims(evidence=findings.Evidence(kept)) if log.broken else stored_claims(head, kept)
    said.signed, unread = _signed(head, log.facts)
    made = verify_match(head.match_id, log.facts, said, chance, whole=not imported)
    # The auditor holds the head, so only an invalid stored signature matters.
    checks = {check.name: check for check in made.checks if not check.ok or check.name not in findings.VOUCHING}
    absent = findings.bad("chain", 1, f"Not found: {found.lost}.") if found.lost else None
    for check in (roots, log.strange, log.broken, unread, absent):
        if check is not None:
            checks[check.name] = _earlier(check, checks.get(check.name, check))
    if not imported:
        checks["codes"] = codes(found, log.facts, dealer, lost)
    checks["projections"] = _projections(found, log, dealer)
    game = made.game or _listed_as(found)
    found_all = findings.make_report(made.match, game, made.version, made.head, list(checks.values()), made.signed)
    seats = {name: getattr(made, name) for name in ("signed_seats", "contributed", "unopened", "unvouched")}
    return replace(found_all, **seats)


def _listed_as(found: Stored) -> str | None:
    """Return the game that lists show for the match; None if the game is unknown."""
    return next((line["game"] for line in found.projections["matches"] if line["game"] in GAMES), None)


def _signed(head: records.Head, facts: Sequence[findings.Fact]) -> tuple[SignedHead | None, findings.Finding | None]:
    """Return the signed head that an imported match came with, or the fault of its stored form."""
    try:
        how = imported_players.stored_import(head)
        signed = None if how is None or how.signed is None else msgspec.convert(how.signed, SignedHead)
    except UNREADABLE:
        return None, findings.bad(
            "signatures", facts[-1].seq if facts else None, "The stored data of the import cannot be read."
        )
    return signed, None


def _earlier(one: findings.Finding, other: findings.Finding) -> findings.Finding:
    """Return the check that names the earlier event; the first one fails."""
    return other if not other.ok and (other.seq or 0) < (one.seq or 0) else one


# --- Secrets ------------------------------------------------------------------------------------------------


def _roots(facts: Sequence[findings.Fact], dealer: Dealer | None, lost: str) -> findings.Finding | None:
    """Return the epoch whose root is not the committed one, if any."""
    epochs = [fact for fact in facts if fact.type == "FairnessCommitted"]
    if dealer is None:
        return findings.bad("shuffles", epochs[0].seq if epochs else 1, lost)
    for i, fact in enumerate(epochs):
        links = fact.data.get("links")
        if i >= len(dealer.roots) or not dealer.roots[i]:
            return findings.bad("shuffles", fact.seq, f"The root of epoch {i + 1} is lost.")
        if type(links) is not int or not 1 <= links <= MOST_LINKS:
            break  # The verification reports this.
        if dealer.commitment(i + 1, links) != fact.data.get("commitment"):
            return findings.bad("shuffles", fact.seq, f"The root of epoch {i + 1} does not match its commitment.")
    if len(dealer.roots) > max(1, len(epochs)):
        return findings.bad("shuffles", None, "There are more roots than epochs.")
    return None


# --- Projections --------------------------------------------------------------------------------------------

EARLIER_READING: Final = "The projections follow from the log. Rating notes of an earlier version were not compared."


def _projections(found: Stored, log: StoredLog, dealer: Dealer | None) -> findings.Finding:
    """Compare the projections with the log."""
    if log.broken:
        return findings.skip_check("projections", "Parts of the log cannot be read.")
    game = log.facts[0].data.get("game") if log.facts else None
    if log.facts and (not isinstance(game, str) or game not in GAMES):
        return findings.skip_check("projections", "The game is not installed.")
    head, last = found.head, log.facts[-1].seq if log.facts else None
    try:
        due = _lines(head, project_log(head, found.commits, dealer.seal_secret if dealer else b""))
        turns = msgspec.json.decode(found.turns, type=list[records.TurnRow])
    except Exception:  # stored data may be anything
        return findings.bad("projections", last, "Some data to compare cannot be read.")
    if head.imported is None and head.created_ms != found.commits[0].at_ms:
        return findings.bad("projections", last, "The stored creation time of the match is different.")
    if not _noted_as_played(found):
        return findings.bad("projections", last, "The rating notes of the match do not follow from the log.")
    if table := unlike_table({**found.projections, "turns": map(asdict, turns)}, due):
        return findings.bad("projections", last, f"The rows in {table} do not follow from the log.")
    noted = found.projections["rated_matches"]
    if noted and _is_of_earlier_reading(noted):
        return findings.good("projections", EARLIER_READING)
    return findings.good("projections", "The projections follow from the log.")


def _noted_as_played(found: Stored) -> bool:
    """Check whether the notes for ratings follow from the log.

    They may be missing yet, and those of voided matches are deleted a little later. Notes by an earlier version of the
    code may differ.
    """
    noted = found.projections["rated_matches"]
    if not noted or any(line["annulled"] is not None for line in found.projections["matches"]):
        return True
    if _is_of_earlier_reading(noted):
        return True
    try:
        made = read_ended_match(found.head.match_no, found.head.match_id, found.commits).result
    except Exception:  # stored data may be anything
        return False
    rated = [] if made is None or found.head.imported is not None else [_rating_note(made)]
    return noted == rated


def _rating_note(made: FinishedMatch) -> Line:
    return {"ended_ms": made.at, "facts": encode(made).decode(), "reading": READING}


def _is_of_earlier_reading(noted: Sequence[Line]) -> bool:
    return all(type(line["reading"]) is int and 1 <= line["reading"] < READING for line in noted)


def _lines(head: records.Head, made: records.Projected) -> dict[str, list[Line]]:
    """Return the rows of all projections as they are stored."""
    match, seats, results = made.match, made.seats or [], made.results or []
    assert match is not None
    return {
        "matches": [{**_columns_except(match, "match_no"), "match_id": head.match_id, "created_ms": head.created_ms}],
        "seats": [{**asdict(seat), "live": match.ended_ms is None} for seat in seats],
        "results": [asdict(result) for result in results],
        "reliability": [asdict(row) for row in made.reliability or []],
        "involved": _involved(head, match, seats, results),
        "match_options": [{**line, "created_ms": head.created_ms} for line in options_one_by_one(match)],
        "due": [{"kind": work.kind, "due_ms": work.due_ms} for work in made.due or []],
        "turns": [asdict(turn) for turn in made.turns or []],
    }


def _columns_except(row: records.MatchRow, *names: str) -> Line:
    return {name: x for name, x in asdict(row).items() if name not in names}


def _involved(
    head: records.Head, match: records.MatchRow, seats: Sequence[records.SeatRow], results: Sequence[records.ResultRow]
) -> list[Line]:
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


# --- In a separate process ---------------------------------------------------------------------------------

SECONDS: Final = 25
"""Limit of the computing time for one match, in seconds."""

MEMORY: Final = 2 * 1024**3


def audit_to_output(match_id: str, *heads: str) -> int:
    """Audit a match of the database at DATABASE_URL within the limits; the report is written as JSON."""
    limited_process.limit_process(MEMORY, SECONDS)
    try:
        with closing(open_store(settings().url)) as store:
            found = audit(store, match_id, [limited_process.kept_head(text) for text in heads])
        sys.stdout.buffer.write(msgspec.json.encode(findings.in_json(found) if found else None))
    except Exception as error:
        sys.stderr.write(limited_process.place(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(audit_to_output(*sys.argv[1:]))
