"""Reads the record of a duplicate group, and verifies it only from its events.

It names the matches of the group, and the hashes and nonces that all of them share. The deals are in the records of
these matches.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from domain.deal_group import EVENTS, find_group_fault
from events.proof.findings import NO_EVIDENCE, Claims, Evidence, Fact, Finding, Report, bad, good
from events.proof.open_events import OpenItem, facts_of, is_of_format, read_events, report_on
from events.proof.record import ID, MOST_BYTES, MOST_EVENTS, Unreadable, decode_exact
from events.proof.signed_heads import DEAL_GROUP, SignedHead

FORMAT: Final = "dealt-group/1"

CAUSES: Final = frozenset({"move", "auto", "timeout"})
"""The causes of the events of a group."""


class GroupRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The document of `GET /v1/deal-groups/{id}/record`."""

    format: Literal["dealt-group/1"]
    group: str
    version: int
    head: str
    events: list[OpenItem]
    signed: SignedHead | None = None


_decode = msgspec.json.Decoder(GroupRecord).decode


def read_group_record(text: bytes) -> GroupRecord | None:
    """Read the record of a group; None for any other format. Raises `Unreadable`."""
    if not is_of_format(text, FORMAT, MOST_BYTES):
        return None
    found = decode_exact(text, _decode, "It does not have the form of a duplicate group's record")
    if not ID.fullmatch(found.group):
        raise Unreadable("The id of a group has 1 to 64 letters and digits.")
    if not 1 <= len(found.events) <= MOST_EVENTS:
        raise Unreadable(f"A record has 1 to {MOST_EVENTS} events; this one has {len(found.events)}.")
    return found


def verify_group(record: GroupRecord, evidence: Evidence = NO_EVIDENCE) -> Report:
    """Verify a record."""
    facts = facts_of(record.events)
    claims = Claims(record.version, record.head, signed=record.signed, evidence=evidence)
    return report_on(DEAL_GROUP, record.group, facts, claims, [_rules(facts)])


def _rules(facts: Sequence[Fact]) -> Finding:
    events, fault = read_events(EVENTS, facts, CAUSES, "duplicate group")
    if fault is not None:
        return fault
    if (wrong := find_group_fault(events)) is not None:
        return bad("rules", *wrong)
    return good("rules", "Each event can follow from the events before it.")
