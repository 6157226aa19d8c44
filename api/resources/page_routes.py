"""Serves the page on which people play, and the files that it consists of."""

from hashlib import sha256
from typing import Final

from flask import Blueprint, Response, render_template, request

from api.http.openapi_operations import CACHE_CONTROL, CONTENT_POLICY, ETAG, NOT_MODIFIED, VARY, Operation, Reply, text
from api.http.packing import packed
from api.http.present import IF_NONE_MATCH, tagged
from api.http.problems import Problem
from api.resources.docs_routes import WEB
from api.resources.page_files import KINDS, digest, files, served

bp = Blueprint("page", __name__, template_folder=str(WEB))

PAGE: Final = Reply(
    "A page.",
    {"text/html": text('<!doctype html>\n<html lang="en">\n')},
    headers=(CONTENT_POLICY, CACHE_CONTROL, VARY, ETAG),
)

POLICY: Final = (
    "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A file whose address has the digest of all files is the same for ever."""


@bp.get("/play")
@Operation(
    id="readPage", tag="service", access="public", parameters=(IF_NONE_MATCH,), replies={200: PAGE, 304: NOT_MODIFIED}
)
def page() -> Response:
    """Show the page on which people play."""
    static = f"{request.script_root}/play/static/{digest()}"
    written = render_template("table.html", root=request.script_root, static=static)
    response = tagged(
        Response(written, content_type="text/html; charset=utf-8"), sha256(written.encode()).hexdigest()[:16]
    )
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-cache"
    return packed(response)


@bp.get("/play/static/<digest_>/<path:name>")
def file(digest_: str, name: str) -> Response:
    """Give a file of the page.

    It may be kept for ever, for another file has another address. A page that is open while the server is changed
    gets the file as it is now.
    """
    if name not in files():
        raise Problem("not_found", "There is no such file.")
    response = Response(served(name), content_type=f"{KINDS[name.rpartition('.')[2]]}; charset=utf-8")
    response.headers["Cache-Control"] = FOR_EVER if digest_ == digest() else "no-store"
    return packed(response)
