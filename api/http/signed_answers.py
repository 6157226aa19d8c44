"""Signs the heads in answers."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Literal, cast

from msgspec import UNSET, UnsetType, ValidationError, convert, json
from msgspec.structs import replace

from api.http.openapi_operations import Answer, Digest, Ordinal, says
from domain.collection.collection_events import PackOpened
from domain.core.fairness import nonce_hash
from events.proof.keys import KeyRing
from events.proof.own_keys import in_false_name
from events.proof.receipts import GivenNonce
from events.proof.receipts import receipt_message as receipt_text
from events.proof.signed_heads import COLLECTION, MATCH, TOURNAMENT, SignedHead, is_signed
from events.service.context import Context
from events.service.views import Seen
from events.store.records import Head
from events.transparency.tree_heads import prove_head


class SignedHeadAnswer(Answer):
    """A signed head; `docs/proof.md` defines the signed text."""

    server: Annotated[str, says("The name of the server that signed it.")]
    kind: Annotated[Literal["match", "tournament", "collection", "deal_group"], says("The kind of log.")]
    id: Annotated[str, says("The id of the match, tournament, collection or duplicate group.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    key: Annotated[Digest, says("Its public key (Ed25519), as `GET /v1/keys` lists it.")]
    signature: Annotated[str, says("The signature of all other fields except the key.", pattern="^[0-9a-f]{128}$")]
    logged: Annotated[
        str | UnsetType,
        says("In records: the proof that the head is in the transparency log (C2SP tlog-proof), once there is one."),
    ] = UNSET


class NonceReceiptAnswer(Answer):
    """A signed receipt for your nonce or its hash. Keep it: it proves a later omission by the server.

    `docs/proof.md` says what is signed.
    """

    server: Annotated[str, says("The name of the server.")]
    kind: Annotated[Literal["match", "tournament", "collection"], says("The purpose of the nonce.")]
    id: Annotated[str, says("The id of the match, tournament or collection.")]
    stage: Annotated[Literal["hashes", "nonces"], says("Whether it is about a hash, or about the nonce itself.")]
    seat: Annotated[int | None, says("The seat in a match, from 0; null otherwise.")]
    player: Annotated[str | None, says("The id of the player in a tournament; null otherwise.")]
    epoch: Annotated[Ordinal, says("The epoch of the nonce; 1 in a tournament.")]
    hash: Annotated[Digest, says("The SHA-256 of the nonce's text, in hex.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    key: Annotated[Digest, says("Its public key (Ed25519), as `GET /v1/keys` lists it.")]
    signature: Annotated[str, says("The signature of all other fields except the key.", pattern="^[0-9a-f]{128}$")]


NonceReceipts = Annotated[
    list[NonceReceiptAnswer] | UnsetType,
    says(
        "Receipts for the nonces or hashes that you sent; they prove it (`dealt verify --receipt`) if the server omits"
        " one later."
    ),
]


def receipts_of(ring: KeyRing, seen: Seen) -> NonceReceipts:
    """Return receipts of the nonces, or hashes, that the caller's seats gave for this epoch; unset without any."""
    if seen.imported is not None:
        return UNSET
    given = [nonce for seat in seen.seats if (nonce := _given_by_seat(seen, seat)) is not None]
    return _receipts(ring, given, seen.version, seen.head)


def _given_by_seat(seen: Seen, seat: int) -> GivenNonce | None:
    m = seen.match
    nonce, digest = m.shuffles.nonces[seat], m.shuffles.hashes[seat]
    if nonce is not None:
        return GivenNonce(MATCH, seen.match_id, "nonces", m.shuffles.epoch, nonce_hash(nonce), seat)
    return None if digest is None else GivenNonce(MATCH, seen.match_id, "hashes", m.shuffles.epoch, digest, seat)


def receipt_of_entry(ring: KeyRing, head: Head, player: str, nonce: str) -> NonceReceipts:
    """Return the receipt of a nonce with which a player has just entered a tournament; unset without a nonce."""
    given = [GivenNonce(TOURNAMENT, head.match_id, "nonces", 1, nonce_hash(nonce), player=player)] if nonce else []
    return _receipts(ring, given, head.version, head.head.hex())


def receipt_of_pack(ring: KeyRing, collection: str, pack: PackOpened, version: int, head: str) -> NonceReceipts:
    """Return the receipt of a nonce with which a pack was opened by an event; unset without a nonce."""
    nonce = pack.nonce
    given = [GivenNonce(COLLECTION, collection, "nonces", pack.epoch, nonce_hash(nonce))] if nonce else []
    return _receipts(ring, given, version, head)


def _receipts(ring: KeyRing, given: Sequence[GivenNonce], version: int, head: str) -> NonceReceipts:
    """Sign receipts of nonces at a version; unset if there is no nonce, or this server has no key."""
    made = [
        NonceReceiptAnswer(
            ring.server, nonce.kind, nonce.id, nonce.stage, nonce.seat, nonce.player, nonce.epoch, nonce.hash,
            version, head, *signature,
        )
        for nonce in given
        if (signature := ring.signature(receipt_text(ring.server, nonce, version, head))) is not None
    ]  # fmt: skip
    return made or UNSET


def sign_seen_head(ring: KeyRing, seen: Seen) -> SignedHead | None:
    """Return the signed head of a state; for an imported match, the signature of the server that ran it.

    Stored signatures that are invalid are dropped.
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


def add_signed_head(event: bytes, head: SignedHead | None) -> bytes:
    """Add a signed head to an event that is JSON already."""
    return event if head is None else event[:-1] + b',"signed":' + json.encode(head) + b"}"


def sign_head(ring: KeyRing, kind: str, head: Head) -> SignedHead | None:
    """Sign the head of a stream of a kind; None if this server has no key."""
    return ring.sign(kind, head.match_id, head.version, head.head.hex())


def add_log_proof(context: Context, head: SignedHead | None) -> SignedHead | None:
    """Add the proof that a signed head is in the transparency log, once there is one."""
    proof = prove_head(context.store, head)
    return head if head is None or proof is None else replace(head, logged=proof)


def proof_tag(head: SignedHead | None) -> list[str]:
    """Return the part of an `ETag` that follows from the proof of a head; empty without one."""
    return [] if head is None or head.logged is None else [sha256(head.logged.encode()).hexdigest()[:8]]


def signed_head_answer(head: SignedHead | None) -> SignedHeadAnswer | None:
    """Add a signed head to an answer."""
    return cast("SignedHeadAnswer | None", head)
