"""Serves the entries to tournaments: players enter, leave, rest and come back."""

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Body, Operation, Reply
from api.http.request_parsing import load, read_body
from api.http.responses import IF_NONE_MATCH, json_answer
from api.http.signed_answers import receipt_of_entry
from api.resources.announcement_request import check_names_nobody
from api.resources.tournament_answer import EntrantListAnswer, entrant_list_answer
from api.resources.tournament_request import TournamentEntryBody
from api.resources.tournament_routes import (
    SEEN,
    TOURNAMENT_ID,
    answer_unless_known,
    command_tournament,
    open_tournament_as_player,
    tournament_response,
)
from domain.tournament.entrants import Withdraw
from domain.tournament.formats.arena import ComeBack, Rest
from events.service import tournaments as service

bp = Blueprint("entries", __name__, url_prefix="/v1/tournaments/<tournament_id>/entries")


@bp.get("")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={200: Reply("Players and the waiting list.", EntrantListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def list_entrants(tournament_id: str) -> Response:
    """List entrants.

    Includes the waiting list. Erased players have no name; their results stay.
    """
    return answer_unless_known(tournament_id, lambda found: json_answer(entrant_list_answer(found.state)))


@bp.post("")
@Operation(
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(TournamentEntryBody(), required=False, example={"club": "Bridge Club Bonn"}),
    replies=SEEN,
    refuses=(
        "not_found",
        "forbidden",
        "rating_not_admitted",
        "reliability_not_admitted",
        "not_listed",
        "already_done",
        "wrong_phase",
        "match_over",
    ),
)
def enter_tournament(tournament_id: str) -> Response:
    """Enter a tournament.

    If all places are taken, you join the waiting list and get the next free place, unless the waiting list is full.
    After entries were closed you may enter a Swiss up to `late` paired rounds later, and an arena until its end,
    without a nonce. Players who left may enter again before entries are closed, three times in all. The answer
    acknowledges the nonce with a signed receipt (`receipts`): keep it. With it `dealt verify --receipt` finds that the
    server has left the nonce out.

    If a tournament limits ratings or reliability, its events record yours permanently, and everyone who can see the
    tournament can read them. So you are refused while you are not listed (`PATCH /v1/players/me`).
    """
    found = open_tournament_as_player(tournament_id)
    asked = load(TournamentEntryBody(), read_body(optional=True))
    named = {require_player().player_id, *service.players_concerned(found.state)}
    check_names_nobody("club", asked["club"], named, "choose another one")
    after = service.enter_tournament(
        app_state().context, found, require_player().player_id, asked["club"], asked["nonce"]
    )
    return tournament_response(
        after, receipt_of_entry(app_state().keys, after.head, require_player().player_id, asked["nonce"])
    )


@bp.delete("/mine")
@Operation(
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "match_over"),
)
def leave_tournament(tournament_id: str) -> Response:
    """Leave a tournament.

    You are not paired again, and keep your points; a running match continues. Players who leave after entries were
    closed cannot return.
    """
    found = open_tournament_as_player(tournament_id)
    return command_tournament(found, Withdraw(require_player().player_id))


@bp.post("/mine/rest")
@Operation(
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def rest_in_arena(tournament_id: str) -> Response:
    """Rest in an arena.

    You are not paired until you are back, and keep your points; a match that is on goes on. Players who did not show up
    for a table rest too.
    """
    found = open_tournament_as_player(tournament_id)
    load(NothingBody(), read_body(optional=True))
    return command_tournament(found, Rest(require_player().player_id))


@bp.post("/mine/return")
@Operation(
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def return_to_arena(tournament_id: str) -> Response:
    """Return to an arena.

    Players who did not show up for a table are back, too. You get a table immediately if enough players are free.
    """
    found = open_tournament_as_player(tournament_id)
    load(NothingBody(), read_body(optional=True))
    return command_tournament(found, ComeBack(require_player().player_id))
