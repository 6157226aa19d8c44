"""Recomputes the chain of a match: each event is hashed with the digest of the one before it."""

import re
from collections.abc import Sequence
from typing import Any, Final

from events.log.seals import NO_EVENT, digest
from events.proof.findings import Claims, Fact, Finding, bad, good

TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def check_chain(match_id: str, facts: Sequence[Fact], claims: Claims) -> Finding:
    """Check that the events are linked by their digests, and end at the claimed head."""
    before, commit = NO_EVENT, 1
    kept: dict[int, set[str]] = {}
    for version_, kept_head in claims.evidence.heads:
        kept.setdefault(version_, set()).add(kept_head)
    for seq, fact in enumerate(facts, 1):
        if fact.seq != seq:
            return bad("chain", seq, f"Event {seq} is expected here, not {fact.seq}.")
        if not TIME.fullmatch(fact.at):
            return bad("chain", seq, "A time must have the form 2026-11-21T20:57:12.345Z.")
        if fact.commit != seq:
            if fact.commit != commit or seq == 1:
                return bad("chain", seq, "An event must belong to the commit before it or begin a new one.")
            if fact.at != facts[seq - 2].at:
                return bad("chain", seq, "All events of a commit must have the same time.")
        commit = fact.commit
        before = digest(before, envelope(match_id, fact))
        if fact.digest != before:
            return bad("chain", seq, "The digest does not follow from the event and the digest before it.")
        if kept.pop(seq, {before}) != {before}:
            return bad("chain", seq, "The digest differs from the head that you kept: the history was changed.")
    if kept:
        return bad("chain", len(facts), f"You kept a head of version {max(kept)}, which the record does not have.")
    if claims.version is not None and claims.version != len(facts):
        return bad("chain", len(facts), f"The record claims {claims.version} events, but has {len(facts)}.")
    if claims.head is not None and claims.head != before:
        return bad("chain", len(facts), "The head is not the digest of the last event.")
    return good("chain", f"{len(facts)} events are linked by their digests.")


def envelope(match_id: str, fact: Fact) -> dict[str, Any]:
    """Return the hashed part of an event."""
    return {
        "at": fact.at,
        "cause": fact.cause,
        "commit": fact.commit,
        "data": fact.data,
        "match": match_id,
        "seals": fact.seals,
        "seq": fact.seq,
        "type": fact.type,
        "v": fact.v,
    }
