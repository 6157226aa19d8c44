"""Shows tournaments and their entrants."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, get_args

from msgspec import UNSET

from api.http.app_state import app_state
from api.http.openapi_operations import (
    Answer,
    AnyGame,
    Count,
    Digest,
    MatchClock,
    MatchSeries,
    NextCursor,
    Ordinal,
    Timestamp,
    one_of,
    says,
)
from api.http.responses import time_or_none
from api.http.signed_answers import NonceReceipts, SignedHeadAnswer, sign_head, signed_head_answer
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from api.resources.preparation_parts import PreparationAnswer, preparation_seen
from api.resources.prize_parts import AwardedPrizeAnswer, PrizeAnswer, awarded_seen, prizes_seen
from api.resources.tournament_request import STATUSES
from domain.match.creation import Series
from domain.tournament.formats.arena import resting_entrants
from domain.tournament.formats.format_catalogue import FORMATS, format_of, is_out
from domain.tournament.tournament_plan import Fill, FormatName, Overdue, Teams
from domain.tournament.tournament_state import Tournament
from events.proof.signed_heads import TOURNAMENT
from events.service import players
from events.service import tournaments as service
from events.service.tournaments import HeldTournament
from events.store.tournament_records import TournamentRow
from events.times import write_time

Format = Annotated[str, one_of(get_args(FormatName)), says("How rounds are paired.")]
Continuous = Annotated[bool, says("Whether free players are paired until the end time, instead of by rounds.")]
TournamentStatus = Annotated[str, one_of(STATUSES), says("The status.")]
EntrantNumber = Annotated[int, says("The number of the entrant, from 0, in order of entry.")]


class ListedTournamentAnswer(Answer):
    id: Annotated[str, says("The id of the tournament.")]
    name: Annotated[str, says("The name that others see.")]
    game: Annotated[str, says("The name of the game that is played at its tables.")]
    format: Format
    continuous: Continuous
    status: TournamentStatus
    organiser: Annotated[SeatedPlayerAnswer, says("The organiser.")]
    visibility: Annotated[str, one_of(("public", "private")), says("The readers of the tournament.")]
    entrants: Annotated[Count, says("Number of entrants.")]
    most: Annotated[Count, says("Maximum entrants.")]
    round: Annotated[Count, says("The last paired round; 0 if none.")]
    rounds: Annotated[int | None, says("The rounds of a Swiss, once entries are closed.")]
    closes_at: Annotated[
        Timestamp | None, says("Time at which entries close automatically; null if the organiser closes them.")
    ]
    created_at: Annotated[Timestamp, says("Creation time.")]


class TournamentListAnswer(Answer):
    items: Annotated[list[ListedTournamentAnswer], says("The tournaments of this page, the latest first.")]
    next: NextCursor


class TournamentAnswer(Answer):
    id: Annotated[str, says("The id of the tournament.")]
    name: Annotated[str, says("The name that others see.")]
    status: TournamentStatus
    paused: Annotated[bool, says("Whether the tournament is paused.")]
    version: Annotated[Ordinal, says("The number of its last event.")]
    head: Annotated[Digest, says("The digest of its last event.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null if it has no key.")]
    organiser: Annotated[SeatedPlayerAnswer, says("The organiser.")]
    helpers: Annotated[list[SeatedPlayerAnswer], says("The co-organisers, who have the organiser's rights.")]
    visibility: Annotated[str, one_of(("public", "private")), says("The readers of the tournament.")]
    by_invite: Annotated[bool, says("Whether entry needs an invitation.")]
    least_rating: Annotated[int | None, says("Minimum rating to enter.")]
    most_rating: Annotated[int | None, says("Maximum rating to enter.")]
    least_reliability: Annotated[int | None, says("Minimum percentage of on-time moves to enter; null for no limit.")]
    game: AnyGame
    preset: Annotated[str | None, says("The preset behind the options; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("The options of every table, with defaults.")]
    about: Annotated[str, says("The rules in a few sentences; empty if the game is not installed.")]
    clock: Annotated[MatchClock, says("The clock of each table.")]
    series: Annotated[MatchSeries, says("How many games make the match at each table.")]
    deciding_options: Annotated[
        Mapping[str, Any] | None,
        says(
            "The options of a deciding game in an elimination; null for the usual options.",
            examples=[None],
        ),
    ]
    format: Format
    continuous: Continuous
    seats: Annotated[Ordinal, says("The seats of each table.")]
    rounds: Annotated[int | None, says("The rounds of a Swiss; null if they depend on the entrants.")]
    legs: Annotated[Ordinal, says("How often each pair meets in a league.")]
    cut: Annotated[Count, says("Players who advance from a Swiss to an elimination.")]
    advance: Annotated[Ordinal, says("Players who advance from each larger table in a single elimination.")]
    teams: Annotated[
        Teams | None, says("Whether a duplicate is played by teams or by pairs; null for individual play.")
    ]
    fill: Annotated[str, one_of(get_args(Fill)), says("How seats without entrants are handled.")]
    most: Annotated[Ordinal, says("Maximum entrants; later ones join the waiting list.")]
    most_waiting: Annotated[int | None, says("Maximum length of the waiting list; null for no limit.")]
    late: Annotated[Count, says("Number of paired rounds up to which players can enter.")]
    show_up_seconds: Annotated[Ordinal, says("Time for players to take their seats at a table.")]
    round_days: Annotated[int | None, says("Days from the start of a table to its deadline.")]
    overdue: Annotated[str, one_of(get_args(Overdue)), says("How a late table ends.")]
    stack: Annotated[int | None, says("The starting chips of a poker tournament at many tables; null for others.")]
    closes_at: Annotated[
        Timestamp | None, says("Time at which entries close automatically; null if the organiser closes them.")
    ]
    ends_at: Annotated[Timestamp | None, says("When pairing in an arena ends; null in other formats.")]
    created_at: Annotated[Timestamp, says("Creation time.")]
    commitment: Annotated[Digest, says("The commitment s[0] to the chain of seeds for all draws.")]
    round: Annotated[Count, says("The last paired round; 0 if none.")]
    open: Annotated[bool, says("Whether that round is open.")]
    entrants: Annotated[Count, says("Number of entrants.")]
    waiting: Annotated[Count, says("Length of the waiting list.")]
    your_entrant: Annotated[int | None, says("Your entrant number; null if you have not entered.")]
    you_wait: Annotated[bool, says("Whether you are on the waiting list.")]
    your_table: Annotated[
        str | None, says("The id of the match at your table of the open round; null if there is none.")
    ]
    your_table_made: Annotated[bool, says("Whether that match exists; it is created moments after the pairing.")]
    you_rest: Annotated[bool, says("Whether you rest in an arena, and so are not paired.")]
    you_are_out: Annotated[bool, says("Whether you were eliminated.")]
    you_left: Annotated[
        bool,
        says("Whether you left or were disqualified. Players who left after the start cannot enter again."),
    ]
    you_run_it: Annotated[bool, says("Whether you are the organiser or a co-organiser.")]
    preparation: Annotated[PreparationAnswer | None, says("Preparation before the first round; null if there is none.")]
    prizes: Annotated[list[PrizeAnswer], says("The prizes by place.")]
    awarded: Annotated[list[AwardedPrizeAnswer], says("Awarded prizes; empty until the end.")]
    receipts: NonceReceipts = UNSET


class EntrantAnswer(Answer):
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("The player.")]
    club: Annotated[str | None, says("The club; null if there is none, or the player was erased.")]
    left_after: Annotated[int | None, says("Number of paired rounds after which the entrant left; null if still in.")]
    out: Annotated[bool, says("Whether the entrant was disqualified.")]
    rests: Annotated[bool, says("Whether the entrant rests in an arena, and so is not paired.")]


class EntrantListAnswer(Answer):
    items: Annotated[list[EntrantAnswer], says("All entrants, in order of entry.")]
    waiting: Annotated[list[SeatedPlayerAnswer], says("The waiting list, in order.")]
    next: NextCursor


def tournament_list_answer(rows: Sequence[TournamentRow], after: str | None) -> TournamentListAnswer:
    """Show a page of tournaments; `after` is where the next begins."""
    known = players.player_identities(app_state().context, [row.organiser for row in rows])
    items = [
        ListedTournamentAnswer(
            id=row.tournament_id,
            name=row.name,
            game=row.game,
            format=row.format,
            continuous=FORMATS[row.format].is_continuous,  # type: ignore[index]  # so it was announced
            status=row.status,
            organiser=person_answer(row.organiser, known),
            visibility=row.visibility,
            entrants=row.entrants,
            most=row.most,
            round=row.round,
            rounds=row.rounds,
            closes_at=time_or_none(row.closes_ms),
            created_at=write_time(row.created_ms),
        )
        for row in rows
    ]
    return TournamentListAnswer(items, after)


def tournament_answer(found: HeldTournament, viewer: str | None, your_table: str | None) -> TournamentAnswer:
    """Return a tournament as a viewer (None: anonymous) sees it."""
    t, plan = found.state, found.state.plan
    known = players.player_identities(app_state().context, [t.organiser, *t.helpers])
    mine = next((one for one, who in enumerate(t.players) if who == viewer and one not in t.left), None)
    return TournamentAnswer(
        id=found.head.match_id,
        name=t.name,
        status=t.status,
        paused=t.paused,
        version=found.head.version,
        head=found.head.head.hex(),
        signed=signed_head_answer(sign_head(app_state().keys, TOURNAMENT, found.head)),
        organiser=person_answer(t.organiser, known),
        helpers=[person_answer(one, known) for one in t.helpers],
        visibility=t.entry.visibility,
        by_invite=t.entry.by_invite,
        least_rating=t.entry.least_rating,
        most_rating=t.entry.most_rating,
        least_reliability=t.entry.least_reliability,
        game=t.terms.game,
        preset=t.terms.preset,
        options=t.terms.options,
        about=service.describe_rules(t),
        clock=t.terms.clock,
        series=Series(t.terms.best_of or 1),
        deciding_options=t.terms.deciding,
        format=plan.format,
        continuous=format_of(t).is_continuous,
        seats=plan.seats,
        rounds=plan.rounds if t.rounds is None else t.rounds,
        legs=plan.legs,
        cut=plan.cut,
        advance=plan.advance,
        teams=plan.teams,
        fill=plan.fill,
        most=plan.most,
        most_waiting=plan.most_waiting,
        late=plan.late,
        show_up_seconds=plan.show_up_seconds,
        round_days=plan.round_days,
        overdue=plan.overdue,
        stack=plan.stack,
        closes_at=time_or_none(t.closes),
        ends_at=time_or_none(plan.ends),
        created_at=write_time(found.head.created_ms),
        commitment=t.commitment,
        round=t.round,
        open=t.open,
        entrants=len(t.players) - len(t.left),
        waiting=len(t.waiting),
        your_entrant=mine,
        you_wait=viewer in t.waiting,
        your_table=your_table,
        your_table_made=your_table is not None and service.is_table_made(app_state().context, your_table),
        you_rest=mine in resting_entrants(t),
        you_are_out=mine is not None and is_out(t, mine),
        you_left=mine is None and viewer is not None and viewer in t.players and viewer not in t.waiting,
        you_run_it=viewer in (t.organiser, *t.helpers),
        preparation=preparation_seen(t),
        prizes=prizes_seen(t),
        awarded=awarded_seen(t),
    )


def entrant_list_answer(t: Tournament) -> EntrantListAnswer:
    """Return the entrants; erased players have no name and no club."""
    known, rests = players.player_identities(app_state().context, [*t.players, *t.waiting]), resting_entrants(t)
    items = [
        EntrantAnswer(
            one,
            person_answer(player, known),
            t.clubs[one] if player in known and known[player].name is not None else None,
            t.left.get(one),
            player in t.barred,
            one in rests,
        )
        for one, player in enumerate(t.players)
    ]
    return EntrantListAnswer(items, [person_answer(one, known) for one in t.waiting], None)
