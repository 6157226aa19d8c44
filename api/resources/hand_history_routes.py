"""Reads hands of poker from documents in the PHH format, and plays them again, without storing them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Final

from flask import Response, request

from api.http.openapi_operations import Answer, AnyGame, Body, Count, Operation, Reply, Timestamp, one_of, says, text
from api.http.problems import wrong_fields
from api.http.request_parsing import check_media_type, read_query
from api.http.request_records import Request, matches
from api.http.responses import json_answer
from events.formats.phh import writer as phh
from events.times import write_time

if TYPE_CHECKING:
    from events.operations.phh_imports import RefusedHand, ReplayedHand


MOST_BYTES: Final = 64 * 1024
"""The limit of a body in bytes, some hundred hands: to replay them takes up to a quarter of a second."""

EXAMPLE: Final = """\
[1]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [1000, 1250]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 cbr 30", "p1 f"]
"""
"""A document of one hand."""


class HandHistoriesQuery(Request):
    """The unit of the amounts."""

    unit: Annotated[str, matches(r"[0-9]{1,13}(\.[0-9]{1,9})?", "a decimal number, such as `0.01`")] | None = None
    """The value of a chip in the document, such as `0.01`; by default, amounts are whole chips."""


class PlayedHandAnswer(Answer):
    hand: Annotated[str, says("The name of its table in the document; empty if the document is only this hand.")]
    status: Annotated[
        str,
        one_of(("played", "unsupported", "malformed")),
        says("`unsupported`: it may be correct, but uses rules or a notation that this server does not know."),
    ]
    detail: Annotated[str | None, says("Why it was not replayed, with the line at fault if there is one.")]
    game: Annotated[AnyGame | None, says("The game; null if it was not replayed.")]
    stacks: Annotated[Sequence[Count] | None, says("The stacks at its end in chips, from p1 on.")]
    played_at: Annotated[Timestamp | None, says("When it was played; null if the document does not say.")]
    assumed: Annotated[Sequence[str], says("The assumptions about what the document leaves open, in sentences.")]


class PlayedHandsAnswer(Answer):
    items: Annotated[list[PlayedHandAnswer], says("The hands, in the order of the document.")]
    not_verified: Annotated[str, says("The parts that cannot be verified, in a sentence.")]


@Operation(
    cost_per_kib=8,
    tag="games",
    searches=("import hand history", "check hand history"),
    access="public",
    query=HandHistoriesQuery,
    body=Body(
        text(EXAMPLE, "Hands in the format Poker Hand History (PHH)."),
        example=EXAMPLE,
        forms=(phh.MEDIA_TYPE,),
        most_bytes=MOST_BYTES,
    ),
    replies={200: Reply("The result for each hand.", PlayedHandsAnswer)},
    needs_database=False,
)
def read_hand_histories() -> Response:
    """Check poker hands.

    Send hands in the format Poker Hand History, with `Content-Type: application/toml`. The server replays each hand by
    its own rules, or explains why it cannot. Needs no token and stores nothing. Operators import hands with `dealt
    import`, which checks them the same way.
    """
    from events.operations import imports, phh_imports  # noqa: PLC0415 -- few read hands, and every start would wait

    check_media_type(phh.MEDIA_TYPE)
    worth = _unit(read_query(HandHistoriesQuery))
    request.max_content_length = MOST_BYTES
    try:
        items = [
            _refused_hand_answer(each) if isinstance(each, phh_imports.RefusedHand) else _played_hand_answer(each)
            for each in phh_imports.replay_hands(request.get_data(), worth)
        ]
    except imports.NotImported as error:
        raise wrong_fields({"_schema": [str(error)]}) from None
    return json_answer(PlayedHandsAnswer(items, phh_imports.NOT_VERIFIED))


def _unit(asked: HandHistoriesQuery) -> Decimal | None:
    from events.formats.phh.chip_amounts import read_unit  # noqa: PLC0415 -- as above

    try:
        return None if asked.unit is None else read_unit(asked.unit)
    except ValueError as error:
        raise wrong_fields({"unit": [str(error)]}) from None


def _refused_hand_answer(hand: "RefusedHand") -> PlayedHandAnswer:
    return PlayedHandAnswer(hand.hand, hand.status, hand.detail, None, None, None, ())


def _played_hand_answer(hand: "ReplayedHand") -> PlayedHandAnswer:
    told, at = hand.history, hand.history.at
    when = None if at is None else write_time(at)
    return PlayedHandAnswer(hand.hand, "played", None, told.game, hand.match.table.stacks, when, told.assumed)
