"""Serves the page on which people play, and the files that it consists of."""

from typing import Final

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import NotFound

from api.http.compression import compress
from api.http.openapi_operations import LOCATION, NOT_MODIFIED, VARY, Operation, Reply
from api.http.path_prefix import client_link
from api.http.problems import Problem, problem_answer, problem_of_http_error
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, is_browser
from api.resources.docs_routes import PAGE, POLICY, WEB, guide_page_answer
from api.resources.page_files import KINDS, browser_files, files_digest, read_served_file

bp = Blueprint("page", __name__, template_folder=str(WEB))

FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A file whose address has the digest of all files is the same for ever."""


@bp.get("/")
@Operation(
    tag="service",
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 302: Reply("See `/play`.", headers=(LOCATION, VARY)), 304: NOT_MODIFIED},
)
def read_root() -> Response:
    """Show the start page.

    Browsers get the page for playing.
    A program is led to `/play`.
    """
    if is_browser():
        response = _page()
    else:
        response = Response(status=302, headers={"Location": client_link("/play")}, content_type="text/plain")
    response.vary.update(("Accept", "Authorization"))
    return response


@bp.get("/play")
@Operation(tag="service", access="public", parameters=(IF_NONE_MATCH,), replies={200: PAGE, 304: NOT_MODIFIED})
def read_page() -> Response:
    """Show the game page."""
    return _page()


def _page() -> Response:
    return guide_page_answer(_written("table.html"))


def _written(template: str) -> str:
    static = f"{request.script_root}/play/static/{files_digest()}"
    return render_template(template, root=request.script_root, static=static)


@bp.app_errorhandler(NotFound)
def missing_page(error: NotFound) -> Response:
    """Say in words that nothing is at an address that somebody opens in a browser, and where to go from there.

    A program is answered with a problem, and so is whoever asks the API.
    """
    if request.path.startswith("/v1/") or not is_browser():
        return problem_answer(problem_of_http_error(error))
    headers = FOR_THE_CALLER | {"Content-Security-Policy": POLICY}
    return Response(_written("missing.html"), NotFound.code, headers, content_type="text/html; charset=utf-8")


@bp.get("/play/static/<digest_>/<path:name>")
def page_file(digest_: str, name: str) -> Response:
    """Give a file of the page.

    It may be kept for ever, for another file has another address. A page that is open while the server is changed
    gets the file as it is now.
    """
    if name not in browser_files():
        raise Problem("not_found", "There is no such file.")
    response = Response(read_served_file(name), content_type=f"{KINDS[name.rpartition('.')[2]]}; charset=utf-8")
    response.headers["Cache-Control"] = FOR_EVER if digest_ == files_digest() else "no-store"
    return compress(response)
