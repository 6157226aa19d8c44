"""Signs the heads that answers give away."""

from typing import Annotated, Literal, cast

from msgspec import UNSET, UnsetType, ValidationError, convert, json

from api.http.openapi_operations import Answer, Digest, Ordinal, says
from domain.core.fairness import nonce_hash
from events.proof.keys import KeyRing
from events.proof.own_keys import in_false_name
from events.proof.receipts import message as receipt_text
from events.proof.signed_heads import MATCH, SignedHead, is_signed
from events.service.views import Seen
from events.store.records import Head


class SignedHeadAnswer(Answer):
    """A head in a server's name; `docs/proof.md` says what is signed."""

    server: Annotated[str, says("The name of the server that vouches for it.")]
    kind: Annotated[Literal["match", "tournament", "collection", "deal_group"], says("What it is the head of.")]
    id: Annotated[str, says("The id of the match, of the tournament, of the collection or of the duplicate group.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    key: Annotated[Digest, says("Its public key (Ed25519), as `GET /v1/keys` lists it.")]
    signature: Annotated[str, says("Over all of this but the key.", pattern="^[0-9a-f]{128}$")]


class NonceReceiptAnswer(Answer):
    """The server's word that a nonce of yours, or its hash, is among the events; keep it, and verify the record by it.

    `docs/proof.md` says what is signed.
    """

    server: Annotated[str, says("The name of the server.")]
    match: Annotated[str, says("The id of the match.")]
    stage: Annotated[Literal["hashes", "nonces"], says("Whether it is about a hash, or about the nonce itself.")]
    seat: Annotated[int, says("The seat, from 0.")]
    epoch: Annotated[Ordinal, says("The epoch that it was given for.")]
    hash: Annotated[Digest, says("The SHA-256 of the nonce's text, in hex.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    key: Annotated[Digest, says("Its public key (Ed25519), as `GET /v1/keys` lists it.")]
    signature: Annotated[str, says("Over all of this but the key.", pattern="^[0-9a-f]{128}$")]


def receipts_of(ring: KeyRing, seen: Seen) -> list[NonceReceiptAnswer] | UnsetType:
    """Return receipts of the nonces, or hashes, that the caller's seats gave for this epoch; unset without any."""
    found = [made for seat in seen.seats if (made := _receipt(ring, seen, seat)) is not None]
    return found or UNSET


def _receipt(ring: KeyRing, seen: Seen, seat: int) -> NonceReceiptAnswer | None:
    m = seen.match
    nonce, digest = m.nonces[seat], m.hashes[seat]
    if (nonce is None and digest is None) or seen.imported is not None:
        return None
    stage: Literal["hashes", "nonces"] = "hashes" if nonce is None else "nonces"
    hashed = digest if nonce is None else nonce_hash(nonce)
    assert hashed is not None
    at = seen.version, seen.head
    made = ring.signature(receipt_text(ring.server, seen.match_id, stage, (seat, m.epoch), hashed, at))
    if made is None:
        return None
    return NonceReceiptAnswer(ring.server, seen.match_id, stage, seat, m.epoch, hashed, *at, *made)


def vouched(ring: KeyRing, seen: Seen) -> SignedHead | None:
    """Give the signed head of what was seen: of an imported match, what the server has signed that ran it.

    What is stored of that and does not hold vouches for nothing.
    """
    if seen.imported is None:
        return ring.sign(MATCH, seen.match_id, seen.version, seen.head)
    try:
        head = convert(seen.imported.signed, SignedHead | None)
    except ValidationError:
        return None
    if head is None or not is_signed(head) or in_false_name(ring, head.server, head.key):
        return None
    fits = (head.version, head.head) == (seen.version, seen.head)
    return head if fits and (head.kind, head.id) == (MATCH, seen.match_id) else None


def with_signature(event: bytes, head: SignedHead | None) -> bytes:
    """Add a signed head to an event that is JSON already."""
    return event if head is None else event[:-1] + b',"signed":' + json.encode(head) + b"}"


def signed_head(ring: KeyRing, kind: str, head: Head) -> SignedHead | None:
    """Sign the head of a stream of a kind; None if this server has no key."""
    return ring.sign(kind, head.match_id, head.version, head.head.hex())


def as_answer(head: SignedHead | None) -> SignedHeadAnswer | None:
    """Put a signed head into an answer, which has its fields."""
    return cast("SignedHeadAnswer | None", head)
