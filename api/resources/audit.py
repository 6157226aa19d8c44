"""The audit of a match: what is stored of it, verified with all its secrets, and told to whoever may read it."""

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response
from msgspec import json, to_builtins

from api.http.auth import caller
from api.http.bodies import query
from api.http.context import here
from api.http.present import answer, marked
from api.http.problems import Problem
from api.http.schemas import VerifyQuery
from events.errors import NotFound
from events.operations.audit import SECONDS, audit
from events.proof.limits import kept_head

log = logging.getLogger(__name__)

bp = Blueprint("audit", __name__, url_prefix="/v1/matches/<match_id>/audit")

SHORT: Final = 500
"""A match of so many events is audited where the request is answered, in less time than a process takes to start."""

RETRY_SECONDS: Final = 5
BUSY: Final = "Other matches are being audited; ask again after the time that `Retry-After` says."
TOO_LONG: Final = f"This match takes more than {SECONDS} seconds to audit; `dealt audit` has no such limit."

_HERE: Final = Path(__file__).resolve().parents[2]


@bp.get("")
def show(match_id: str) -> Response:
    """Audit the match."""
    past = here().matches.past(match_id, caller())
    heads = query(VerifyQuery())["head"]
    places = here().auditing
    if not places.acquire(blocking=False):
        raise Problem("unavailable", BUSY, headers={"Retry-After": str(RETRY_SECONDS)})
    try:
        report = _here(match_id, heads) if past.head.version <= SHORT else _apart(match_id, heads)
    finally:
        places.release()
    return marked(answer(report), report["version"])


def _here(match_id: str, heads: list[str]) -> dict[str, Any]:
    found = audit(here().store, match_id, [kept_head(text) for text in heads])
    if found is None:
        raise NotFound
    report: dict[str, Any] = to_builtins(found)
    return report


def _apart(match_id: str, heads: list[str]) -> dict[str, Any]:
    """Audit in a process of its own: in this one all other requests would be the slower for it."""
    command = [sys.executable, "-m", "events.operations.audit", match_id, *heads]
    environ = os.environ | {"DATABASE_URL": here().settings.url}
    try:
        done = subprocess.run(  # noqa: S603 -- ourselves
            command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, cwd=_HERE,
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Problem("unavailable", TOO_LONG) from None
    if done.returncode:
        log.warning("An audit ended with %s %s", done.returncode, done.stderr.decode(errors="replace"))
        raise Problem("unavailable", TOO_LONG)
    report: dict[str, Any] = json.decode(done.stdout)
    return report
