"""Presents a match to its reader."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, cast, get_args

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
    one_of,
    says,
)
from api.http.responses import time_or_none
from api.http.signed_answers import NonceReceipts, SignedHeadAnswer, receipts_of, sign_seen_head, signed_head_answer
from api.resources.fairness_answer import FairnessAnswer, fairness_answer
from api.resources.seat_answer import SeatAnswer, SeatInviteAnswer, link_of_invite, seat_answers
from domain import match as life
from domain.core.clock import Time
from domain.core.scene import Layout, as_json
from domain.core.values import with_fields
from domain.games.catalogue import GAMES
from domain.match.creation import DealKnown
from domain.ratings.finished import class_title, pool_of_match
from events.service import absence_credit, orders, tournaments, views
from events.service import create as creation
from events.service.projections import LOBBY_MS
from events.service.views import Seen
from events.talk import messages as talk
from events.times import write_time

Numbers = Annotated[Mapping[str, int], says("Numbers by their labels, such as `score`, `trick`, `pot`.")]


class SceneSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    badges: Annotated[Sequence[str], says("Short words, such as `dealer`, `turn`, `small blind`, `out`.")]
    numbers: Numbers


class SceneSpotAnswer(Answer):
    face: Annotated[str, one_of(("up", "down", "empty")), says("Whether a card is there, and which side is up.")]
    card: Annotated[str | None, says("The text of a visible card, such as `QS`, or a number if cards have no suits.")]
    seat: Annotated[int | None, says("The seat that put it there, if relevant.")]
    marks: Annotated[Sequence[str], says("Words about the card, such as `wins` and `laid off`.")]
    id: Annotated[
        str | None,
        says("Its id in moves, if cards with the same text differ; null if moves use its text or position."),
    ]
    aims: Annotated[
        Sequence[str],
        says("The ids of the cards that it targets or blocks, and the numbers of the seats that it targets."),
    ]


class SceneStepAnswer(Answer):
    name: Annotated[str, says("The name of the step.")]
    now: Annotated[bool, says("Whether it is the current step.")]
    stop: Annotated[bool, says("Whether the reader wants to be asked in it during this turn.")]


class SceneZoneAnswer(Answer):
    kind: Annotated[
        str,
        says(
            "Common kinds are `hand`, `trick`, `last_trick`, `stock`, `discard`, `board`, `taken`, `set_aside`,"
            " `drawn`, `meld` and `pot`; games can have others."
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
    count: Annotated[int, says("Number of cards in the zone; cards without a spot are face down, in no order.")]
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
        says("The parts of the table with cards or chips, by id, in reading order."),
    ]
    numbers: Numbers
    notes: Annotated[Sequence[str], says("Short sentences about the whole table.")]
    last: Annotated[str | None, says("The last event, in words.")]
    steps: Annotated[Sequence[SceneStepAnswer], says("The steps of the turn, in order; empty for games without steps.")]


TableAnswer = Annotated[
    Mapping[str, Any], of_game("Table"), says("The table as you see it, with keys that depend on the game.")
]


class ResultAnswer(Answer):
    """Places count from 1; scores are those of the last game."""

    winners: Annotated[Sequence[int], says("The winning seats; empty for a draw.")]
    places: Annotated[Sequence[int], says("The place of each seat; tied seats share one.")]
    wins: Annotated[Sequence[int], says("The games won, seat by seat.")]
    scores: Annotated[Sequence[int], says("The score of each seat in the last game.")]


class DealKnownAnswer(Answer):
    match: Annotated[str, says("The id of the match.")]
    hand_no: Annotated[Ordinal, says("The hand of it with which this match begins, from 1.")]


DealGroupId = Annotated[
    str | None,
    says("The duplicate group of the match (`GET /v1/deal-groups/{group_id}`); null if there is none."),
]
KnownDeals = Annotated[
    DealKnownAnswer | None,
    says("The finished match whose deals are replayed, starting with this hand; the match does not count in results."),
]
Imported = Annotated[
    bool,
    says(
        "Whether the match was imported from a record or hand history. Its players are not of this server, and it"
        " does not count in results."
    ),
]
Pace = Annotated[Literal["live", "mail"], says("`live`, or `mail` with at least an hour per decision.")]
OptionClass = Annotated[str, says("The class of options; `usual` if a game has only one.")]

ClassTitle = Annotated[str, says("The class of options in words; empty if a game has only one.")]


class RatedInAnswer(Answer):
    """The ratings in which a match counts, in addition to its game's."""

    of: OptionClass
    title: ClassTitle
    pace: Pace


