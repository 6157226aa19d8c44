"""Serves the description of the API, a page to read and try it, and pages to read: guides, and all problems."""

import gzip
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final

from flask import Blueprint, Response, current_app, render_template, request
from msgspec import json

from api.http import guides
from api.http.openapi import described, written
from api.http.openapi_operations import (
    CONTENT_POLICY,
    JSON,
    LOCATION,
    NO_PAGE,
    VARY,
    Answer,
    Operation,
    Parameter,
    Reply,
    says,
    text,
)
from api.http.prefix import with_prefix
from api.http.problems import KINDS, Problem

WEB: Final = Path(__file__).parents[1] / "web"

bp = Blueprint("docs", __name__, template_folder=str(WEB), static_folder=WEB / "static", static_url_path="/docs/static")

PAGE: Final = Reply("A page.", {"text/html": text('<!doctype html>\n<html lang="en">\n')}, headers=(CONTENT_POLICY,))
YAML: Final = "application/yaml"
BEGINNING: Final = {"openapi": "3.1.0", "info": {"title": "Dealt", "version": version("dealt")}, "paths": {}}


Parts = dict[str, Any]


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


def description(root: str) -> str:
    """Give the description of the app; the first request makes it, and others wait for it."""
    with _DESCRIBING:
        return _described(root)


@cache
def _described(root: str) -> str:
    """Describe the app, which is the same for all requests below one path."""
    return written(current_app, root)


def compressed(root: str) -> bytes:
    """Give the description as JSON, compressed: a tenth of what it is otherwise, for who reads it on a phone."""
    with _DESCRIBING:
        return _compressed(root)


@cache
def _compressed(root: str) -> bytes:
    return gzip.compress(json.encode(described(current_app, root)), mtime=0)


@bp.get("/")
@Operation(
    id="readRoot",
    tag="service",
    access="public",
    replies={302: Reply("See `/docs`.", headers=(LOCATION,))},
)
def root() -> Response:
    """Lead to the page."""
    return Response(status=302, headers={"Location": with_prefix("/docs")}, content_type="text/plain")


@bp.get("/openapi.yaml")
@Operation(
    id="getDescription",
    tag="service",
    access="public",
    replies={200: Reply("OpenAPI 3.1.", {YAML: {"type": "object", "examples": [BEGINNING]}})},
)
def openapi() -> Response:
    """Give this description."""
    return Response(description(request.script_root), content_type=f"{YAML}; charset=utf-8")


@bp.get("/openapi.json")
@Operation(
    id="getDescriptionAsJson",
    tag="service",
    access="public",
    replies={200: Reply("OpenAPI 3.1.", DescriptionAnswer, headers=(VARY,))},
)
def openapi_json() -> Response:
    """Give this description as JSON.

    It is what the page at `/docs` reads. It is compressed for a client that says `Accept-Encoding: gzip`.
    """
    body = compressed(request.script_root)
    takes = request.accept_encodings.best_match(["gzip"]) is not None
    response = Response(body if takes else gzip.decompress(body), content_type=JSON)
    response.headers["Vary"] = "Accept-Encoding"
    if takes:
        response.headers["Content-Encoding"] = "gzip"
    return response


@bp.get("/docs")
@Operation(
    id="readDocs",
    tag="service",
    access="public",
    replies={200: PAGE},
)
def page() -> Response:
    """Show a page to read this and try it."""
    by_kind = {"how_tos": "/docs/how-to/", "books": "/docs/rules/"}
    listed = {
        kind: [guide for address, guide in guides.guides().items() if address.startswith(start)]
        for kind, start in by_kind.items()
    }
    return _page("docs.html", **listed)


@bp.get("/docs/<page>")
@Operation(
    id="readGuide",
    tag="service",
    access="public",
    parameters=(
        Parameter("page", "path", "The page.", schema={"type": "string", "enum": ["contract", "rules", "proof"]}),
    ),
    replies={200: PAGE},
    refuses=(NO_PAGE,),
)
def guide(page: str) -> Response:
    """Show the contract, the rules that all games share, or what is proved and how."""
    return _guide(f"/docs/{page}")


@bp.get("/docs/how-to/<page>")
@Operation(
    id="readHowTo",
    tag="service",
    access="public",
    parameters=(Parameter("page", "path", "What is done; `/docs` lists them.", example="be-told"),),
    replies={200: PAGE},
    refuses=(NO_PAGE,),
)
def how_to(page: str) -> Response:
    """Show how something is done."""
    return _guide(f"/docs/how-to/{page}")


@bp.get("/docs/rules/<book>")
@Operation(
    id="readRulebook",
    tag="service",
    access="public",
    parameters=(Parameter("book", "path", "A game, or a family of games that share rules.", example="hearts"),),
    replies={200: PAGE},
    refuses=(NO_PAGE,),
)
def rulebook(book: str) -> Response:
    """Show the rules of a game."""
    return _guide(f"/docs/rules/{book}")


@bp.get("/docs/problems")
@Operation(
    id="readProblems",
    tag="service",
    access="public",
    replies={200: PAGE},
)
def problems() -> Response:
    """Show a page that explains every problem."""
    return _page("problems.html", kinds=KINDS)


def _guide(address: str) -> Response:
    if address not in guides.guides():
        raise Problem("not_found", "There is no such page; `/docs` lists them.")
    return _page("guide.html", guide=guides.written(address, request.script_root))


def _page(template: str, **said: object) -> Response:
    response = Response(
        render_template(template, root=request.script_root, **said), content_type="text/html; charset=utf-8"
    )
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return response
