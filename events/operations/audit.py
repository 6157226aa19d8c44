"""The audit of a match as it is stored (contract 7): what a verification checks, with all the secrets, and the rest.

Two checks stand beside those of `events.proof`. `codes`: every commit was written by who holds the secrets of the
match. `projections`: what stands beside the log is what the log makes of it. No report says what a card, a key or a
seed is: whoever may read a match may read its audit.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from hmac import compare_digest
from typing import Any, Final, cast

import msgspec

from domain.core.fairness import Dealer
from domain.core.visibility import Reader
from domain.games.catalogue import GAMES
from domain.match import MOST_LINKS, Chance
from events.log.codec import canonical
from events.log.seals import mac, seal_key
from events.proof import limits, verify
from events.proof.disclosed import bound_to
from events.proof.facts import KEY, Claims, Fact, Finding, Report, bad, good, skipped
from events.service.matches import Matches
from events.settings import settings
from events.store import tables
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import (
    CommitRow,
    Head,
    MatchRow,
    Projected,
    ResultRow,
    SeatRow,
    TurnRow,
)
from events.store.tables.projections import options_one_by_one
from events.store.tables.stored import Line, Stored, ordered
from events.times import write_time

Kept = Sequence[tuple[int, str]]
"""Heads that somebody kept, as version and digest."""


class StoredEvent(msgspec.Struct, forbid_unknown_fields=True):
    """One event as it lies in the log."""

    type: str
    v: int
    cause: str
    data: dict[str, Any]
    seals: dict[str, dict[Reader, str]]
    digest: str


class Sealed(msgspec.Struct, forbid_unknown_fields=True):
    """The secret parts of one event, the hand whose key seals them, and in an imported match the keys of the seals."""

    hand: int
    fields: dict[str, dict[Reader, Any]]
    keys: dict[str, dict[Reader, str]] | msgspec.UnsetType = msgspec.UNSET


_events = msgspec.json.Decoder(list[StoredEvent]).decode
_secrets = msgspec.json.Decoder(dict[str, Sealed]).decode

UNREADABLE: Final = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, OSError, RecursionError)
"""What reading may raise that was never written so."""


def audit(store: Store, match_id: str, kept: Kept = ()) -> Report | None:
    """Audit a match of the store; None if there is no such match."""
    found = tables.stored.read(store, match_id)
    return None if found is None else report(found, kept)


def report(found: Stored, kept: Kept = ()) -> Report:
    """Audit a match as it was found."""
    head, imported = found.head, found.head.imported is not None
    dealer, lost = _dealer(found)
    log = _Log(found.commits, dealer if not imported else None)
    if dealer is not None:
        bound, known = bound_to(head.match_id, log.facts)
        dealer = replace(dealer, match=bound, known=known)
    roots = None if imported else _roots(log.facts, dealer, lost)
    chance = cast("Chance | None", None if roots or imported else dealer)
    said = Claims(kept=kept) if log.broken else Claims(_version(head), _hex(head.head), kept=kept)
    made = verify(head.match_id, log.facts, said, chance, whole=not imported)
    checks = {check.name: check for check in made.checks}
    for check in (roots, log.strange, log.broken):
        if check is not None:
            checks[check.name] = _earlier(check, checks[check.name])
    checks["codes"] = _codes(found, log.facts, dealer, lost)
    checks["projections"] = _projections(found, log, dealer)
    ok = all(check.ok for check in checks.values())
    return Report(ok, made.match, made.game, made.version, made.head, list(checks.values()))


def _earlier(one: Finding, other: Finding) -> Finding:
    """Give the one of two checks that names the earlier event; `one` fails."""
    return other if not other.ok and (other.seq or 0) < (one.seq or 0) else one


def _version(head: Head) -> int:
    return head.version if type(head.version) is int else -1


def _hex(head: Any) -> str:
    return head.hex() if isinstance(head, bytes) else ""


# --- The log ------------------------------------------------------------------------------------------------


class _Log:
    """The events of commits, as far as they can be read; and what keeps the rest from being so."""

    def __init__(self, rows: Iterable[CommitRow], dealer: Dealer | None) -> None:
        self.facts: list[Fact] = []
        self.broken: Finding | None = None
        self.strange: Finding | None = None
        for row in rows:
            if why := self._unread(row, dealer):
                self.broken = bad("chain", len(self.facts) + 1, why)
                return
        if not self.facts:
            self.broken = bad("chain", 1, "There are no events.")

    def _unread(self, row: CommitRow, dealer: Dealer | None) -> str | None:
        """Read a commit; or say why it cannot be one that was written here."""
        first = len(self.facts) + 1
        if row.first != first:
            return f"Event {first} must stand here, not {row.first}."
        try:
            events, at = _events(row.events), write_time(row.at_ms)
            exact = canonical(events) == row.events.encode()
        except UNREADABLE:
            return "The commit that begins here cannot be read."
        if not events or len(events) != row.n:
            return f"The commit that begins here is said to have {row.n} events, and has {len(events)}."
        if not exact:
            return "The commit that begins here is not written as commits are."
        secrets = self._secrets(row, first, len(events))
        for seq, e in enumerate(events, first):
            parts, keys = _opened(seq, secrets.get(str(seq)), dealer)
            self.facts.append(
                Fact(seq, first, e.type, e.v, e.cause, at, e.data, e.seals, e.digest, parts, keys)
            )
        return None

    def _secrets(self, row: CommitRow, first: int, n: int) -> Mapping[str, Sealed]:
        """Read the secret parts of a commit. Where they cannot be read there are none, and it is noted."""
        if row.secrets is None:
            return {}
        found: Mapping[str, Sealed] = {}
        try:
            found = _secrets(row.secrets)
            exact = canonical(found) == row.secrets.encode() and found.keys() <= set(
                map(str, range(first, first + n))
            )
        except UNREADABLE:
            exact = False
        if not exact and self.strange is None:
            self.strange = bad(
                "seals", first, "The secret parts of this commit are not as they were written."
            )
        return found


def _opened(
    seq: int, sealed: Sealed | None, dealer: Dealer | None
) -> tuple[Mapping[str, Mapping[Reader, Any]], Mapping[str, Mapping[Reader, str]]]:
    """Give the secret parts of an event, and the keys of their seals."""
    if sealed is None:
        return {}, {}
    if dealer is None:
        return sealed.fields, sealed.keys or {}
    hand_key = dealer.hand_key(sealed.hand)
    return sealed.fields, {
        field: {reader: _key(hand_key, seq, field, reader) for reader in part}
        for field, part in sealed.fields.items()
    }


def _key(hand_key: bytes, seq: int, field: str, reader: Reader) -> str:
    named = field.isascii() and reader.isascii()
    return seal_key(hand_key, seq, field, reader).hex() if named else ""


# --- Secrets ------------------------------------------------------------------------------------------------


def _dealer(found: Stored) -> tuple[Dealer | None, str]:
    """Give the secrets of a match, or say why they cannot be had. A root that is none stands there as no bytes."""
    if found.secrets is None:
        return None, "The secrets of the match are lost."
    seal_secret, written = found.secrets
    if not isinstance(seal_secret, bytes) or len(seal_secret) != 32:
        return None, "The seal secret of the match is lost."
    try:
        roots = msgspec.json.decode(written, type=list[str])
    except UNREADABLE:
        roots = []
    known = tuple(bytes.fromhex(root) if KEY.fullmatch(root) else b"" for root in roots)
    return Dealer(found.head.match_id, known, seal_secret), ""


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
            return bad("shuffles", fact.seq, f"The root of epoch {i + 1} is not what was committed to.")
    if len(dealer.roots) > max(1, len(epochs)):
        return bad("shuffles", None, "There are more roots than epochs.")
    return None


def _codes(found: Stored, facts: Sequence[Fact], dealer: Dealer | None, lost: str) -> Finding:
    if found.head.imported is not None:
        return skipped("codes", "The match was played elsewhere, where its secrets are.")
    if dealer is None:
        return bad("codes", 1, lost)
    last = {fact.commit: fact for fact in facts}
    for row in found.commits:
        fact = last.pop(row.first, None)
        if fact is None:
            break  # what cannot be read, `chain` has found
        if row.mac is None:
            return bad("codes", fact.commit, "The commit that begins here has no code.")
        if not _made_by(dealer, fact, row.mac):
            return bad(
                "codes", fact.commit, "The code of the commit that begins here was not made with the secrets."
            )
    return good("codes", "Every commit was written by who holds the secrets of the match.")


def _made_by(dealer: Dealer, last: Fact, code: Any) -> bool:
    known = isinstance(code, bytes) and KEY.fullmatch(last.digest)
    return bool(known) and compare_digest(mac(dealer.seal_secret, last.seq, last.digest), code)


# --- Projections --------------------------------------------------------------------------------------------


def _projections(found: Stored, log: _Log, dealer: Dealer | None) -> Finding:
    """Compare what stands beside the log with what the log makes of it."""
    if log.broken:
        return skipped("projections", "Not all of the log can be read.")
    game = log.facts[0].data.get("game") if log.facts else None
    if log.facts and (not isinstance(game, str) or game not in GAMES):
        return skipped("projections", "The game is not known here.")
    head, last = found.head, log.facts[-1].seq if log.facts else None
    try:
        due = _lines(head, _SERVICE.projected(head, found.commits, dealer.seal_secret if dealer else b""))
        turns = msgspec.json.decode(found.turns, type=list[TurnRow])
    except Exception:  # whatever may lie there
        return bad("projections", last, "Not all can be read that is to be compared.")
    if head.imported is None and head.created_ms != found.commits[0].at_ms:
        return bad("projections", last, "The match is said to have been created at another time.")
    beside = {**found.beside, "turns": ordered("turns", map(asdict, turns))}
    for table, lines in due.items():
        if beside[table] != ordered(table, lines):
            return bad("projections", last, f"What stands in {table} is not what the log makes of it.")
    return good("projections", "What stands beside the log is what the log makes of it.")


_SERVICE: Final = Matches(cast("Store", None))  # asked for projections, for which it needs no store


def _lines(head: Head, made: Projected) -> dict[str, list[Line]]:
    """Give the rows of all projections as they are stored."""
    match, seats, results = made.match, made.seats or [], made.results or []
    assert match is not None
    return {
        "matches": [{**_but(match, "match_no"), "match_id": head.match_id, "created_ms": head.created_ms}],
        "seats": [{**asdict(seat), "live": match.ended_ms is None} for seat in seats],
        "results": [asdict(result) for result in results],
        "involved": _involved(head, match, seats, results),
        "match_options": [{**line, "created_ms": head.created_ms} for line in options_one_by_one(match)],
        "due": [{"kind": work.kind, "due_ms": work.due_ms} for work in made.due or []],
        "turns": [asdict(turn) for turn in made.turns or []],
    }


def _but(row: MatchRow, *names: str) -> Line:
    return {name: x for name, x in asdict(row).items() if name not in names}


def _involved(
    head: Head, match: MatchRow, seats: Sequence[SeatRow], results: Sequence[ResultRow]
) -> list[Line]:
    """Say whose a match is, as `schema.involved` has it."""
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
"""So long the audit of one match may take."""

MEMORY: Final = 2 * 1024**3


def main(match_id: str, *heads: str) -> int:
    """Audit a match of the database at DATABASE_URL within the limits; the report is written as JSON."""
    limits.limited(MEMORY, SECONDS)
    try:
        with closing(open_store(settings().url)) as store:
            found = audit(store, match_id, [limits.kept_head(text) for text in heads])
        sys.stdout.buffer.write(msgspec.json.encode(found))
    except Exception as error:
        sys.stderr.write(limits.place(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
