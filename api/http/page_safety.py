"""Keeps browsers from guessing types, telling addresses to other sites, and sharing a window with them."""

from collections.abc import Mapping
from typing import Final

from flask import Flask, Response

HEADERS: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    # An address may be a secret: a feed, an invitation, the end of a subscription.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Every answer has these headers: a browser may show any of them as a document."""


def install(app: Flask) -> None:
    """Set these headers on every answer."""

    @app.after_request
    def guard(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response
