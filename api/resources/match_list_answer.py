"""Presents matches in lists."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from msgspec import json

from api.http.app_state import app_state
from api.http.common_fields import Status, Visibility
from api.http.openapi_operations import Answer, AnyGame, NextCursor, Timestamp, says
from api.http.responses import time_or_none
from api.resources.fairness_answer import KNOWN_DEALS
from api.resources.match_answer import (
    Annulled,
    DealGroupId,
    DealKnownAnswer,
    Imported,
    KnownDeals,
    Playable,
    RatedIn,
    ResultAnswer,
    rated_in_answer,
)
from api.resources.person_answer import SeatedPlayerAnswer, person_or_none
from api.resources.seat_answer import BotLevel, SeatKind, SeatRatingAnswer, seat_rating
from domain.games.catalogue import GAMES
from events.service import match_lists
from events.service.match_lists import ListDetails
from events.store.records import MatchRow, SeatRow
from events.times import write_time


class RatedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("The kind of seat: player, open, invited or bot.")]
    player: Annotated[SeatedPlayerAnswer | None, says("The player; null: none sits there.")]
    level: Annotated[BotLevel | None, says("How well the bot plays; null: no bot sits there.")]
    rating: Annotated[
        SeatRatingAnswer | None,
        says("Until a rated match starts: the player's rating; null: there is none, or you may not see it."),
    ]


class ListedMatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    status: Annotated[Status, says("How far the match is.")]
    visibility: Annotated[Visibility, says("The readers of the match.")]
    options: Annotated[Mapping[str, Any], says("All of them, completed.")]
    seats: Annotated[Sequence[RatedSeatAnswer], says("The seats and their players.")]
    created_at: Annotated[Timestamp, says("When it was created.")]
    started_at: Annotated[Timestamp | None, says("When it started; null if it has not.")]
    ended_at: Annotated[Timestamp | None, says("When it ended; null if it has not.")]
    result: Annotated[
        ResultAnswer | None, says("How the match came out; null until it has, or where it was never played.")
    ]
    annulled: Annulled
    deal_group: DealGroupId
    deal_known: KnownDeals
    note: Annotated[str | None, says("A warning if a player may know its deals.")]
    imported: Imported
    playable: Playable
    rated: RatedIn


class MatchListAnswer(Answer):
    items: Annotated[list[ListedMatchAnswer], says("The matches of this page.")]
    next: NextCursor


def match_list_answer(rows: Collection[MatchRow], viewer: str | None) -> list[ListedMatchAnswer]:
    """Give matches as lists show them to a viewer; None: a stranger."""
    found = match_lists.list_details(app_state().context, rows, viewer)
    return [_listed(row, found) for row in rows]


def _listed(row: MatchRow, found: ListDetails) -> ListedMatchAnswer:
    pool = found.pools.get(row.match_no)
    seats = found.seats.get(row.match_no, [])
    return ListedMatchAnswer(
        id=row.match_id,
        game=row.game,
        status=row.status,
        visibility=row.visibility,
        options=json.decode(row.options),
        seats=[_listed_seat(s, found, pool if row.status == "lobby" else None) for s in seats],
        created_at=write_time(row.created_ms),
        started_at=time_or_none(row.started_ms),
        ended_at=time_or_none(row.ended_ms),
        result=None if row.result is None else json.decode(row.result, type=ResultAnswer),
        annulled=row.annulled,
        deal_group=row.deal_group,
        deal_known=None if row.deal_known is None else json.decode(row.deal_known, type=DealKnownAnswer),
        note=None if row.deal_known is None else KNOWN_DEALS,
        imported=row.match_no in found.imported,
        playable=row.game in GAMES,
        rated=rated_in_answer(pool),
    )


def _listed_seat(row: SeatRow, found: ListDetails, pool: str | None) -> RatedSeatAnswer:
    rating = found.ratings.get((pool, row.player_id)) if pool and row.player_id else None
    player = person_or_none(row.player_id, found.players)
    return RatedSeatAnswer(row.seat, row.kind, player, row.level, seat_rating(rating))