RatedIn = Annotated[
    RatedInAnswer | None,
    says("The ratings in which the result counts, unless the match is voided; null if none."),
]


def rated_in_answer(pool: str | None) -> RatedInAnswer | None:
    """Show the pool of ratings of a match, which names its game too; None for none."""
    if pool is None:
        return None
    game, of, pace = pool.split(":")
    return RatedInAnswer(of, class_title(GAMES.get(game), of), pace)  # type: ignore[arg-type]


Annulled = Annotated[
    str | None, says("The reason for voiding the match, whose result then does not count; null if it was not voided.")
]
Playable = Annotated[
    bool,
    says(
        "False if the game is no longer installed. You can then read the match, its events and its record, but it"
        " has no table and accepts no moves."
    ),
]
ToAct = Annotated[Sequence[int], says("The seats whose decision the match waits for.")]


class TournamentTableAnswer(Answer):
    """The tournament table at which a match is played."""

    id: Annotated[str, says("The id of the tournament.")]
    round: Annotated[int, says("The number of the round, from 1; 0: entrants prepare for the first.", minimum=0)]
    table: Annotated[int, says("The number of the table, from 0.", minimum=0)]
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
    status: Annotated[Status, says("The status of the match.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    rules: Annotated[str, says("The version of the rules.")]
    preset: Annotated[str | None, says("The preset behind the options; null if there is none.")]
    options: Annotated[Mapping[str, Any], of_game("MatchOptions"), says("All options, with defaults.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of the match.")]
    visibility: Annotated[Visibility, says("The readers of the match.")]
    rated: RatedIn
    imported: Imported
    deal_group: DealGroupId
    deal_known: KnownDeals
    tournament: Annotated[
        TournamentTableAnswer | None, says("The tournament table of the match; null if there is none.")
    ]
    created_at: Annotated[Timestamp, says("Creation time.")]
    seats: Annotated[Sequence[SeatAnswer], says("The seats, in order.")]
    your_seat: Annotated[int | None, says("Your seat, or your first; null without a seat.")]
    your_seats: Annotated[Sequence[int], says("All seats that you hold.")]
    your_orders: Annotated[Sequence[int], says("Your seats with current standing orders.")]
    your_notes: Annotated[bool, says("Whether you have notes about the match.")]
    to_act: ToAct
    deadline: Annotated[
        Timestamp | None,
        says("Time at which the first open decision falls due, including vacations and outages; null if none does."),
    ]
    seats_until: Annotated[
        Timestamp | None,
        says("Deadline for taking all seats; after it, the match can expire. Null once it has started."),
    ]
    playable: Playable
    table: TableAnswer | None
    scene: Annotated[SceneAnswer | None, says("The table as data for drawing it; null before the start.")]
    result: Annotated[ResultAnswer | None, says("The result; null until the match ends, or if it was never played.")]
    annulled: Annulled
    head: Annotated[Digest, says("The digest of the last event.")]
    signed: Annotated[
        SignedHeadAnswer | None,
        says("The head, signed by the server that ran the match; null if it is not signed."),
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
        deal_known=_deal_known_answer(m.created.deal_known),
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
"""The phase of a table that is over, while others of its deal group are not."""


def result_answer(m: life.Match) -> ResultAnswer | None:
    """Return the result; None if there is none yet."""
    r = m.result
    return None if r is None else ResultAnswer(r.winners, r.places, r.wins, r.scores)


def _deal_known_answer(known: DealKnown | None) -> DealKnownAnswer | None:
    return None if known is None else DealKnownAnswer(known.match, known.hand_no)
