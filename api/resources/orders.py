"""Standing orders: what a player wants done in a match while he is away. Only he ever sees them."""

from typing import Any

from flask import Blueprint, Response, request
from msgspec import json

from api.http.auth import seated
from api.http.bodies import body, if_match, query
from api.http.context import here
from api.http.generated import name_of, written
from api.http.idempotency import key, once
from api.http.present import answer, marked, nothing, time_or_none
from api.http.problems import Problem
from api.http.schemas import SeatQuery
from domain import match as life
from domain.core.cards import Seat
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.orders import language
from events.service.order_looks import Standing
from events.service.views import Opened, Seen
from events.store.records import Remembered

bp = Blueprint("orders", __name__, url_prefix="/v1")
OF_MATCH = "/matches/<match_id>/orders"


@bp.get("/games/<game>/orders")
def schema(game: str) -> Response:
    """Describe the orders that a game understands."""
    if game not in GAMES:
        raise Problem("not_found")
    return answer(language.schema(GAMES[game]))


@bp.put(OF_MATCH)
def give(match_id: str) -> Response:
    """Give orders, in the place of earlier ones."""
    document = body()
    who, matches = seated(), here().matches
    opened = matches.open(match_id, who)
    seat = _seat()
    _read(opened, document)
    text = json.encode(document).decode()
    return _shown(*matches.give_orders(match_id, who, seat, text, if_match(opened.version)))


@bp.get(OF_MATCH)
def show(match_id: str) -> Response:
    """Show the caller his orders for a seat."""
    who, matches = seated(), here().matches
    matches.open(match_id, who)
    seen, standing = matches.orders(match_id, who, _seat())
    if standing is None:
        raise Problem("not_found", "No orders are in force here for your seat.")
    return _shown(seen, standing)


@bp.delete(OF_MATCH)
def cancel(match_id: str) -> Response:
    """Cancel the orders for a seat, if there are any."""
    who, matches = seated(), here().matches
    opened = matches.open(match_id, who)
    return nothing(matches.cancel_orders(match_id, who, _seat(), if_match(opened.version)))


@bp.post(f"{OF_MATCH}/dry-run")
def dry_run(match_id: str) -> Response:
    """Tell what orders would do now: those in the body, else those in force."""
    sent = body(optional=True) if not request.get_data() else body()
    given = sent if request.get_data() else None
    idempotency = key(sent)
    who, matches = seated(), here().matches
    opened = matches.open(match_id, who)

    def at(version: int | None) -> Response:
        seat = _seat()
        document = None if given is None else _read(opened, given)
        seen, standing = matches.orders(match_id, who, seat)
        if not seen.match.common.standing_orders:
            raise Refused("orders_not_allowed")
        if document is None and standing is None:
            raise Problem("not_found", "No orders are in force here for your seat; send some to try.")
        if document is None and standing is not None:
            document = language.read(opened.game, json.decode(standing.document))
        then = seen if version is None else matches.at(seen, version)
        if version is None and idempotency is not None:
            here().store.remember(idempotency, matches.now(), then.match_no, then.version)
        return _told(then, document)

    return once(idempotency, lambda: at(None), lambda before: at(_version(before)))


def _version(before: Remembered) -> int:
    assert before.first is not None
    return before.first


def _seat() -> Seat | None:
    asked: Seat | None = query(SeatQuery()).get("seat")
    return asked


def _read(opened: Opened, document: Any) -> language.Orders:
    """Check a document for the game of the match. Raises 422 with every place that is wrong."""
    try:
        return language.read(opened.game, document)
    except language.BadOrders as bad:
        errors = {place or "_schema": [why] for place, why in bad.errors.items()}
        raise Problem("bad_arguments", errors=errors) from None


def _shown(seen: Seen, standing: Standing) -> Response:
    shown = {
        "seat": standing.seat,
        "orders": json.decode(standing.document),
        "given_at": time_or_none(standing.given_ms),
        "carried_out": _at(standing.carried_version, standing.carried_ms),
        "failed": _at(standing.failed_version, standing.failed_ms),
    }
    return marked(answer(shown), seen.version)


def _at(version: int | None, at_ms: int | None) -> dict[str, Any] | None:
    return None if version is None else {"version": version, "at": time_or_none(at_ms)}


def _told(seen: Seen, orders: language.Orders | None) -> Response:
    """Tell what orders make of the table that their player sees."""
    m, seat = seen.match, seen.seat
    assert orders is not None
    assert seat is not None
    carried = language.carried(m.game, m.table, seat, orders) if life.legal(m, seat) else None
    move = carried.move if carried else None
    make: type = type(move)
    told = {
        "move": None if move is None else {"name": name_of(m.game.name, make), "args": written(move)},
        "order": carried.order if carried else None,
        "forced": move is not None and carried is not None and carried.order is None,
    }
    return marked(answer(told), seen.version)
