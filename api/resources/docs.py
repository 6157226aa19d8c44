"""Serves the description of the API, a page to read and try it, and a page that explains every problem."""

from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

from flask import Blueprint, Response, current_app, render_template, request
from msgspec import json

from api.http.openapi import described, written
from api.http.openapi_operations import CONTENT_POLICY, LOCATION, TEXT, Operation, Reply
from api.http.prefix import with_prefix
from api.http.problems import KINDS

WEB: Final = Path(__file__).parents[1] / "web"

bp = Blueprint("docs", __name__, template_folder=str(WEB), static_folder=WEB / "static", static_url_path="/docs/static")

PAGE: Final = Reply("A page.", {"text/html": TEXT}, headers=(CONTENT_POLICY,))
YAML: Final = "application/yaml"


_DESCRIBING: Final = Lock()


def description(root: str) -> str:
    """Give the description of the app; the first request makes it, and others wait for it."""
    with _DESCRIBING:
        return _described(root)


@cache
def _described(root: str) -> str:
    """Describe the app, which is the same for all requests below one path."""
    return written(current_app, root)


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
    replies={200: Reply("OpenAPI 3.1.", {YAML: {"type": "object"}})},
)
def openapi() -> Response:
    """Give this description."""
    return Response(description(request.script_root), content_type=f"{YAML}; charset=utf-8")


@bp.get("/docs")
@Operation(
    id="readDocs",
    tag="service",
    access="public",
    replies={200: PAGE},
)
def page() -> Response:
    """Show a page to read this and try it."""
    return _page("docs.html", description=_for_script(request.script_root))


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


def _page(template: str, **said: object) -> Response:
    response = Response(
        render_template(template, root=request.script_root, **said), content_type="text/html; charset=utf-8"
    )
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return response


@cache
def _for_script(root: str) -> str:
    """Give the description as JSON that can stand inside a page."""
    return json.encode(described(current_app, root)).decode().replace("<", "\\u003c")
