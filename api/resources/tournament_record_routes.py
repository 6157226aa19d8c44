"""Serves the record of a tournament: lines of JSON to keep and to verify, with the records of its matches if wanted.

A tournament at tables of two is served in FIDE's Tournament Report File as well.
"""

from collections.abc import Iterator
from typing import Final

from flask import Blueprint, Response

from api.http.app_state import AppState, app_state
from api.http.auth import request_caller
from api.http.common_fields import choice_field, doc
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Operation, Reply, text
from api.http.problems import Problem
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.responses import FOR_THE_CALLER, IF_NONE_MATCH, client_has, not_modified, set_etag
from api.http.signed_answers import add_log_proof, proof_tag, sign_head, sign_seen_head
from api.http.strict_fields import Strict
from api.resources.event_routes import all_events
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
from events.service.tournament_export import cited_matches, export_lines
from events.service.tournaments import HeldTournament
from events.times import write_time

bp = Blueprint("tournament_records", __name__, url_prefix="/v1/tournaments/<tournament_id>")

WRITTEN_PER_REQUEST: Final = 500
"""To write this many events takes about as long as a request."""
EVENTS_PER_MATCH: Final = 100
"""The cost of the record of one match, in events, for rate limiting."""

RECORD_EXAMPLE: Final = (
    '{"format":"dealt-tournament/1","tournament":"evening","version":2,"head":"e91fed4cb3e5b588e0f7fb26d5'
    'c29563c4dc44509314128f11f58a1bfbd368e0"}\n'
    '{"v":1,"seq":1,"commit":1,"type":"TournamentAnnounced","at":"2026-11-23T10:00:00.000Z","data":{"name'
    '":"Evening","organiser":"olga","helpers":["hal"],"plan":{"format":"swiss","seats":2,"fewest":2,"legs'
    '":1,"cut":0,"advance":1,"fill":"bye","most":1024,"late":0,"show_up_seconds":900,"overdue":"lost"},"t'
    'erms":{"game":"any","options":{"pace":"slow"},"preset":null,"clock":{"per_decision_seconds":0,"bank_'
    'seconds":0,"on_expiry":"default_action","max_defaults":3,"kind":"simple","increment_seconds":0,"cap_'
    'seconds":0,"period_seconds":0,"periods":0,"period_moves":0,"minor_seconds":0,"grace_seconds":0,"days'
    '_off":[],"time_zone":"UTC","vacation":false},"best_of":3},"prizes":[],"closes":null,"entry":{"visibi'
    'lity":"public","by_invite":false}},"cause":"move","seals":{},"digest":"2dcb07af211eeae02d09bb9232477'
    '037a0ea16a88b2debd1eb8679378d88bbb5"}\n'
    '{"v":1,"seq":2,"commit":2,"type":"DrawsCommitted","at":"2026-11-23T10:00:00.000Z","data":{"commitmen'
    't":"3656df483b362fe5b181063322fa5e7f4d7fdc4d9f5f03bcefcfb360d4555546","links":61},"cause":"move","se'
    'als":{},"digest":"e91fed4cb3e5b588e0f7fb26d5c29563c4dc44509314128f11f58a1bfbd368e0"}\n'
)
"""The record of a tournament that takes entries."""

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


class TournamentRecordQuery(Strict):
    tables = choice_field(
        "true", "false", load_default="false", **doc("`true`: with the records of the matches at its tables.")
    )


@bp.get("/record")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    query=TournamentRecordQuery(),
    replies={
        200: Reply("The record.", {MEDIA_TYPE: text(RECORD_EXAMPLE, "Lines of JSON.")}, headers=(ETAG, DISPOSITION)),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
)
def get_tournament_record(tournament_id: str) -> Response:
    """Export a tournament record.

    A line that says what it is of, a line for each event, and with `tables=true` the records of all matches by which
    tables have ended and that you may see, a line each. `dealt verify` checks it without the server, and `POST
    /v1/records/verify` with one: every draw, pairing, bye, standing and prize, and each table against its match.
    """
    who, asked = request_caller(), read_query(TournamentRecordQuery())
    found = tournaments.see_tournament(app_state().context, tournament_id, who)
    matches = cited_matches(found) if asked["tables"] == "true" else ()
    # With matches it follows from their events too, and from the names of their players.
    signed = add_log_proof(app_state().context, sign_head(app_state().keys, TOURNAMENT, found.head))
    tag = "-".join([str(found.head.version), *proof_tag(signed)])
    if not matches and client_has(tag):
        return not_modified(tag)
    charge_for_events(found.head.version + EVENTS_PER_MATCH * len(matches), WRITTEN_PER_REQUEST)
    response = Response(
        _lines(app_state(), found, signed, matches, who), headers=FOR_THE_CALLER, content_type=MEDIA_TYPE
    )
    return set_etag(_named(response, f"tournament-{tournament_id}.ndjson"), tag)


def _lines(
    app: AppState, found: HeldTournament, signed: SignedHead | None, matches: tuple[str, ...], who: Caller
) -> Iterator[bytes]:
    """Give the lines piece by piece, each in another thread: nothing may be asked of the request that is over."""
    for line in export_lines(found, signed):
        yield line + b"\n"
    for match_id in matches:
        try:
            seen = views.see_match(app.context, match_id, who)
        except NotFound:  # it is not for this caller
            continue
        head = add_log_proof(app.context, sign_seen_head(app.keys, seen))
        yield from record.write_record(recorded_match(app.context, seen), all_events(app.context, seen, 0), head)
        yield b"\n"


@bp.get("/trf")
@Operation(
    tag="tournaments",
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

    The format is FIDE's Tournament Report File (TRF16).
    For a Swiss without a cut, a round robin or a league at tables of two that has begun, as far as its rounds are
    closed. Seat 0 is white; a table against a bot is a bye. Points count as they do here, as lines for
    several pairing programs say.
    """
    return answer_unless_known(tournament_id, _reported)


def _reported(found: HeldTournament) -> Response:
    t = found.state
    if not t.order:
        raise Problem("wrong_phase", "The tournament has not begun.")
    known = players.player_identities(app_state().context, t.players)
    names = {one: known[player].name or "" for one, player in enumerate(t.players) if player in known}
    try:
        written = write_report(t, names, write_time(found.rows[0].at_ms)[:10])
    except trf.NotTrf as error:
        raise Problem("wrong_phase", str(error)) from None
    response = Response(written, headers=FOR_THE_CALLER, content_type=f"{trf.MEDIA_TYPE}; charset=utf-8")
    return _named(response, f"tournament-{found.head.match_id}.trf")


def _named(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
