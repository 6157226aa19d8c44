"""Answers whether the process runs, and whether it can do its work."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from flask import Response
from msgspec import UNSET, UnsetType

from api.http.app_state import app_state
from api.http.openapi_operations import CACHE_CONTROL, VARY, Answer, Operation, Reply, says
from api.http.problems import UNREADY, Problem
from api.http.responses import json_answer
from events.service.context import Context
from events.service.worker_health import WorkerHealth, look_up_workers

SILENT: Final = "The database does not answer in time."


def check_readiness(context: Context) -> WorkerHealth:
    """Return the state of the processes behind the API. Raises a problem if the database is not ready."""
    if not context.store.ready():
        raise Problem("unavailable", UNREADY)
    return look_up_workers(context.store, context.now())


class HealthAnswer(Answer):
    status: Annotated[
        Literal["ok", "ready", "degraded"], says("`degraded`: the API answers, but background work is late.")
    ]
    schedulers: Annotated[int | UnsetType, says("Number of running schedulers.")] = UNSET
    workers: Annotated[int | UnsetType, says("Number of running workers.")] = UNSET
    broker: Annotated[
        Literal["ok", "unreachable", "unknown"] | UnsetType,
        says("State of the broker, as reported by the schedulers."),
    ] = UNSET
    late_seconds: Annotated[int | UnsetType, says("Age of the oldest due work, in seconds.")] = UNSET
    followers: Annotated[
        Mapping[str, int] | UnsetType,
        says(
            "Age of the first unhandled event in seconds, by follower: `notices` (webhooks, mail, feeds),"
            " `ratings`, `tournament_ends` (prizes), `transparency`."
        ),
    ] = UNSET
    witnessed_seconds: Annotated[
        int | UnsetType,
        says(
            "The age of the last checkpoint of the transparency log that a quorum of witnesses cosigned, in"
            " seconds. Missing without witnesses, and before the first cosigned checkpoint."
        ),
    ] = UNSET


@Operation(
    tag="service",
    searches=("health check", "liveness probe"),
    access="public",
    replies={
        200: Reply(
            "The server works.",
            HealthAnswer,
            headers=(CACHE_CONTROL, VARY),
        )
    },
)
def is_alive() -> Response:
    """Check liveness.

    Does not use the database; `GET /readyz` says whether the server can work.
    """
    return json_answer(HealthAnswer("ok"))


@Operation(
    tag="service",
    searches=("readiness probe", "degraded"),
    access="public",
    replies={
        200: Reply(
            "The server works.",
            HealthAnswer,
            headers=(CACHE_CONTROL, VARY),
        )
    },
    refuses=("unavailable",),
)
def is_ready() -> Response:
    """Check readiness.

    Checks that the database answers, accepts writes and has the right schema. If schedulers, workers or the broker are
    missing, or due work or a follower is late, the server is degraded: it answers, but bots, clocks, webhooks and
    ratings wait. Degraded is still 200, so that a load balancer keeps sending requests.
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
