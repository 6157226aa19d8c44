"""Serves the collectible cards, searched, as JSON and as text, and their sets with the odds of boosters."""

from itertools import islice
from typing import Annotated, Final

from flask import Response, request

from api.http.common_fields import Cursor, Limit
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
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import read_query
from api.http.request_records import Request, choice, sample
from api.http.responses import IF_NONE_MATCH
from api.resources.card_answer import (
    CardSetAnswer,
    CollectibleCardAnswer,
    ListedCardSetAnswer,
    cacheable_answer,
    card_answer,
    listed_set_answer,
    set_answer,
    words_of,
)
from domain.core.collectible import COLORLESS, CardQuery, search_cards
from domain.core.options import Length, Omissible, Range
from domain.games.catalogue import CARDS

PLAIN: Final = "text/plain"
_EXAMPLE: Final = next((card for card in CARDS.cards.values() if card.text and not card.basic), None)

CARD_ID: Final = Parameter("card_id", "path", "The id of a card.", example=_EXAMPLE.id if _EXAMPLE else "card")

LONGEST_TEXT: Final = 200
MOST_COST: Final = 99


class CardsQuery(Request):
    text: Annotated[str, Length(0, LONGEST_TEXT), sample(example="flying")] = ""
    """Words that must all be in the name, the types or the text."""
    color: tuple[Annotated[str, choice((*words_of("colors"), COLORLESS))], ...] = ()
    """Only cards of this colour; `N`: of none. Repeat it for any of several."""
    type: tuple[Annotated[str, choice(words_of("types"))], ...] = ()
    """Only cards of this type. Repeat it for any of several."""
    keyword: tuple[Annotated[str, choice(words_of("keywords"))], ...] = ()
    """Only cards with this keyword. Repeat it for any of several."""
    rarity: tuple[Annotated[str, choice(words_of("rarity"))], ...] = ()
    """Only cards of this rarity. Repeat it for any of several."""
    set: tuple[Annotated[str, choice(CARDS.sets)], ...] = ()
    """Only cards of this set. Repeat it for any of several."""
    cost_from: Omissible[Annotated[int, Range(0, MOST_COST)]] = None
    """Minimum mana value."""
    cost_to: Omissible[Annotated[int, Range(0, MOST_COST)]] = None
    """Maximum mana value."""
    cursor: Cursor = None
    limit: Limit = 50


class CardListAnswer(Answer):
    items: Annotated[list[CollectibleCardAnswer], says("The cards, by set and number.")]
    next: NextCursor


@Operation(
    tag="cards",
    searches=("search cards", "card database"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    query=CardsQuery,
    replies={200: Reply("A page of the cards.", CardListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    needs_database=False,
)
def list_cards() -> Response:
    """Search cards.

    Returns the cards that match all parts of the query, by set and number. Without a query, returns all cards.
    """
    asked = read_query(CardsQuery)
    wanted = CardQuery(
        text=asked.text,
        colors=asked.color,
        types=asked.type,
        keywords=asked.keyword,
        rarities=asked.rarity,
        sets=asked.set,
        least_cost=asked.cost_from,
        most_cost=asked.cost_to,
    )
    start = _start(asked.cursor)
    there = [card for card in search_cards(CARDS.cards.values(), wanted) if start is None or _ORDER[card.id] > start]
    page = list(islice(there, asked.limit))
    more = page[-1].id if len(there) > len(page) else None
    return cacheable_answer(CardListAnswer([card_answer(card) for card in page], more))


_ORDER: Final = {card_id: i for i, card_id in enumerate(CARDS.cards)}


def _start(cursor: str | None) -> int | None:
    if cursor is not None and cursor not in _ORDER:
        raise wrong_fields({"cursor": ["Send the unchanged `next` of the previous page."]})
    return None if cursor is None else _ORDER[cursor]


@Operation(
    tag="cards",
    searches=("card text", "look up a card"),
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

    With `Accept: text/plain`, returns the card as it is printed, in lines of text.
    """
    card = CARDS.cards.get(card_id)
    if card is None:
        raise Problem("not_found", "There is no such card. `GET /v1/cards` lists all cards.")
    as_text = request.accept_mimetypes.best_match([JSON, PLAIN]) == PLAIN
    return cacheable_answer(card.printed if as_text else card_answer(card))


SET_ID: Final = Parameter("set_id", "path", "The id of a set.", example=next(iter(CARDS.sets), "set"))


class CardSetListAnswer(Answer):
    items: Annotated[list[ListedCardSetAnswer], says("The sets, in the order of their release.")]
    next: NextCursor


@Operation(
    tag="cards",
    searches=("card sets", "expansions"),
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: Reply("The sets.", CardSetListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    needs_database=False,
)
def list_sets() -> Response:
    """List card sets.

    Returns the number of cards and the contents of boosters for each set. `GET /v1/sets/{set_id}` has the exact odds.
    """
    return cacheable_answer(CardSetListAnswer([listed_set_answer(one) for one in CARDS.sets.values()], None))


@Operation(
    tag="cards",
    searches=("booster odds", "pull rates"),
    access="public",
    parameters=(SET_ID, IF_NONE_MATCH),
    replies={200: Reply("The set.", CardSetAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
    needs_database=False,
)
def get_set(set_id: str) -> Response:
    """Get a card set.

    Returns the contents of its boosters and the odds of each card. The odds are exact fractions, counted from the
    slots.
    """
    if set_id not in CARDS.sets:
        raise Problem("not_found", "There is no such set. `GET /v1/sets` lists all sets.")
    return cacheable_answer(set_answer(CARDS.sets[set_id]))
