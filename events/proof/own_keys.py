"""This check compares who has signed a record with this server's own keys: nobody else signs in its name."""

from dataclasses import replace
from typing import Final

from events.proof.findings import Report, bad
from events.proof.keys import KeyRing

FALSE_NAME: Final = "{} is this server, and has no such key."


def by_own_keys(report: Report, ring: KeyRing) -> Report:
    """Say of a report whether it was this server that signed; who signs in its name with another key is no good."""
    signed = report.signed
    if signed is None:
        return report
    if in_false_name(ring, signed.server, signed.key):
        fault = bad("signatures", report.version, FALSE_NAME.format(ring.server))
        checks = [fault if check.name == fault.name else check for check in report.checks]
        return replace(report, ok=False, verdict="failed", signed=None, checks=checks)
    known = signed.known or signed.key in [one.key for one in ring.keys]
    return replace(report, signed=replace(signed, known=known))


def in_false_name(ring: KeyRing, server: str, key: str) -> bool:
    """Say whether somebody signs in this server's name with a key that it has never had.

    A server that nobody has named shares its name with others, so that it does not say which of them has signed.
    """
    mine = ring.is_named and server == ring.server
    return mine and bool(ring.keys) and key not in [one.key for one in ring.keys]
