"""Presents a match to its reader: alone, and in a list."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Final, TypedDict, cast, get_args

from msgspec import UNSET, UnsetType, json

from api.http.app_state import here
from api.http.auth import caller
from api.http.operations import Answer, Digest, Ordinal, Timestamp, among, says
from api.http.present import time_or_none
from api.http.schemas import Status, Visibility
from api.resources.scene_answer import SceneAnswer
from domain import match as life
from domain.core.clock import Clock
from domain.core.fairness import SCHEME
from domain.core.scene import as_json
from domain.core.values import changed
from domain.games.catalogue import GAMES
from domain.match.events import DealKnown, Level, Reveal, Series
from events.proof.shuffles import DEALT_ELSEWHERE
from events.service import lists, players, vacations
from events.service.views import Seen
from events.store.records import MatchRow, SeatRow
from events.times import write_time

# --- Who sits where ---------------------------------------------------------------------------------------


class SeatedPlayerAnswer(Answer):
    id: str
    name: Annotated[str | None, says("Null once the player has been erased, or where an import brought no name.")]


SeatKind = Annotated[str, among(("player", "bot", "open", "invite"))]
BotLevel = Annotated[str, among(get_args(Level))]


class ListedSeatAnswer(Answer):
    seat: int
    kind: SeatKind
    player: SeatedPlayerAnswer | None
    level: BotLevel | None


class BankAnswer(Answer):
    left_ms: int
    moves: Annotated[int, says("In a period of a Canadian clock, the decisions that it is for; else 0.")]


class SeatAnswer(Answer):
    seat: int
    kind: SeatKind
    player: Annotated[
        SeatedPlayerAnswer | None,
        says("Who sits there; in a seat by invitation, for whom it is kept, who needs no code."),
    ]
    level: BotLevel | None
    played_by_bot: Annotated[bool, says("A bot moves for the seat, be it a player's.")]
    deadline: Annotated[Timestamp | None, says("When the seat's open decision falls due.")]
    bank: Annotated[BankAnswer | None, says("What a player has left on a clock, as of their last decision.")]
    away_until: Annotated[
        Timestamp | None, says("The player is on vacation until then, and the clock stands still for it.")
    ]


class SeatInviteAnswer(Answer):
    seat: int
    invite: Annotated[str | None, says("Null for a code that can no longer be shown; issue a new one.")]


# --- The table --------------------------------------------------------------------------------------------


class PlayedCardAnswer(Answer):
    seat: int
    card: str


class TrickAnswer(Answer):
    leader: int
    winner: int
    cards: Sequence[PlayedCardAnswer]


class TableAnswer(TypedDict, total=False):
    """The table as its reader sees it.

    Each game has more fields than these, which mean the same everywhere they occur.
    """

    phase: str
    hand_no: int
    dealer: int | None
    hand: Annotated[Sequence[str | int], says("The reader's cards; numbers in a game that has no suits.")]
    hand_counts: Sequence[int]
    scores: Sequence[int]
    trick: Sequence[PlayedCardAnswer]
    last_trick: TrickAnswer | None
    stock_count: int | None
    discard_top: str | None


class ResultAnswer(Answer):
    """Places count from 1; scores are those of the last game."""

    winners: Sequence[int]
    places: Sequence[int]
    wins: Sequence[int]
    scores: Sequence[int]


# --- The match --------------------------------------------------------------------------------------------


class FairnessAnswer(Answer):
    scheme: Annotated[str, among((SCHEME,))]
    epoch: int
    links: Annotated[int, says("Hands that the commitment covers.")]
    commitment: Annotated[
        str,
        says(
            "Empty for a hand of poker that was imported as its hand history: it was dealt elsewhere.",
            pattern="^([0-9a-f]{64})?$",
        ),
    ]
    revealed: Annotated[int, says("Hands that are disclosed.")]
    contributed: Annotated[Sequence[int], says("Seats that gave a nonce.")]
    awaits: Annotated[Annotated[str, among(("hashes", "nonces"))] | None, says("What the seats may send now.")]
    awaits_until: Timestamp | None
    reveal: Annotated[str, among(get_args(Reveal)), says("When the seeds of the shuffles are disclosed.")]
    provable: Annotated[bool, says("False: nothing is ever disclosed, and the shuffles can never be checked.")]
    note: Annotated[str | None, says("What somebody who sits down here should know of it.")]


class DealKnownAnswer(Answer):
    match: str
    hand_no: Ordinal


DealGroupId = Annotated[
    str | None,
    says("The group of tables that get the same deals (`GET /v1/deal-groups/{group_id}`), if this is one of them."),
]
KnownDeals = Annotated[
    DealKnownAnswer | None,
    says(
        "The finished match whose deals are played once more, from this hand of it on; it counts in nobody's results."
    ),
]
Imported = Annotated[
    bool,
    says(
        "Whether the match was played elsewhere and brought here as its record, or as its hand history. Its players"
        " are not known here, and it counts in nobody's results."
    ),
]
ToAct = Annotated[Sequence[int], says("The seats whose decision the match waits for.")]


class MatchAnswer(Answer):
    id: str
    game: str
    status: Status
    version: Ordinal
    rules: Annotated[str, says("The version of the rules.")]
    preset: str | None
    options: Annotated[Mapping[str, Any], says("All of them, completed.")]
    series: Series
    clock: Clock
    visibility: Visibility
    imported: Imported
    deal_group: DealGroupId
    deal_known: KnownDeals
    created_at: Timestamp
    seats: Sequence[SeatAnswer]
    your_seat: int | None
    your_seats: Sequence[int]
    to_act: ToAct
    deadline: Timestamp | None
    playable: Annotated[
        bool,
        says(
            "False: the game is not installed here any longer. The match can be read as far as its log goes: what all"
            " matches have, the events and the record; it has no table, and nothing can be done in it."
        ),
    ]
    table: TableAnswer | None
    scene: SceneAnswer | None
    result: ResultAnswer | None
    head: Annotated[Digest, says("The digest of the last event.")]
    rematch: Annotated[str | None, says("The id of the same match once more, where there is one that you may read.")]
    fairness: FairnessAnswer
    invites: Annotated[Sequence[SeatInviteAnswer] | UnsetType, says("For the creator alone.")] = UNSET


def match(seen: Seen, invites: Mapping[int, str | None] | None = None) -> MatchAnswer:
    """Give the match as its reader sees it; `invites` are for its creator alone."""
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
        imported=seen.imported is not None,
        deal_group=m.created.deal_group.id if m.created.deal_group else None,
        deal_known=_known(m.created.deal_known),
        created_at=write_time(seen.created),
        seats=seated(m),
        your_seat=seen.seat,
        your_seats=seen.seats,
        to_act=life.to_act(m),
        deadline=time_or_none(life.due(m)),
        playable=m.game.name in GAMES,
        table=table(m, seen.seat),
        scene=scene(seen),
        result=result(m),
        head=seen.head,
        rematch=here().matches.rematch_of(seen, caller()),
        fairness=_fairness(m),
        invites=UNSET if invites is None else [SeatInviteAnswer(*pair) for pair in sorted(invites.items())],
    )


def table(m: life.Match, seat: int | None) -> TableAnswer | None:
    """Give the table; of one that is over its phase says that it waits for the others of its group."""
    if m.table is None:
        return None
    view = m.game.view(m.table, seat)
    return cast("TableAnswer", {**view, "phase": WAITING} if life.waits(m) else view)


def scene(seen: Seen) -> SceneAnswer | None:
    """Give the table as data; the phase is that of the table, which may wait."""
    m = seen.match
    if m.table is None:
        return None
    drawn = changed(m.game.scene(m.table, seen.seat), last=here().matches.last(seen))
    return cast("SceneAnswer", as_json(changed(drawn, phase=WAITING) if life.waits(m) else drawn))


WAITING: Final = "waiting_for_tables"
"""This is the phase of a table that is over, while others of its deal group are not."""


def result(m: life.Match) -> ResultAnswer | None:
    """Give the result; None as long as there is none."""
    r = m.result
    return None if r is None else ResultAnswer(r.winners, r.places, r.wins, r.scores)


def _known(known: DealKnown | None) -> DealKnownAnswer | None:
    return None if known is None else DealKnownAnswer(known.match, known.hand_no)


def seated(m: life.Match) -> list[SeatAnswer]:
    """Give who sits where, how much time they have, and whether they are away."""
    held = [player or plan.player for player, plan in zip(m.players, m.created.seats, strict=True)]
    names = players.names(here().context, [p for p in held if p is not None])
    away = _away(m)
    return [
        SeatAnswer(
            seat=s,
            kind=plan.kind if m.players[s] is None else "player",
            player=person(held[s], names),
            level=plan.level,
            played_by_bot=m.by_bot[s],
            deadline=time_or_none(m.asked[s] if s in life.to_act(m) else None),
            bank=_bank(m, s),
            away_until=time_or_none(away.get(m.players[s] or "")),
        )
        for s, plan in enumerate(m.created.seats)
    ]


def _away(m: life.Match) -> Mapping[str, int]:
    if m.over or not m.clock.vacation:
        return {}
    return vacations.away(here().context, [p for p in m.players if p is not None])


def _bank(m: life.Match, seat: int) -> BankAnswer | None:
    if not m.clock.ticks or m.players[seat] is None:
        return None
    return BankAnswer(m.banks[seat].left, m.banks[seat].moves)


def person(player_id: str | None, names: Mapping[str, str | None]) -> SeatedPlayerAnswer | None:
    """Give a player by id and name; None for none."""
    return None if player_id is None else SeatedPlayerAnswer(player_id, names.get(player_id))


def _fairness(m: life.Match) -> FairnessAnswer:
    reveal = m.common.fairness_reveal or m.game.setup.reveal
    elsewhere = m.created.rules == DEALT_ELSEWHERE
    return FairnessAnswer(
        scheme=SCHEME,
        epoch=m.epoch,
        links=m.links,
        commitment=m.commitment,
        revealed=len(m.disclosed),
        contributed=m.contributed,
        awaits=m.stage if life.collecting(m) else None,
        awaits_until=time_or_none(m.stage_until),
        reveal=reveal,
        provable=reveal != "never" and not elsewhere,
        note=_note(m, reveal),
    )


def _note(m: life.Match, reveal: str) -> str | None:
    if m.game.name not in GAMES:
        return UNCHECKED
    return DEALT_THERE if m.created.rules == DEALT_ELSEWHERE else disclosing(m.game.words.unseen, reveal)


def disclosing(unseen: str, reveal: str) -> str | None:
    """Say what a player should know before sitting down: what is disclosed, or what it costs that nothing is."""
    if reveal == "never":
        return UNPROVABLE + (f" In return, {unseen} stay hidden for good." if unseen else "")
    if not unseen:
        return None
    return (
        f"Once the shuffles are disclosed, {DISCLOSED[reveal]}, everybody can see all cards, {unseen} too."
        " With never they would stay hidden, but nobody could check how the cards were shuffled."
    )


DISCLOSED: Final = {
    "hand_end": "after each hand",
    "game_end": "after each game",
    "match_end": "when the match is over",
}


DEALT_THERE: Final = "The hand was dealt elsewhere: nobody can check here how its cards were shuffled."
UNCHECKED: Final = "The game is not installed here: its deals cannot be computed again."
UNPROVABLE: Final = (
    "The seeds of this match are never disclosed: nobody will be able to check how its cards were shuffled."
)


# --- Matches in lists -------------------------------------------------------------------------------------


class ListedMatchAnswer(Answer):
    id: str
    game: str
    status: Status
    visibility: Visibility
    options: Mapping[str, Any]
    seats: Sequence[ListedSeatAnswer]
    created_at: Timestamp
    started_at: Timestamp | None
    ended_at: Timestamp | None
    result: ResultAnswer | None
    deal_group: DealGroupId
    deal_known: KnownDeals
    imported: Imported


class MatchListAnswer(Answer):
    items: list[ListedMatchAnswer]
    next: Annotated[str | None, says("The `cursor` of the next page.")]


def match_list(rows: Collection[MatchRow]) -> list[ListedMatchAnswer]:
    """Give matches as lists show them."""
    seats, names, imported = lists.details(here().context, rows)
    return [_listed(row, seats.get(row.match_no, []), names, imported=row.match_no in imported) for row in rows]


def _listed(
    row: MatchRow, seats: Collection[SeatRow], names: Mapping[str, str | None], *, imported: bool
) -> ListedMatchAnswer:
    return ListedMatchAnswer(
        id=row.match_id,
        game=row.game,
        status=row.status,
        visibility=row.visibility,
        options=json.decode(row.options),
        seats=[_listed_seat(s, names) for s in seats],
        created_at=write_time(row.created_ms),
        started_at=time_or_none(row.started_ms),
        ended_at=time_or_none(row.ended_ms),
        result=None if row.result is None else json.decode(row.result, type=ResultAnswer),
        deal_group=row.deal_group,
        deal_known=None if row.deal_known is None else json.decode(row.deal_known, type=DealKnownAnswer),
        imported=imported,
    )


def _listed_seat(row: SeatRow, names: Mapping[str, str | None]) -> ListedSeatAnswer:
    return ListedSeatAnswer(row.seat, row.kind, person(row.player_id, names), row.level)
