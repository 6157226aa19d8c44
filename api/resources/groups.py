"""Tables that get the same deals, and the deals of a finished match played once more."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, Response
from msgspec import to_builtins

from api.http.auth import caller, seated
from api.http.bodies import body, load, refused
from api.http.context import here
from api.http.idempotency import key, once
from api.http.present import answer, nothing
from api.http.present import seated as seats_of
from api.http.problems import Problem
from api.http.schemas import NewGroup, Practice
from api.resources.matches import shown_as_created
from api.resources.new_match import clock_of, new_match, places_of
from events.service import group_tables as groups
from events.service.deal_groups import SeenGroup
from events.service.new_match import NewMatch
from events.service.practice import NoDeals, TooVisible
from events.store.records import Remembered
from events.times import write_time

bp = Blueprint("groups", __name__, url_prefix="/v1")

DAY: Final = {"per_decision_seconds": 24 * 3600}


@bp.post("/deal-groups")
def create() -> Response:
    """Create tables that get the same deals."""
    given = body()
    idempotency = key(given)
    who = seated()

    def do() -> Response:
        new, tables = _tables(load(NewGroup(), given))
        return _created(here().matches.create_group(who, new, tables, idempotency))

    def again(done: Remembered) -> Response:
        return _created(here().matches.group_before(who, done))

    return once(idempotency, do, again)


def _created(seen: SeenGroup) -> Response:
    return answer(_group(seen), 201, headers={"Location": f"/v1/deal-groups/{seen.group.group_id}"})


def _tables(asked: Mapping[str, Any]) -> tuple[NewMatch, list[Any]]:
    """Complete what a client asked for: what all tables have in common, and the places of each. Raises 422."""
    asked = {**asked, "clock": asked["clock"] or DAY}
    made = [new_match({**asked, "seats": seats}) for seats in asked["tables"]]
    places = [one.places for one in made]
    if len({len(row) for row in places}) > 1:
        raise refused({"tables": ["All tables have as many seats."]})
    if sum(any(place.kind == "me" for place in row) for row in places) > 1:
        raise refused({"tables": ["Nobody sits at two tables of a group, you neither."]})
    if not made[0].clock.ticks:
        raise refused({"clock": ["Tables wait for each other, so that nobody may take for ever."]})
    return made[0], places


@bp.get("/deal-groups/<group_id>")
def show(group_id: str) -> Response:
    """Show a group of tables; what came of them once all are over."""
    return answer(_group(here().matches.group(group_id, caller())))


@bp.delete("/deal-groups/<group_id>")
def cancel(group_id: str) -> Response:
    """Cancel all tables of a group before they begin."""
    who = seated()
    here().matches.cancel_group(group_id, who)
    here().watch.hurry()
    return nothing()


_STATUS: Final = {
    groups.OPEN: "lobby", groups.STARTED: "playing", groups.CANCELLED: "cancelled", groups.EXPIRED: "expired",
}  # fmt: skip


def _group(seen: SeenGroup) -> dict[str, Any]:
    first, over = seen.tables[0].match, all(table.match.over for table in seen.tables)
    status = _STATUS.get(seen.group.state, "finished" if over else "playing")
    shown: dict[str, Any] = {
        "id": seen.group.group_id,
        "game": first.game.name,
        "status": status,
        "preset": first.created.preset,
        "options": first.created.options,
        "series": to_builtins(first.created.series),
        "clock": to_builtins(first.created.clock),
        "visibility": first.created.visibility,
        "created_at": write_time(seen.group.created_ms),
        "commitment": seen.commitment,
        "your_table": seen.mine,
        "tables": [
            {
                "table": i,
                "match": table.match_id,
                # How far a table has come is its players' alone while the group is on.
                "status": table.match.status if over else status,
                "seats": [
                    {name: seat[name] for name in ("seat", "kind", "player", "level")}
                    for seat in seats_of(table.match)
                ],
            }
            for i, table in enumerate(seen.tables)
        ],
        "results": _results(seen) if status == "finished" else None,
    }
    if seen.creator:
        shown["invites"] = [
            {"table": i, "seat": seat, "invite": code}
            for i, table in enumerate(seen.tables)
            for seat, code in sorted(here().matches.invites(table, caller()).items())
        ]
    return shown


def _results(seen: SeenGroup) -> list[dict[str, Any]]:
    first = seen.tables[0].match
    results = [table.match.result for table in seen.tables]
    found = groups.compared(results, len(first.seats), low_wins=first.game.setup.low_wins)
    return [to_builtins(one) for one in found]


@bp.post("/matches/<match_id>/practice")
def practise(match_id: str) -> Response:
    """Play the deals of a finished match once more."""
    given = body(optional=True)
    idempotency = key(given)
    who = seated()
    opened = here().matches.open(match_id, who)

    def do() -> Response:
        asked = load(Practice(), given)
        places = None if asked["seats"] is None else places_of(opened.game, asked["seats"])
        if places is not None and len(places) != len(opened.seats):
            raise refused({"seats": [f"The deals are for {len(opened.seats)} seats."]})
        try:
            seen = here().matches.practice(
                match_id,
                who,
                asked.get("hand_no"),
                places,
                asked["visibility"],
                clock_of(asked["clock"]),
                idempotency,
            )
        except TooVisible:
            wider = "No more may see the practice than may see the match whose deals it has."
            raise refused({"visibility": [wider]}) from None
        except NoDeals:
            raise Problem("forbidden", "The match has not disclosed this deal.") from None
        return shown_as_created(seen)

    def again(done: Remembered) -> Response:
        return shown_as_created(here().matches.created_before(who, done))

    return once(idempotency, do, again)
