"""Serves a player's vacations."""

from typing import Annotated

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import REPLAYED, Answer, Body, Operation, Reply, Timestamp, says
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer, no_content
from domain.core.clock import Time
from domain.core.options import Omissible, Range
from domain.match.vacation_days import DAY_MS, LEAST, MOST, Allowance, current_vacation, vacation_left
from events.service import vacations
from events.times import write_time


class VacationRequestBody(Request):
    """The length of the vacation, as `days` or `until`."""

    one_alone = True
    days: Omissible[Annotated[int, Range(1, 30)]] = None
    """The number of days, from now."""
    until: Omissible[Time] = None
    """The end time, at least an hour from now."""


class VacationChoiceBody(Request):
    """The vacation settings."""

    auto: bool
    """Whether to take a day automatically when your time runs out."""


class CurrentVacationAnswer(Answer):
    since: Annotated[Timestamp, says("Start time.")]
    until: Annotated[Timestamp, says("End time.")]


class VacationAnswer(Answer):
    current: Annotated[CurrentVacationAnswer | None, says("Your current vacation.")]
    pool_seconds: Annotated[int, says("The time that you can take now.")]
    most_seconds: Annotated[int, says("Maximum time in the pool.")]
    auto: Annotated[bool, says("Whether the server takes a day when your time runs out.")]


@Operation(
    tag="players",
    searches=("vacation days left", "vacation balance"),
    scope="read",
    replies={200: Reply("Your vacation, and the time left in the pool.", VacationAnswer, headers=(REPLAYED,))},
)
def get_vacation() -> Response:
    """Get your vacation.

    During a vacation, none of your decisions falls due in matches whose clock allows it (`clock.vacation`): a deadline
    moves when it is reached. The pool starts with a week, grows by a day every twelve days and holds at most thirty.
    """
    return _shown(vacations.allowance(app_state().context, require_player().player_id))


@Operation(
    tag="players",
    searches=("vacation", "holiday"),
    scope="play",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(VacationRequestBody, example={"days": 3}),
    replies={201: Reply("Your vacation, and the time left in the pool.", VacationAnswer, headers=(REPLAYED,))},
    refuses=("on_vacation", "too_few_days"),
)
def begin_vacation() -> Response:
    """Start a vacation.

    Starts now and lasts for `days` or until `until`. A vacation takes at least an hour and at most what the pool holds.
    You can have one at a time.
    """
    given = read_body()
    idempotency, player, now = idempotency_key(given), require_player().player_id, app_state().context.now()

    def do() -> Response:
        asked = load(VacationRequestBody, given)
        if asked.until is not None and asked.days is None:
            end = asked.until
        elif asked.days is not None and asked.until is None:
            end = Time(now + DAY_MS * asked.days)
        else:
            raise wrong_fields({"days": ["Send either `days` or `until`."]})
        if end < now + LEAST:
            raise wrong_fields({"until": ["A vacation must be at least an hour."]})
        return _shown(vacations.begin_vacation(app_state().context, player, end, idempotency), 201)

    return run_once(idempotency, do, lambda _: _shown(vacations.allowance(app_state().context, player), 201))


@Operation(
    tag="players",
    searches=("cancel vacation", "back from vacation"),
    scope="play",
    replies={204: Reply("The vacation has ended.")},
    refuses=("not_on_vacation",),
)
def end_vacation() -> Response:
    """End your vacation.

    Returns the rest to the pool, except for the first hour and the time that has already moved a deadline.
    """
    vacations.end_vacation(app_state().context, require_player().player_id)
    return no_content()


@Operation(
    tag="players",
    searches=("automatic vacation", "vacation settings"),
    scope="play",
    body=Body(VacationChoiceBody, example={"auto": False}),
    replies={200: Reply("Your vacation, and the time left in the pool.", VacationAnswer, headers=(REPLAYED,))},
)
def choose_vacation() -> Response:
    """Update vacation settings.

    With `auto` (the default), the server takes a day whenever your time runs out, while the pool has one.
    """
    given = read_body()
    player = require_player().player_id
    vacations.set_auto_vacations(app_state().context, player, load(VacationChoiceBody, given).auto)
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
