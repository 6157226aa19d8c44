"""Signs the heads that answers give away."""

from typing import Annotated, cast

from msgspec import ValidationError, convert, json

from api.http.openapi_operations import Answer, Digest, Ordinal, says
from events.proof.keys import KeyRing
from events.proof.own_keys import in_false_name
from events.proof.signed_heads import SignedHead, is_signed
from events.service.views import Seen


class SignedHeadAnswer(Answer):
    """A head in a server's name; `docs/proof.md` says what is signed."""

    server: Annotated[str, says("The name of the server that vouches for it.")]
    match: Annotated[str, says("The id of the match.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    key: Annotated[Digest, says("Its public key (Ed25519), as `GET /v1/keys` lists it.")]
    signature: Annotated[str, says("Over all of this but the key.", pattern="^[0-9a-f]{128}$")]


def vouched(ring: KeyRing, seen: Seen) -> SignedHead | None:
    """Give the signed head of what was seen: of an imported match, what the server has signed that ran it.

    What is stored of that and does not hold vouches for nothing.
    """
    if seen.imported is None:
        return ring.sign(seen.match_id, seen.version, seen.head)
    try:
        head = convert(seen.imported.signed, SignedHead | None)
    except ValidationError:
        return None
    if head is None or not is_signed(head) or in_false_name(ring, head.server, head.key):
        return None
    fits = (head.match, head.version, head.head) == (seen.match_id, seen.version, seen.head)
    return head if fits else None


def with_signature(event: bytes, head: SignedHead | None) -> bytes:
    """Add a signed head to an event that is JSON already."""
    return event if head is None else event[:-1] + b',"signed":' + json.encode(head) + b"}"


def as_answer(head: SignedHead | None) -> SignedHeadAnswer | None:
    """Put a signed head into an answer, which has its fields."""
    return cast("SignedHeadAnswer | None", head)
