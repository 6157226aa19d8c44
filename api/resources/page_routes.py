"""Serves the page on which people play, and the files that it consists of."""

from typing import Final

from flask import Blueprint, Response, render_template, request

from api.http.openapi_operations import LOCATION, NOT_MODIFIED, VARY, Operation, Reply
from api.http.packing import packed
from api.http.prefix import with_prefix
from api.http.present import IF_NONE_MATCH, in_browser
from api.http.problems import Problem
from api.resources.docs_routes import PAGE, WEB, page_of
from api.resources.page_files import KINDS, digest, files, served

bp = Blueprint("page", __name__, template_folder=str(WEB))

FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A file whose address has the digest of all files is the same for ever."""


@bp.get("/")
@Operation(
    id="readRoot",
    tag="service",
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 302: Reply("See `/play`.", headers=(LOCATION, VARY)), 304: NOT_MODIFIED},
)
def root() -> Response:
    """Show the page on which people play, to people who open the address of the server in a browser.

    A program is led to `/play`.
    """
    if in_browser():
        response = _page()
    else:
        response = Response(status=302, headers={"Location": with_prefix("/play")}, content_type="text/plain")
    response.vary.update(("Accept", "Authorization"))
    return response


@bp.get("/play")
@Operation(
    id="readPage", tag="service", access="public", parameters=(IF_NONE_MATCH,), replies={200: PAGE, 304: NOT_MODIFIED}
)
def page() -> Response:
    """Show the page on which people play."""
    return _page()


def _page() -> Response:
    static = f"{request.script_root}/play/static/{digest()}"
    return page_of(render_template("table.html", root=request.script_root, static=static))


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
