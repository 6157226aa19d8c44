"""Serves the description of the API, a page to read and try it, and pages to read: guides, and all problems."""

import gzip
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final

from flask import Blueprint, Response, current_app, render_template, request
from marshmallow import fields, validate
from msgspec import json
from werkzeug.exceptions import NotFound

from api.http.common_fields import doc, pattern_field
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
from api.http.responses import IF_NONE_MATCH, answer_if_changed, is_browser, set_etag
from api.http.strict_fields import Strict
from api.resources.page_files import WEB
from domain.games.catalogue import BUILT_IN, GAMES

bp = Blueprint("docs", __name__, template_folder=str(WEB))

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


class DescriptionQuery(Strict):
    games = pattern_field(
        "[a-z][a-z0-9_]*(?:,[a-z][a-z0-9_]*)*",
        **doc("Only these games, joined by commas, with all of their own parts.", example="hearts,trio"),
    )
    part = fields.String(
        validate=validate.OneOf(["core"]),
        **doc("`core`: only the operations that a bot needs; of games, only those in `games`."),
    )


class DescriptionAnswer(Answer):
    """The description of the API in OpenAPI 3.1."""

    openapi: Annotated[str, says("The version of OpenAPI.")]
    info: Annotated[Parts, says("What this is.")]
    tags: Annotated[list[Parts], says("The groups of operations.")]
    security: Annotated[list[Parts], says("How to say who asks, unless an operation says otherwise.")]
    servers: Annotated[list[Parts], says("The path below which all others are.")]
    paths: Annotated[Parts, says("The operations.")]
    webhooks: Annotated[Parts, says("What the server sends.")]
    components: Annotated[Parts, says("Schemas, examples, headers and refusals by their names.")]


_DESCRIBING: Final = Lock()
KEPT: Final = {"Cache-Control": "public, no-cache", "Vary": "Accept-Encoding"}
"""Anybody may keep the description, and asks whether it is still the same: another game may have been installed."""


def api_description(form: str) -> Response:
    """Answer with the description of the app; the first request makes it, and others wait for it."""
    asked = read_query(DescriptionQuery())
    games = tuple(sorted(set(asked["games"].split(",")))) if "games" in asked else ()
    if unknown := [name for name in games if name not in GAMES]:
        raise Problem("bad_arguments", f"`games`: {unknown[0]} is not installed; `GET /v1/games` lists the games.")
    with _DESCRIBING:
        body = _compressed(form, request.script_root, games, asked.get("part", ""))
    takes = request.accept_encodings.best_match(["gzip"]) is not None
    # What is compressed is another representation, with a mark of its own.
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

    # The core says nothing of games that are not asked for.
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
"""The files in YAML and JSON, each with its part about servers, and the path in it below which all others are."""


def _file(name: str) -> Path:
    """Return the path of a file as installed, or in the repository."""
    installed = WEB / "documents" / name
    return installed if installed.is_file() else WEB.parents[1] / name


DESCRIBED: Final = (ETAG, CACHE_CONTROL, VARY)
SAME: Final = Reply("You have it already.", headers=DESCRIBED)


@bp.get("/openapi.yaml")
@Operation(
    tag="service",
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=DescriptionQuery(),
    replies={
        200: Reply("OpenAPI 3.1.", {YAML: {"type": "object", "examples": [BEGINNING]}}, headers=DESCRIBED),
        304: SAME,
    },
)
def get_description() -> Response:
    """Get the API description.

    As YAML, and the same as `GET /openapi.json`: that of this server, with the games that are installed here. It
    may be kept as long as its `ETag` stays, and is compressed for a client that says `Accept-Encoding: gzip`.
    """
    return api_description(f"{YAML}; charset=utf-8")


@bp.get("/openapi.json")
@Operation(
    tag="service",
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=DescriptionQuery(),
    replies={200: Reply("OpenAPI 3.1.", DescriptionAnswer, headers=DESCRIBED), 304: SAME},
)
def get_description_as_json() -> Response:
    """Get the JSON description.

    Returns this description as JSON.
    It is what the page at `/docs` reads. It may be kept as long as its `ETag` stays, and is compressed for a client
    that says `Accept-Encoding: gzip`.
    """
    return api_description(JSON)


@bp.get("/docs")
@Operation(
    tag="service",
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 304: NOT_MODIFIED},
)
def read_docs() -> Response:
    """Show the API reference.

    It reads `GET /openapi.json`, and sends requests with a token that stays in the browser.
    """
    from api.http import guide_pages  # noqa: PLC0415 -- as above

    by_kind = {"how_tos": "/docs/how-to/", "books": "/docs/rules/"}
    listed = {
        kind: [guide for address, guide in guide_pages.guides().items() if address.startswith(start)]
        for kind, start in by_kind.items()
    }
    return _page("docs.html", **listed)


@bp.get("/docs/<page>")
@Operation(
    tag="service",
    access="public",
    parameters=(
        Parameter("page", "path", "The page.", schema={"type": "string", "enum": ["contract", "rules", "proof"]}),
        IF_NONE_MATCH,
    ),
    replies={200: PAGE, 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def read_guide(page: str) -> Response:
    """Show a reference page.

    It is the contract, the common rules or the proof.
    The texts by which clients and verifiers can be written, as pages to read.
    """
    return _guide(f"/docs/{page}")


@bp.get("/docs/how-to/<page>")
@Operation(
    tag="service",
    access="public",
    parameters=(Parameter("page", "path", "The task; `/docs` lists them.", example="notifications"), IF_NONE_MATCH),
    replies={200: PAGE, 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def read_how_to(page: str) -> Response:
    """Show a guide.

    A short guide with the calls for a task, such as being notified of your turn.
    """
    return _guide(f"/docs/how-to/{page}")


@bp.get("/docs/rules/<book>")
@Operation(
    tag="service",
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

    The rulebook by whose numbers refusals and texts are cited.
    """
    return _guide(f"/docs/rules/{book}")


@bp.get("/docs/problems")
@Operation(
    tag="service",
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: PAGE, 304: NOT_MODIFIED},
)
def read_problems() -> Response:
    """Show the error codes.

    Each code with its status, what it means, and what to do about it; the `type` of a problem leads to its
    place here.
    """
    return _page("problems.html", kinds=KINDS)


def _guide(address: str) -> Response:
    from api.http import guide_pages  # noqa: PLC0415 -- as above

    if address not in guide_pages.guides():
        if is_browser():
            raise NotFound
        raise Problem("not_found", "There is no such page; `/docs` lists them.")
    return _page("guide.html", guide=guide_pages.render_guide(address, request.script_root))


def _page(template: str, **said: object) -> Response:
    return guide_page_answer(render_template(template, root=request.script_root, **said))


def guide_page_answer(written: str) -> Response:
    """Answer with a page that is the same for everybody; a browser that has it asks whether it still is."""
    response = answer_if_changed(
        Response(written, content_type="text/html; charset=utf-8"), sha256(written.encode()).hexdigest()[:16]
    )
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-cache"
    response.vary.clear()
    return compress(response)
