"""Serves the page on which people play, and the files that it consists of."""

from hashlib import sha256
from typing import Final

from flask import Response, render_template, request
from werkzeug.exceptions import NotFound

from api.http.compression import compress
from api.http.openapi_operations import LOCATION, NOT_MODIFIED, VARY, Operation, Reply
from api.http.path_prefix import client_link
from api.http.problems import Problem, problem_answer, problem_of_http_error
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, answer_if_changed, is_browser
from api.resources.docs_routes import PAGE, POLICY, guide_page_answer
from api.resources.page_files import KINDS, built_page, read_brotli, read_page_file, why_unbuilt
from domain.games.catalogue import GAMES, folder_of

FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A file whose name has the digest of its content is the same for ever."""


@Operation(
    tag="service",
    searches=("start page", "home page"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 302: Reply("Redirects to `/play`.", headers=(LOCATION, VARY)), 304: NOT_MODIFIED},
)
def read_root() -> Response:
    """Show the start page.

    Browsers get the game page; programs are redirected to `/play`.
    """
    if is_browser():
        response = _page()
    else:
        response = Response(status=302, headers={"Location": client_link("/play")}, content_type="text/plain")
    response.vary.update(("Accept", "Authorization"))
    return response


@Operation(
    tag="service",
    searches=("web client", "play in the browser"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 304: NOT_MODIFIED},
)
def read_page() -> Response:
    """Show the game page.

    Players play on it. It uses this API like any other client.
    """
    return _page()


def _page() -> Response:
    if built_page() is None:
        return _unbuilt()
    return guide_page_answer(_written("table.html"))


def _unbuilt() -> Response:
    """Return why there is no page; the API works without it."""
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": POLICY}
    written = _written("unbuilt.html", reason=why_unbuilt())
    return Response(written, 503, headers, content_type="text/html; charset=utf-8")


def _written(template: str, **said: str) -> str:
    return render_template(template, root=request.script_root, **said)


def page_file_address(name: str) -> str:
    """Return the address of a built script or style; an empty text if the page is not built."""
    built = built_page()
    return f"{request.script_root}/play/static/{built.entries[name]}" if built else ""


def missing_page(error: NotFound) -> Response:
    """Answer a browser at an unknown address with a page that links to the start.

    Programs, and all requests to the API, get a problem.
    """
    if request.path.startswith("/v1/") or not is_browser():
        return problem_answer(problem_of_http_error(error))
    headers = FOR_THE_CALLER | {"Content-Security-Policy": POLICY}
    return Response(_written("missing.html"), NotFound.code, headers, content_type="text/html; charset=utf-8")


def page_file(name: str) -> Response:
    """Return a built file of the page.

    Browsers may keep it for ever. After an upgrade the files of the old page are gone, and a page that is still open
    loads itself again.
    """
    built = built_page()
    if built is None or name not in built.files:
        raise Problem("not_found", "There is no such file.")
    kind = KINDS[name.rpartition(".")[2]]
    response = Response(read_page_file(name), content_type=f"{kind}; charset=utf-8")
    response.headers["Cache-Control"] = FOR_EVER
    return compress(response, brotli=read_brotli(name))


def game_verifier(game: str) -> Response:
    """Return a game's part of the verifier in JavaScript, which the page loads for installed games."""
    path = folder_of(GAMES[game]) / "verify.mjs" if game in GAMES else None
    if path is None or not path.is_file():
        raise Problem("not_found", "The verifier in the page does not know this game.")
    code = path.read_bytes()
    response = answer_if_changed(
        Response(code, content_type="text/javascript; charset=utf-8"), sha256(code).hexdigest()[:16]
    )
    response.headers["Cache-Control"] = "no-cache"
    return compress(response)
