"""Check the signatures of webhooks."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dealt_client.errors import DealtError

if TYPE_CHECKING:
    from dealt_client.models import SentNotice

TOLERANCE = 300
"""Seconds by which a timestamp may be off."""


class NotGenuine(DealtError):
    """A webhook was not signed with this secret, or not lately."""


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None) -> SentNotice:
    """Return the notification in the raw body of a webhook. Raises NotGenuine if the server did not just send it.

    A notification can arrive twice: remember the `webhook-id` of those that you handled.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        notice, sent, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        age = abs((time.time() if now is None else now) - int(sent))
    except (KeyError, ValueError, binascii.Error) as error:
        raise NotGenuine("A header or the secret is missing or malformed.") from error
    made = base64.b64encode(hmac.digest(key, f"{notice}.{sent}.".encode() + body, "sha256"))
    if not any(hmac.compare_digest(b"v1," + made, one.encode()) for one in signatures.split()):
        raise NotGenuine("No signature fits the secret.")
    if age > TOLERANCE:
        raise NotGenuine(f"The timestamp is more than {TOLERANCE} seconds off.")
    notification: Any = json.loads(body)
    return notification  # type: ignore[no-any-return]
