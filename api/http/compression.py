"""Compresses answers that hold no secret (decision 25)."""

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Final, cast

from flask import Response, request

from api.http.responses import answer_if_changed

LEVEL, LEVEL_KEPT = 6, 9
"""The level of compression, and that of cached answers, which are compressed only once."""
GZIP_BITS: Final = 31
"""Makes zlib write gzip, without a time, so that equal answers have equal bytes."""

LEAST_BYTES: Final = 400
"""Shorter answers are sent as they are: compression would not make them shorter."""

MOST_KEPT: Final = 128
"""The maximum number of cached compressed answers."""


def compress(response: Response, *, is_kept: bool = True, brotli: bytes | None = None) -> Response:
    """Compress an answer for a client that accepts it.

    `is_kept` means that the compressed answer is cached, for the few that all clients request. `brotli` is the same
    content compressed by Brotli, if there is one. Never call it for an answer with a secret of its reader, or of a
    running match: its length would reveal information.
    """
    response.vary.add("Accept-Encoding")
    encodings = ["gzip", "identity"] if brotli is None else ["br", "gzip", "identity"]
    encoding = request.accept_encodings.best_match(encodings)
    if response.status_code != 200 or encoding in {None, "identity"}:
        return response
    if encoding == "br" and brotli is not None:
        response.set_data(brotli)
    elif response.is_streamed:
        response.response = _flowing(cast("Iterable[bytes]", response.response))
    else:
        body = response.get_data()
        if len(body) < LEAST_BYTES:
            return response
        response.set_data(_whole(body) if is_kept else b"".join(_flowing([body])))
    response.headers["Content-Encoding"] = encoding
    if tag := response.get_etag()[0]:
        response.set_etag(tag, weak=True)
    return response


def answer_everybody(written: Response) -> Response:
    """Answer with data that is the same for all callers, with 304 if it has not changed."""
    response = answer_if_changed(written, sha256(written.get_data()).hexdigest()[:16])
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept"
    return compress(response)


@lru_cache(MOST_KEPT)
def _whole(body: bytes) -> bytes:
    return b"".join(_flowing([body], LEVEL_KEPT))


def _flowing(parts: Iterable[bytes], level: int = LEVEL) -> Iterator[bytes]:
    packer = zlib.compressobj(level, zlib.DEFLATED, GZIP_BITS)
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()
