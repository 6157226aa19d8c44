"""Compares the signer of a record with this server's own keys: no other signer may use its name."""

from dataclasses import replace
from typing import Final

from events.proof.findings import Report, bad
from events.proof.keys import KeyRing
from events.proof.signed_heads import KnownKey

FALSE_NAME: Final = "{} is this server, and has no such key."


def keys_of(ring: KeyRing) -> list[KnownKey]:
    """Return this server's own public keys, which it trusts."""
    return [KnownKey(key.key, key.until) for key in ring.keys]


def by_own_keys(report: Report, ring: KeyRing) -> Report:
    """Return a report that knows this server's keys, and fails if another key has signed in its name."""
    signed = report.signed
    if signed is None:
        return report
    if not in_false_name(ring, signed.server, signed.key):
        known = signed.known or signed.key in [key.key for key in ring.keys]
        return replace(report, signed=replace(signed, known=known))
    fault = bad("signatures", report.version, FALSE_NAME.format(ring.server))
    checks = [*(check for check in report.checks if check.name != fault.name), fault]
    return replace(report, ok=False, verdict="failed", signed=None, checks=checks, attested="unsigned")


def in_false_name(ring: KeyRing, server: str, key: str) -> bool:
    """Return whether a key that this server never had signs in its name.

    Unnamed servers share a name, so it does not identify the signer.
    """
    mine = ring.is_named and server == ring.server
    return mine and bool(ring.keys) and key not in [one.key for one in ring.keys]
