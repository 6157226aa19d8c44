"""Presents matches in lists."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

from msgspec import json

from api.http.app_state import app_state
from api.http.common_fields import Status, Visibility
from api.http.openapi_operations import Answer, AnyGame, NextCursor, Timestamp, says
from api.http.responses import time_or_none
from api.resources import match_answer
from api.resources.fairness_answer import KNOWN_DEALS
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
    player: Annotated[SeatedPlayerAnswer | None, says("The player; null for a bot or an empty seat.")]
    level: Annotated[BotLevel | None, says("The level of the bot; null for no bot.")]
    rating: Annotated[
        SeatRatingAnswer | None,
        says("Until a rated match starts: the player's rating; null if missing or hidden."),
    ]


class ListedMatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    status: Annotated[Status, says("The status of the match.")]
    visibility: Annotated[Visibility, says("The readers of the match.")]
    options: Annotated[Mapping[str, Any], says("All options, with defaults.")]
    seats: Annotated[Sequence[RatedSeatAnswer], says("The seats and their players.")]
    created_at: Annotated[Timestamp, says("Creation time.")]
    started_at: Annotated[Timestamp | None, says("Start time; null before the start.")]
    ended_at: Annotated[Timestamp | None, says("End time; null before the end.")]
    result: Annotated[
        match_answer.ResultAnswer | None, says("The result; null until the match ends, or if it was never played.")
    ]
    annulled: match_answer.Annulled
    deal_group: match_answer.DealGroupId
    deal_known: match_answer.KnownDeals
    note: Annotated[str | None, says("A warning if a player may know its deals.")]
    imported: match_answer.Imported
    playable: match_answer.Playable
    rated: match_answer.RatedIn


class MatchListAnswer(Answer):
    items: Annotated[list[ListedMatchAnswer], says("The matches of this page.")]
    next: NextCursor


def match_list_answer(rows: Collection[MatchRow], viewer: str | None) -> list[ListedMatchAnswer]:
    """Return matches as lists show them to a viewer (None: anonymous)."""
    found = match_lists.list_details(app_state().context, rows, viewer)
    return [_listed_match_answer(row, found) for row in rows]


def _listed_match_answer(row: MatchRow, found: ListDetails) -> ListedMatchAnswer:
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
        result=None if row.result is None else json.decode(row.result, type=match_answer.ResultAnswer),
        annulled=row.annulled,
        deal_group=row.deal_group,
        deal_known=None if row.deal_known is None else json.decode(row.deal_known, type=match_answer.DealKnownAnswer),
        note=None if row.deal_known is None else KNOWN_DEALS,
        imported=row.match_no in found.imported,
        playable=row.game in GAMES,
        rated=match_answer.rated_in_answer(pool),
    )


def _listed_seat(row: SeatRow, found: ListDetails, pool: str | None) -> RatedSeatAnswer:
    rating = found.ratings.get((pool, row.player_id)) if pool and row.player_id else None
    player = person_or_none(row.player_id, found.players)
    return RatedSeatAnswer(row.seat, row.kind, player, row.level, seat_rating(rating))
