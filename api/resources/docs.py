"""The description of the API, a page to read and try it, and a page that explains every problem."""

from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, render_template
from msgspec import json, yaml

from api.http.problems import KINDS

WEB: Final = Path(__file__).parents[1] / "web"

bp = Blueprint(
    "docs", __name__, template_folder=str(WEB), static_folder=WEB / "static", static_url_path="/docs/static"
)

DESCRIPTION: Final = Path(__file__).parents[2] / "openapi.yaml"


@cache
def description() -> bytes:
    """Read `openapi.yaml`."""
    return DESCRIPTION.read_bytes()


@bp.get("/")
def root() -> Response:
    """Lead to the page."""
    return Response(status=302, headers={"Location": "/docs"}, content_type="text/plain")


@bp.get("/openapi.yaml")
def openapi() -> Response:
    """Serve the description of the API."""
    return Response(description(), content_type="application/yaml; charset=utf-8")


@bp.get("/docs")
def page() -> Response:
    """Serve a page to read the description and try it."""
    return _page("docs.html", description=_for_script())


@bp.get("/docs/problems")
def problems() -> Response:
    """Serve a page that explains every problem."""
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
    return json.encode(yaml.decode(description())).decode().replace("<", "\\u003c")
