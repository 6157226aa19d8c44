"""This module reads the record of a collection, and verifies it by nothing but its events.

Each digest follows from the event and the digest before it; each pack is drawn again from its seed, which follows from
the commitment; and cards come and go by packs, grants and trades alone.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from domain.collection.collection_events import EVENTS
from domain.collection.collection_judge import judged
from domain.games.catalogue import CARDS
from events.log.codec import UNREADABLE, shapes_of
from events.log.upcasts import VERSIONS
from events.proof.checks import chain
from events.proof.checks.rules import read_event
from events.proof.findings import Claims, Fact, Finding, Report, bad, concluded, good, skipped
from events.proof.record import ID, MOST_BYTES, MOST_EVENTS, Unreadable, decoded

FORMAT: Final = "dealt-collection/1"


class CollectionItem(msgspec.Struct, forbid_unknown_fields=True):
    """An item is an event of a collection as it is exported."""

    v: int
    seq: int
    commit: int
    type: str
    data: dict[str, Any]
    at: str
    cause: str
    seals: dict[str, dict[str, str]]
    digest: str


class CollectionRecord(msgspec.Struct, forbid_unknown_fields=True):
    """This is what `GET /v1/collection/record` gives."""

    format: Literal["dealt-collection/1"]
    collection: str
    version: int
    head: str
    events: list[CollectionItem]


class _Named(msgspec.Struct):
    format: str = ""


def read(text: bytes) -> CollectionRecord | None:
    """Read the record of a collection; None for what is of another format, or of none. Raises `Unreadable`."""
    if not _is_of_this_format(text):
        return None
    found = decoded(text, _decode, "It is not written as records of collections are")
    if not ID.fullmatch(found.collection):
        raise Unreadable("The id of a collection has 1 to 64 letters and digits.")
    if not 1 <= len(found.events) <= MOST_EVENTS:
        raise Unreadable(f"A record has 1 to {MOST_EVENTS} events; this one has {len(found.events)}.")
    return found


_decode = msgspec.json.Decoder(CollectionRecord).decode


def _is_of_this_format(text: bytes) -> bool:
    if len(text) > MOST_BYTES:
        return False
    try:
        return msgspec.json.decode(text, type=_Named).format == FORMAT
    except UNREADABLE:
        return False


def verify(record: CollectionRecord, kept: Sequence[tuple[int, str]] = ()) -> Report:
    """Verify a record; `kept` are heads that the caller kept, as version and digest."""
    facts = [
        Fact(one.seq, one.commit, one.type, one.v, one.cause, one.at, one.data, one.seals, one.digest, {}, {})
        for one in record.events
    ]
    claims = Claims(record.version, record.head, kept=kept)
    checks = [chain.check(record.collection, facts, claims), _rules(record.collection, facts)]
    return concluded(record.collection, None, len(facts), facts[-1].digest, checks)


def _rules(collection: str, facts: Sequence[Fact]) -> Finding:
    known, events = shapes_of(EVENTS), []
    for seq, fact in enumerate(facts, 1):
        if fact.type not in known or fact.v > VERSIONS.get(fact.type, 1):
            return skipped("rules", f"Events of the type {fact.type}, version {fact.v}, are not known here.")
        if fact.v < 1 or fact.cause != "move" or fact.seals:
            return bad("rules", seq, "No event of a collection is of such a version or cause, or has a seal.")
        try:
            events.append(read_event(known, fact, 0))
        except (*UNREADABLE, KeyError):
            return bad("rules", seq, "The event is not written as such events are.")
    misfit = judged(collection, events, CARDS)
    if misfit is not None:
        return bad("rules", misfit.seq, misfit.sentence)
    strange = sorted({event.set for event in events if hasattr(event, "seed")} - CARDS.sets.keys())
    if strange:
        return skipped("rules", f"The cards of {', '.join(strange)} are not known here, and so what its packs hold.")
    packs = sum(hasattr(event, "seed") for event in events)
    counted = "1 pack is what its seed holds" if packs == 1 else f"{packs} packs are what their seeds hold"
    return good("rules", f"{counted}, and all cards came by packs, grants and trades.")
