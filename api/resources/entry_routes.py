"""Serves the entries to tournaments: players enter, leave, rest and come back."""

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Body, Operation, Reply
from api.http.request_parsing import load, read_body
from api.http.responses import IF_NONE_MATCH, json_answer
from api.http.signed_answers import receipt_of_entry
from api.resources import tournament_routes
from api.resources.announcement_request import check_names_nobody
from api.resources.tournament_answer import EntrantListAnswer, entrant_list_answer
from api.resources.tournament_request import TournamentEntryBody
from domain.tournament.entrants import Withdraw
from domain.tournament.formats.arena import ComeBack, Rest
from events.service import tournaments as service


@Operation(
    tag="tournaments",
    searches=("entrants", "participants"),
    access="optional",
    parameters=(tournament_routes.TOURNAMENT_ID, IF_NONE_MATCH),
    replies={200: Reply("Players and the waiting list.", EntrantListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def list_entrants(tournament_id: str) -> Response:
    """List entrants.

    Includes the waiting list. Erased players have no name, but keep their results.
    """
    return tournament_routes.answer_unless_known(
        tournament_id, lambda found: json_answer(entrant_list_answer(found.state))
    )


@Operation(
    tag="tournaments",
    searches=("join tournament", "enter tournament"),
    parameters=(tournament_routes.TOURNAMENT_ID,),
    body=Body(TournamentEntryBody, required=False, example={"club": "Bridge Club Bonn"}),
    replies=tournament_routes.SEEN,
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

    If the tournament is full, you join the waiting list (unless it is full too) and get the next free place. After
    entries close, you can enter a Swiss until `late` rounds are paired, and an arena until its end, without a nonce.
    Players who left can enter again before entries close, three times in all. Keep the receipt in `receipts`.

    If the tournament limits ratings or reliability, its events record yours permanently for everyone who can see it. So
    you are refused while you are not listed (`PATCH /v1/players/me`).
    """
    found = tournament_routes.open_tournament_as_player(tournament_id)
    asked = load(TournamentEntryBody, read_body(optional=True))
    named = {require_player().player_id, *service.players_concerned(found.state)}
    check_names_nobody("club", asked.club, named, "choose another one")
    after = service.enter_tournament(app_state().context, found, require_player().player_id, asked.club, asked.nonce)
    return tournament_routes.tournament_response(
        after, receipt_of_entry(app_state().keys, after.head, require_player().player_id, asked.nonce)
    )


@Operation(
    tag="tournaments",
    searches=("leave tournament", "withdraw from tournament"),
    parameters=(tournament_routes.TOURNAMENT_ID,),
    replies=tournament_routes.SEEN,
    refuses=("not_found", "no_such_object", "match_over"),
)
def leave_tournament(tournament_id: str) -> Response:
    """Leave a tournament.

    You are not paired again, but keep your points. A running match continues. After entries close, you cannot return.
    """
    found = tournament_routes.open_tournament_as_player(tournament_id)
    return tournament_routes.command_tournament(found, Withdraw(require_player().player_id))


@Operation(
    tag="tournaments",
    searches=("take a break", "pause arena"),
    parameters=(tournament_routes.TOURNAMENT_ID,),
    body=Body(NothingBody, required=False, example={}),
    replies=tournament_routes.SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def rest_in_arena(tournament_id: str) -> Response:
    """Rest in an arena.

    You are not paired until you return, but keep your points. A running match continues. Players who do not show up for
    a table rest automatically.
    """
    found = tournament_routes.open_tournament_as_player(tournament_id)
    load(NothingBody, read_body(optional=True))
    return tournament_routes.command_tournament(found, Rest(require_player().player_id))


@Operation(
    tag="tournaments",
    searches=("end break", "rejoin arena"),
    parameters=(tournament_routes.TOURNAMENT_ID,),
    body=Body(NothingBody, required=False, example={}),
    replies=tournament_routes.SEEN,
    refuses=("not_found", "no_such_object", "already_done", "wrong_phase", "match_over"),
)
def return_to_arena(tournament_id: str) -> Response:
    """Return to an arena.

    Also ends the rest of a player who did not show up. You get a table immediately if enough players are free.
    """
    found = tournament_routes.open_tournament_as_player(tournament_id)
    load(NothingBody, read_body(optional=True))
    return tournament_routes.command_tournament(found, ComeBack(require_player().player_id))
