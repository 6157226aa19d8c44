"""Answers whether the process runs, and whether it can do its work."""

from typing import Literal

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.operations import CACHE_CONTROL, UNAVAILABLE, VARY, Answer, Operation, Reply
from api.http.present import answer
from api.http.problems import UNREADY, Problem

bp = Blueprint("health", __name__)


class HealthAnswer(Answer):
    status: Literal["ok", "ready"]


@bp.get("/healthz")
@Operation(
    id="isAlive",
    tag="service",
    access="public",
    replies={
        200: Reply(
            "Yes.",
            HealthAnswer,
            headers=(CACHE_CONTROL, VARY),
        )
    },
)
def alive() -> Response:
    """Say whether the process lives."""
    return answer(HealthAnswer("ok"))


@bp.get("/readyz")
@Operation(
    id="isReady",
    tag="service",
    access="public",
    replies={
        200: Reply(
            "Yes.",
            HealthAnswer,
            headers=(CACHE_CONTROL, VARY),
        )
    },
    refuses=(UNAVAILABLE,),
)
def ready() -> Response:
    """Say whether the server can do its work.

    The database answers, and its schema is this version's.
    """
    if not here().store.ready():
        raise Problem("unavailable", UNREADY)
    return answer(HealthAnswer("ready"))
