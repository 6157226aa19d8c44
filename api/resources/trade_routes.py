"""Serves trades: offers of cards between two players, accepted, declined or withdrawn."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import REPLAYED, Answer, Body, NextCursor, Operation, Ordinal, Parameter, Reply, says
from api.http.problems import wrong_fields
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer, no_content
from api.resources.collection_routes import own_collection
from api.resources.deck_answer import CountedCardAnswer, card_counts
from api.resources.deck_request import CardCountBody
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from domain.collection.collection_state import TradeOffer
from domain.core.options import Length
from domain.games.catalogue import CARDS
from events.service import collections, players
from events.service.collections import LastEvent
from events.store.player_records import TradeRow
from events.store.records import Remembered

TRADE_ID: Final = Parameter("trade_id", "path", "The id of an open offer.", example="8n9y4jktn4n1gzhahebf")

MOST_COPIES: Final = 100
"""Maximum copies on one side of a trade."""


Copies = Annotated[tuple[CardCountBody, ...], Length(0, MOST_COPIES)]


class TradeRequestBody(Request):
    """The offer: to whom, what you give, and what you want."""

    to: Annotated[str, Length(0, 40)]
    """The handle of the other player."""
    give: Copies = ()
    """The cards that you give."""
    want: Copies = ()
    """The cards that you want."""

    def faults(self) -> Mapping[str, str]:
        """Return the faults of cards that are named twice, or of too many or too few copies."""
        for part, rows in (("give", self.give), ("want", self.want)):
            if len({row.card for row in rows}) < len(rows):
                return {part: "Use each card only once, with its count."}
            if sum(row.count for row in rows) > MOST_COPIES:
                return {part: f"A trade can have at most {MOST_COPIES} copies."}
        return {} if self.give or self.want else {"give": "Name at least one card."}


class TradeAnswer(Answer):
    """An open offer."""

    id: Annotated[str, says("The id of the offer.")]
    by: Annotated[SeatedPlayerAnswer, says("The player who made the offer.")]
    to: Annotated[SeatedPlayerAnswer, says("The player who received the offer.")]
    give: Annotated[list[CountedCardAnswer], says("The cards that `by` gives.")]
    want: Annotated[list[CountedCardAnswer], says("The cards that `to` gives in return.")]


class TradeListAnswer(Answer):
    items: Annotated[list[TradeAnswer], says("The open offers that you made or received.")]
    next: NextCursor


class AcceptedTradeAnswer(Answer):
    """The effect of a trade on your collection."""

    trade: Annotated[str, says("The id of the offer, which is now closed.")]
    version: Annotated[Ordinal, says("The number of the event in your collection.")]
    gave: Annotated[list[CountedCardAnswer], says("The cards that you gave.")]
    got: Annotated[list[CountedCardAnswer], says("The cards that you got.")]


@Operation(
    tag="cards",
    searches=("trade", "swap cards"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(
        TradeRequestBody,
        example={
            "to": "ben",
            "give": [{"card": next(iter(CARDS.cards), "card"), "count": 2}],
            "want": [{"card": next(iter(CARDS.cards), "card"), "count": 1}],
        },
    ),
    replies={201: Reply("The offer.", TradeAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "player_blocked", "too_many_trades", "not_in_collection"),
)
def offer_trade() -> Response:
    """Offer a trade.

    Sets the cards that you give aside until the offer ends. Returns 409 `not_in_collection` for cards that you do not
    have and for starter cards, which stay with your account. You learn only when the offer is accepted whether the
    other player has the cards that you want. A player can have 20 open offers.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)
    own_collection()

    def do() -> Response:
        made = _offer(load(TradeRequestBody, given))
        trade = collections.offer_trade(app_state().context, player, made, asked)
        return json_answer(_answers([TradeRow(trade, "", player, made.partner, made.give, made.want)])[0], 201)

    def repeat_answer(remembered: Remembered) -> Response:
        was = collections.repeat_collection_answer(app_state().context, player, remembered).event
        return json_answer(_answers([TradeRow(was.trade, "", player, was.partner, was.give, was.want)])[0], 201)

    return run_once(asked, do, repeat_answer)


