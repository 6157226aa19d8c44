"""Reads events that have no secret parts, as the records of collections and tournaments have them."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from events.log.codec import UNREADABLE, shapes_of
from events.proof.checks import chain, logged, signed_by
from events.proof.checks.rules import read_event
from events.proof.findings import Claims, Fact, Finding, Report, attest, bad, make_report, skip_check
from events.proof.receipts import checks as receipt_checks


class OpenItem(msgspec.Struct, forbid_unknown_fields=True):
    """An exported event of a stream without secret parts."""

    v: int
    seq: int
    commit: int
    type: str
    data: dict[str, Any]
    at: str
    cause: str
    seals: dict[str, dict[str, str]]
    digest: str


class _Formatted(msgspec.Struct):
    format: str = ""


def is_of_format(text: bytes, format_: str, most: int) -> bool:
    """Return whether a text of at most this number of bytes is a JSON object that names this format."""
    try:
        return len(text) <= most and msgspec.json.decode(text, type=_Formatted).format == format_
    except UNREADABLE:
        return False


def facts_of(items: Sequence[OpenItem]) -> list[Fact]:
    """Return the events as the checks take them."""
    return [
        Fact(one.seq, one.commit, one.type, one.v, one.cause, one.at, one.data, one.seals, one.digest, {}, {})
        for one in items
    ]


def read_events(
    classes: tuple[type, ...], facts: Sequence[Fact], causes: Collection[str], what: str
) -> tuple[list[Any], Finding | None]:
    """Read the events of a `what`, as a collection, up to one that cannot be read, and what `rules` finds of that."""
    known, events = shapes_of(classes), list[Any]()
    for seq, fact in enumerate(facts, 1):
        if fact.type not in known or fact.v > known[fact.type].version:
            return events, skip_check("rules", f"Events of the type {fact.type}, version {fact.v}, are not known here.")
        if fact.v < 1 or fact.cause not in causes or fact.seals:
            return events, bad("rules", seq, f"No event of a {what} is of such a version or cause, or has a seal.")
        try:
            events.append(read_event(known, fact, 0))
        except (*UNREADABLE, LookupError, AttributeError):
            return events, bad("rules", seq, "The event does not have the form of its type.")
    return events, None


def report_on(kind: str, of: str, facts: Sequence[Fact], claims: Claims, findings: Sequence[Finding]) -> Report:
    """Return the report on a stream of this kind and id; `findings` are those of the checks that only its kind has."""
    signatures, signed = signed_by.check_signature(kind, of, facts, claims)
    in_log, witnessed = logged.check_log(claims)
    vouched = [signatures, *([in_log] if in_log else []), *receipt_checks(kind, of, facts, claims)]
    checks = [chain.check_chain(of, facts, claims), *findings, *vouched]
    return attest(make_report(of, None, len(facts), facts[-1].digest, checks, signed), witnessed=witnessed)
