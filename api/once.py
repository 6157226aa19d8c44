"""Requests that are sent twice and done once: the header `Idempotency-Key` (CONTRACT 2)."""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, TypeVar

from flask import Response, request

from api.here import here
from api.identity import me
from api.problems import Problem
from events.codec import canonical
from events.matches import Repeated
from events.store import Idempotency, Remembered

T = TypeVar("T")

_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")


def key(body: Any) -> Idempotency | None:
    """Give what the request is remembered by, if it is to be. Raises 400 for a key that is none."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return None
    if not _KEY.fullmatch(given):
        raise Problem("bad_request", "An Idempotency-Key has 1 to 255 visible ASCII characters.")
    scope = f"{me().player_id}\n{request.method}\n{request.path}\n{given}"
    return Idempotency(sha256(scope.encode()).digest(), sha256(canonical(body)).digest())


def refuse_key() -> None:
    """Refuse the header where a repeat could not be told from somebody else's request."""
    if "Idempotency-Key" in request.headers:
        raise Problem("bad_request", "This call takes no Idempotency-Key.")


def once(
    idempotency: Idempotency | None, do: Callable[[], Response], again: Callable[[Remembered], Response]
) -> Response:
    """Do what is asked, or, if it has been done, answer as then."""
    if idempotency is None:
        return do()
    done = _before(idempotency)
    if done is None:
        try:
            return do()
        except Repeated:  # the same request came first, a moment ago
            done = _before(idempotency)
            assert done is not None
    response = again(done)
    response.headers["Idempotency-Replayed"] = "true"
    return response


def _before(idempotency: Idempotency) -> Remembered | None:
    done = here().store.idempotent(idempotency.key_hash)
    if done is not None and done.body_hash != idempotency.body_hash:
        raise Problem("idempotency_mismatch")
    return done
