"""Reads how long a request is ready to wait: `wait=N` in its query, or the header `Prefer: wait=N`."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, request

from api.http.bodies import load
from api.http.fields import Strict
from api.http.operations import Parameter
from api.http.schemas import QueryNumber, number, said

LONGEST: Final = 30
"""A request may wait at most this many seconds."""

PREFER: Final = Parameter("Prefer", "header", "`wait=N` does what `wait` does.", example="wait=20")


def wait_for(description: str) -> QueryNumber:
    """Make the field for how many seconds a request waits."""
    return number(0, LONGEST, **said(description))


class WaitQuery(Strict):
    wait = wait_for("How many seconds to wait for something new.")


def waiting(asked: Mapping[str, Any]) -> int:
    """Give how many seconds the request is ready to wait. Raises 422 for more than 30."""
    if "wait" in asked:
        return int(asked["wait"])
    preferred = _preference()
    return 0 if preferred is None else int(load(WaitQuery(), {"wait": preferred})["wait"])


def preferred(response: Response) -> Response:
    """Say that the header `Prefer` was honoured."""
    seconds = _preference()
    if seconds is not None and "wait" not in request.args:
        response.headers["Preference-Applied"] = f"wait={seconds}"
    return response


def _preference() -> str | None:
    """Give N of `Prefer: wait=N`, as it was written."""
    for preference in request.headers.get("Prefer", "").replace(";", ",").split(","):
        name, _, value = preference.strip().partition("=")
        if name.strip().lower() == "wait":
            return value.strip().strip('"')
    return None
