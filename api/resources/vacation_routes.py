"""Serves a player's vacations."""

from typing import Annotated

from flask import Blueprint, Response
from marshmallow import validate

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load, refused
from api.http.fields import Flag, Instant, Strict, Whole
from api.http.idempotency import IDEMPOTENCY_KEY, key, once
from api.http.openapi_operations import REPLAYED, Answer, Body, Operation, Reply, Timestamp, says
from api.http.present import answer, nothing
from api.http.problems import Problem
from api.http.schemas import said
from domain.core.clock import Time
from domain.match.vacation_days import DAY_MS, LEAST, MOST, Allowance, current, pool
from events.service import vacations
from events.times import write_time

bp = Blueprint("vacation", __name__, url_prefix="/v1/players/me/vacation")


class NewVacationBody(Strict):
    """The body says how long you are away, in one of two ways."""

    one_alone = True
    days = Whole(validate=validate.Range(1, 30), **said("The number of days, from now."))
    until = Instant(**said("An hour from now or later."))


class VacationChoiceBody(Strict):
    """The body says what happens when your time is up."""

    auto = Flag(required=True, **said("Whether a day is taken by itself when your time is up."))


class CurrentVacationAnswer(Answer):
    since: Annotated[Timestamp, says("When it began.")]
    until: Annotated[Timestamp, says("When it ends.")]


class VacationAnswer(Answer):
    current: Annotated[CurrentVacationAnswer | None, says("The vacation that you are on.")]
    pool_seconds: Annotated[int, says("What is left to take now.")]
    most_seconds: Annotated[int, says("What the pool holds at most.")]
    auto: Annotated[bool, says("A day is taken by itself when your time is up.")]


@bp.get("")
@Operation(
    id="getVacation",
    tag="players",
    scope="read",
    replies={200: Reply("Your vacation, and what is left to take.", VacationAnswer, headers=(REPLAYED,))},
)
def show() -> Response:
    """Get your vacation.

    While you are on vacation no decision of yours falls due in matches whose clock allows it
    (`clock.vacation`); a deadline that would moves when it comes. The pool of days begins with a week, grows by
    a day every twelve days and holds thirty.
    """
    return _shown(vacations.allowance(here().context, me().player_id))


@bp.post("")
@Operation(
    id="beginVacation",
    tag="players",
    scope="play",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(NewVacationBody(), example={"days": 3}),
    replies={201: Reply("Your vacation, and what is left to take.", VacationAnswer, headers=(REPLAYED,))},
    refuses=("on_vacation", "too_few_days"),
)
def begin() -> Response:
    """Start a vacation.

    From now on, for so many days or until then; an hour at least, one at a time, and no more than the pool
    holds.
    """
    given = body()
    idempotency, player, now = key(given), me().player_id, here().context.now()

    def do() -> Response:
        asked = load(NewVacationBody(), given)
        if ("days" in asked) == ("until" in asked):
            raise refused({"days": ["Say for how many days you are away, or until when."]})
        end = Time(now + DAY_MS * asked["days"] if "days" in asked else asked["until"])
        if end < now + LEAST:
            raise refused({"until": ["A vacation is an hour at least."]})
        return _shown(vacations.begin(here().context, player, end, idempotency), 201)

    return once(idempotency, do, lambda _: _shown(vacations.allowance(here().context, player), 201))


@bp.delete("")
@Operation(
    id="endVacation",
    tag="players",
    scope="play",
    replies={204: Reply("You are forgotten.")},
    refuses=("not_on_vacation",),
)
def end() -> Response:
    """End your vacation.

    What is left of it goes back into the pool, except for its first hour and what has moved a deadline already.
    """
    vacations.end(here().context, me().player_id)
    return nothing()


@bp.put("")
@Operation(
    id="chooseVacation",
    tag="players",
    scope="play",
    body=Body(VacationChoiceBody(), example={"auto": False}),
    replies={200: Reply("Your vacation, and what is left to take.", VacationAnswer, headers=(REPLAYED,))},
)
def choose() -> Response:
    """Update vacation settings.

    With `auto`, as it is at first, a day is taken by itself, as long as there is one, instead of letting your
    time run out.
    """
    given = body()
    player = me().player_id
    vacations.set_auto(here().context, player, load(VacationChoiceBody(), given)["auto"])
    return _shown(vacations.allowance(here().context, player))


def _shown(a: Allowance | None, status: int = 200) -> Response:
    # The player was erased a moment ago.
    if a is None:
        raise Problem("unauthenticated")
    now = here().context.now()
    on = current(a, now)
    shown = VacationAnswer(
        current=None if on is None else CurrentVacationAnswer(write_time(on.start), write_time(on.end)),
        pool_seconds=max(0, pool(a, now)) // 1000,
        most_seconds=MOST // 1000,
        auto=a.auto,
    )
    return answer(shown, status)
