"""Keeps browsers from guessing types, telling addresses to other sites, and sharing a window with them."""

from collections.abc import Mapping
from typing import Final

from flask import Flask, Response, request

TYPED: Final[Mapping[str, str]] = {"X-Content-Type-Options": "nosniff"}
"""Every answer has this header."""

HEADERS: Final[Mapping[str, str]] = {
    **TYPED,
    # An address may be a secret: that of a feed, an invitation, or an unsubscribe link.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Every answer that a browser may show as a document has these headers."""

PARTS: Final = frozenset({"empty", "font", "image", "manifest", "script", "style"})
"""Destinations other than documents: the answer is part of a page, or read by its script."""


def add_security_headers(app: Flask) -> None:
    """Set these headers on the answers that need them."""

    @app.after_request
    def guard(response: Response) -> Response:
        # A page always has these headers: a cache may show it to other readers.
        is_part = request.headers.get("Sec-Fetch-Dest") in PARTS and response.mimetype != "text/html"
        response.headers.update(TYPED if is_part else HEADERS)
        return response
