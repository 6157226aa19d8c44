"""Serves the expected results of a match, from the ratings of its players."""

from collections.abc import Sequence
from typing import Annotated

from flask import Response

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.openapi_operations import MATCH_ID, Answer, AnyGame, Operation, Reply, says
from api.http.responses import json_answer
from api.resources.match_answer import OptionClass, Pace
from api.resources.seat_answer import SeatRatingAnswer, seat_rating
from domain.ratings.finished import pool_of
from events.service import player_ratings, views


class ExpectedSideAnswer(Answer):
    seats: Annotated[Sequence[int], says("The seats that win and lose together.")]
    first: Annotated[float, says("The probability of first place.", minimum=0, maximum=1)]
    place: Annotated[float, says("The expected place, from 1.", minimum=1)]


class ExpectedAnswer(Answer):
    game: AnyGame
    of: OptionClass
    pace: Pace
    rated: Annotated[bool, says("Whether the result counts for ratings.")]
    sides: Annotated[list[ExpectedSideAnswer], says("The sides of the table, by their first seats.")]
    new: Annotated[
        Sequence[int],
        says("The seats that count as new players: empty ones, and those with a hidden rating."),
    ]
    ratings: Annotated[
        Sequence[SeatRatingAnswer | None],
        says("The ratings, seat by seat; null if missing or hidden."),
    ]


@Operation(
    tag="matches",
    searches=("win probability", "expected score"),
    access="optional",
    scope="read",
    parameters=(MATCH_ID, INVITE),
    replies={200: Reply("The expected results.", ExpectedAnswer)},
    refuses=("not_found", "match_over", "wrong_phase"),
)
def get_expected_result(match_id: str) -> Response:
    """Get expected results.

    Before the end of the match, computes them from the current ratings of all seats. Bots have fixed strengths. Open
    seats, bots without a fixed strength and unlisted players count as new players, but your own rating counts. Returns
    409 `wrong_phase` for games without a winner.
    """
    who = request_caller()
    m = views.see_match(app_state().context, match_id, who).match
    found, known = player_ratings.forecast_match(app_state().context, m, who.player)
    game, of, pace = pool_of(m.game, m.options, len(m.seats), m.clock).split(":")
    sides = [ExpectedSideAnswer(side.seats, round(side.first, 4), round(side.place, 3)) for side in found.sides]
    ratings = [seat_rating(known.get(seat)) for seat in m.seats]
    expected = ExpectedAnswer(game, of, pace, m.common.rated, sides, found.new, ratings)  # type: ignore[arg-type]
    return json_answer(expected)
