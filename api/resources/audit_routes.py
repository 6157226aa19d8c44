"""Audits a match: verifies its stored data with all secrets, and reports to its readers."""

import os
import sys
from collections.abc import Sequence
from typing import Final

from flask import Response, request
from msgspec import json

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.client_networks import network_of
from api.http.common_fields import HeadsQuery
from api.http.openapi_operations import ETAG, MATCH_ID, Operation, Reply
from api.http.problems import Problem
from api.http.request_parsing import read_query
from api.http.responses import json_answer, set_etag
from api.resources.verify_routes import ReportAnswer, report_answer
from events.errors import NotFound
from events.operations.audit import SECONDS, audit
from events.proof.findings import Report
from events.proof.limited_process import Hindered, TooMuch, kept_head, run_limited
from events.service import replay

SHORT: Final = 500
"""Maximum events of a match that is audited in this process, because starting another would take longer."""

RETRY_SECONDS: Final = 5
BUSY: Final = "Another audit is running. Try again after `Retry-After` seconds."
TOO_BUSY: Final = "The server is too busy. Try again after `Retry-After` seconds."
TOO_LONG: Final = (
    f"Auditing this match takes more than {SECONDS} s of computing, or too much memory."
    " `dealt audit` has no such limits."
)


@Operation(
    tag="history",
    searches=("audit", "integrity check"),
    access="optional",
    parameters=(MATCH_ID, INVITE),
    query=HeadsQuery,
    replies={200: Reply("The report.", ReportAnswer, headers=(ETAG,))},
    refuses=("not_found",),
)
def audit_match(match_id: str) -> Response:
    """Audit a match.

    Verifies the match in the server's database, with all secrets. In addition to the checks of a record, it checks
    every secret part and its seal, every move by the rules, the codes of all commits (`codes`) and the tables derived
    from the log (`projections`). It names the first event that fails, but never a card, key or seed. One audit per
    sender runs at a time, and the server's settings limit all of them. Beyond that, and after 25 seconds of computing,
    it returns 503.
    """
    past = replay.open_past(app_state().context, match_id, request_caller())
    heads = read_query(HeadsQuery).head
    places, sender = app_state().auditing, network_of(request.remote_addr)
    if not places.take(sender):
        raise Problem("unavailable", BUSY, headers={"Retry-After": str(RETRY_SECONDS)})
    try:
        report = (
            _in_this_process(match_id, heads) if past.head.version <= SHORT else _in_another_process(match_id, heads)
        )
    finally:
        places.leave(sender)
    return set_etag(json_answer(report_answer(report)), report.version)


def _in_this_process(match_id: str, heads: Sequence[str]) -> Report:
    found = audit(app_state().store, match_id, [kept_head(text) for text in heads])
    if found is None:
        raise NotFound
    return found


def _in_another_process(match_id: str, heads: Sequence[str]) -> Report:
    """Audit in a separate process: in this one, all other requests would be slower."""
    command = [sys.executable, "-m", "events.operations.audit", match_id, *heads]
    environ = os.environ | {"DATABASE_URL": app_state().settings.url}
    try:
        written = run_limited("An audit", command, environ=environ)
    except TooMuch:
        raise Problem("unavailable", TOO_LONG) from None
    except Hindered:
        raise Problem("unavailable", TOO_BUSY, headers={"Retry-After": str(RETRY_SECONDS)}) from None
    return json.decode(written, type=Report)
