"""Ranks any poker hands, and compares them in words (poker 1)."""

from collections.abc import Sequence
from typing import Annotated, Final

from flask import Response

from api.http.common_fields import Name
from api.http.openapi_operations import Answer, Body, CardText, Count, Operation, Ordinal, Reply, one_of, says
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer
from domain.core.cards import Card, Cards, card_names
from domain.core.options import Keywords, Length
from domain.core.text import join_words
from domain.poker.ranking import CATEGORIES, Value, best_five, hand_in_words, value, why_it_beats

FEWEST, MOST = 5, 7
"""Minimum and maximum cards of a hand, including the board."""


class HandToRankBody(Request):
    """A hand to rank."""

    cards: Cards
    """Its own cards; can be empty if the board has five."""
    name: Name | None = None
    """Its name in `text`; by default, `hand` and its position in the list, from 0."""


MOST_HANDS: Final = 1_000


class HandsToRankBody(Request):
    """The hands to rank, and the board."""

    hands: Annotated[tuple[HandToRankBody, ...], Length(1, MOST_HANDS)]
    """The hands, each with five to seven cards including the board."""
    board: Cards = ()
    """Cards that all hands share; by default none."""
    one_pack: bool = True
    """Whether all hands are from one pack, so that no card repeats."""


class RankedHandAnswer(Answer):
    name: Annotated[str | None, says("The name that you sent; null if none.")]
    place: Annotated[Ordinal, says("The place; equal hands share one.")]
    category: Annotated[str, one_of(CATEGORIES), says("The category of the hand.")]
    value: Annotated[
        Sequence[Annotated[int, Keywords({"minimum": 0, "maximum": 14})]],
        says(
            "For comparing hands number by number: the category, then the ranks that decide, from 2 to 14 (ace).",
            minItems=2,
            maxItems=6,
        ),
    ]
    best_five: Annotated[
        Sequence[CardText],
        says("The five cards that count, those that make the hand first.", minItems=5, maxItems=5),
    ]
    text: Annotated[str, says("The hand in words, such as `full house, sixes full of tens`.")]


class RankedHandsAnswer(Answer):
    hands: Annotated[list[RankedHandAnswer], says("The hands, in the order in which they were sent.")]
    winners: Annotated[list[Count], says("The positions of the best hands in the list, from 0.", minItems=1)]
    text: Annotated[str, says("The winner and the reason. For a single hand: its rank.")]


@Operation(
    cost_per_kib=4,
    tag="games",
    searches=("poker hand ranking", "compare hands"),
    access="public",
    body=Body(
        HandsToRankBody,
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

    Returns the value of each hand, the best five of its five to seven cards with the board, and who wins and why. Suits
    never decide. Needs no token and stores nothing. A repeated card returns 422 `duplicate_card`; for hands from
    different packs, send `"one_pack": false`.
    """
    asked = load(HandsToRankBody, read_body())
    hands, board = asked.hands, asked.board
    _refuse(_count_faults(hands, board), "bad_arguments")
    _refuse(_dealt_twice(hands, board, one_pack=asked.one_pack), "duplicate_card")
    whole = [(*hand.cards, *board) for hand in hands]
    values = [value(cards) for cards in whole]
    order = sorted(values, reverse=True)
    places = {worth: place for place, worth in reversed([*enumerate(order, 1)])}
    ranked = [
        RankedHandAnswer(
            name=hand.name,
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


Hands = Sequence[HandToRankBody]
Errors = dict[str, list[str]]


def _refuse(errors: Errors, code: str) -> None:
    if errors:
        raise Problem(code, errors=errors)


def _count_faults(hands: Hands, board: Sequence[Card]) -> Errors:
    """Find the hands of too few or too many cards."""
    counts = [len(hand.cards) + len(board) for hand in hands]
    return {
        f"hands.{i}.cards": [f"Hand and board must have {FEWEST} to {MOST} cards together. This one has {count}."]
        for i, count in enumerate(counts)
        if not FEWEST <= count <= MOST
    }


def _dealt_twice(hands: Hands, board: Sequence[Card], *, one_pack: bool) -> Errors:
    """Find hands that repeat cards of the board or, if all are from one pack, of an earlier hand."""
    errors, dealt = {}, set(board)
    for i, hand in enumerate(hands):
        if twice := [card for card in hand.cards if card in dealt]:
            errors[f"hands.{i}.cards"] = [f"{join_words(card_names(twice))}: already on the board or in another hand."]
        if one_pack:
            dealt.update(hand.cards)
    return errors


def _verdict(hands: Hands, winners: Sequence[int], order: Sequence[Value]) -> str:
    """Return the winner and the reason; for a single hand, its rank. `order` has the values, the best first."""
    best, *others = order
    if not others:
        return hand_in_words(best)
    who = join_words(hands[i].name or f"hand {i}" for i in winners)
    beaten = next((worth for worth in others if worth < best), None)
    why = hand_in_words(best) if beaten is None else why_it_beats(best, beaten)
    return f"{who} {'tie' if len(winners) > 1 else 'wins'}: {why}"
