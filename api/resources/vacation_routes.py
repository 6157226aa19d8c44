"""Serves a player's vacations."""

from typing import Annotated

from flask import Blueprint, Response
from marshmallow import validate

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import doc
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import REPLAYED, Answer, Body, Operation, Reply, Timestamp, says
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, load, read_body
from api.http.responses import json_answer, no_content
from api.http.strict_fields import Flag, Instant, Strict, Whole
from domain.core.clock import Time
from domain.match.vacation_days import DAY_MS, LEAST, MOST, Allowance, current_vacation, vacation_left
from events.service import vacations
from events.times import write_time

bp = Blueprint("vacation", __name__, url_prefix="/v1/players/me/vacation")


class VacationRequestBody(Strict):
    """The body says how long you are away, in one of two ways."""

    one_alone = True
    days = Whole(validate=validate.Range(1, 30), **doc("The number of days, from now."))
    until = Instant(**doc("An hour from now or later."))


class VacationChoiceBody(Strict):
    """The action when your time is up."""

    auto = Flag(required=True, **doc("Whether to take a day automatically when your time is up."))


class CurrentVacationAnswer(Answer):
    since: Annotated[Timestamp, says("When it began.")]
    until: Annotated[Timestamp, says("When it ends.")]


class VacationAnswer(Answer):
    current: Annotated[CurrentVacationAnswer | None, says("The vacation that you are on.")]
    pool_seconds: Annotated[int, says("Time that you can take now.")]
    most_seconds: Annotated[int, says("Maximum time in the pool.")]
    auto: Annotated[bool, says("Whether a day is taken automatically when your time is up.")]


@bp.get("")
@Operation(
    tag="players",
    scope="read",
    replies={200: Reply("Your vacation, and what is left to take.", VacationAnswer, headers=(REPLAYED,))},
)
def get_vacation() -> Response:
    """Get your vacation.

    While you are on vacation no decision of yours falls due in matches whose clock allows it
    (`clock.vacation`); a deadline that would moves when it comes. The pool of days begins with a week, grows by
    a day every twelve days and holds thirty.
    """
    return _shown(vacations.allowance(app_state().context, require_player().player_id))


@bp.post("")
@Operation(
    tag="players",
    scope="play",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(VacationRequestBody(), example={"days": 3}),
    replies={201: Reply("Your vacation, and what is left to take.", VacationAnswer, headers=(REPLAYED,))},
    refuses=("on_vacation", "too_few_days"),
)
def begin_vacation() -> Response:
    """Start a vacation.

    From now on, for so many days or until then; an hour at least, one at a time, and no more than the pool
    holds.
    """
    given = read_body()
    idempotency, player, now = idempotency_key(given), require_player().player_id, app_state().context.now()

    def do() -> Response:
        asked = load(VacationRequestBody(), given)
        if ("days" in asked) == ("until" in asked):
            raise invalid_request({"days": ["Send either `days` or `until`."]})
        end = Time(now + DAY_MS * asked["days"] if "days" in asked else asked["until"])
        if end < now + LEAST:
            raise invalid_request({"until": ["A vacation must be at least an hour."]})
        return _shown(vacations.begin_vacation(app_state().context, player, end, idempotency), 201)

    return run_once(idempotency, do, lambda _: _shown(vacations.allowance(app_state().context, player), 201))


@bp.delete("")
@Operation(
    tag="players",
    scope="play",
    replies={204: Reply("You are forgotten.")},
    refuses=("not_on_vacation",),
)
def end_vacation() -> Response:
    """End your vacation.

    The rest goes back into the pool, except for the first hour and the time that has already moved a deadline.
    """
    vacations.end_vacation(app_state().context, require_player().player_id)
    return no_content()


@bp.put("")
@Operation(
    tag="players",
    scope="play",
    body=Body(VacationChoiceBody(), example={"auto": False}),
    replies={200: Reply("Your vacation, and what is left to take.", VacationAnswer, headers=(REPLAYED,))},
)
def choose_vacation() -> Response:
    """Update vacation settings.

    With `auto`, which is the default, a day is taken automatically when your time runs out, as long as one is left.
    """
    given = read_body()
    player = require_player().player_id
    vacations.set_auto_vacations(app_state().context, player, load(VacationChoiceBody(), given)["auto"])
    return _shown(vacations.allowance(app_state().context, player))


def _shown(a: Allowance | None, status: int = 200) -> Response:
    # The player was erased a moment ago.
    if a is None:
        raise Problem("unauthenticated")
    now = app_state().context.now()
    on = current_vacation(a, now)
    shown = VacationAnswer(
        current=None if on is None else CurrentVacationAnswer(write_time(on.start), write_time(on.end)),
        pool_seconds=max(0, vacation_left(a, now)) // 1000,
        most_seconds=MOST // 1000,
        auto=a.auto,
    )
    return json_answer(shown, status)
