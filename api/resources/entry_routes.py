"""Serves the entries to tournaments: players enter, leave, rest and come back."""

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Body, Operation, Reply
from api.http.present import IF_NONE_MATCH, answer
from api.http.schemas import NothingBody
from api.http.signing import receipt_of_entry
from api.resources.announcement_request import check_names_nobody
from api.resources.tournament_answer import EntrantListAnswer, entrants
from api.resources.tournament_request import TournamentEntryBody
from api.resources.tournament_routes import SEEN, TOURNAMENT_ID, found_by_player, shown, told, unless_known
from domain.tournament.entrants import Withdraw
from domain.tournament.formats.arena import ComeBack, Rest
from events.service import tournaments as service

bp = Blueprint("entries", __name__, url_prefix="/v1/tournaments/<tournament_id>/entries")


@bp.get("")
@Operation(
    id="listEntrants",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={200: Reply("Who plays, and who waits.", EntrantListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def entries(tournament_id: str) -> Response:
    """List entrants.

    Includes the waiting list.
    Who was erased has no name any longer; results stay.
    """
    return unless_known(tournament_id, lambda found: answer(entrants(found.state)))


@bp.post("")
@Operation(
    id="enterTournament",
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
def enter(tournament_id: str) -> Response:
    """Enter a tournament.

    Where all places are taken you wait for one, and have the next that becomes free, unless as many wait as may. After
    entries were closed you may enter a Swiss up to `late` paired rounds later, and an arena until its end, without a
    nonce. Players who left may enter again before entries are closed, three times in all. The answer acknowledges the
    nonce with a signed receipt (`receipts`): keep it. With it `dealt verify --receipt` finds that the server has left
    the nonce out.

    Where a tournament has bounds of ratings or of reliability, yours is written into its events, which everybody reads
    who may see it, and stays there. So you are refused while you are not listed (`PATCH /v1/players/me`).
    """
    found = found_by_player(tournament_id)
    asked = load(TournamentEntryBody(), body(optional=True))
    named = {me().player_id, *service.concerned(found.state)}
    check_names_nobody("club", asked["club"], named, "choose another one")
    after = service.enter(here().context, found, me().player_id, asked["club"], asked["nonce"])
    return shown(after, receipt_of_entry(here().keys, after.head, me().player_id, asked["nonce"]))


@bp.delete("/mine")
@Operation(
    id="leaveTournament",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "match_over"),
)
def leave(tournament_id: str) -> Response:
    """Leave a tournament.

    You are paired no more, and keep your points; a match that is on goes on. Who leaves after entries were closed does
    not come back.
    """
    found = found_by_player(tournament_id)
    return told(found, Withdraw(me().player_id))


@bp.post("/mine/rest")
@Operation(
    id="restInArena",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def rest(tournament_id: str) -> Response:
    """Rest in an arena.

    You are not paired until you are back, and keep your points; a match that is on goes on. Who has not come to a table
    rests too.
    """
    found = found_by_player(tournament_id)
    load(NothingBody(), body(optional=True))
    return told(found, Rest(me().player_id))


@bp.post("/mine/return")
@Operation(
    id="returnToArena",
    tag="tournaments",
    parameters=(TOURNAMENT_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies=SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def come_back(tournament_id: str) -> Response:
    """Return to an arena.

    So is who has not come to a table. You get a table at once if whoever is free fills some.
    """
    found = found_by_player(tournament_id)
    load(NothingBody(), body(optional=True))
    return told(found, ComeBack(me().player_id))
