"""Serves the record of a tournament: lines of JSON to keep and to verify, with the records of its matches if wanted.

A tournament at tables of two is served in FIDE's Tournament Report File as well.
"""

from collections.abc import Iterator
from typing import Final, Literal

from flask import Response

from api.http.app_state import AppState, app_state
from api.http.auth import request_caller
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Operation, Reply, text
from api.http.problems import Problem
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.request_records import Request
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, client_has, not_modified, set_etag
from api.http.signed_answers import add_log_proof, proof_tag, sign_head, sign_seen_head
from api.resources.event_routes import all_events
from api.resources.record_examples import TOURNAMENT_RECORD
from api.resources.record_routes import DISPOSITION, recorded_match
from api.resources.tournament_routes import TOURNAMENT_ID, answer_unless_known
from events.errors import NotFound
from events.formats import trf
from events.formats.trf_writer import write_report
from events.proof import record
from events.proof.signed_heads import TOURNAMENT, SignedHead
from events.proof.tournament_record import MEDIA_TYPE
from events.service import players, tournaments, views
from events.service.access import Caller
from events.service.tournaments import HeldTournament, cited_matches, export_lines
from events.times import write_time

WRITTEN_PER_REQUEST: Final = 500
"""The number of events whose writing takes about as long as a request."""
EVENTS_PER_MATCH: Final = 100
"""The cost of the record of one match, in events, for rate limiting."""

REPORT_EXAMPLE: Final = """\
012 Friday evening
042 2026/11/23
062 2
092 Individual: swiss
142 1
XXR 1
162  W 3.0    D 1.0    P 3.0
XXS W=3.0 D=1.0 FW=3.0 FL=0.0 PAB=3.0 FPB=3.0 HPB=1.0 ZPB=0.0
BBW  3.0
BBD  1.0
BBL  0.0
BBZ  0.0
BBF  0.0
BBU  3.0
001    1      Ann                                                                3.0    1     2 w 1
001    2      Ben                                                                0.0    2     1 b 0
"""
"""A tournament of one round."""


class TournamentRecordQuery(Request):
    tables: Literal["true", "false"] = "false"
    """`true`: include the records of its matches."""


@Operation(
    tag="tournaments",
    searches=("export tournament", "verify tournament"),
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    query=TournamentRecordQuery,
    replies={
        200: Reply("The record.", {MEDIA_TYPE: text(TOURNAMENT_RECORD, "Lines of JSON.")}, headers=(ETAG, DISPOSITION)),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def get_tournament_record(tournament_id: str) -> Response:
    """Export a tournament record.

    Has a header, a line per event and, with `tables=true`, a line with the record of each finished match that you can
    see. `dealt verify` checks it offline, and `POST /v1/records/verify` online: every draw, pairing, bye, standing and
    prize, and each table against its match.
    """
    who, asked = request_caller(), read_query(TournamentRecordQuery)
    found = tournaments.see_tournament(app_state().context, tournament_id, who)
    matches = cited_matches(found) if asked.tables == "true" else ()
    # With matches, it also depends on their events, and on the names of their players.
    signed = add_log_proof(app_state().context, sign_head(app_state().keys, TOURNAMENT, found.head))
    tag = "-".join([str(found.head.version), *proof_tag(signed)])
    if not matches and client_has(tag):
        return not_modified(tag)
    charge_for_events(found.head.version + EVENTS_PER_MATCH * len(matches), WRITTEN_PER_REQUEST)
    response = Response(
        _lines(app_state(), found, signed, matches, who), headers=FOR_THE_CALLER, content_type=MEDIA_TYPE
    )
    return set_etag(_as_download(response, f"tournament-{tournament_id}.ndjson"), tag)


def _lines(
    app: AppState, found: HeldTournament, signed: SignedHead | None, matches: tuple[str, ...], who: Caller
) -> Iterator[bytes]:
    """Return the lines one by one, each in another thread, where the request's context is gone."""
    for line in export_lines(found, signed):
        yield line + b"\n"
    for match_id in matches:
        try:
            seen = views.see_match(app.context, match_id, who)
        except NotFound:  # not visible to this caller
            continue
        head = add_log_proof(app.context, sign_seen_head(app.keys, seen))
        yield from record.write_record(recorded_match(app.context, seen), all_events(app.context, seen, 0), head)
        yield b"\n"


@Operation(
    tag="tournaments",
    searches=("export trf", "fide"),
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={
        200: Reply(
            "The file.",
            {trf.MEDIA_TYPE: text(REPORT_EXAMPLE, "A file in the format TRF16.")},
            headers=(ETAG, DISPOSITION),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found", "wrong_phase"),
)
def get_tournament_report(tournament_id: str) -> Response:
    """Export a tournament report.

    Returns a FIDE Tournament Report File (TRF16) of the closed rounds, for a Swiss without a cut, a round robin or a
    league at tables of two. Seat 0 is white, and a table against a bot is a bye. Points are those of this server, as
    lines for several pairing programs say.
    """
    return answer_unless_known(tournament_id, _reported)


def _reported(found: HeldTournament) -> Response:
    t = found.state
    if not t.order:
        raise Problem("wrong_phase", "The tournament has not started.")
    known = players.player_identities(app_state().context, t.players)
    names = {one: known[player].name or "" for one, player in enumerate(t.players) if player in known}
    try:
        written = write_report(t, names, write_time(found.rows[0].at_ms)[:10])
    except trf.NotTrf as error:
        raise Problem("wrong_phase", str(error)) from None
    response = Response(written, headers=FOR_THE_CALLER, content_type=f"{trf.MEDIA_TYPE}; charset=utf-8")
    return _as_download(response, f"tournament-{found.head.match_id}.trf")


def _as_download(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
