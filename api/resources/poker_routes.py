"""Ranks any poker hands, and compares them in words (poker 1)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from marshmallow import fields, validate
from msgspec import Meta

from api.http.common_fields import NAME_LENGTH, Name, doc
from api.http.openapi_operations import Answer, Body, CardText, Count, Operation, Ordinal, Reply, one_of, says
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.responses import json_answer
from api.http.strict_fields import CardNames, Flag, Strict
from domain.core.cards import Card, card_names
from domain.core.text import join_words
from domain.poker.ranking import CATEGORIES, Value, best_five, hand_in_words, value, why_it_beats

bp = Blueprint("poker", __name__, url_prefix="/v1/poker")

FEWEST, MOST = 5, 7
"""A hand has at least and at most this many cards, those of the board included."""


class HandToRankBody(Strict):
    """A hand to be ranked."""

    cards = CardNames(required=True, **doc("Its own cards, which may be none where the board has five."))
    name = Name(
        allow_none=True,
        load_default=None,
        **doc(
            "Its name in `text`; by default, `hand` and its position in the list, from 0.",
            minLength=1,
            maxLength=NAME_LENGTH,
        ),
    )


MOST_HANDS: Final = 1_000


class HandsToRankBody(Strict):
    """The hands to be ranked, with the cards that they share."""

    hands = fields.List(
        fields.Nested(HandToRankBody),
        required=True,
        validate=validate.Length(1, MOST_HANDS),
        **doc("With the board, each has five to seven cards.", minItems=1, maxItems=MOST_HANDS),
    )
    board = CardNames(load_default=list, **doc("Cards that all hands share; by default none."))
    one_pack = Flag(
        load_default=True,
        **doc("Whether all are dealt from one pack, so that no card is in two hands."),
    )


class RankedHandAnswer(Answer):
    name: Annotated[str | None, says("The name that was sent; null: none was.")]
    place: Annotated[Ordinal, says("Equal hands share one.")]
    category: Annotated[str, one_of(CATEGORIES), says("The category of the hand.")]
    value: Annotated[
        Sequence[Annotated[int, Meta(ge=0, le=14)]],
        says(
            "To compare, number by number: the number of the category, then the ranks that decide,"
            " from 2 to 14, the ace.",
            min_length=2,
            max_length=6,
        ),
    ]
    best_five: Annotated[
        Sequence[CardText],
        says("The cards that count, those that make the hand first.", min_length=5, max_length=5),
    ]
    text: Annotated[str, says("As `full house, sixes full of tens`.")]


class RankedHandsAnswer(Answer):
    hands: Annotated[list[RankedHandAnswer], says("The hands, in the order in which they were sent.")]
    winners: Annotated[list[Count], says("The best hands, by their places in the list, from 0.", min_length=1)]
    text: Annotated[str, says("The winner and the reason. For a single hand: its rank.")]


@bp.post("/rank")
@Operation(
    cost_per_kib=4,
    tag="games",
    access="public",
    body=Body(
        HandsToRankBody(),
        example={
            "board": ["AS", "6C", "6D", "TS", "2H"],
            "hands": [{"name": "Ada", "cards": ["6H", "TD"]}, {"name": "Ben", "cards": ["AH", "AC"]}],
        },
    ),
    replies={200: Reply("The hands, in the order in which they were sent.", RankedHandsAnswer)},
    needs_database=False,
    refuses=("duplicate_card",),
)
def rank_poker_hands() -> Response:
    """Rank poker hands.

    Says what each hand is worth, with its own cards and those of the board the best five of five to seven, and
    who wins and why. Suits never decide. Needs no token; what is sent is not kept. A card that stands twice is
    422 `duplicate_card`; where the hands have nothing to do with each other, say `"one_pack": false`.
    """
    asked = load(HandsToRankBody(), read_body())
    hands, board = asked["hands"], asked["board"]
    _refuse(_counted(hands, board), "bad_arguments")
    _refuse(_dealt_twice(hands, board, one_pack=asked["one_pack"]), "duplicate_card")
    whole = [(*hand["cards"], *board) for hand in hands]
    values = [value(cards) for cards in whole]
    order = sorted(values, reverse=True)
    places = {worth: place for place, worth in reversed([*enumerate(order, 1)])}
    ranked = [
        RankedHandAnswer(
            name=hand["name"],
            place=places[worth],
            category=CATEGORIES[worth[0]],
            value=worth,
            best_five=card_names(best_five(cards)),
            text=hand_in_words(worth),
        )
        for hand, cards, worth in zip(hands, whole, values, strict=True)
    ]
    winners = [i for i, worth in enumerate(values) if worth == order[0]]
    return json_answer(RankedHandsAnswer(ranked, winners, _verdict(hands, winners, order)))


Hands = Sequence[Mapping[str, Any]]
Errors = dict[str, list[str]]


def _refuse(errors: Errors, code: str) -> None:
    if errors:
        raise Problem(code, errors=errors)


def _counted(hands: Hands, board: Sequence[Card]) -> Errors:
    """Find the hands of too few or too many cards."""
    counts = [len(hand["cards"]) + len(board) for hand in hands]
    return {
        f"hands.{i}.cards": [f"Hand and board must have {FEWEST} to {MOST} cards together. This one has {count}."]
        for i, count in enumerate(counts)
        if not FEWEST <= count <= MOST
    }


def _dealt_twice(hands: Hands, board: Sequence[Card], *, one_pack: bool) -> Errors:
    """Find the hands with cards of the board, and where all are of one pack with those of a hand before."""
    errors, dealt = {}, set(board)
    for i, hand in enumerate(hands):
        if twice := [card for card in hand["cards"] if card in dealt]:
            errors[f"hands.{i}.cards"] = [f"{join_words(card_names(twice))}: already on the board or in another hand."]
        if one_pack:
            dealt.update(hand["cards"])
    return errors


def _verdict(hands: Hands, winners: Sequence[int], order: Sequence[Value]) -> str:
    """Return the winner and the reason; for a single hand, its rank. `order` has the values, the best first."""
    best, *others = order
    if not others:
        return hand_in_words(best)
    who = join_words(hands[i]["name"] or f"hand {i}" for i in winners)
    beaten = next((worth for worth in others if worth < best), None)
    why = hand_in_words(best) if beaten is None else why_it_beats(best, beaten)
    return f"{who} {'tie' if len(winners) > 1 else 'wins'}: {why}"
