"""Says what the leaves of the transparency log hold (docs/proof.md).

A leaf holds a digest of a salt and a text. The salt is given only to readers of the stream, so the
log names no match, and guesses cannot be tested. All salts follow from one secret of the log.
"""

import hmac
import json
from hashlib import sha256

from events.proof.keys import SigningKey
from events.proof.log_entries import entry_of


def salt_of(secret: bytes, body: str) -> bytes:
    """Return the salt of a text."""
    return hmac.digest(secret, body.encode(), "sha256")


def salted_entry(secret: bytes, body: str) -> bytes:
    """Return the entry for a text."""
    return entry_of(salt_of(secret, body), body)


def key_text(key: SigningKey, before: SigningKey | None) -> str:
    """Return the text about a key, with the signatures of the step to it from the key before."""
    parts = (key.key, key.since, before.key if before else "", key.succession or "", key.countersignature or "")
    return "|".join(("key", *parts))


def rating_text(match_id: str, pool: str, ratings: str) -> str:
    """Return the text about a change of ratings, given as stored JSON: its numbers are covered by a digest."""
    canonical = json.dumps(json.loads(ratings), sort_keys=True, separators=(",", ":"))
    return f"rating|{match_id}|{pool}|{sha256(canonical.encode()).hexdigest()}"
