"""Serves the page on which people play, and the files that it consists of."""

from functools import cache
from hashlib import sha256
from typing import Final

from flask import Blueprint, Response, render_template, request

from api.http.openapi_operations import CACHE_CONTROL, CONTENT_POLICY, VARY, Operation, Reply, text
from api.http.packing import packed
from api.http.problems import Problem
from api.resources.docs_routes import WEB

bp = Blueprint("page", __name__, template_folder=str(WEB))

STATIC: Final = WEB / "static"
KINDS: Final = {"js": "text/javascript", "css": "text/css"}
"""The kinds of files that browsers load, by the ends of their names."""

PAGE: Final = Reply(
    "A page.",
    {"text/html": text('<!doctype html>\n<html lang="en">\n')},
    headers=(CONTENT_POLICY, CACHE_CONTROL, VARY),
)

POLICY: Final = (
    "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A file whose address has the digest of all files is the same for ever."""


@cache
def files() -> dict[str, bytes]:
    """Give the files that browsers load, by their paths."""
    kept = sorted(path for path in STATIC.rglob("*") if path.suffix[1:] in KINDS)
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in kept}


@cache
def digest() -> str:
    """Give the digest of all files, which import each other by paths and so have it in one place."""
    seen = sha256()
    for name, data in files().items():
        seen.update(f"{name} {len(data)} ".encode() + data)
    return seen.hexdigest()[:16]


@bp.get("/play")
@Operation(id="readPage", tag="service", access="public", replies={200: PAGE})
def page() -> Response:
    """Show the page on which people play."""
    modules = [name for name in files() if name.startswith("table/") and name.endswith(".js")]
    static = f"{request.script_root}/play/static/{digest()}"
    written = render_template("table.html", root=request.script_root, static=static, modules=modules)
    response = Response(written, content_type="text/html; charset=utf-8")
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
    response = Response(files()[name], content_type=f"{KINDS[name.rpartition('.')[2]]}; charset=utf-8")
    response.headers["Cache-Control"] = FOR_EVER if digest_ == digest() else "no-store"
    return packed(response)
