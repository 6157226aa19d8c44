"""Signs webhooks by Standard Webhooks 1.0."""

import hmac
import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping
from typing import Final

PREFIX: Final = "whsec_"
ROTATED_MS: Final = 24 * 3600 * 1000
"""The time for which a secret still signs after it was replaced, in milliseconds."""
MOST_OLD: Final = 4
"""Maximum number of old secrets that still sign: a webhook gets as many new ones in a day."""


def new_secret(random: bytes | None = None) -> str:
    """Return a secret of 32 random bytes, or of those given."""
    return PREFIX + b64encode(random or secrets.token_bytes(32)).decode()


def signing_old_secrets(old_secrets: str, now: int) -> list[tuple[str, int]]:
    """Return the replaced secrets that still sign, the oldest first, each with the time until which it does.

    `old_secrets` is the column of the table.
    """
    return [(secret, until) for secret, until in json.loads(old_secrets) if until > now]


def signature(secret: str, webhook_id: str, timestamp: int, body: bytes) -> str:
    """Sign a body with a secret: `v1,<base64>`."""
    key = b64decode(secret.removeprefix(PREFIX))
    code = hmac.digest(key, f"{webhook_id}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{b64encode(code).decode()}"


def headers(webhook_id: str, timestamp: int, body: bytes, keys: Collection[str]) -> Mapping[str, str]:
    """Return the headers for a body, signed with each valid secret."""
    return {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(key, webhook_id, timestamp, body) for key in keys),
    }
