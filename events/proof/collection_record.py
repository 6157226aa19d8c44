"""Reads the record of a collection, and verifies it only from its events.

Each digest follows from the event and the digest before it. Each pack is drawn again from its seed, which follows from
the commitment. Cards are gained and lost only by packs, grants and trades.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from domain.collection.collection_events import EVENTS
from domain.collection.collection_judge import find_collection_fault
from domain.games.catalogue import CARDS
from events.proof.findings import NO_EVIDENCE, Claims, Evidence, Fact, Finding, Report, bad, good, skip_check
from events.proof.open_events import OpenItem, facts_of, is_of_format, read_events, report_on
from events.proof.record import ID, MOST_BYTES, MOST_EVENTS, Unreadable, decode_exact
from events.proof.signed_heads import COLLECTION, SignedHead

FORMAT: Final = "dealt-collection/1"


class CollectionRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The document of `GET /v1/collection/record`."""

    format: Literal["dealt-collection/1"]
    collection: str
    version: int
    head: str
    events: list[OpenItem]
    signed: SignedHead | None = None


def read_collection_record(text: bytes) -> CollectionRecord | None:
    """Read the record of a collection; None for any other format. Raises `Unreadable`."""
    if not is_of_format(text, FORMAT, MOST_BYTES):
        return None
    found = decode_exact(text, _decode, "It does not have the form of a collection's record")
    if not ID.fullmatch(found.collection):
        raise Unreadable("The id of a collection has 1 to 64 letters and digits.")
    if not 1 <= len(found.events) <= MOST_EVENTS:
        raise Unreadable(f"A record has 1 to {MOST_EVENTS} events; this one has {len(found.events)}.")
    return found


_decode = msgspec.json.Decoder(CollectionRecord).decode


def verify_collection(record: CollectionRecord, evidence: Evidence = NO_EVIDENCE) -> Report:
    """Verify a record."""
    facts = facts_of(record.events)
    claims = Claims(record.version, record.head, signed=record.signed, evidence=evidence)
    return report_on(COLLECTION, record.collection, facts, claims, [_rules(record.collection, facts)])


def _rules(collection: str, facts: Sequence[Fact]) -> Finding:
    events, fault = read_events(EVENTS, facts, {"move"}, "collection")
    if fault is not None:
        return fault
    if (wrong := find_collection_fault(collection, events, CARDS)) is not None:
        return bad("rules", wrong.place + 1, wrong.why)
    strange = sorted({event.set for event in events if hasattr(event, "seed")} - CARDS.sets.keys())
    if strange:
        return skip_check(
            "rules", f"The cards of {', '.join(strange)} are unknown here, so its packs cannot be checked."
        )
    packs = sum(hasattr(event, "seed") for event in events)
    counted = (
        "1 pack has the cards that its seed gives"
        if packs == 1
        else f"{packs} packs have the cards that their seeds give"
    )
    return good("rules", f"{counted}, and all cards came by packs, grants and trades.")
