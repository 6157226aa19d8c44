"""Reads a log as it is stored, and trusts nothing in it: its events, its secrets, its commits' codes."""

from collections.abc import Iterable, Mapping, Sequence
from hmac import compare_digest
from typing import Any

import msgspec

from domain.core.fairness import Dealer
from domain.core.visibility import Reader
from events.log.codec import UNREADABLE, canonical
from events.log.seals import mac, seal_key
from events.proof.findings import Claims, Evidence, Fact, Finding, bad, good
from events.proof.signed_heads import KEY
from events.store.records import CommitRow, Head
from events.store.tables.stored_rows import Stored
from events.times import write_time

Kept = Sequence[tuple[int, str]]
"""Heads that a caller kept, as version and digest."""


class StoredEvent(msgspec.Struct, forbid_unknown_fields=True):
    """A stored event of the log."""

    type: str
    v: int
    cause: str
    data: dict[str, Any]
    seals: dict[str, dict[Reader, str]]
    digest: str


class Sealed(msgspec.Struct, forbid_unknown_fields=True):
    """The secret parts of one event, the hand whose key seals them, and in an imported match the keys."""

    hand: int
    fields: dict[str, dict[Reader, Any]]
    keys: dict[str, dict[Reader, str]] | msgspec.UnsetType = msgspec.UNSET


_events = msgspec.json.Decoder(list[StoredEvent]).decode
_secrets = msgspec.json.Decoder(dict[str, Sealed]).decode


class StoredLog:
    """The readable events of commits, and the fault that makes the rest unreadable."""

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
        """Read a commit; return the reason if this server cannot have written it."""
        first = len(self.facts) + 1
        if row.first != first:
            return f"Event {first} is expected here, not {row.first}."
        try:
            events, at = _events(row.events), write_time(row.at_ms)
            exact = canonical(events) == row.events.encode()
        except UNREADABLE:
            return "The commit that begins here cannot be read."
        if not events or len(events) != row.n:
            return f"The commit that begins here should have {row.n} events, but has {len(events)}."
        if not exact:
            return "The commit that begins here is not in its stored form."
        secrets = self._secrets(row, first, len(events))
        for seq, e in enumerate(events, first):
            parts, keys = _opened(seq, secrets.get(str(seq)), dealer)
            self.facts.append(Fact(seq, first, e.type, e.v, e.cause, at, e.data, e.seals, e.digest, parts, keys))
        return None

    def _secrets(self, row: CommitRow, first: int, n: int) -> Mapping[str, Sealed]:
        """Read the secret parts of a commit. If they cannot be read, record that and return none."""
        if row.secrets is None:
            return {}
        found: Mapping[str, Sealed] = {}
        try:
            found = _secrets(row.secrets)
            exact = canonical(found) == row.secrets.encode() and found.keys() <= set(map(str, range(first, first + n)))
        except UNREADABLE:
            exact = False
        if not exact and self.strange is None:
            self.strange = bad("seals", first, "The secret parts of this commit were changed.")
        return found


def _opened(
    seq: int, sealed: Sealed | None, dealer: Dealer | None
) -> tuple[Mapping[str, Mapping[Reader, Any]], Mapping[str, Mapping[Reader, str]]]:
    """Return the secret parts of an event, and the keys of their seals."""
    if sealed is None:
        return {}, {}
    if dealer is None:
        return sealed.fields, sealed.keys or {}
    hand_key = dealer.hand_key(sealed.hand)
    return sealed.fields, {
        field: {reader: _key(hand_key, seq, field, reader) for reader in part} for field, part in sealed.fields.items()
    }


def _key(hand_key: bytes, seq: int, field: str, reader: Reader) -> str:
    named = field.isascii() and reader.isascii()
    return seal_key(hand_key, seq, field, reader).hex() if named else ""


def secrets_of(found: Stored) -> tuple[Dealer | None, str]:
    """Return the secrets of a stream, or why they are not available. A missing root is empty bytes."""
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


def stored_claims(head: Head, kept: Kept) -> Claims:
    """Return the claims of a stream's row about its log."""
    version: Any = head.version
    digest: Any = head.head
    said = version if type(version) is int else -1, digest.hex() if isinstance(digest, bytes) else ""
    return Claims(*said, evidence=Evidence(kept))


def codes(found: Stored, facts: Sequence[Fact], dealer: Dealer | None, lost: str) -> Finding:
    """Find whether every commit was written by the holder of the secrets of its stream."""
    if dealer is None:
        return bad("codes", 1, lost)
    last = {fact.commit: fact for fact in facts}
    for row in found.commits:
        fact = last.pop(row.first, None)
        if fact is None:
            break  # The check `chain` reports unreadable events.
        if row.mac is None:
            return bad("codes", fact.commit, "The commit that begins here has no code.")
        if not _made_by(dealer, fact, row.mac):
            return bad(
                "codes", fact.commit, "The code of the commit that begins here does not match the match's secrets."
            )
    return good("codes", "The holder of the match's secrets wrote every commit.")


def _made_by(dealer: Dealer, last: Fact, code: Any) -> bool:
    known = isinstance(code, bytes) and KEY.fullmatch(last.digest)
    return bool(known) and compare_digest(mac(dealer.seal_secret, last.seq, last.digest), code)
