"""Computes the seals of secret parts, and the chain of digests over all events (contract 6)."""

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from domain.core.visibility import Reader
from events.log.codec import canonical

NO_EVENT: Final = "0" * 64
"""The digest before the first event."""


def seal_key(hand_key: bytes, seq: int, field: str, reader: Reader) -> bytes:
    """Return the key of one seal, 32 bytes, from the key of its hand."""
    return hmac.digest(hand_key, f"seal|{seq}|{field}|{reader}".encode("ascii"), "sha256")


def seal(key: bytes, seq: int, field: str, reader: Reader, value: Any) -> str:
    """Seal one secret part for one reader, hex. `value` is as JSON has it."""
    message = canonical({"field": field, "reader": reader, "seq": seq, "value": value})
    return hmac.digest(key, message, "sha256").hex()


def seals(hand_key: bytes, seq: int, parts: Mapping[str, Mapping[Reader, Any]]) -> dict[str, dict[Reader, str]]:
    """Seal all secret parts of an event."""
    return {
        field: {
            reader: seal(seal_key(hand_key, seq, field, reader), seq, field, reader, value)
            for reader, value in part.items()
        }
        for field, part in parts.items()
    }


def mac(seal_secret: bytes, seq: int, head: str) -> bytes:
    """Return the code of a commit whose last event is number `seq`: it needs the match's secrets.

    A person with write access to the log can recompute all digests; an audit finds that by this code.
    """
    return hmac.digest(hmac.digest(seal_secret, b"log", "sha256"), f"{seq}|{head}".encode("ascii"), "sha256")


def digest(before: str, envelope: Mapping[str, Any]) -> str:
    """Return the digest of an event, in hex, from the previous digest.

    The envelope is `{at, cause, commit, data, match, seals, seq, type, v}` with the public fields in `data`.
    """
    return sha256(before.encode("ascii") + canonical(envelope)).hexdigest()
