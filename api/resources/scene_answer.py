"""Describes a scene as JSON, which `domain.core.scene` writes for every game alike."""

from collections.abc import Mapping, Sequence
from typing import Annotated, get_args

from api.http.openapi_operations import Answer, one_of, says
from domain.core.scene import Layout

Numbers = Annotated[Mapping[str, int], says("Numbers by their labels, such as `score`, `trick`, `pot`.")]


class SceneSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    badges: Annotated[Sequence[str], says("Short words, such as `dealer`, `turn`, `small blind`, `out`.")]
    numbers: Numbers


class SceneSpotAnswer(Answer):
    face: Annotated[str, one_of(("up", "down", "empty")), says("Whether a card is there, and which side is up.")]
    card: Annotated[
        str | None, says("The text of a card that is seen, such as `QS`; a number where cards have no suits.")
    ]
    seat: Annotated[int | None, says("The seat that put it there, where that is of interest.")]
    marks: Annotated[Sequence[str], says("Words about the card, such as `wins` and `laid off`.")]
    id: Annotated[
        str | None,
        says("Its id in moves, if cards with the same text are different; null if moves use its text or its place."),
    ]


class SceneZoneAnswer(Answer):
    kind: Annotated[
        str,
        says(
            "Several games have `hand`, `trick`, `last_trick`, `stock`, `discard`, `board`, `taken`, `set_aside`,"
            " `drawn`, `meld` and `pot`; a game may have others."
        ),
    ]
    layout: Annotated[
        str,
        one_of(get_args(Layout)),
        says(
            "Layout of the cards: side by side, overlapping as in a hand, a pile with the last on top, rows of"
            " `columns`, or each in front of the seat that played it."
        ),
    ]
    seat: Annotated[int | None, says("The owner, if it has one.")]
    spots: Annotated[Sequence[SceneSpotAnswer], says("The places of cards, in order.")]
    count: Annotated[int, says("Number of cards in the zone; those that are in no spot are face down, in no order.")]
    numbers: Numbers
    note: Annotated[str, says("A note, such as the seats that may win a pot; usually empty.")]
    columns: Annotated[int | None, says("The width of a grid.")]


class SceneAnswer(Answer):
    """The table as data, for all who draw it or read it aloud.

    It has the same form for every game and contains only data that the reader may see.
    """

    phase: Annotated[str, says("The current phase, in one word.")]
    seat: Annotated[int | None, says("The reader's seat; null for a spectator.")]
    seats: Annotated[Sequence[SceneSeatAnswer], says("The seats, in order.")]
    zones: Annotated[
        Mapping[str, SceneZoneAnswer],
        says(
            "The parts of the table that hold cards or chips, by their ids, in the order in which they are to be read."
        ),
    ]
    numbers: Numbers
    notes: Annotated[Sequence[str], says("Short sentences about the whole table.")]
    last: Annotated[str | None, says("The last thing that happened, in words.")]
