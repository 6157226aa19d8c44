"""Serves the rounds of tournaments."""

from functools import cache

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.openapi_operations import ETAG, NOT_MODIFIED, Operation, Reply
from api.http.present import IF_NONE_MATCH, answer
from api.http.problems import Problem
from api.resources.round_answer import RoundAnswer, RoundListAnswer, round_list, round_seen
from api.resources.tournament_routes import ROUND, TOURNAMENT_ID, unless_known
from events.service import tournaments as service
from events.service.tournament_rounds import rounds_of
from events.service.tournaments import HeldTournament

bp = Blueprint("rounds", __name__, url_prefix="/v1/tournaments/<tournament_id>")


@bp.get("/rounds")
@Operation(
    id="listRounds",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={200: Reply("The rounds that were paired.", RoundListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def index(tournament_id: str) -> Response:
    """List rounds.

    Lists paired rounds, from the first.
    The last one is open until all its tables are over.
    """
    return unless_known(tournament_id, lambda found: answer(round_list(rounds_of(found))))


@bp.get("/rounds/<int:round>")
@Operation(
    id="getRound",
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, ROUND, IF_NONE_MATCH),
    replies={200: Reply("The round.", RoundAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def show(tournament_id: str, round: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Get a round.

    Has its tables with matches and results, the byes, and the reasons of the pairing.
    Each seat has its points before the round, and each table says who there had met before. Anybody can pair the round
    again from its seed. Who has sat down at open tables is no event, and changes while the version does not.
    """

    @cache
    def seated() -> str:
        return service.seated(here().context, tournament_id)

    def shown(found: HeldTournament) -> Response:
        rounds = rounds_of(found)
        if not 1 <= round <= len(rounds):
            raise Problem("not_found", "This round has not been paired.")
        return answer(round_seen(found.state, rounds[round - 1], seated()))

    return unless_known(tournament_id, shown, seated)
