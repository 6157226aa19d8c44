"""Answers repeated requests with the first answer: the header `Idempotency-Key` (contract 2)."""

import hmac
import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, TypeVar

from flask import Response, request

from api.http.app_state import app_state
from api.http.auth import bearer_token, require_player
from api.http.openapi_operations import Parameter
from api.http.problems import Problem
from domain.core.game import Refused
from events.errors import Conflict, Repeated
from events.log.codec import canonical
from events.service import request_keys
from events.store.records import Idempotency, Remembered

T = TypeVar("T")

IDEMPOTENCY_KEY: Final = Parameter(
    "Idempotency-Key",
    "header",
    "1 to 255 visible ASCII characters. Send the same key with a retry.",
    {"type": "string", "pattern": "^[!-~]{1,255}$"},
    "5f0c9a4e-6f52-4a53-9c8e-2f4f2ad0a1b7",
)

_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_RANDOM: Final = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")

LEAST_DIFFERENT: Final = 7
"""A random key has more distinct digits than this, and more distinct steps from a digit to the next.

32 random hexadecimal digits fail that once in ten million draws.
"""
PIECE: Final = 8
"""The length of the parts of a random key that are all different: 32 digits fail that once in ten million draws."""


def idempotency_key(body: Any, scope: str | None = None) -> Idempotency | None:
    """Return the idempotency key of a request, if any. Raise 400 for an invalid one.

    A key belongs to its player, or to another `scope`.
    """
    given = check_key()
    if given is None:
        return None
    asked = f"{scope or require_player().player_id}\n{request.method}\n{request.path}\n{given}"
    return Idempotency(sha256(asked.encode()).digest(), sha256(canonical(body)).digest())


def check_key() -> str | None:
    """Return the request's key, if it has one. Raise 400 for an invalid one."""
    given = request.headers.get("Idempotency-Key")
    if given is not None and not _KEY.fullmatch(given):
        raise Problem("bad_request", "An Idempotency-Key has 1 to 255 visible ASCII characters.")
    return given


def is_unguessable(given: str) -> bool:
    """Return whether a key looks random: 32 hexadecimal digits or more, or a random UUID.

    Few different digits, ascending or descending digits, and repetitions do not look random.
    """
    if not _RANDOM.fullmatch(given.lower()):
        return False
    digits = given.replace("-", "").lower()
    steps = {(int(after, 16) - int(before, 16)) % 16 for before, after in pairwise(digits)}
    pieces = [digits[at : at + PIECE] for at in range(len(digits) - PIECE + 1)]
    return min(len(set(digits)), len(steps)) > LEAST_DIFFERENT and len(set(pieces)) == len(pieces)


def refuse_key() -> None:
    """Refuse the header if a repeat could not be distinguished from another caller's request."""
    if "Idempotency-Key" in request.headers:
        raise Problem("bad_request", "This operation accepts no `Idempotency-Key`. Omit the header.")


def run_once(
    idempotency: Idempotency | None, do: Callable[[], Response], again: Callable[[Remembered], Response]
) -> Response:
    """Answer the request, or repeat the stored answer."""
    if idempotency is None:
        return do()
    done = find_repeat(idempotency)
    if done is None:
        try:
            return do()
        except (Repeated, Refused, Conflict):  # perhaps the same request arrived a moment earlier
            done = find_repeat(idempotency)
            if done is None:
                raise
    return mark_replayed(again(done))


def mark_replayed(response: Response) -> Response:
    """Mark an answer as repeated."""
    response.headers["Idempotency-Replayed"] = "true"
    return response


def find_repeat(idempotency: Idempotency) -> Remembered | None:
    """Return the earlier result for this key, if any. Raise 422 for a different request."""
    done = request_keys.find_earlier_answer(app_state().context, idempotency)
    if done is not None and done.body_hash != idempotency.body_hash:
        raise Problem("idempotency_mismatch")
    return done


def draw_bytes(purpose: str, asked: Idempotency | None) -> bytes:
    """Draw 32 random bytes; for a request with a key, the same for the same purpose of the same request."""
    if asked is None:
        return secrets.token_bytes(32)
    return hmac.digest((bearer_token() or "").encode(), f"{purpose}|{asked.key_hash.hex()}".encode(), "sha256")
