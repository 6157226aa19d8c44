"""Declares fields that the events of many games have, each with its description for clients."""

from typing import Annotated, TypeVar

from domain.core.cards import Seat
from domain.core.types import Doc

T = TypeVar("T")

GameNo = Annotated[int, Doc("The number of the game in the match, from 1.")]
HandNo = Annotated[int, Doc("The number of the hand in the match, from 1.")]
DealNo = Annotated[int, Doc("The number of the deal, from 1, which counts deals that were done again.")]
TrickNo = Annotated[int, Doc("The number of the trick in the hand, from 1.")]

DealtCounts = Annotated[tuple[int, ...], Doc("The number of cards that each seat gets, seat by seat.")]
StockCount = Annotated[int, Doc("The number of cards that the stock has then.")]

Gained = Annotated[T, Doc("The points of this hand, seat by seat.")]
Totals = Annotated[T, Doc("The points of the game so far, seat by seat, this hand included.")]
Places = Annotated[T, Doc("The place of each seat, seat by seat, from 1; seats that are level share one.")]
Winners = Annotated[tuple[Seat, ...], Doc("The seats that have won the game; none where it is drawn.")]
EndReason = Annotated[str, Doc("The reason for the end of the game, in one word, such as `resignation` or `draw`.")]
