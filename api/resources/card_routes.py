"""Serves the collectible cards: a search, and each card as JSON or as text."""

from itertools import islice
from typing import Annotated, Any, Final

from flask import Blueprint, Response, request
from marshmallow import fields, validate

from api.http.common_fields import PAGE, choice_field, doc, number_field
from api.http.openapi_operations import (
    ETAG,
    JSON,
    NOT_MODIFIED,
    Answer,
    NextCursor,
    Operation,
    Parameter,
    Reply,
    says,
    text,
)
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, read_query
from api.http.responses import IF_NONE_MATCH
from api.http.strict_fields import Strict
from api.resources.card_answer import CollectibleCardAnswer, cacheable_answer, card_answer, words_of
from domain.core.collectible_search import COLORLESS, CardQuery, search_cards
from domain.games.catalogue import CARDS

bp = Blueprint("cards", __name__, url_prefix="/v1/cards")

PLAIN: Final = "text/plain"
_EXAMPLE: Final = next((card for card in CARDS.cards.values() if card.text and not card.basic), None)

CARD_ID: Final = Parameter("card_id", "path", "The id of a card.", example=_EXAMPLE.id if _EXAMPLE else "card")

LONGEST_TEXT: Final = 200
MOST_COST: Final = 99


def _any_of(words: tuple[str, ...], says_: str) -> fields.List[Any]:
    return fields.List(
        choice_field(*words), load_default=list, **doc(f"{says_} May be given several times: any of them.")
    )


class CardsQuery(Strict):
    text = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST_TEXT),
        **doc(
            "Words to search for; all of them must be in the name, the types or the text.",
            maxLength=LONGEST_TEXT,
            example="flying",
        ),
    )
    color = _any_of((*words_of("colors"), COLORLESS), f"Only cards of this colour; `{COLORLESS}`: of none.")
    type = _any_of(words_of("types"), "Only cards of this type.")
    keyword = _any_of(words_of("keywords"), "Only cards with this keyword.")
    rarity = _any_of(words_of("rarity"), "Only cards of this rarity.")
    set = _any_of(tuple(CARDS.sets), "Only cards of this set.")
    cost_from = number_field(0, MOST_COST, **doc("Only cards of this mana value or more."))
    cost_to = number_field(0, MOST_COST, **doc("Only cards of this mana value or less."))
    cursor = fields.String(**doc("`next` of the page before.", minLength=1))
    limit = number_field(1, PAGE, 50, **doc("How many at most."))


class CardListAnswer(Answer):
    items: Annotated[list[CollectibleCardAnswer], says("The cards, by set and number.")]
    next: NextCursor


@bp.get("")
@Operation(
    tag="cards",
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=CardsQuery(),
    replies={200: Reply("A page of the cards.", CardListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    needs_database=False,
)
def list_cards() -> Response:
    """Search cards.

    A card is found if it meets all that is asked. Without a query all cards are listed, by set and number.
    """
    asked = read_query(CardsQuery())
    wanted = CardQuery(
        text=asked["text"],
        colors=tuple(asked["color"]),
        types=tuple(asked["type"]),
        keywords=tuple(asked["keyword"]),
        rarities=tuple(asked["rarity"]),
        sets=tuple(asked["set"]),
        least_cost=asked.get("cost_from"),
        most_cost=asked.get("cost_to"),
    )
    start = _start(asked.get("cursor"))
    there = [card for card in search_cards(CARDS.cards.values(), wanted) if start is None or _ORDER[card.id] > start]
    page = list(islice(there, asked["limit"]))
    more = page[-1].id if len(there) > len(page) else None
    return cacheable_answer(CardListAnswer([card_answer(card) for card in page], more))


_ORDER: Final = {card_id: i for i, card_id in enumerate(CARDS.cards)}


def _start(cursor: str | None) -> int | None:
    if cursor is not None and cursor not in _ORDER:
        raise invalid_request({"cursor": ["Send the unchanged `next` of the previous page."]})
    return None if cursor is None else _ORDER[cursor]


@bp.get("/<card_id>")
@Operation(
    tag="cards",
    access="public",
    parameters=(CARD_ID, IF_NONE_MATCH),
    replies={
        200: Reply(
            "The card, as JSON or as text.",
            {
                JSON: CollectibleCardAnswer,
                PLAIN: text(_EXAMPLE.printed if _EXAMPLE else "A card\n", "The card as it is printed."),
            },
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found",),
    needs_database=False,
)
def get_card(card_id: str) -> Response:
    """Get a card.

    With `Accept: text/plain` it comes as it is printed, in lines of text.
    """
    card = CARDS.cards.get(card_id)
    if card is None:
        raise Problem("not_found", "There is no such card. `GET /v1/cards` lists all cards.")
    as_text = request.accept_mimetypes.best_match([JSON, PLAIN]) == PLAIN
    return cacheable_answer(card.printed if as_text else card_answer(card))
