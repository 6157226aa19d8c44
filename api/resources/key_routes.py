"""Serves the public keys by which this server signs."""

from collections.abc import Sequence
from typing import Annotated, Literal

from flask import Response

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


class KeyAnswer(Answer):
    key: Annotated[Digest, says("The public key: 32 bytes in hex.")]
    algorithm: Annotated[Literal["Ed25519"], says("The algorithm of the signatures.")]
    since: Annotated[Timestamp, says("When it was first used.")]
    until: Annotated[Timestamp | None, says("When another replaced it; null for the current key.")]
    succession: Annotated[
        str | None,
        says("The previous key's signature over the change to this key, in hex; null for the first key."),
    ]
    countersignature: Annotated[
        str | None, says("This key's signature over the same change, in hex; null for the first key.")
    ]


class KeysAnswer(Answer):
    server: Annotated[str, says("The name that this server signs with.")]
    items: Annotated[Sequence[KeyAnswer], says("All its keys, the oldest first.")]
    next: NextCursor


@Operation(
    tag="history",
    searches=("public keys", "signing key"),
    access="public",
    replies={200: Reply("The keys.", KeysAnswer, headers=(CACHE_CONTROL, VARY))},
    needs_database=False,
)
def list_keys() -> Response:
    """List signing keys.

    Heads in matches, records, moves and feeds have `signed`, a signature by one of these keys. A server without a key
    signs nothing and lists none.
    """
    ring = app_state().keys
    items = [KeyAnswer(k.key, "Ed25519", k.since, k.until, k.succession, k.countersignature) for k in ring.keys]
    return json_answer(KeysAnswer(ring.server, items, None))
