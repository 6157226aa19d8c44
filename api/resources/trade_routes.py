"""Serves trades: offers of cards between two players, accepted, declined or withdrawn."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from marshmallow import ValidationError, fields, validate, validates_schema

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody, doc
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import REPLAYED, Answer, Body, NextCursor, Operation, Ordinal, Parameter, Reply, says
from api.http.request_parsing import invalid_request, load, read_body
from api.http.responses import json_answer, no_content
from api.http.strict_fields import Strict
from api.resources.collection_routes import own_collection
from api.resources.deck_answer import CountedCardAnswer, card_counts
from api.resources.deck_request import CardCountBody
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from domain.collection.collection_state import TradeOffer
from domain.games.catalogue import CARDS
from events.service import collections, players
from events.service.collections import LastEvent
from events.store.player_records import TradeRow
from events.store.records import Remembered

bp = Blueprint("trades", __name__, url_prefix="/v1/collection/trades")

TRADE_ID: Final = Parameter("trade_id", "path", "The id of an open offer.", example="8n9y4jktn4n1gzhahebf")

MOST_COPIES: Final = 100
"""One side of a trade names at most this many copies."""


def _cards(description: str) -> fields.List[Any]:
    most = MOST_COPIES
    return fields.List(
        fields.Nested(CardCountBody),
        load_default=list,
        validate=validate.Length(max=most),
        **doc(description, maxItems=most),
    )


class TradeRequestBody(Strict):
    """The body says what you offer, what you want for it, and to whom."""

    to = fields.String(
        required=True, validate=validate.Length(1, 40), **doc("The handle of the other player.", maxLength=40)
    )
    give = _cards("The cards that you give.")
    want = _cards("The cards that you want.")

    @validates_schema
    def _fair(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        for part in ("give", "want"):
            rows = data.get(part, ())
            if len({row["card"] for row in rows}) < len(rows):
                raise ValidationError("Use each card only once, with its count.", part)
            if sum(row["count"] for row in rows) > MOST_COPIES:
                raise ValidationError(f"A trade can have at most {MOST_COPIES} copies.", part)
        if not data.get("give") and not data.get("want"):
            raise ValidationError("Name at least one card.", "give")


class TradeAnswer(Answer):
    """An offer that is open."""

    id: Annotated[str, says("The id of the offer.")]
    by: Annotated[SeatedPlayerAnswer, says("The player who made the offer.")]
    to: Annotated[SeatedPlayerAnswer, says("To whom it was made.")]
    give: Annotated[list[CountedCardAnswer], says("The cards that `by` gives.")]
    want: Annotated[list[CountedCardAnswer], says("The cards that `to` gives for them.")]


class TradeListAnswer(Answer):
    items: Annotated[list[TradeAnswer], says("The open offers that you have made or got.")]
    next: NextCursor


class AcceptedTradeAnswer(Answer):
    """This says what a trade has done to your collection."""

    trade: Annotated[str, says("The id of the offer, which is open no longer.")]
    version: Annotated[Ordinal, says("The number of the event in your collection.")]
    gave: Annotated[list[CountedCardAnswer], says("The cards that you gave.")]
    got: Annotated[list[CountedCardAnswer], says("The cards that you got.")]


@bp.post("")
@Operation(
    tag="cards",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(
        TradeRequestBody(),
        example={
            "to": "ben",
            "give": [{"card": next(iter(CARDS.cards), "card"), "count": 2}],
            "want": [{"card": next(iter(CARDS.cards), "card"), "count": 1}],
        },
    ),
    replies={201: Reply("The offer.", TradeAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "too_many_trades", "not_in_collection"),
)
def offer_trade() -> Response:
    """Offer a trade.

    Those that you give are set aside until the offer ends, so that what you offer is yours to give: 409
    `not_in_collection` for others, and for cards of the starter, which stay with your account. Whether the other player
    has the cards that you want is not shown before the offer is accepted. A player has at most 20 offers open.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)
    own_collection()

    def do() -> Response:
        made = _offer(load(TradeRequestBody(), given))
        trade = collections.offer_trade(app_state().context, player, made, asked)
        return json_answer(_answers([TradeRow(trade, "", player, made.partner, made.give, made.want)])[0], 201)

    def again(remembered: Remembered) -> Response:
        was = collections.repeat_collection_answer(app_state().context, player, remembered).event
        return json_answer(_answers([TradeRow(was.trade, "", player, was.partner, was.give, was.want)])[0], 201)

    return run_once(asked, do, again)