@Operation(
    tag="cards",
    searches=("open trades", "trade offers"),
    replies={200: Reply("Open offers.", TradeListAnswer)},
)
def list_trades() -> Response:
    """List open trades.

    Returns open offers that you made or received. The record of your collection has the others.
    """
    return json_answer(
        TradeListAnswer(_answers(collections.trades_of(app_state().context, require_player().player_id)), None)
    )


@Operation(
    tag="cards",
    searches=("trade details", "view trade"),
    parameters=(TRADE_ID,),
    replies={200: Reply("The offer.", TradeAnswer)},
    refuses=("not_found",),
)
def get_trade(trade_id: str) -> Response:
    """Get a trade.

    Only the two players can read it. Returns 404 once it is no longer open.
    """
    return json_answer(_answers([collections.find_trade(app_state().context, require_player().player_id, trade_id)])[0])


@Operation(
    tag="cards",
    searches=("cancel trade", "withdraw offer"),
    parameters=(TRADE_ID,),
    replies={204: Reply("This offer is no longer open.")},
    refuses=("not_found",),
)
def withdraw_trade(trade_id: str) -> Response:
    """Withdraw a trade.

    Frees the cards that were set aside for it.
    """
    collections.withdraw_trade(app_state().context, require_player().player_id, trade_id)
    return no_content()


@Operation(
    tag="cards",
    searches=("reject trade", "refuse trade"),
    parameters=(TRADE_ID,),
    body=Body(NothingBody, required=False, example={}),
    replies={204: Reply("This offer is no longer open.")},
    refuses=("not_found",),
)
def decline_trade(trade_id: str) -> Response:
    """Decline a trade.

    Frees the cards that were set aside for it.
    """
    load(NothingBody, read_body(optional=True))
    collections.decline_trade(app_state().context, require_player().player_id, trade_id)
    return no_content()


@Operation(
    tag="cards",
    searches=("accept trade", "complete trade"),
    parameters=(TRADE_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody, required=False, example={}),
    replies={200: Reply("What you gave and got.", AcceptedTradeAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "not_in_collection", "too_many_gifts"),
    makes="trades",
)
def accept_trade(trade_id: str) -> Response:
    """Accept a trade.

    Changes both collections or neither. Returns 409 `not_in_collection` if you lack a requested card; starter cards and
    cards in your own offers do not count. Within 24 hours, a player can get at most 20 cards more than they give, and
    give at most 20 more than they get (409 `too_many_gifts`). Running matches keep the decks that were brought to them.
    """
    player, given = require_player().player_id, read_body(optional=True)
    asked = idempotency_key(given)

    def do() -> Response:
        load(NothingBody, given)
        own_collection()
        return _trade_answer(collections.accept_trade(app_state().context, player, trade_id, asked))

    def repeat_answer(remembered: Remembered) -> Response:
        return _trade_answer(collections.repeat_collection_answer(app_state().context, player, remembered))

    return run_once(asked, do, repeat_answer)


# --- What they share --------------------------------------------------------------------------------------


def _offer(wanted: TradeRequestBody) -> TradeOffer:
    found = players.find_by_handle(app_state().context, wanted.to)
    if found is None:
        raise wrong_fields({"to": ["No player has this handle."]})
    if found.player_id == require_player().player_id:
        raise wrong_fields({"to": ["You cannot trade with yourself."]})
    give, want = ({row.card: row.count for row in rows} for rows in (wanted.give, wanted.want))
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


def _trade_answer(last: LastEvent) -> Response:
    made = last.event
    return json_answer(AcceptedTradeAnswer(made.trade, last.version, card_counts(made.gave), card_counts(made.got)))
