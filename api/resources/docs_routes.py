"""Serves the description of the API, a page to read and try it, and pages to read: guides, and all problems."""

import gzip
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final, Literal

from flask import Response, current_app, render_template, request
from msgspec import json
from werkzeug.exceptions import NotFound

from api.http.compression import compress
from api.http.openapi_operations import (
    CACHE_CONTROL,
    CONTENT_POLICY,
    ETAG,
    JSON,
    NOT_MODIFIED,
    VARY,
    Answer,
    Operation,
    Parameter,
    Reply,
    says,
    text,
)
from api.http.problems import KINDS, Problem
from api.http.request_parsing import read_query
from api.http.request_records import Request, matches, sample
from api.http.responses import IF_NONE_MATCH, answer_if_changed, is_browser, set_etag
from api.resources.page_files import WEB
from domain.core.options import Omissible
from domain.games.catalogue import BUILT_IN, GAMES

PAGE: Final = Reply(
    "A page.",
    {"text/html": text('<!doctype html>\n<html lang="en">\n')},
    headers=(CONTENT_POLICY, CACHE_CONTROL, VARY, ETAG),
)
POLICY: Final = (
    "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
YAML: Final = "application/yaml"
BEGINNING: Final = {"openapi": "3.1.0", "info": {"title": "Dealt", "version": version("dealt")}, "paths": {}}


Parts = dict[str, Any]


class DescriptionQuery(Request):
    games: Omissible[
        Annotated[
            str,
            matches("[a-z][a-z0-9_]*(?:,[a-z][a-z0-9_]*)*", "names of games, joined by commas"),
            sample(example="hearts,trio"),
        ]
    ] = None
    """Only these games, joined by commas."""
    part: Omissible[Literal["core"]] = None
    """`core`: only the operations that a bot needs, and only the games in `games`."""


class DescriptionAnswer(Answer):
    """The description of the API in OpenAPI 3.1."""

    openapi: Annotated[str, says("The version of OpenAPI.")]
    info: Annotated[Parts, says("General information.")]
    tags: Annotated[list[Parts], says("The groups of operations.")]
    security: Annotated[list[Parts], says("The default authentication.")]
    servers: Annotated[list[Parts], says("The base path.")]
    paths: Annotated[Parts, says("The operations.")]
    webhooks: Annotated[Parts, says("The notifications that the server sends.")]
    components: Annotated[Parts, says("Schemas, examples, headers and refusals by their names.")]


_DESCRIBING: Final = Lock()
KEPT: Final = {"Cache-Control": "public, no-cache", "Vary": "Accept-Encoding"}
"""Any cache may keep the description, and must revalidate it: another game may have been installed."""


def api_description(form: str) -> Response:
    """Answer with the description of the app; the first request makes it, and others wait for it."""
    asked = read_query(DescriptionQuery)
    games = tuple(sorted(set(asked.games.split(",")))) if asked.games is not None else ()
    if unknown := [name for name in games if name not in GAMES]:
        raise Problem("bad_arguments", f"`games`: {unknown[0]} is not installed; `GET /v1/games` lists the games.")
    with _DESCRIBING:
        body = _compressed(form, request.script_root, games, asked.part or "")
    takes = request.accept_encodings.best_match(["gzip"]) is not None
    # A compressed answer is another representation, with its own ETag.
    mark = sha256(body).hexdigest()[:32] + ("-1" if takes else "")
    if request.if_none_match.contains_weak(mark):
        response = Response(status=304, headers=KEPT)
        del response.headers["Content-Type"]
        return set_etag(response, mark)
    encoding = {"Content-Encoding": "gzip"} if takes else {}
    data = body if takes else gzip.decompress(body)
    return set_etag(Response(data, headers=KEPT | encoding, content_type=form), mark)


@lru_cache(maxsize=32)
def _compressed(form: str, root: str, games: tuple[str, ...], part: str) -> bytes:
    """Return the description of the app, compressed to a tenth; it is the same for all requests below one path."""
    return gzip.compress(_described(form, root, games, part).encode(), mtime=0)


def _described(form: str, root: str, games: tuple[str, ...] = (), part: str = "") -> str:
    """Return the description from the file of this version, or write it for other games or as a part."""
    if len(GAMES) == len(BUILT_IN) and not games and not part:
        name, servers, path = _FILES[form == JSON]
        here = servers.replace(path, json.encode(root).decode()) if root else servers
        return _file(name).read_text("utf-8").replace(servers, here, 1)
    from api.http.openapi import write_json, write_yaml  # noqa: PLC0415 -- few read this, and every start would wait

    # The core description omits games that were not requested.
    chosen = {name: GAMES[name] for name in GAMES if name in games or not (games or part)}
    return (write_json if form == JSON else write_yaml)(current_app, root, chosen, CORE if part else ())


CORE: Final = (
    "createPlayer",
    "listGames",
    "getGame",
    "createMatch",
    "getMatch",
    "takeSeat",
    "listMoves",
    "makeMove",
    "listEvents",
    "getInbox",
)
"""The ids of the operations that a bot needs."""

_FILES: Final = (
    ("openapi.yaml", "\nservers:\n- {url: /}\n", "/"),
    ("openapi.json", '"servers":[{"url":"/"}]', '"/"'),
)
"""The files in YAML and JSON, each with its section on servers and the base path in it."""


def _file(name: str) -> Path:
    """Return the path of a file as installed, or in the repository."""
    installed = WEB / "documents" / name
    return installed if installed.is_file() else WEB.parents[1] / name


DESCRIBED: Final = (ETAG, CACHE_CONTROL, VARY)
SAME: Final = Reply("Your copy is current.", headers=DESCRIBED)


@Operation(
    tag="service",
    searches=("openapi yaml", "swagger"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=DescriptionQuery,
    replies={
        200: Reply("OpenAPI 3.1.", {YAML: {"type": "object", "examples": [BEGINNING]}}, headers=DESCRIBED),
        304: SAME,
    },
)
def get_description() -> Response:
    """Get the API description.

    Returns the same as `GET /openapi.json`, as YAML: the API of this server with its installed games. You can cache it
    while its `ETag` stays. It is compressed for `Accept-Encoding: gzip`.
    """
    return api_description(f"{YAML}; charset=utf-8")


@Operation(
    tag="service",
    searches=("openapi json", "generate a client"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=DescriptionQuery,
    replies={200: Reply("OpenAPI 3.1.", DescriptionAnswer, headers=DESCRIBED), 304: SAME},
)
def get_description_as_json() -> Response:
    """Get the JSON description.

    The page at `/docs` reads it. You can cache it while its `ETag` stays. It is compressed for `Accept-Encoding: gzip`.
    """
    return api_description(JSON)


@Operation(
    tag="service",
    searches=("api reference", "documentation"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 304: NOT_MODIFIED},
)
def read_docs() -> Response:
    """Show the API reference.

    Returns a page that reads `GET /openapi.json` and sends requests with your token, which stays in the browser.
    """
    from api.http import guide_pages  # noqa: PLC0415 -- as above
    from api.http.openapi import list_operations  # noqa: PLC0415 -- as above

    kinds = {code: (kind.status, kind.title) for code, kind in KINDS.items()}
    notes = json.encode({"operations": list_operations(current_app), "kinds": kinds}).decode()
    books = [guide for address, guide in guide_pages.guides().items() if address.startswith("/docs/rules/")]
    guides = guide_pages.guides().values()
    return _page("docs.html", index=guide_pages.guide_index(), guides=guides, books=books, notes=notes)


@Operation(
    tag="service",
    searches=("contract", "reference page"),
    access="public",
    parameters=(
        Parameter("page", "path", "The page; `/docs` lists them.", example="contract"),
        IF_NONE_MATCH,
    ),
    replies={200: PAGE, 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def read_guide(page: str) -> Response:
    """Show a reference page.

    Returns a page for all readers, such as the glossary, the contract, the common rules or the proof.
    """
    return _guide(f"/docs/{page}")


@Operation(
    tag="service",
    searches=("how-to guides", "tutorial"),
    access="public",
    parameters=(Parameter("page", "path", "The task; `/docs` lists them.", example="notifications"), IF_NONE_MATCH),
    replies={200: PAGE, 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def read_how_to(page: str) -> Response:
    """Show a guide.

    Returns a short guide with the requests for a task, such as getting notified of your turn.
    """
    return _guide(f"/docs/how-to/{page}")


@Operation(
    tag="service",
    searches=("rulebook", "read the rules"),
    access="public",
    parameters=(
        Parameter("book", "path", "A game, or a family of games that share rules.", example="hearts"),
        IF_NONE_MATCH,
    ),
    replies={200: PAGE, 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def read_rulebook(book: str) -> Response:
    """Show a rulebook.

    Returns the rulebook whose numbers refusals and texts cite.
    """
    return _guide(f"/docs/rules/{book}")


@Operation(
    tag="service",
    searches=("error codes", "problem types"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 304: NOT_MODIFIED},
)
def read_problems() -> Response:
    """Show the error codes.

    Lists each code with its status, its meaning and its fix. The `type` of a problem links to its code here.
    """
    return _page("problems.html", kinds=KINDS)


def _guide(address: str) -> Response:
    from api.http import guide_pages  # noqa: PLC0415 -- as above

    if address not in guide_pages.guides():
        if is_browser():
            raise NotFound
        raise Problem("not_found", "There is no such page; `/docs` lists them.")
    audience, related = guide_pages.related_guides(address)
    guide = guide_pages.render_guide(address, request.script_root)
    return _page("guide.html", guide=guide, address=address, audience=audience, related=related)


def _page(template: str, **said: object) -> Response:
    return guide_page_answer(render_template(template, root=request.script_root, **said))


def guide_page_answer(written: str) -> Response:
    """Answer with a page that is the same for all callers; browsers revalidate it."""
    response = answer_if_changed(
        Response(written, content_type="text/html; charset=utf-8"), sha256(written.encode()).hexdigest()[:16]
    )
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-cache"
    response.vary.clear()
    return compress(response)
