"""Serves what is expected of a match by the ratings of its players."""

from collections.abc import Sequence
from typing import Annotated

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.openapi_operations import MATCH_ID, Answer, AnyGame, Operation, Reply, says
from api.http.responses import json_answer
from api.resources.match_answer import OptionClass, Pace
from api.resources.seat_answer import SeatRatingAnswer, seat_rating
from domain.ratings import pool_of
from events.service import player_ratings, views

bp = Blueprint("expected", __name__, url_prefix="/v1/matches/<match_id>/expected")


class ExpectedSideAnswer(Answer):
    seats: Annotated[Sequence[int], says("The seats that win and lose together.")]
    first: Annotated[float, says("How probable it is that the side comes first.", ge=0, le=1)]
    place: Annotated[float, says("The mean of the places in which it may come in, from 1.", ge=1)]


class ExpectedAnswer(Answer):
    game: AnyGame
    of: OptionClass
    pace: Pace
    rated: Annotated[bool, says("Whether the result counts for ratings.")]
    sides: Annotated[list[ExpectedSideAnswer], says("The sides of the table, by their first seats.")]
    new: Annotated[
        Sequence[int],
        says("The seats that are counted as new players: empty ones, and those whose rating you may not see."),
    ]
    ratings: Annotated[
        Sequence[SeatRatingAnswer | None],
        says("The ratings of the players, seat by seat; null: there is none, or you may not see it."),
    ]


@bp.get("")
@Operation(
    tag="matches",
    access="optional",
    scope="read",
    parameters=(MATCH_ID, INVITE),
    replies={200: Reply("What is expected.", ExpectedAnswer)},
    refuses=("not_found", "match_over", "wrong_phase"),
)
def get_expected_result(match_id: str) -> Response:
    """Get expected results.

    Before its end, by the ratings of all its seats as of now, in one formula for the whole table; bots have their fixed
    strengths. A seat that is open, a bot of no fixed strength and a player who is not listed count as new players, but
    you know your own rating. Some games have no winner (409 `wrong_phase`).
    """
    who = request_caller()
    m = views.see_match(app_state().context, match_id, who).match
    found, known = player_ratings.forecast_match(app_state().context, m, who.player)
    game, of, pace = pool_of(m.game, m.options, len(m.seats), m.clock).split(":")
    sides = [ExpectedSideAnswer(side.seats, round(side.first, 4), round(side.place, 3)) for side in found.sides]
    ratings = [seat_rating(known.get(seat)) for seat in m.seats]
    expected = ExpectedAnswer(game, of, pace, m.common.rated, sides, found.new, ratings)  # type: ignore[arg-type]
    return json_answer(expected)
