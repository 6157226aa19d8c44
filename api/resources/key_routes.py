"""Serves the public keys by which this server signs."""

from collections.abc import Sequence
from typing import Annotated, Literal

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.openapi_operations import (
    CACHE_CONTROL,
    VARY,
    Answer,
    Digest,
    NextCursor,
    Operation,
    Reply,
    Timestamp,
    says,
)
from api.http.responses import json_answer

bp = Blueprint("keys", __name__, url_prefix="/v1/keys")


class KeyAnswer(Answer):
    key: Annotated[Digest, says("The public key: 32 bytes in hex.")]
    algorithm: Annotated[Literal["Ed25519"], says("The algorithm of the signatures.")]
    since: Annotated[Timestamp, says("When it was first used.")]
    until: Annotated[Timestamp | None, says("When another took its place; null: it signs now.")]
    succession: Annotated[
        str | None,
        says("The signature of the key before it over the step to this one, in hex; null for the first key."),
    ]
    countersignature: Annotated[
        str | None, says("This key's own signature over the same step, in hex; null for the first key.")
    ]


class KeysAnswer(Answer):
    server: Annotated[str, says("The name in which this server signs.")]
    items: Annotated[Sequence[KeyAnswer], says("All keys that it ever signed with, the oldest first.")]
    next: NextCursor


@bp.get("")
@Operation(
    tag="history",
    access="public",
    replies={200: Reply("The keys.", KeysAnswer, headers=(CACHE_CONTROL, VARY))},
    needs_database=False,
)
def list_keys() -> Response:
    """List signing keys.

    A match, its record, the answer to a move and the last event of a feed have `signed`, a head with the server's
    signature over it. It holds by one of these keys. A server without a key signs nothing, and lists none.
    """
    ring = app_state().keys
    items = [KeyAnswer(k.key, "Ed25519", k.since, k.until, k.succession, k.countersignature) for k in ring.keys]
    return json_answer(KeysAnswer(ring.server, items, None))
