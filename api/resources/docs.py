"""Serves the description of the API, a page to read and try it, and a page that explains every problem."""

from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, render_template
from msgspec import json

from api.http.openapi import described, written
from api.http.operations import CONTENT_POLICY, LOCATION, TEXT, Operation, Reply
from api.http.problems import KINDS

WEB: Final = Path(__file__).parents[1] / "web"

bp = Blueprint("docs", __name__, template_folder=str(WEB), static_folder=WEB / "static", static_url_path="/docs/static")

PAGE: Final = Reply("A page.", {"text/html": TEXT}, headers=(CONTENT_POLICY,))
YAML: Final = "application/yaml"


@cache
def description() -> str:
    """Give the description of the app, which is the same for all requests."""
    return written(current_app)


@bp.get("/")
@Operation(
    id="readRoot",
    tag="service",
    access="public",
    replies={302: Reply("See `/docs`.", headers=(LOCATION,))},
)
def root() -> Response:
    """Lead to the page."""
    return Response(status=302, headers={"Location": "/docs"}, content_type="text/plain")


@bp.get("/openapi.yaml")
@Operation(
    id="getDescription",
    tag="service",
    access="public",
    replies={200: Reply("OpenAPI 3.1.", {YAML: {"type": "object"}})},
)
def openapi() -> Response:
    """Give this description."""
    return Response(description(), content_type=f"{YAML}; charset=utf-8")


@bp.get("/docs")
@Operation(
    id="readDocs",
    tag="service",
    access="public",
    replies={200: PAGE},
)
def page() -> Response:
    """Show a page to read this and try it."""
    return _page("docs.html", description=_for_script())


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
    response = Response(render_template(template, **said), content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self'"
    )
    return response


@cache
def _for_script() -> str:
    """Give the description as JSON that can stand inside a page."""
    return json.encode(described(current_app)).decode().replace("<", "\\u003c")
