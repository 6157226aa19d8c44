"""Poker hands that anybody may send: ranked, and compared in words (poker 1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response

from api.http.bodies import body, load
from api.http.present import answer
from api.http.problems import Problem
from api.http.schemas import HandsToRank
from domain.core.cards import Card, names
from domain.core.text import listed
from domain.poker.ranking import CATEGORIES, Value, best_five, compared, described, value

bp = Blueprint("poker", __name__, url_prefix="/v1/poker")

FEWEST, MOST = 5, 7
"""How many cards a hand has, those of the board among them."""


@bp.post("/rank")
def rank() -> Response:
    """Rank the hands in the body, and say who wins and why."""
    asked = load(HandsToRank(), body())
    hands, board = asked["hands"], asked["board"]
    _refuse(_counted(hands, board), "bad_arguments")
    _refuse(_dealt_twice(hands, board, one_pack=asked["one_pack"]), "duplicate_card")
    whole = [(*hand["cards"], *board) for hand in hands]
    values = [value(cards) for cards in whole]
    order = sorted(values, reverse=True)
    places = {worth: place for place, worth in reversed([*enumerate(order, 1)])}
    ranked = [
        {
            "name": hand["name"],
            "place": places[worth],
            "category": CATEGORIES[worth[0]],
            "value": worth,
            "best_five": names(best_five(cards)),
            "text": described(worth),
        }
        for hand, cards, worth in zip(hands, whole, values, strict=True)
    ]
    winners = [i for i, worth in enumerate(values) if worth == order[0]]
    return answer({"hands": ranked, "winners": winners, "text": _verdict(hands, winners, order)})


Hands = Sequence[Mapping[str, Any]]
Errors = dict[str, list[str]]


def _refuse(errors: Errors, code: str) -> None:
    if errors:
        raise Problem(code, errors=errors)


def _counted(hands: Hands, board: Sequence[Card]) -> Errors:
    """Find the hands of too few or too many cards."""
    counts = [len(hand["cards"]) + len(board) for hand in hands]
    return {
        f"hands.{i}.cards": [f"With the board a hand has {FEWEST} to {MOST} cards; this one has {count}."]
        for i, count in enumerate(counts)
        if not FEWEST <= count <= MOST
    }


def _dealt_twice(hands: Hands, board: Sequence[Card], *, one_pack: bool) -> Errors:
    """Find the hands with cards of the board, and where all are of one pack with those of a hand before."""
    errors, dealt = {}, set(board)
    for i, hand in enumerate(hands):
        if twice := [card for card in hand["cards"] if card in dealt]:
            errors[f"hands.{i}.cards"] = [
                f"{listed(names(twice))}: on the board, or in another hand, already."
            ]
        if one_pack:
            dealt.update(hand["cards"])
    return errors


def _verdict(hands: Hands, winners: Sequence[int], order: Sequence[Value]) -> str:
    """Say who wins and why; of one hand, what it is. `order` has the values, the best first."""
    best, *others = order
    if not others:
        return described(best)
    who = listed(hands[i]["name"] or f"hand {i}" for i in winners)
    beaten = next((worth for worth in others if worth < best), None)
    why = described(best) if beaten is None else compared(best, beaten)
    return f"{who} {'tie' if len(winners) > 1 else 'wins'}: {why}"
