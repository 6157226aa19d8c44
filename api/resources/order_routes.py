"""Serves standing orders: what a player wants done in a match while away. Only that player sees them."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, TypedDict

from flask import Response, request
from msgspec import json

from api.http.app_state import app_state
from api.http.auth import INVITE, require_caller
from api.http.common_fields import SeatQuery
from api.http.compression import answer_everybody
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    MATCH_ID,
    NOT_MODIFIED,
    REPLAYED,
    Answer,
    Body,
    JsonSchema,
    Operation,
    Parameter,
    Reply,
    Timestamp,
    component,
    says,
)
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import conditions_hold, read_body, read_query
from api.http.responses import IF_NONE_MATCH, json_answer, no_content, set_etag
from api.resources.game_routes import GAME
from domain import match as life
from domain.core.cards import Seat
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match.move_texts import in_text
from domain.orders import carry, check, json_schema
from domain.orders.document import BadOrders, Orders
from events.service import access, request_keys, views
from events.service import orders as service
from events.service.access import OpenedMatch
from events.service.views import Seen
from events.store.pending_records import StandingOrders
from events.store.records import Remembered
from events.times import write_time

OF_MATCH = "/matches/<match_id>/orders"

CONDITIONS: Final = (
    Parameter("If-Match", "header", "The `ETag` of the orders that you know; 412 if they have changed."),
    Parameter("If-None-Match", "header", "`*`: only if there are none, else 412."),
)

DOCUMENT: Final = {"$ref": "#/components/schemas/StandingOrders"}


class OrdersSchemaAnswer(TypedDict):
    """The JSON Schema of an object, with the keywords that are always there."""

    type: Annotated[Literal["object"], says("Orders are an object.")]
    properties: Annotated[Mapping[str, JsonSchema], says("The JSON Schema of each part of the orders.")]


class OrdersOutcomeAnswer(Answer):
    version: Annotated[int, says("A version of the match.")]
    at: Annotated[Timestamp, says("Time of that version.")]


class GivenOrdersAnswer(Answer):
    seat: Annotated[int, says("The seat that they are for, from 0.")]
    orders: Annotated[Mapping[str, Any], component("StandingOrders"), says("The orders as you sent them.")]
    given_at: Annotated[Timestamp, says("Time at which you set them.")]
    carried_out: Annotated[
        OrdersOutcomeAnswer | None, says("The last move that they made: its time and the version of its first event.")
    ]
    failed: Annotated[
        OrdersOutcomeAnswer | None,
        says(
            "The last decision that they no longer fitted: an order's conditions held, but none of its moves was"
            " legal. Its time and the version of the match."
        ),
    ]


OrderedMove = Mapping[str, Any]


class OrdersTriedAnswer(Answer):
    move: Annotated[
        Annotated[OrderedMove, component("Move")] | None,
        says("The move that would be played; null if there is none."),
    ]
    order: Annotated[
        int | None,
        says("The number of the order, from 0; without a move, of the one that no longer fits."),
    ]
    forced: Annotated[bool, says("Whether it is the only legal move, and `auto_play_forced` is set.")]


@Operation(
    tag="orders",
    searches=("order conditions", "orders language"),
    access="public",
    parameters=(GAME, IF_NONE_MATCH),
    replies={
        200: Reply("The JSON Schema of orders for this game.", OrdersSchemaAnswer, headers=(ETAG,)),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
    needs_database=False,
)
def get_orders_schema(game: str) -> Response:
    """Get the orders schema.

    Returns a JSON Schema for the whole document, including the facts for conditions and the ways to order each move.
    """
    if game not in GAMES:
        raise Problem("not_found")
    return answer_everybody(json_answer(json_schema.orders_schema(GAMES[game])))


EXAMPLE: Final = {
    "auto_play_forced": True,
    "orders": [
        {
            "if": {"led": "H"},
            "do": [
                {"move": "play_card", "card": "highest", "below": "winning"},
                {"move": "play_card", "card": "lowest"},
            ],
        }
    ],
}


@Operation(
    tag="orders",
    searches=("standing orders", "premove"),
    parameters=(MATCH_ID, INVITE, *CONDITIONS),
    query=SeatQuery,
    body=Body(
        DOCUMENT,
        example=EXAMPLE,
    ),
    replies={200: Reply("Your orders, and what they have done.", GivenOrdersAnswer, headers=(ETAG,))},
    refuses=(
        "not_seated",
        "not_found",
        "match_over",
        "game_not_installed",
        "orders_not_allowed",
        "orders_not_signed",
        "orders_changed",
    ),
)
def give_orders(match_id: str) -> Response:
    """Set standing orders.

    Replaces your standing orders for the match, which the server plays while you are away. `GET
    /v1/games/{game}/orders` describes them. On your turn, after a random delay, the server carries out the first order
    whose conditions hold and that has a legal move. Until the match is over, no other player can distinguish such a
    move from your own. The orders end with the match. Returns 409 if its option `standing_orders` is off. With
    `If-Match`, replaces only the orders that you know; with `If-None-Match: *`, only none (412 `orders_changed`).
    """
    document = read_body()
    who, context = require_caller(), app_state().context
    opened = access.open_checked(context, match_id, who)
    seat = _seat()
    _read(opened, document)
    text = json.encode(document).decode()
    return _shown(service.give_orders(context, match_id, who, seat, text, _admits))


@Operation(
    tag="orders",
    searches=("my orders", "read orders"),
    parameters=(MATCH_ID, INVITE),
    query=SeatQuery,
    replies={200: Reply("Your orders, and what they have done.", GivenOrdersAnswer, headers=(ETAG,))},
    refuses=("not_seated", "not_found", "game_not_installed"),
)
def get_orders(match_id: str) -> Response:
    """Get standing orders.

    Only you can read them. Returns 404 if there are none. The `ETag` changes when you replace the orders, not when they
    make a move.
    """
    who, context = require_caller(), app_state().context
    access.open_checked(context, match_id, who)
    _, row = service.orders_of_seat(context, match_id, who, _seat())
    if row is None:
        raise Problem("not_found", "Your seat has no standing orders in this match.")
    return _shown(row)


@Operation(
    tag="orders",
    searches=("delete orders", "stop orders"),
    parameters=(MATCH_ID, INVITE, *CONDITIONS),
    query=SeatQuery,
    replies={204: Reply("Done.")},
    refuses=("not_seated", "not_found", "game_not_installed", "orders_changed"),
)
def cancel_orders(match_id: str) -> Response:
    """Delete standing orders.

    They make no more moves after the answer. If there are none, nothing changes.
    """
    who, context = require_caller(), app_state().context
    access.open_checked(context, match_id, who)
    service.cancel_orders(context, match_id, who, _seat(), _admits)
    return no_content()


@Operation(
    tag="orders",
    searches=("test orders", "dry run"),
    parameters=(MATCH_ID, INVITE, IDEMPOTENCY_KEY),
    query=SeatQuery,
    body=Body(DOCUMENT, required=False, example=EXAMPLE),
    replies={
        200: Reply(
            "The move that would be made.",
            OrdersTriedAnswer,
            headers=(ETAG, REPLAYED),
        )
    },
    refuses=("not_seated", "not_found", "game_not_installed", "orders_not_allowed", "orders_not_signed"),
)
def try_orders(match_id: str) -> Response:
    """Try standing orders.

    Tries the orders in the body, or your current ones. Nothing is played or stored. Returns 409 if the match does not
    allow orders.
    """
    sent = read_body(optional=True) if not request.get_data() else read_body()
    given = sent if request.get_data() else None
    idempotency = idempotency_key(sent)
    who, context = require_caller(), app_state().context
    opened = access.open_checked(context, match_id, who)

    def at(version: int | None) -> Response:
        seat = _seat()
        document = None if given is None else _read(opened, given)
        seen, row = service.orders_of_seat(context, match_id, who, seat)
        if not seen.match.common.standing_orders:
            raise Refused("orders_not_allowed")
        if seen.seat is not None and seen.match.keys[seen.seat] is not None:
            raise Refused("orders_not_signed")
        if document is None and row is None:
            raise Problem("not_found", "Your seat has no standing orders in this match. Send the orders to try.")
        if document is None and row is not None:
            document = check.read_orders(opened.game, json.decode(row.document))
        then = seen if version is None else views.view_at_version(context, seen, version)
        if version is None:
            request_keys.remember_key(app_state().context, idempotency, then.match_no, then.version)
        return _tried(then, document)

    return run_once(idempotency, lambda: at(None), lambda before: at(_version(before)))


def _version(before: Remembered) -> int:
    assert before.first is not None
    return before.first


def _seat() -> Seat | None:
    return read_query(SeatQuery).seat


def _read(opened: OpenedMatch, document: Any) -> Orders:
    """Check a document for the game of the match. Raises 422 with every place that is wrong."""
    try:
        return check.read_orders(opened.game, document)
    except BadOrders as bad:
        errors = {place or "_schema": [why] for place, why in bad.errors.items()}
        raise wrong_fields(errors) from None


def _admits(found: StandingOrders | None) -> bool:
    return conditions_hold(None if found is None else _tag(found))


def _tag(found: StandingOrders) -> str:
    return sha256(found.orders_id.encode()).hexdigest()[:32]


def _shown(row: StandingOrders) -> Response:
    shown = GivenOrdersAnswer(
        seat=row.seat,
        orders=json.decode(row.document),
        given_at=write_time(row.given_ms),
        carried_out=_outcome_answer(row.carried_version, row.carried_ms),
        failed=_outcome_answer(row.failed_version, row.failed_ms),
    )
    return set_etag(json_answer(shown), _tag(row))


def _outcome_answer(version: int | None, at_ms: int | None) -> OrdersOutcomeAnswer | None:
    return None if version is None or at_ms is None else OrdersOutcomeAnswer(version, write_time(at_ms))


def _tried(seen: Seen, orders: Orders | None) -> Response:
    """Return the outcome of orders on the table that their player sees."""
    m, seat = seen.match, seen.seat
    assert orders is not None
    assert seat is not None
    carried = carry.carry_out_orders(m.game, m.table, seat, orders) if life.legal(m, seat) else None
    move = carried.move if carried else None
    tried = OrdersTriedAnswer(
        move=None if move is None else in_text(m.game, move),
        order=carried.order if carried else None,
        forced=move is not None and carried is not None and carried.order is None,
    )
    return set_etag(json_answer(tried), seen.version)