@bp.get("")
@Operation(
    tag="cards",
    replies={200: Reply("Open offers.", TradeListAnswer)},
)
def list_trades() -> Response:
    """List open trades.

    Has the offers that you made and those that you got. Offers that were accepted, declined or withdrawn are no longer
    listed; the record of your collection has them.
    """
    return json_answer(
        TradeListAnswer(_answers(collections.trades_of(app_state().context, require_player().player_id)), None)
    )


@bp.get("/<trade_id>")
@Operation(
    tag="cards",
    parameters=(TRADE_ID,),
    replies={200: Reply("The offer.", TradeAnswer)},
    refuses=("not_found",),
)
def get_trade(trade_id: str) -> Response:
    """Get a trade.

    Only the two players can read it; 404 once it is no longer open.
    """
    return json_answer(_answers([collections.find_trade(app_state().context, require_player().player_id, trade_id)])[0])


@bp.delete("/<trade_id>")
@Operation(
    tag="cards",
    parameters=(TRADE_ID,),
    replies={204: Reply("This offer is no longer open.")},
    refuses=("not_found",),
)
def withdraw_trade(trade_id: str) -> Response:
    """Withdraw a trade.

    Its cards are set aside no longer.
    """
    collections.withdraw_trade(app_state().context, require_player().player_id, trade_id)
    return no_content()


@bp.post("/<trade_id>/decline")
@Operation(
    tag="cards",
    parameters=(TRADE_ID,),
    body=Body(NothingBody(), required=False, example={}),
    replies={204: Reply("This offer is no longer open.")},
    refuses=("not_found",),
)
def decline_trade(trade_id: str) -> Response:
    """Decline a trade.

    Cards that were set aside for it are free again.
    """
    load(NothingBody(), read_body(optional=True))
    collections.decline_trade(app_state().context, require_player().player_id, trade_id)
    return no_content()


@bp.post("/<trade_id>/accept")
@Operation(
    tag="cards",
    parameters=(TRADE_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody(), required=False, example={}),
    replies={200: Reply("What you gave and got.", AcceptedTradeAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "not_in_collection", "too_many_gifts"),
    makes="trades",
)
def accept_trade(trade_id: str) -> Response:
    """Accept a trade.

    Its cards change hands in both collections, or in neither.
    It is 409 `not_in_collection` if you lack what is wanted: bound cards, and those in your own offers, do not count.
    Within 24 hours a player gets at most 20 cards more than they give, and gives at most 20 more than they get: 409
    `too_many_gifts`. A match that is on keeps the decks that were brought to it.
    """
    player, given = require_player().player_id, read_body(optional=True)
    asked = idempotency_key(given)

    def do() -> Response:
        load(NothingBody(), given)
        own_collection()
        return _made(collections.accept_trade(app_state().context, player, trade_id, asked))

    def again(remembered: Remembered) -> Response:
        return _made(collections.repeat_collection_answer(app_state().context, player, remembered))

    return run_once(asked, do, again)


# --- What they share --------------------------------------------------------------------------------------


def _offer(wanted: Mapping[str, Any]) -> TradeOffer:
    found = players.find_by_handle(app_state().context, wanted["to"])
    if found is None:
        raise invalid_request({"to": ["No player has this handle."]})
    if found.player_id == require_player().player_id:
        raise invalid_request({"to": ["You cannot trade with yourself."]})
    give, want = ({row["card"]: row["count"] for row in wanted[part]} for part in ("give", "want"))
    return TradeOffer(found.player_id, give, want)


def _answers(rows: Any) -> list[TradeAnswer]:
    ids = {one for row in rows for one in (row.player_id, row.partner_id)}
    known = players.player_identities(app_state().context, ids)
    return [
        TradeAnswer(
            id=row.trade_id,
            by=person_answer(row.player_id, known),
            to=person_answer(row.partner_id, known),
            give=card_counts(row.give),
            want=card_counts(row.want),
        )
        for row in rows
    ]


def _made(last: LastEvent) -> Response:
    made = last.event
    return json_answer(AcceptedTradeAnswer(made.trade, last.version, card_counts(made.gave), card_counts(made.got)))
