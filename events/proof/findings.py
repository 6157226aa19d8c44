"""Defines the inputs and outputs of a verification: events as they were hashed, claims about them, findings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from typing import Any, Final, Literal

from domain.core.values import mutable, value
from domain.core.visibility import Reader
from events.proof.signed_heads import KnownKey, NonceReceipt, Signed, SignedHead
from events.proof.signed_notes import NoteKey


@mutable
class Fact:
    """An event as it was hashed, with the known values and keys of its secret parts, by field and reader."""

    seq: int
    commit: int
    type: str
    v: int
    cause: str
    at: str
    data: Mapping[str, Any]
    """The public fields."""
    seals: Mapping[str, Mapping[Reader, str]]
    digest: str
    parts: Mapping[str, Mapping[Reader, Any]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[Reader, str]] = field(default_factory=dict)


@mutable
class Finding:
    """A part of a report.

    `seq` is the first event that fails; `detail` says why a check was skipped. With `sealed`, it was skipped because
    the match has sealed parts that it needs.
    """

    name: str
    ok: bool
    skipped: bool
    detail: str
    seq: int | None = None
    sealed: bool = False


Verdict = Literal["verified", "failed", "unverifiable"]
Attested = Literal["witnessed", "signed", "unsigned"]


@value
class SignedSeat:
    """A seat with signed moves, and its public key in hex."""

    seat: int
    key: str


@mutable
class Report:
    """The result of a verification; `ok` means that its verdict is `verified`.

    `signed` is the server that vouches for the head, and `signed_seats` are the seats with signed moves.
    """

    ok: bool
    verdict: Verdict
    match: str
    game: str | None
    version: int
    head: str
    signed: Signed | None
    checks: list[Finding]
    signed_seats: list[SignedSeat] = field(default_factory=list)
    contributed: list[int] = field(default_factory=list)
    """The seats whose nonces count in the shuffles of the last epoch."""
    unopened: list[int] = field(default_factory=list)
    """The seats that committed to a nonce which the record does not open."""
    unvouched: list[int] = field(default_factory=list)
    """The seats of other players that contributed nothing to the shuffles."""
    attested: Attested | None = None
    """`witnessed`: a named key signed the head, and a quorum of the named witnesses cosigned the log. None in an
    audit, which has the head from the database."""


@value
class Evidence:
    """Data that the caller kept from a server, and the keys that they trust."""

    heads: Sequence[tuple[int, str]] = ()
    """Heads that the caller kept, as pairs of version and digest."""
    keys: Sequence[KnownKey] = ()
    """The servers' keys that the caller trusts; a signature by another key counts as none."""
    receipts: Sequence[NonceReceipt] = ()
    """The receipts of nonces that the caller kept."""
    witnesses: Sequence[NoteKey] = ()
    """The keys of the witnesses that the caller trusts."""
    quorum: int | None = None
    """The number of them that must have cosigned; None: all."""

    @property
    def least_witnesses(self) -> int:
        """Return the number of witnesses that must have cosigned."""
        return len(self.witnesses) if self.quorum is None else self.quorum


NO_EVIDENCE: Final = Evidence()

VOUCHING: Final = frozenset({"signatures", "log"})
"""The checks of the head's signatures, which are skipped without named keys."""


@mutable
class Claims:
    """The claims about a match in addition to its events, which must agree with them. None: no claim."""

    version: int | None = None
    head: str | None = None
    status: str | None = None
    result: Any = None
    created: Mapping[str, Any] = field(default_factory=dict)
    """The claimed fields of `MatchCreated`."""
    fairness: Mapping[str, Any] | None = None
    seats: Sequence[Mapping[str, Any]] | None = None
    """The claimed seats: `seat` and `kind`, and if claimed `player` (an id) and `level`."""
    created_at: str | None = None
    signed: SignedHead | None = None
    evidence: Evidence = NO_EVIDENCE


def good(name: str, detail: str) -> Finding:
    """Return the finding of a check that passes."""
    return Finding(name, True, False, detail)


def bad(name: str, seq: int | None, detail: str) -> Finding:
    """Return the finding of a check that fails, at an event."""
    return Finding(name, False, False, detail, seq)


def skip_check(name: str, why: str, *, sealed: bool = False) -> Finding:
    """Return the finding of a check that could not be made; with `sealed`, because parts of the match are not open."""
    return Finding(name, True, True, why, sealed=sealed)


def make_report(
    match: str, game: str | None, version: int, head: str, checks: list[Finding], signed: Signed | None = None
) -> Report:
    """Make a report of checks: a failed one makes it `failed`, a skipped one `unverifiable`."""
    verdict: Verdict = "verified"
    if any(check.skipped for check in checks):
        verdict = "unverifiable"
    if any(not check.ok for check in checks):
        verdict = "failed"
    return Report(verdict == "verified", verdict, match, game, version, head, signed, checks)


def attest(report: Report, *, witnessed: bool) -> Report:
    """Set `attested` of a report; it is `unsigned` if a check failed."""
    signed = report.signed is not None and report.signed.known and report.verdict != "failed"
    report.attested = "unsigned" if not signed else "witnessed" if witnessed else "signed"
    return report


def in_json(report: Report) -> dict[str, Any]:
    """Return a report as it is served (contract 7)."""
    served = asdict(report)
    for check in served["checks"]:
        del check["sealed"]
    return served


def seats_of(facts: Sequence[Fact]) -> int:
    """Return the number of seats of a match; 0 if it cannot be read."""
    seats = facts[0].data.get("seats") if facts else None
    return len(seats) if isinstance(seats, (list, tuple)) else 0


def whole_number(x: Any) -> int:
    """Return a whole number; 0 for anything else."""
    return x if type(x) is int else 0


def has_sealed_parts(fact: Fact) -> bool:
    """Return whether a part of an event is still sealed."""
    return any(set(sealed) - set(fact.parts.get(name, {})) for name, sealed in fact.seals.items())
