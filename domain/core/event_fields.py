"""Declares fields that the events of many games have, each with its description for clients."""

from typing import Annotated, TypeVar

from domain.core.cards import Seat
from domain.core.types import Doc

T = TypeVar("T")

GameNo = Annotated[int, Doc("The number of the game in the match, from 1.")]
HandNo = Annotated[int, Doc("The number of the hand in the match, from 1.")]
DealNo = Annotated[int, Doc("The number of the deal, from 1, including repeated deals.")]
TrickNo = Annotated[int, Doc("The number of the trick in the hand, from 1.")]

DealtCounts = Annotated[tuple[int, ...], Doc("The number of cards that each seat gets, seat by seat.")]
StockCount = Annotated[int, Doc("The number of cards left in the stock.")]

Gained = Annotated[T, Doc("The points of this hand, seat by seat.")]
Totals = Annotated[T, Doc("The totals of the game, including this hand, seat by seat.")]
Places = Annotated[T, Doc("The place of each seat, from 1; tied seats share one.")]
Winners = Annotated[tuple[Seat, ...], Doc("The winning seats; empty for a draw.")]
EndReason = Annotated[str, Doc("The reason for the end of the game, in one word, such as `resignation` or `draw`.")]
