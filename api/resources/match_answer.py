"""Presents a match to its reader."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, cast

from msgspec import UNSET, UnsetType

from api.http.app_state import app_state
from api.http.auth import request_caller
from api.http.common_fields import Status, Visibility
from api.http.openapi_operations import (
    Answer,
    AnyGame,
    Digest,
    MatchClock,
    MatchSeries,
    Ordinal,
    Timestamp,
    of_game,
    says,
)
from api.http.responses import time_or_none
from api.http.signed_answers import NonceReceipts, SignedHeadAnswer, receipts_of, sign_seen_head, signed_head_answer
from api.resources.fairness_answer import FairnessAnswer, fairness_answer
from api.resources.scene_answer import SceneAnswer
from api.resources.seat_answer import SeatAnswer, SeatInviteAnswer, link_of_invite, seat_answers
from domain import match as life
from domain.core.clock import Time
from domain.core.scene import as_json
from domain.core.values import with_fields
from domain.games.catalogue import GAMES
from domain.match.creation import DealKnown
from domain.ratings import class_title, pool_of_match
from events.service import absence_credit, orders, tournaments, views
from events.service import create as creation
from events.service.projections import LOBBY_MS
from events.service.views import Seen
from events.talk import messages as talk
from events.times import write_time

TableAnswer = Annotated[
    Mapping[str, Any], of_game("Table"), says("The table as its reader sees it, with the keys of its game.")
]


class ResultAnswer(Answer):
    """Places count from 1; scores are those of the last game."""

    winners: Annotated[Sequence[int], says("The seats that have won; none where the match is drawn.")]
    places: Annotated[Sequence[int], says("The place of each seat, seat by seat; seats that are level share one.")]
    wins: Annotated[Sequence[int], says("The number of games that each seat has won.")]
    scores: Annotated[Sequence[int], says("The score of each seat in the last game.")]


class DealKnownAnswer(Answer):
    match: Annotated[str, says("The id of the match.")]
    hand_no: Annotated[Ordinal, says("The hand of it with which this match begins, from 1.")]


DealGroupId = Annotated[
    str | None,
    says("The group of tables that get the same deals (`GET /v1/deal-groups/{group_id}`), if this is one of them."),
]
KnownDeals = Annotated[
    DealKnownAnswer | None,
    says("The finished match whose deals are replayed, starting with this hand; the match counts in no results."),
]
Imported = Annotated[
    bool,
    says(
        "Whether the match was imported, from a record or a hand history. Its players are unknown here, and it counts"
        " in no results."
    ),
]
Pace = Annotated[Literal["live", "mail"], says("Played live, or by mail: with an hour or more for a decision.")]
OptionClass = Annotated[str, says("The class of options; `usual` if a game has only one.")]

ClassTitle = Annotated[str, says("The class of options in words; empty if a game has only one.")]


class RatedInAnswer(Answer):
    """The ratings in which a match counts, in addition to its game's."""

    of: OptionClass
    title: ClassTitle
    pace: Pace


RatedIn = Annotated[
    RatedInAnswer | None,
    says("The ratings in which the result counts, unless the match is annulled; null: it counts in none."),
]


def rated_in_answer(pool: str | None) -> RatedInAnswer | None:
    """Show the pool of ratings of a match, which names its game too; None for none."""
    if pool is None:
        return None
    game, of, pace = pool.split(":")
    return RatedInAnswer(of, class_title(GAMES.get(game), of), pace)  # type: ignore[arg-type]


Annulled = Annotated[
    str | None, says("Why the match counts for nothing although it has a result; null: it was not annulled.")
]
Playable = Annotated[
    bool,
    says(
        "False: the game is not installed here any longer. The match can be read as far as its log goes: what all"
        " matches have, the events and the record; it has no table, and nothing can be done in it."
    ),
]
ToAct = Annotated[Sequence[int], says("The seats whose decision the match waits for.")]


class TournamentTableAnswer(Answer):
    """The table of a tournament that a match is played at."""

    id: Annotated[str, says("The id of the tournament.")]
    round: Annotated[int, says("The number of the round, from 1; 0: entrants prepare for the first.", ge=0)]
    table: Annotated[int, says("The number of the table, from 0.", ge=0)]
    your_next: Annotated[
        str | None,
        says(
            "Id of your next match in the tournament, once this match is over: your table of the next round, the next"
            " hand at many tables, or a match with a seat kept for you. Null if there is none yet."
        ),
    ]


class MatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    status: Annotated[Status, says("How far the match is.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    rules: Annotated[str, says("The version of the rules.")]
    preset: Annotated[str | None, says("The preset that the options began with; null if there is none.")]
    options: Annotated[Mapping[str, Any], of_game("MatchOptions"), says("All of them, completed.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of the match.")]
    visibility: Annotated[Visibility, says("The readers of the match.")]
    rated: RatedIn
    imported: Imported
    deal_group: DealGroupId
    deal_known: KnownDeals
    tournament: Annotated[TournamentTableAnswer | None, says("The table of a tournament; null: it is in none.")]
    created_at: Annotated[Timestamp, says("When it was created.")]
    seats: Annotated[Sequence[SeatAnswer], says("The seats, in order.")]
    your_seat: Annotated[int | None, says("Your seat, the first of them if you hold several; null: you hold none.")]
    your_seats: Annotated[Sequence[int], says("All seats that you hold.")]
    your_orders: Annotated[Sequence[int], says("Your seats with current standing orders.")]
    your_notes: Annotated[bool, says("Whether you have notes about the match.")]
    to_act: ToAct
    deadline: Annotated[
        Timestamp | None,
        says("When the first of the open decisions will fall due, vacations and outages included; null: none will."),
    ]
    seats_until: Annotated[
        Timestamp | None,
        says("By when all seats are to be taken: from then on the match may end before its start. Null: it has begun."),
    ]
    playable: Playable
    table: TableAnswer | None
    scene: Annotated[SceneAnswer | None, says("The table as data for all who draw it; null before the start.")]
    result: Annotated[
        ResultAnswer | None, says("How the match came out; null until it has, or where it was never played.")
    ]
    annulled: Annulled
    head: Annotated[Digest, says("The digest of the last event.")]
    signed: Annotated[
        SignedHeadAnswer | None,
        says(
            "The head with this server's signature, or for an imported match with that of the server that ran it."
            " Null if it is not signed."
        ),
    ]
    rematch: Annotated[str | None, says("The id of the rematch, if there is one that you can read.")]
    fairness: Annotated[FairnessAnswer, says("How the shuffles are proved.")]
    invites: Annotated[Sequence[SeatInviteAnswer] | UnsetType, says("Only for the creator.")] = UNSET
    receipts: NonceReceipts = UNSET


def _has_notes(seen: Seen) -> bool:
    player = request_caller().player
    return player is not None and talk.notes_of_player(app_state().store, seen.match_no, player) is not None


def _table_of(m: life.Match) -> TournamentTableAnswer | None:
    table = m.created.tournament
    if table is None:
        return None
    then = tournaments.find_next_match(app_state().context, table.id, request_caller().player) if m.over else None
    return TournamentTableAnswer(table.id, table.round, table.table, then)


def _seats_until(seen: Seen) -> Time | None:
    m = seen.match
    if m.status != "lobby":
        return None
    table = m.created.tournament
    if table is None:
        return Time(seen.created + LOBBY_MS)
    return tournaments.seats_open_until(app_state().context, table.id, seen.created)


def match_answer(
    seen: Seen, invites: Mapping[int, str | None] | None = None, *, acknowledges: bool = False
) -> MatchAnswer:
    """Return the match as its reader sees it; `invites` are only for its creator.

    `acknowledges` means that the request may have brought nonces.
    """
    m = seen.match
    return MatchAnswer(
        id=seen.match_id,
        game=m.game.name,
        status=m.status,
        version=seen.version,
        rules=m.created.rules,
        preset=m.created.preset,
        options=m.created.options,
        series=m.created.series,
        clock=m.created.clock,
        visibility=seen.visibility,
        rated=None if seen.imported else rated_in_answer(pool_of_match(m)),
        imported=seen.imported is not None,
        deal_group=m.created.deal_group.id if m.created.deal_group else None,
        deal_known=_known(m.created.deal_known),
        tournament=_table_of(m),
        created_at=write_time(seen.created),
        seats=seat_answers(m),
        your_seat=seen.seat,
        your_seats=seen.seats,
        your_orders=orders.seats_with_orders(app_state().context, seen, request_caller()),
        your_notes=_has_notes(seen),
        to_act=life.to_act(m),
        deadline=time_or_none(absence_credit.first_deadline(app_state().context, m)),
        seats_until=time_or_none(_seats_until(seen)),
        playable=m.game.name in GAMES,
        table=table_answer(m, seen.seat),
        scene=scene_answer(seen),
        result=result_answer(m),
        annulled=m.annulled,
        head=seen.head,
        signed=signed_head_answer(sign_seen_head(app_state().keys, seen)),
        rematch=creation.find_rematch(app_state().context, seen, request_caller()),
        fairness=fairness_answer(m),
        invites=UNSET
        if invites is None
        else [
            SeatInviteAnswer(seat, code, link_of_invite(seen.match_id, code)) for seat, code in sorted(invites.items())
        ],
        receipts=receipts_of(app_state().keys, seen) if acknowledges else UNSET,
    )


def table_answer(m: life.Match, seat: int | None) -> Mapping[str, Any] | None:
    """Return the table; after a match's end, its phase may be that it waits for the rest of its group."""
    if m.table is None:
        return None
    view = m.game.view(m.table, seat)
    return {**view, "phase": WAITING} if life.waits_for_group(m) else view


def scene_answer(seen: Seen, last: str | None = None) -> SceneAnswer | None:
    """Return the table as data, with the last event in words; its phase may be that it waits for others."""
    m = seen.match
    if m.table is None:
        return None
    drawn = with_fields(m.game.scene(m.table, seen.seat), last=last or views.last_event_text(app_state().context, seen))
    return cast("SceneAnswer", as_json(with_fields(drawn, phase=WAITING) if life.waits_for_group(m) else drawn))


WAITING: Final = "waiting_for_tables"
"""This is the phase of a table that is over, while others of its deal group are not."""


def result_answer(m: life.Match) -> ResultAnswer | None:
    """Return the result; None if there is none yet."""
    r = m.result
    return None if r is None else ResultAnswer(r.winners, r.places, r.wins, r.scores)


def _known(known: DealKnown | None) -> DealKnownAnswer | None:
    return None if known is None else DealKnownAnswer(known.match, known.hand_no)
