"""This module compares what two documents say of one match: two signed histories prove that a server lied."""

from dataclasses import dataclass
from typing import Any

import msgspec

from events.proof.signed_heads import SignedHead, is_signed


@dataclass(frozen=True, slots=True)
class Statement:
    """This is what one document says of a match: digests by version, and the head that a server signed, if one did."""

    match: str
    digests: dict[int, str]
    signed: SignedHead | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """This is what came of comparing two statements.

    `differs` is the first version of which they say different digests, None if there is none; `common` how many
    versions both speak of. `liar` names the server whose one key has signed both of two different histories.
    """

    match: str
    common: int
    differs: int | None
    liar: str | None
    key: str | None


def statement(document: Any) -> Statement:
    """Read a record, an answer with a `signed` head, or a signed head itself. Raises `ValueError`."""
    document = document if isinstance(document, dict) else {}
    given = document if "signature" in document else document.get("signed")
    try:
        signed = None if given is None else msgspec.convert(given, SignedHead)
    except msgspec.ValidationError as error:
        raise ValueError("Its signed head is not one.") from error
    if signed is not None and not is_signed(signed):
        raise ValueError("The signature of its head does not hold.")
    about = document.get("match")
    events = document.get("events") if isinstance(about, dict) else None
    match = about.get("id") if isinstance(about, dict) else signed.match if signed else None
    digests = {e["seq"]: e["digest"] for e in events} if isinstance(events, list) else {}
    if signed is not None and digests and digests.get(signed.version) != signed.head:
        raise ValueError("Its signed head is not the digest of its last event.")
    if signed is not None:
        digests[signed.version] = signed.head
    if not isinstance(match, str) or not digests or (signed is not None and signed.match != match):
        raise ValueError("It says nothing of a match: it must be a record, or hold a signed head.")
    return Statement(match, digests, signed)


def compared(one: Statement, other: Statement) -> Comparison:
    """Compare what two documents say of one match. Raises `ValueError` if they are of different matches.

    The records that they were read from must each hold by themselves: then the signature of a head covers all before.
    """
    if one.match != other.match:
        raise ValueError("They are of different matches.")
    common = sorted(one.digests.keys() & other.digests.keys())
    differs = next((version for version in common if one.digests[version] != other.digests[version]), None)
    a, b = one.signed, other.signed
    lies = differs is not None and a is not None and b is not None and a.key == b.key
    return Comparison(one.match, len(common), differs, a.server if lies and a else None, a.key if lies and a else None)
