"""Presents a match to its reader: alone, and in a list."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Final, cast, get_args

from msgspec import UNSET, UnsetType, json

from api.http.app_state import here, public_address
from api.http.auth import caller
from api.http.openapi_operations import (
    Answer,
    AnyGame,
    Digest,
    MatchClock,
    MatchSeries,
    Ordinal,
    Timestamp,
    among,
    of_game,
    says,
)
from api.http.present import time_or_none
from api.http.schemas import Status, Visibility
from api.http.signing import SignedHeadAnswer, as_answer, vouched
from api.resources.scene_answer import SceneAnswer
from domain import match as life
from domain.core.fairness import SCHEME
from domain.core.scene import as_json
from domain.core.values import changed
from domain.games.catalogue import GAMES
from domain.match.creation import DealKnown, Level, Reveal, TournamentTable
from events.proof.checks.shuffles import DEALT_ELSEWHERE
from events.service import create as creation
from events.service import lists, players, vacations, views
from events.service.views import Seen
from events.store.records import Identity, MatchRow, SeatRow
from events.times import write_time

# --- Who sits where ---------------------------------------------------------------------------------------


class SeatedPlayerAnswer(Answer):
    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str | None, says("Null once the player has been erased, or where an import brought no name.")]
    handle: Annotated[str | None, says("Null once the player has been erased, and in an imported match.")]


class ReliabilityAnswer(Answer):
    """This says how a player keeps to what others wait for: promises of nonces (`nonce_commit`), and deadlines."""

    aborted_after_commitments: Annotated[
        int,
        says(
            "Matches that the player has cancelled after seats had committed to nonces there; a group of tables is one."
        ),
    ]
    unopened_commitments: Annotated[
        int, says("Nonces that the player has committed to and not given in time; they counted as empty.")
    ]
    decisions_in_time: Annotated[
        int, says("Decisions with a deadline that the player took in time, in the latest 30 matches that are over.")
    ]
    decisions_late: Annotated[int, says("Decisions there for which the player's time ran out.")]


SeatKind = Annotated[str, among(("player", "bot", "open", "invite"))]
BotLevel = Annotated[str, among(get_args(Level))]


class ListedSeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("Who sits there, or may.")]
    player: Annotated[SeatedPlayerAnswer | None, says("The player; null: none sits there.")]
    level: Annotated[BotLevel | None, says("How well the bot plays; null: no bot sits there.")]


class BankAnswer(Answer):
    left_ms: Annotated[int, says("In milliseconds.")]
    moves: Annotated[int, says("In a period of a Canadian clock, the decisions that it is for; else 0.")]


class SeatAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    kind: Annotated[SeatKind, says("Who sits there, or may.")]
    player: Annotated[
        SeatedPlayerAnswer | None,
        says("Who sits there; in a seat by invitation, for whom it is kept, who needs no code."),
    ]
    level: Annotated[BotLevel | None, says("How well the bot plays; null: no bot sits there.")]
    player_key: Annotated[
        Digest | None, says("The key with which the player signs the moves of the seat; null: they are not signed.")
    ]
    played_by_bot: Annotated[bool, says("A bot moves for the seat, be it a player's.")]
    deadline: Annotated[Timestamp | None, says("When the seat's open decision falls due.")]
    bank: Annotated[BankAnswer | None, says("What a player has left on a clock, as of their last decision.")]
    away_until: Annotated[
        Timestamp | None, says("The player is on vacation until then, and the clock stands still for it.")
    ]
    reliability: Annotated[
        ReliabilityAnswer | None,
        says(
            "Until the match starts: how its player keeps promises and deadlines; null for no player, and afterwards."
        ),
    ]


LinkOfInvite = Annotated[
    str | None,
    says(
        "The address of the match with the code behind `#`, which no client sends to a server. `dealt play` takes it."
    ),
]


class SeatInviteAnswer(Answer):
    seat: Annotated[int, says("The seat, from 0.")]
    invite: Annotated[str | None, says("Null for a code that can no longer be shown; issue a new one.")]
    link: LinkOfInvite


# --- The table --------------------------------------------------------------------------------------------


TableAnswer = Annotated[
    Mapping[str, Any], of_game("Table"), says("The table as its reader sees it, with the keys of its game.")
]


class ResultAnswer(Answer):
    """Places count from 1; scores are those of the last game."""

    winners: Annotated[Sequence[int], says("The seats that have won; none where the match is drawn.")]
    places: Annotated[Sequence[int], says("The place of each seat, seat by seat; seats that are level share one.")]
    wins: Annotated[Sequence[int], says("The number of games that each seat has won.")]
    scores: Annotated[Sequence[int], says("The score of each seat in the last game.")]


# --- The match --------------------------------------------------------------------------------------------


class FairnessAnswer(Answer):
    scheme: Annotated[str, among((SCHEME,)), says("The scheme of the shuffles.")]
    epoch: Annotated[int, says("The number of the epoch, from 1: the hands that share one commitment.")]
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
    awaits_until: Annotated[
        Timestamp | None, says("Until when they may send it; null: until all have, or nothing is awaited.")
    ]
    reveal: Annotated[str, among(get_args(Reveal)), says("When the seeds of the shuffles are disclosed.")]
    provable: Annotated[bool, says("False: nothing is ever disclosed, and the shuffles can never be checked.")]
    creator_aborted: Annotated[
        int | None,
        says("In a lobby with `nonce_commit`: how many matches its creator has cancelled after commitments."),
    ]
    note: Annotated[str | None, says("What somebody who sits down here should know of it.")]


class DealKnownAnswer(Answer):
    match: Annotated[str, says("The id of the match.")]
    hand_no: Annotated[Ordinal, says("The hand of it with which this match begins, from 1.")]


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


class TournamentTableAnswer(Answer):
    """The table of a tournament that a match is played at."""

    id: Annotated[str, says("The id of the tournament.")]
    round: Annotated[int, says("The number of the round, from 1; 0: entrants prepare for the first.", ge=0)]
    table: Annotated[int, says("The number of the table, from 0.", ge=0)]


class MatchAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: AnyGame
    status: Annotated[Status, says("How far the match is.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    rules: Annotated[str, says("The version of the rules.")]
    preset: Annotated[str | None, says("The preset that the options began with; null: none.")]
    options: Annotated[Mapping[str, Any], of_game("MatchOptions"), says("All of them, completed.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of the match.")]
    visibility: Annotated[Visibility, says("Who may read the match.")]
    imported: Imported
    deal_group: DealGroupId
    deal_known: KnownDeals
    tournament: Annotated[TournamentTableAnswer | None, says("The table of a tournament; null: it is in none.")]
    created_at: Annotated[Timestamp, says("When it was created.")]
    seats: Annotated[Sequence[SeatAnswer], says("The seats, in order.")]
    your_seat: Annotated[int | None, says("Your seat, the first of them if you hold several; null: you hold none.")]
    your_seats: Annotated[Sequence[int], says("All seats that you hold.")]
    to_act: ToAct
    deadline: Annotated[Timestamp | None, says("When the first of the open decisions falls due; null: none does.")]
    playable: Annotated[
        bool,
        says(
            "False: the game is not installed here any longer. The match can be read as far as its log goes: what all"
            " matches have, the events and the record; it has no table, and nothing can be done in it."
        ),
    ]
    table: TableAnswer | None
    scene: Annotated[SceneAnswer | None, says("The table as data for all who draw it; null before the start.")]
    result: Annotated[
        ResultAnswer | None, says("How the match came out; null until it has, or where it was never played.")
    ]
    annulled: Annotated[
        str | None, says("Why the match counts for nothing although it has a result; null: it was not annulled.")
    ]
    head: Annotated[Digest, says("The digest of the last event.")]
    signed: Annotated[
        SignedHeadAnswer | None,
        says(
            "The head with this server's signature, or of an imported match with that of the server that ran it; null:"
            " nobody vouches for it."
        ),
    ]
    rematch: Annotated[str | None, says("The id of the same match once more, where there is one that you may read.")]
    fairness: Annotated[FairnessAnswer, says("How the shuffles are proved.")]
    invites: Annotated[Sequence[SeatInviteAnswer] | UnsetType, says("For the creator alone.")] = UNSET


def _table_of(table: TournamentTable | None) -> TournamentTableAnswer | None:
    return None if table is None else TournamentTableAnswer(table.id, table.round, table.table)


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
        tournament=_table_of(m.created.tournament),
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
        annulled=m.annulled,
        head=seen.head,
        signed=as_answer(vouched(here().keys, seen)),
        rematch=creation.rematch_of(here().context, seen, caller()),
        fairness=_fairness(m),
        invites=UNSET
        if invites is None
        else [
            SeatInviteAnswer(seat, code, link_of_invite(seen.match_id, code)) for seat, code in sorted(invites.items())
        ],
    )


def link_of_invite(match_id: str, code: str | None) -> str | None:
    """Give a link with the code of an invite, which can be sent to whom it is for."""
    return None if code is None else f"{public_address()}/v1/matches/{match_id}#invite={code}"


def table(m: life.Match, seat: int | None) -> Mapping[str, Any] | None:
    """Give the table; of one that is over its phase says that it waits for the others of its group."""
    if m.table is None:
        return None
    view = m.game.view(m.table, seat)
    return {**view, "phase": WAITING} if life.waits(m) else view


def scene(seen: Seen, last: str | None = None) -> SceneAnswer | None:
    """Give the table as data, with the last event in words; the phase is that of the table, which may wait."""
    m = seen.match
    if m.table is None:
        return None
    drawn = changed(m.game.scene(m.table, seen.seat), last=last or views.last(here().context, seen))
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
    held = held_by(m)
    known = players.identities(here().context, [p for p in held if p is not None])
    away, kept = _away(m), _reliability(m)
    return [
        SeatAnswer(
            seat=s,
            kind=seat_kind(m, s),
            player=person(held[s], known),
            level=plan.level,
            player_key=m.keys[s],
            played_by_bot=m.by_bot[s],
            deadline=time_or_none(m.asked[s] if s in life.to_act(m) else None),
            bank=_bank(m, s),
            away_until=time_or_none(away.get(m.players[s] or "")),
            reliability=kept.get(m.players[s] or ""),
        )
        for s, plan in enumerate(m.created.seats)
    ]


def held_by(m: life.Match) -> list[str | None]:
    """Give, seat by seat, the player who sits there or for whom it is kept; None for neither."""
    return [player or plan.player for player, plan in zip(m.players, m.created.seats, strict=True)]


def seat_kind(m: life.Match, seat: int) -> SeatKind:
    """Give who sits in a seat, or may."""
    return m.created.seats[seat].kind if m.players[seat] is None else "player"


def _reliability(m: life.Match) -> Mapping[str, ReliabilityAnswer]:
    return reliability([p for p in m.players if p is not None]) if m.status == "lobby" else {}


def reliability(player_ids: Collection[str]) -> Mapping[str, ReliabilityAnswer]:
    """Give how players keep promises of nonces, and deadlines."""
    found = players.reliability(here().context, player_ids)
    return {player: ReliabilityAnswer(*counts) for player, counts in found.items()}


def _away(m: life.Match) -> Mapping[str, int]:
    if m.over or not m.clock.vacation:
        return {}
    return vacations.away(here().context, [p for p in m.players if p is not None])


def _bank(m: life.Match, seat: int) -> BankAnswer | None:
    if not m.clock.ticks or m.players[seat] is None:
        return None
    return BankAnswer(m.banks[seat].left, m.banks[seat].moves)


def person(player_id: str | None, known: Mapping[str, Identity]) -> SeatedPlayerAnswer | None:
    """Give a player as others see one; None for none."""
    return None if player_id is None else SeatedPlayerAnswer(player_id, *known.get(player_id, Identity()))


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
        creator_aborted=_creator_aborted(m),
        note=_note(m, reveal),
    )


def _creator_aborted(m: life.Match) -> int | None:
    if m.status != "lobby" or not m.common.nonce_commit or m.created.creator is None:
        return None
    return reliability([m.created.creator])[m.created.creator].aborted_after_commitments


def _note(m: life.Match, reveal: str) -> str | None:
    if m.game.name not in GAMES:
        return UNCHECKED
    if m.created.rules == DEALT_ELSEWHERE:
        return DEALT_THERE
    notes = [
        KNOWN_DEALS if m.created.deal_known else None,
        OPEN_TABLES if m.created.deal_group and anybody_may_sit(m) else None,
        ABORTED if m.aborted else None,
        disclosing(m.game.words.unseen, reveal),
    ]
    return " ".join(note for note in notes if note) or None


def anybody_may_sit(m: life.Match) -> bool:
    """Say whether a seat is for anybody, but for those that the creator has taken."""
    seats = zip(m.created.seats, m.players, strict=True)
    return any(plan.kind == "open" and player != m.created.creator for plan, player in seats)


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
KNOWN_DEALS: Final = (
    "The deals of this match are those of another: somebody may know every card. What is proved is how they were"
    " dealt, not that nobody knew them."
)
OPEN_TABLES: Final = (
    "Anybody may take an open seat of these tables, and who sits at one may tell another what is dealt. With seats by"
    " `invite` only those play who were invited."
)
ABORTED: Final = "The match was aborted after commitments: seats had committed to nonces when its creator cancelled it."
UNCHECKED: Final = "The game is not installed here: its deals cannot be computed again."
UNPROVABLE: Final = (
    "The seeds of this match are never disclosed: nobody will be able to check how its cards were shuffled."
)


# --- Matches in lists -------------------------------------------------------------------------------------


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
    return ListedSeatAnswer(row.seat, row.kind, person(row.player_id, known), row.level)
