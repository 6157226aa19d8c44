"""Checks who vouches for a head: a server whose key the caller named, or the caller, who kept the head."""

from collections.abc import Sequence
from typing import Final

from events.proof.findings import Claims, Fact, Finding, bad, good, skip_check
from events.proof.signed_heads import Signed, SignedHead, is_server, is_signed

NAME: Final = "signatures"


def check_signature(kind: str, of: str, facts: Sequence[Fact], claims: Claims) -> tuple[Finding, Signed | None]:
    """Check who vouches for the events of the history with this kind and id.

    Anyone can create a key and sign with it in any name. A signature by a key that the caller did not pass counts as no
    signature, but an invalid one still fails.
    """
    head, last = claims.signed, len(facts)
    if head is None:
        return _by_holder("No server has signed it", facts, claims), None
    if (head.kind, head.id) != (kind, of) or (head.version, head.head) != (last, facts[-1].digest if facts else ""):
        return bad(NAME, last, f"{_name(head)} has signed a different head."), None
    if not is_signed(head):
        return bad(NAME, last, f"The signature of {_name(head)} is not valid for its key."), None
    known = next((key for key in claims.evidence.keys if key.key == head.key), None)
    signed = Signed(head.server, head.key, known is not None)
    if known is None:
        by_whom = f"It is signed as {head.server} with the key {head.key}, which you did not name"
        return _by_holder(by_whom, facts, claims, "Get the server's keys from the server, and name them."), signed
    if known.until is not None and facts[-1].at > known.until:
        return bad(NAME, last, f"The key signed until {known.until}, and the last event is later."), None
    return good(NAME, f"{head.server} vouches for it by a key that you named: {head.key}."), signed


def _by_holder(unsigned: str, facts: Sequence[Fact], claims: Claims, advice: str = "") -> Finding:
    """Return how far the caller vouches, by kept heads, for events that no server vouches for."""
    last = len(facts)
    held = max((version for version, digest in claims.evidence.heads if _is_there(facts, version, digest)), default=0)
    if facts and held == last:
        return good(NAME, f"{unsigned}, and you hold the head of its last event.")
    since = "All of it" if not held else f"All after event {held}, whose head you hold,"
    return skip_check(NAME, f"{unsigned}. {since} rests on the word of the person who shows it. {advice}".strip())


def _is_there(facts: Sequence[Fact], version: int, digest: str) -> bool:
    return 1 <= version <= len(facts) and facts[version - 1].digest == digest


def _name(head: SignedHead) -> str:
    return head.server if is_server(head.server) else "a server"
