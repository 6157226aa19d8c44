"""Whether the process lives, and whether it can do its work."""

from flask import Blueprint, Response

from api.http.context import here
from api.http.present import answer
from api.http.problems import UNREADY, Problem

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def alive() -> Response:
    """Say that the process lives."""
    return answer({"status": "ok"})


@bp.get("/readyz")
def ready() -> Response:
    """Say whether the database can be worked with."""
    if not here().store.ready():
        raise Problem("unavailable", UNREADY)
    return answer({"status": "ready"})
