"""Serves the rounds of tournaments."""

from functools import cache

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Operation, Reply
from api.http.problems import Problem
from api.http.responses import IF_NONE_MATCH, json_answer
from api.resources.round_answer import RoundAnswer, RoundListAnswer, round_answer, round_list_answer
from api.resources.tournament_routes import ROUND, TOURNAMENT_ID, answer_unless_known
from events.service import tournaments as service
from events.service.tournament_rounds import rounds_of
from events.service.tournaments import HeldTournament

bp = Blueprint("rounds", __name__, url_prefix="/v1/tournaments/<tournament_id>")


@bp.get("/rounds")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={200: Reply("The rounds that were paired.", RoundListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def list_rounds(tournament_id: str) -> Response:
    """List rounds.

    Lists paired rounds, from the first.
    The last one is open until all its tables are over.
    """
    return answer_unless_known(tournament_id, lambda found: json_answer(round_list_answer(rounds_of(found))))


@bp.get("/rounds/<int:round>")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, ROUND, IF_NONE_MATCH),
    replies={200: Reply("The round.", RoundAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def get_round(tournament_id: str, round: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Get a round.

    Has its tables with matches and results, the byes, and the reasons of the pairing. Each seat has its points before
    the round, and each table says who there had met before. Anyone can recompute the pairing from its seed. Players who
    sit down at open tables are shown without an event, so the answer can change while its version does not.
    """

    @cache
    def seated() -> str:
        return service.seats_taken(app_state().context, tournament_id)

    def shown(found: HeldTournament) -> Response:
        rounds = rounds_of(found)
        if not 1 <= round <= len(rounds):
            raise Problem("not_found", "This round has not been paired.")
        return json_answer(round_answer(found.state, rounds[round - 1], seated()))

    return answer_unless_known(tournament_id, shown, seated)
