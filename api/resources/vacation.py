"""A player's vacations."""

from flask import Blueprint, Response

from api.http.auth import me
from api.http.bodies import body, load, refused
from api.http.context import here
from api.http.idempotency import key, once
from api.http.present import answer, nothing
from api.http.problems import Problem
from api.http.schemas import NewVacation, VacationChoice
from domain.core.clock import Time
from domain.match.vacation import DAY_MS, LEAST, MOST, Allowance, begun, current, ended, pool
from events.errors import AlreadyThere, Repeated
from events.times import write_time

bp = Blueprint("vacation", __name__, url_prefix="/v1/players/me/vacation")


@bp.get("")
def show() -> Response:
    """Show the vacation that the caller is on, and what is left to take."""
    return _shown(here().store.allowance(me().player_id))


@bp.post("")
def begin() -> Response:
    """Begin a vacation."""
    given = body()
    idempotency, player, now = key(given), me().player_id, here().matches.now()

    def do() -> Response:
        asked = load(NewVacation(), given)
        if ("days" in asked) == ("until" in asked):
            raise refused({"days": ["Say for how many days you are away, or until when."]})
        end = Time(now + DAY_MS * asked["days"] if "days" in asked else asked["until"])
        if end < now + LEAST:
            raise refused({"until": ["A vacation is an hour at least."]})
        try:
            has = here().store.take_vacations(player, lambda a: begun(a, now, end), idempotency, now)
        except AlreadyThere:
            raise Repeated from None
        return _shown(has, 201)

    return once(idempotency, do, lambda _: _shown(here().store.allowance(player), 201))


@bp.delete("")
def end() -> Response:
    """End the vacation that the caller is on; what is left of it can be taken again."""
    now = here().matches.now()
    here().store.take_vacations(me().player_id, lambda a: ended(a, now))
    return nothing()


@bp.put("")
def choose() -> Response:
    """Choose whether a day is taken by itself when the caller's time is up."""
    given = body()
    player = me().player_id
    here().store.set_auto_vacation(player, load(VacationChoice(), given)["auto"])
    return _shown(here().store.allowance(player))


def _shown(a: Allowance | None, status: int = 200) -> Response:
    if a is None:  # erased a moment ago
        raise Problem("unauthenticated")
    now = here().matches.now()
    on = current(a, now)
    shown = {
        "current": None if on is None else {"since": write_time(on.start), "until": write_time(on.end)},
        "pool_seconds": max(0, pool(a, now)) // 1000,
        "most_seconds": MOST // 1000,
        "auto": a.auto,
    }
    return answer(shown, status)
