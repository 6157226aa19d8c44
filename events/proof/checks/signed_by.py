"""This check says who vouches for a head: the server whose signature it has, or the caller who kept it."""

from collections.abc import Sequence

from events.proof.findings import Claims, Fact, Finding, bad, good, skipped
from events.proof.signed_heads import Signed, SignedHead, is_server, is_signed

HELD = "No server has signed it, and you hold the head of its last event."


def check(kind: str, of: str, facts: Sequence[Fact], claims: Claims) -> tuple[Finding, Signed | None]:
    """Check who vouches for the events of what has this kind and this id."""
    head, last = claims.signed, len(facts)
    if head is None:
        return _unsigned(facts, claims), None
    if (head.kind, head.id) != (kind, of) or (head.version, head.head) != (last, facts[-1].digest if facts else ""):
        return bad("signatures", last, f"What {_name(head)} has signed is another head than this."), None
    if not is_signed(head):
        return bad("signatures", last, f"The signature is not one of {_name(head)} by the key that it names."), None
    known = {key.key: key for key in claims.keys or ()}
    if claims.keys is not None and head.key not in known:
        return bad("signatures", last, f"{_name(head)} signed it with another key than was given: {head.key}."), None
    until = known[head.key].until if known else None
    if until is not None and facts[-1].at > until:
        return bad("signatures", last, f"The key signed until {until}, and the last event is later."), None
    signed = Signed(head.server, head.key, bool(known))
    whose = "a key that you gave" if known else "its key; compare it with GET /v1/keys of that server"
    return good("signatures", f"{head.server} vouches for it by {whose}: {head.key}."), signed


def _unsigned(facts: Sequence[Fact], claims: Claims) -> Finding:
    """Say who vouches for events that no server has signed: the caller, as far as they kept heads."""
    last = len(facts)
    if claims.keys is not None:
        return bad("signatures", last, "No server has signed it, and a key was given that must have.")
    vouched = max((version for version, digest in claims.kept if _is_there(facts, version, digest)), default=0)
    if facts and vouched == last:
        return good("signatures", HELD)
    since = "All of it" if not vouched else f"All after event {vouched}, whose head you hold,"
    return skipped("signatures", f"No server has signed it. {since} is the word of whoever shows it.")


def _is_there(facts: Sequence[Fact], version: int, digest: str) -> bool:
    return 1 <= version <= len(facts) and facts[version - 1].digest == digest


def _name(head: SignedHead) -> str:
    return head.server if is_server(head.server) else "a server"
