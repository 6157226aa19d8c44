"""This check says who vouches for the head of a match: the server whose signature it bears."""

from collections.abc import Sequence
from typing import Final

from events.proof.findings import Claims, Fact, Finding, bad, good, skipped
from events.proof.signed_heads import Signed, SignedHead, is_server, is_signed

UNSIGNED: Final = "No server has signed it: the moves are nobody's word."


def check(match_id: str, facts: Sequence[Fact], claims: Claims) -> tuple[Finding, Signed | None]:
    """Check who vouches for the events: the server whose signature the record bears, if it bears one."""
    head, last = claims.signed, len(facts)
    if head is None:
        if claims.keys is not None:
            return bad("signatures", last, "No server has signed it, and a key was given that must have."), None
        return skipped("signatures", UNSIGNED, excused=True), None
    if (head.match, head.version, head.head) != (match_id, last, facts[-1].digest if facts else ""):
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


def _name(head: SignedHead) -> str:
    return head.server if is_server(head.server) else "a server"
