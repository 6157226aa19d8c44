"""Serves the sets of collectible cards, with the odds of their boosters."""

from typing import Annotated, Final

from flask import Blueprint, Response

from api.http.openapi_operations import ETAG, NOT_MODIFIED, Answer, NextCursor, Operation, Parameter, Reply, says
from api.http.problems import Problem
from api.http.responses import IF_NONE_MATCH
from api.resources.card_answer import (
    CardSetAnswer,
    ListedCardSetAnswer,
    cacheable_answer,
    listed_set_answer,
    set_answer,
)
from domain.games.catalogue import CARDS

bp = Blueprint("sets", __name__, url_prefix="/v1/sets")

SET_ID: Final = Parameter("set_id", "path", "The id of a set.", example=next(iter(CARDS.sets), "set"))


class CardSetListAnswer(Answer):
    items: Annotated[list[ListedCardSetAnswer], says("The sets, in the order of their release.")]
    next: NextCursor


@bp.get("")
@Operation(
    tag="cards",
    access="public",
    parameters=(IF_NONE_MATCH,),
    replies={200: Reply("The sets.", CardSetListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    needs_database=False,
)
def list_sets() -> Response:
    """List card sets.

    Each with how many cards it has and what its boosters hold; the exact odds are shown with each set.
    """
    return cacheable_answer(CardSetListAnswer([listed_set_answer(one) for one in CARDS.sets.values()], None))


@bp.get("/<set_id>")
@Operation(
    tag="cards",
    access="public",
    parameters=(SET_ID, IF_NONE_MATCH),
    replies={200: Reply("The set.", CardSetAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
    needs_database=False,
)
def get_set(set_id: str) -> Response:
    """Get a card set.

    Has the contents of its boosters, and the odds of each card.
    The chances are exact, as fractions: they follow from the slots by counting, and not from trials.
    """
    if set_id not in CARDS.sets:
        raise Problem("not_found", "There is no such set. `GET /v1/sets` lists all sets.")
    return cacheable_answer(set_answer(CARDS.sets[set_id]))
