"""Reads the statement of a document: a record, a page of a feed, or an answer with a signed head.

The chain and the signature of a record must be valid: only then does its signed head cover all events before it.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

import msgspec

from domain.core.values import value
from events.log.codec import UNREADABLE
from events.log.seals import NO_EVENT, digest
from events.proof import collection_record, group_record, record, tournament_record
from events.proof.checks import chain, signed_by
from events.proof.disclosed import bound_to
from events.proof.findings import Claims, Fact
from events.proof.open_events import facts_of
from events.proof.signed_heads import COLLECTION, DEAL_GROUP, MATCH, TOURNAMENT, SignedHead, is_signed

ENDS: Final = {
    "MatchEnded": 1,
    "MatchAnnulled": 0,
    "TournamentEnded": 1,
    "TournamentCancelled": 1,
    "DealsDisclosed": 0,
    "GroupOver": 0,
    "GroupCancelled": 0,
    "GroupExpired": 0,
}
"""After these events there are this many more at most: a match may be voided, and the seeds of deals are disclosed."""

OF_GROUP: Final = {
    "FairnessCommitted": "commitment",
    "CommitmentsShared": "hashes",
    "DealsShared": "nonces",
    "GroupCommitted": "hashes",
    "GroupStarted": "nonces",
}
"""Events with the same value of this field at all tables of a duplicate group; `epoch` distinguishes commitments."""


FAMILY: Final = record.FORMAT.rpartition("/")[0] + "/"
"""The beginning of the format names of match records, in all versions."""


class Unclear(Exception):
    """The document has no statement to compare; the message gives the reason."""


@value
class Statement:
    """The statement of a document: digests by version for a kind and id, and the signed head, if any.

    `last` is the last possible version, None while it continues. `shared` is the common data of all tables of the
    duplicate group `group`. `is_altered`: its events do not lead to its signed head, so only the head counts.
    """

    kind: str
    id: str
    digests: Mapping[int, str]
    signed: SignedHead | None
    last: int | None = None
    group: str | None = None
    shared: Mapping[str, Any] = field(default_factory=dict)
    is_altered: bool = False


def statement(text: bytes) -> Statement:
    """Read a document. Raises `Unclear`."""
    try:
        return _of_record(text) or _of_answer(text)
    except record.Unreadable as error:
        raise Unclear(str(error)) from error


def _of_record(text: bytes) -> Statement | None:
    """Read a record of any kind; return None if it is not one."""
    first, _, _ = text.partition(b"\n")
    if tournament_record.is_about_tournament(first):
        tournament = tournament_record.read_tournament_record(tournament_record.lines_of(io.BytesIO(text)))
        about = tournament.about
        claims = Claims(about.version, about.head, signed=about.signed)
        return _statement_of_record(TOURNAMENT, about.tournament, facts_of(tournament.events), claims)
    if (cards := collection_record.read_collection_record(text)) is not None:
        claims = Claims(cards.version, cards.head, signed=cards.signed)
        return _statement_of_record(COLLECTION, cards.collection, facts_of(cards.events), claims)
    if (group := group_record.read_group_record(text)) is not None:
        claims = Claims(group.version, group.head, signed=group.signed)
        return _statement_of_record(DEAL_GROUP, group.group, facts_of(group.events), claims)
    if not _is_match_record(text):
        return None
    match = record.read_record(text)
    return _statement_of_record(MATCH, match.match.id, record.facts(match), record.claims(match))


def _statement_of_record(kind: str, of: str, facts: Sequence[Fact], claims: Claims) -> Statement:
    """Return the statement of a record. Raise `Unclear` if its events do not lead to its head, or it is unsigned."""
    for found in (chain.check_chain(of, facts, claims), signed_by.check_signature(kind, of, facts, claims)[0]):
        if not found.ok:
            raise Unclear(f"It is invalid: {found.name}: {found.detail}")
    return _statement_of_events(kind, of, facts, claims.signed)


def _statement_of_events(kind: str, of: str, facts: Sequence[Fact], signed: SignedHead | None) -> Statement:
    """Return the statement of linked events, with the signed head, if there is one."""
    digests = {fact.seq: fact.digest for fact in facts}
    end = facts[-1]
    last = end.seq + ENDS[end.type] if end.type in ENDS else None
    is_table = kind == MATCH and isinstance(facts[0].data.get("deal_group"), Mapping)
    if kind != DEAL_GROUP and not is_table:
        return Statement(kind, of, digests, signed, last)
    group = bound_to(of, facts)[0] if is_table else of
    return Statement(kind, of, digests, signed, last, group, _shared(facts))


def _shared(facts: Sequence[Fact]) -> dict[str, Any]:
    """Return a table's statements about its whole group."""
    said: dict[str, Any] = {}
    for fact in facts:
        if (name := OF_GROUP.get(fact.type)) is not None:
            epoch = f" of epoch {fact.data.get('epoch')}" if fact.type == "FairnessCommitted" else ""
            said[name + epoch] = fact.data.get(name)
    return said


def _of_answer(text: bytes) -> Statement:
    """Read a signed head, an answer that has one, or a page of a feed with one at an event."""
    try:
        document = msgspec.json.decode(text)
        events = _signed_events(document.get("items"))
        given = document if "signature" in document else events[-1]["signed"] if events else document["signed"]
        head = msgspec.convert(given, SignedHead)
    except (
        msgspec.DecodeError,
        msgspec.ValidationError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        raise Unclear("It is neither a record nor a signed head, and contains neither.") from error
    if not is_signed(head):
        raise Unclear("The signature of its head is invalid.")
    facts = _linked(head, events)
    if facts:
        return _statement_of_events(MATCH, head.id, facts, head)
    is_altered = bool(events) and head.kind == MATCH
    return Statement(head.kind, head.id, {head.version: head.head}, head, is_altered=is_altered)


def _signed_events(items: Any) -> list[Any]:
    """Return the events of a page up to the last that has a signed head; none if this is no such page."""
    events = items if isinstance(items, list) else []
    ends = [n for n, event in enumerate(events, 1) if isinstance(event, dict) and event.get("signed")]
    return events[: max(ends, default=0)]


def _linked(head: SignedHead, events: Sequence[Any]) -> list[Fact]:
    """Return the events of a page that lead to the signed head at its end, which then covers all of them.

    Empty if they do not: only the head then counts. The digest before the first event of a later page is unknown, so
    nothing proves what that event says: only its number and digest are kept.
    """
    try:
        facts = [record.fact(msgspec.convert(event, record.Item)) for event in events]
        before = [NO_EVENT, *(fact.digest for fact in facts)]
        found = [
            fact.digest == digest(link, chain.envelope(head.id, fact))
            for fact, link in zip(facts, before, strict=False)
            if fact is not facts[0] or fact.seq == 1
        ]
    except UNREADABLE:
        return []
    follow = [fact.seq for fact in facts] == list(range(head.version - len(facts) + 1, head.version + 1))
    ends_there = bool(facts) and head.kind == MATCH and facts[-1].digest == head.head
    if not (ends_there and follow and all(found)):
        return []
    return facts if facts[0].seq == 1 else [replace(facts[0], type="", data={}), *facts[1:]]


def _is_match_record(text: bytes) -> bool:
    """Return whether a text is the record of a match; the answer of a tournament has a `format` too."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(found, dict) and str(found.get("format")).startswith(FAMILY)
