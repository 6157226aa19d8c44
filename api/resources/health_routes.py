"""Answers whether the process runs, and whether it can do its work."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from flask import Blueprint, Response
from msgspec import UNSET, Meta, UnsetType

from api.http.app_state import app_state
from api.http.openapi_operations import CACHE_CONTROL, VARY, Answer, Operation, Reply, says
from api.http.problems import UNREADY, Problem
from api.http.responses import json_answer
from events.service.context import Context
from events.service.worker_health import WorkerHealth, look_up_workers

bp = Blueprint("health", __name__)

SILENT: Final = "The database does not answer in time."


def check_readiness(context: Context) -> WorkerHealth:
    """Return the state of the processes behind the API. Raises a problem if the database is not ready."""
    if not context.store.ready():
        raise Problem("unavailable", UNREADY)
    return look_up_workers(context.store, context.now())


class HealthAnswer(Answer):
    status: Annotated[
        Literal["ok", "ready", "degraded"], says("`degraded`: the API answers, and what it leaves to others is late.")
    ]
    schedulers: Annotated[int | UnsetType, Meta(description="Schedulers that live.")] = UNSET
    workers: Annotated[int | UnsetType, Meta(description="Workers that live.")] = UNSET
    broker: Annotated[
        Literal["ok", "unreachable", "unknown"] | UnsetType,
        Meta(description=("State of the broker, as reported by the schedulers.")),
    ] = UNSET
    late_seconds: Annotated[
        int | UnsetType, Meta(description="For how long the oldest due work has been waiting, in seconds.")
    ] = UNSET
    followers: Annotated[
        Mapping[str, int] | UnsetType,
        Meta(
            description="For how long the first event that has not been handled has been waiting, in seconds, by what"
            " handles it: `notices` (webhooks, mail and feeds), `ratings`, `tournament_ends` (prizes), `transparency`."
        ),
    ] = UNSET
    witnessed_seconds: Annotated[
        int | UnsetType,
        Meta(
            description="The age of the last checkpoint of the transparency log that a quorum of witnesses cosigned, in"
            " seconds. Missing without witnesses, and before the first cosigned checkpoint."
        ),
    ] = UNSET


@bp.get("/healthz")
@Operation(
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
def is_alive() -> Response:
    """Check liveness.

    It asks nothing of the database; whether the server can do its work is what `GET /readyz` says.
    """
    return json_answer(HealthAnswer("ok"))


@bp.get("/readyz")
@Operation(
    tag="service",
    access="public",
    replies={
        200: Reply(
            "Yes.",
            HealthAnswer,
            headers=(CACHE_CONTROL, VARY),
        )
    },
    refuses=("unavailable",),
)
def is_ready() -> Response:
    """Check readiness.

    The database answers, takes what is written, and its schema is this version's. If schedulers, workers or the broker
    are missing, or due work or a follower is late, the server is degraded: it answers, and bots and clocks, or
    webhooks and ratings, wait. That is 200, so that a load balancer goes on sending requests.
    """
    try:
        found = app_state().readiness.result()
    except TimeoutError:
        raise Problem("unavailable", SILENT) from None
    status: Literal["ready", "degraded"] = "ready" if found.is_whole else "degraded"
    behind = {name: late // 1000 for name, late in found.behind_ms.items()}
    witnessed = UNSET if found.witnessed_ms is None else found.witnessed_ms // 1000
    return json_answer(
        HealthAnswer(status, found.schedulers, found.workers, found.broker, found.late_ms // 1000, behind, witnessed)
    )
