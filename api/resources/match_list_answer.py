"""Presents matches in lists."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from msgspec import json

from api.http.app_state import here
from api.http.openapi_operations import Answer, AnyGame, Timestamp, of_game, says
from api.http.present import time_or_none
from api.http.schemas import Status, Visibility
from api.resources.fairness_answer import KNOWN_DEALS
from api.resources.match_answer import DealGroupId, DealKnownAnswer, Imported, KnownDeals, ResultAnswer
from api.resources.person_answer import person_or_none
from api.resources.seat_answer import ListedSeatAnswer
from events.service import lists
from events.store.player_records import Identity
from events.store.records import MatchRow, SeatRow
from events.times import write_time


class ListedMatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    status: Annotated[Status, says("How far the match is.")]
    visibility: Annotated[Visibility, says("Who may read the match.")]
    options: Annotated[Mapping[str, Any], of_game("MatchOptions"), says("All of them, completed.")]
    seats: Annotated[Sequence[ListedSeatAnswer], says("Who sits where.")]
    created_at: Annotated[Timestamp, says("When it was created.")]
    started_at: Annotated[Timestamp | None, says("When it started; null: it has not.")]
    ended_at: Annotated[Timestamp | None, says("When it ended; null: it has not.")]
    result: Annotated[
        ResultAnswer | None, says("How the match came out; null until it has, or where it was never played.")
    ]
    deal_group: DealGroupId
    deal_known: KnownDeals
    note: Annotated[str | None, says("That somebody may know its deals, where that is so.")]
    imported: Imported


class MatchListAnswer(Answer):
    items: Annotated[list[ListedMatchAnswer], says("The matches of this page.")]
    next: Annotated[str | None, says("The `cursor` of the next page.")]


def match_list(rows: Collection[MatchRow]) -> list[ListedMatchAnswer]:
    """Give matches as lists show them."""
    seats, known, imported = lists.details(here().context, rows)
    return [_listed(row, seats.get(row.match_no, []), known, imported=row.match_no in imported) for row in rows]


def _listed(
    row: MatchRow, seats: Collection[SeatRow], known: Mapping[str, Identity], *, imported: bool
) -> ListedMatchAnswer:
    return ListedMatchAnswer(
        id=row.match_id,
        game=row.game,
        status=row.status,
        visibility=row.visibility,
        options=json.decode(row.options),
        seats=[_listed_seat(s, known) for s in seats],
        created_at=write_time(row.created_ms),
        started_at=time_or_none(row.started_ms),
        ended_at=time_or_none(row.ended_ms),
        result=None if row.result is None else json.decode(row.result, type=ResultAnswer),
        deal_group=row.deal_group,
        deal_known=None if row.deal_known is None else json.decode(row.deal_known, type=DealKnownAnswer),
        note=None if row.deal_known is None else KNOWN_DEALS,
        imported=imported,
    )


def _listed_seat(row: SeatRow, known: Mapping[str, Identity]) -> ListedSeatAnswer:
    return ListedSeatAnswer(row.seat, row.kind, person_or_none(row.player_id, known), row.level)
