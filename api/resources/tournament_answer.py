"""Shows tournaments: what they are, who plays in them, how their rounds were paired and how they stand."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from api.http.app_state import here, public_address
from api.http.openapi_operations import (
    Answer,
    AnyGame,
    Count,
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
from api.resources.match_answer import SeatedPlayerAnswer
from api.resources.preparation_parts import PreparationAnswer, preparation_seen
from api.resources.prize_parts import AwardedPrizeAnswer, PrizeAnswer, awarded_seen, prizes_seen
from api.resources.tournament_request import STATUSES
from domain.match.creation import Series
from domain.tournament.arena_course import resting
from domain.tournament.duplicate import scores_of
from domain.tournament.tournament_course import ground_of
from domain.tournament.tournament_plan import Fill, FormatName, Overdue
from domain.tournament.tournament_standings import Standing
from domain.tournament.tournament_state import Tournament
from events.service import players
from events.service.table_pairings import Pairing
from events.service.tournament_rounds import RoundSeen, TableOfRound, pairings, ranking, stacks_now
from events.service.tournaments import HeldTournament
from events.store.records import TournamentRow
from events.times import write_time

Format = Annotated[str, among(get_args(FormatName)), says("How rounds are paired.")]
TournamentStatus = Annotated[str, among(STATUSES), says("How far it is.")]
EntrantNumber = Annotated[int, says("The number of the entrant, from 0, in the order in which they came.")]
How = Literal["open", "finished", "forfeited", "adjudicated", "ruled"]


class ListedTournamentAnswer(Answer):
    id: Annotated[str, says("The id of the tournament.")]
    name: Annotated[str, says("What others see.")]
    game: Annotated[str, says("The name of the game that is played at its tables.")]
    format: Format
    status: TournamentStatus
    organiser: Annotated[SeatedPlayerAnswer, says("Who runs it.")]
    visibility: Annotated[str, among(("public", "private")), says("Who may see it.")]
    entrants: Annotated[Count, says("How many are in it.")]
    most: Annotated[Count, says("The most entrants.")]
    round: Annotated[Count, says("The last round that was paired; 0: none.")]
    rounds: Annotated[int | None, says("The rounds of a Swiss, once entries are closed.")]
    closes_at: Annotated[Timestamp | None, says("When entries close by themselves; null: the organiser closes them.")]
    created_at: Annotated[Timestamp, says("When it was announced.")]


class TournamentListAnswer(Answer):
    items: Annotated[list[ListedTournamentAnswer], says("The tournaments of this page, the latest first.")]
    next: Annotated[str | None, says("The `cursor` of the next page.")]


class TournamentAnswer(Answer):
    id: Annotated[str, says("The id of the tournament.")]
    name: Annotated[str, says("What others see.")]
    status: TournamentStatus
    paused: Annotated[bool, says("Whether no round is closed or paired for now.")]
    version: Annotated[Ordinal, says("The number of its last event.")]
    head: Annotated[Digest, says("The digest of its last event.")]
    organiser: Annotated[SeatedPlayerAnswer, says("Who runs it.")]
    helpers: Annotated[list[SeatedPlayerAnswer], says("Who may do all that the organiser may.")]
    visibility: Annotated[str, among(("public", "private")), says("Who may see it.")]
    by_invite: Annotated[bool, says("Whether only those may enter who were invited.")]
    least_rating: Annotated[int | None, says("The least rating with which players may enter.")]
    most_rating: Annotated[int | None, says("The most rating with which players may enter.")]
    game: AnyGame
    preset: Annotated[str | None, says("The preset that the options began with; null: none.")]
    options: Annotated[Mapping[str, Any], of_game("MatchOptions"), says("Those of every table, completed.")]
    clock: Annotated[MatchClock, says("The clock of each table.")]
    series: Annotated[MatchSeries, says("How many games make the match at each table.")]
    format: Format
    seats: Annotated[Ordinal, says("The seats of each table.")]
    rounds: Annotated[int | None, says("The rounds of a Swiss; null: they follow from the entrants.")]
    legs: Annotated[Ordinal, says("How often all meet in a league.")]
    cut: Annotated[Count, says("How many play on by elimination after a Swiss.")]
    advance: Annotated[Ordinal, says("How many of a larger table go on in single elimination.")]
    teams: Annotated[Literal["tables"] | None, says("Whether a duplicate is played by teams; null: by each alone.")]
    fill: Annotated[str, among(get_args(Fill)), says("What becomes of those who fill no table.")]
    most: Annotated[Ordinal, says("The most entrants; who comes later waits.")]
    late: Annotated[Count, says("Up to so many paired rounds players may still enter.")]
    show_up_seconds: Annotated[Ordinal, says("The time in which players take their seats at a table.")]
    round_days: Annotated[int | None, says("The days from the beginning of a table to its deadline.")]
    overdue: Annotated[str, among(get_args(Overdue)), says("How a table ends that is late.")]
    hands: Annotated[int | None, says("The hands of each round of a tournament of many tables; null: it is none.")]
    stack: Annotated[int | None, says("The chips that each begins it with; null: it is none.")]
    closes_at: Annotated[Timestamp | None, says("When entries close by themselves; null: the organiser closes them.")]
    ends_at: Annotated[Timestamp | None, says("When an arena is paired no more; null: it is another format.")]
    created_at: Annotated[Timestamp, says("When it was announced.")]
    commitment: Annotated[Digest, says("s[0] of the chain of seeds from which all is drawn.")]
    round: Annotated[Count, says("The last round that was paired; 0: none.")]
    open: Annotated[bool, says("Whether that round is being played.")]
    entrants: Annotated[Count, says("How many are in it.")]
    waiting: Annotated[Count, says("How many wait for a place.")]
    your_entrant: Annotated[int | None, says("Your number; null: you are not in it.")]
    you_wait: Annotated[bool, says("Whether you wait for a place.")]
    your_table: Annotated[str | None, says("The id of the match at your table of the open round; null: none.")]
    you_rest: Annotated[bool, says("Whether you rest in an arena, and are not paired until you are back.")]
    you_run_it: Annotated[bool, says("Whether you are the organiser or a helper.")]
    preparation: Annotated[PreparationAnswer | None, says("What entrants play before the first round; null: nothing.")]
    prizes: Annotated[list[PrizeAnswer], says("What is awarded by place.")]
    awarded: Annotated[list[AwardedPrizeAnswer], says("What was awarded; nothing before the end.")]


class EntrantAnswer(Answer):
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("Who it is.")]
    club: Annotated[str | None, says("The club, if one was named.")]
    left_after: Annotated[int | None, says("After how many paired rounds the entrant left; null: they are in it.")]
    out: Annotated[bool, says("Whether the entrant was taken out.")]
    rests: Annotated[bool, says("Whether the entrant rests in an arena, and is not paired for now.")]


class EntrantListAnswer(Answer):
    items: Annotated[list[EntrantAnswer], says("All entrants, in the order in which they came.")]
    waiting: Annotated[list[SeatedPlayerAnswer], says("Who waits for a place, the first first.")]
    next: Annotated[None, says("Always null: all of them are here.")]


class StandingAnswer(Answer):
    place: Annotated[Ordinal, says("The place, from 1, by the format; some formats share places.")]
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("Who it is.")]
    points: Annotated[Count, says("The points.")]
    score: Annotated[
        str | None,
        says("In a duplicate what the seats had better than the average elsewhere, exactly; null: another format."),
    ]
    opponents: Annotated[str, says("The average of the opponents' rates of points, exactly.", examples=["5/12"])]
    games: Annotated[str, says("The own rate of games, exactly.", examples=["2/3"])]
    opponents_games: Annotated[str, says("The average of the opponents' rates of games, exactly.", examples=["1/3"])]
    rounds: Annotated[Count, says("The rounds played, with byes.")]
    byes: Annotated[Count, says("The byes.")]
    left: Annotated[bool, says("Whether the entrant has left, or was taken out.")]
    chips: Annotated[int | None, says("The stack after that round; null: no stacks go from table to table.")]


class StandingsAnswer(Answer):
    round: Annotated[Count, says("After which closed round; in an arena tables count as they end.")]
    items: Annotated[list[StandingAnswer], says("The entrants, the first place first; none before entries are closed.")]
    next: Annotated[None, says("Always null: all of them are here.")]


class ListedRoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    stage: Annotated[str, among(("main", "elimination")), says("Whether a table of it is played until it is decided.")]
    closed: Annotated[bool, says("Whether all its tables are over.")]
    tables: Annotated[Count, says("How many tables it has.")]
    open_tables: Annotated[Count, says("How many of them are not over.")]
    byes: Annotated[Count, says("How many have a bye.")]


class RoundListAnswer(Answer):
    items: Annotated[list[ListedRoundAnswer], says("The rounds that were paired, from the first.")]
    next: Annotated[None, says("Always null: all of them are here.")]


class TableSeatAnswer(Answer):
    seat: Annotated[Count, says("The number of the seat, from 0.")]
    entrant: Annotated[int | None, says("The number of the entrant; null: a bot.")]
    player: Annotated[SeatedPlayerAnswer | None, says("Who it is; null: a bot.")]
    points_before: Annotated[int | None, says("The points before the round, from which it was paired.")]
    place: Annotated[int | None, says("The place at the table; null until it is over. If nobody is first, all lost.")]
    wins: Annotated[int | None, says("The games won; null until the table is over.")]
    score: Annotated[int | None, says("The score in a duplicate; null elsewhere, and where there is none.")]
    absent: Annotated[bool, says("Whether the entrant did not come, or was to move at the deadline.")]


class MetAnswer(Answer):
    entrants: Annotated[list[int], says("Two entrants.")]
    times: Annotated[Ordinal, says("How often they had met before this round.")]


class RoundTableAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0, the best first.")]
    match: Annotated[str, says("The id of its last match; it is made some moments after the pairing.")]
    link: Annotated[str, says("The address of that match.")]
    earlier_matches: Annotated[list[str], says("Those that said not who goes on, and were played once more.")]
    how: Annotated[How, says("How it ended; `open`: it has not.")]
    seats: Annotated[list[TableSeatAnswer], says("The seats, in order.")]
    met: Annotated[list[MetAnswer], says("Who of them had met before: as few as can be.")]
    reason: Annotated[str | None, says("Why it was ruled so.")]
    by: Annotated[SeatedPlayerAnswer | None, says("Who has ruled it.")]


class ByeAnswer(Answer):
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("Who it is.")]


class PairingDrawAnswer(Answer):
    first_table: Annotated[Count, says("The number of the first table that it has paired.")]
    link: Annotated[Ordinal, says("The place of its seed in the chain.")]
    seed: Annotated[Digest, says("Its seed: hashed as often as `link` says, it is the commitment.")]


class RoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    stage: Annotated[str, among(("main", "elimination")), says("Whether a table of it is played until it is decided.")]
    closed: Annotated[bool, says("Whether all its tables are over.")]
    why: Annotated[str, says("By which rule it was paired.")]
    link: Annotated[Ordinal, says("The place of its seed in the chain.")]
    seed: Annotated[Digest, says("Its seed: hashed as often as `link` says, it is the commitment.")]
    draws: Annotated[list[PairingDrawAnswer], says("All draws that have paired it: one, but in an arena.")]
    tables: Annotated[list[RoundTableAnswer], says("The tables, the best first.")]
    byes: Annotated[list[ByeAnswer], says("Who has a bye.")]


class TournamentEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("Its number.")]
    commit: Annotated[Ordinal, says("The number of the first event that was written with it.")]
    type: Annotated[str, says("What happened.")]
    data: Annotated[dict[str, Any], says("What it is about.")]
    at: Annotated[Timestamp, says("When it was written.")]
    cause: Annotated[str, says("`move`, `auto` or `timeout`.", examples=["move"])]
    seals: Annotated[dict[str, dict[str, Digest]], says("Empty: nothing of a tournament is sealed.")]
    digest: Annotated[Digest, says("The hash of the digest before it and of the event.")]


class TournamentEventsAnswer(Answer):
    items: Annotated[list[TournamentEventAnswer], says("The events, in order.")]
    next: Annotated[Count, says("The version to send as `after` for what comes next.")]


# --- Who it is --------------------------------------------------------------------------------------------


class Known:
    """These are the names of players, looked up at once; one who was erased has none."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._known = players.identities(here().context, set(ids))

    def player(self, player: str) -> SeatedPlayerAnswer:
        found = self._known.get(player)
        return SeatedPlayerAnswer(id=player, name=found.name if found else None, handle=found.handle if found else None)


# --- What is shown ----------------------------------------------------------------------------------------


def listed(rows: Sequence[TournamentRow], after: str | None) -> TournamentListAnswer:
    """Show a page of tournaments; `after` is where the next begins."""
    known = Known([row.organiser for row in rows])
    items = [
        ListedTournamentAnswer(
            id=row.tournament_id,
            name=row.name,
            game=row.game,
            format=row.format,
            status=row.status,
            organiser=known.player(row.organiser),
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


def tournament(found: HeldTournament, viewer: str | None, your_table: str | None) -> TournamentAnswer:
    """Show a tournament to a viewer; None: a stranger."""
    t, plan = found.state, found.state.plan
    known = Known([t.organiser, *t.helpers])
    mine = next((one for one, who in enumerate(t.players) if who == viewer and one not in t.left), None)
    return TournamentAnswer(
        id=found.head.match_id,
        name=t.name,
        status=t.status,
        paused=t.paused,
        version=found.head.version,
        head=found.head.head.hex(),
        organiser=known.player(t.organiser),
        helpers=[known.player(one) for one in t.helpers],
        visibility=t.entry.visibility,
        by_invite=t.entry.by_invite,
        least_rating=t.entry.least_rating,
        most_rating=t.entry.most_rating,
        game=t.terms.game,
        preset=t.terms.preset,
        options=t.terms.options,
        clock=t.terms.clock,
        series=Series(t.terms.best_of or 1),
        format=plan.format,
        seats=plan.seats,
        rounds=plan.rounds if t.rounds is None else t.rounds,
        legs=plan.legs,
        cut=plan.cut,
        advance=plan.advance,
        teams=plan.teams,
        fill=plan.fill,
        most=plan.most,
        late=plan.late,
        show_up_seconds=plan.show_up_seconds,
        round_days=plan.round_days,
        overdue=plan.overdue,
        hands=plan.hands,
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
        you_rest=mine in resting(t),
        you_run_it=viewer in (t.organiser, *t.helpers),
        preparation=preparation_seen(t),
        prizes=prizes_seen(t),
        awarded=awarded_seen(t),
    )


def entrants(t: Tournament) -> EntrantListAnswer:
    """Show who plays."""
    known, rests = Known([*t.players, *t.waiting]), resting(t)
    items = [
        EntrantAnswer(one, known.player(player), t.clubs[one], t.left.get(one), player in t.barred, one in rests)
        for one, player in enumerate(t.players)
    ]
    return EntrantListAnswer(items, [known.player(one) for one in t.waiting], None)


def standings(t: Tournament) -> StandingsAnswer:
    """Show how the entrants stand."""
    rows, stacks = ranking(t), stacks_now(t)
    known = Known([t.players[row.entrant] for _, row in rows])
    scores = scores_of(ground_of(t)) if t.plan.format == "duplicate" and rows else {}
    items = [_standing(t, place, row, known, (stacks.get(row.entrant), scores.get(row.entrant))) for place, row in rows]
    return StandingsAnswer(len(t.played), items, None)


def _standing(
    t: Tournament, place: int, row: Standing, known: Known, more: tuple[int | None, Fraction | None]
) -> StandingAnswer:
    stack, score = more
    return StandingAnswer(
        place=place,
        entrant=row.entrant,
        player=known.player(t.players[row.entrant]),
        points=row.points,
        score=None if score is None else str(score),
        opponents=str(row.opponents),
        games=str(row.games),
        opponents_games=str(row.opponents_games),
        rounds=row.rounds,
        byes=row.byes,
        left=row.entrant in t.left,
        chips=stack,
    )


def round_list(rounds: Sequence[RoundSeen]) -> RoundListAnswer:
    """Show the rounds that were paired."""
    items = [
        ListedRoundAnswer(
            one.number,
            one.stage,
            one.closed,
            len(one.tables),
            sum(table.result is None for table in one.tables),
            len(one.byes),
        )
        for one in rounds
    ]
    return RoundListAnswer(items, None)


WHY: Mapping[str, str] = {
    "swiss": (
        "Those who play were shuffled and sorted by points. At tables of two the first gets the highest whom it has not"
        " met, such that all others can be paired so; at larger ones as few as possible meet again, at the same points."
    ),
    "round_robin": "The order of the first shuffle lies in a circle, and those opposite meet; it turns each round.",
    "league": "The order of the first shuffle lies in a circle, and those opposite meet; it turns each round.",
    "single_elimination": "The winners of neighbouring places of the bracket meet; missing places are byes.",
    "double_elimination": (
        "Those who have lost nothing meet by the bracket; those who have lost once meet each other as in a Swiss."
    ),
    "shoot_out": "Those who have won their tables are dealt to as few tables as can be, in the order of their seeds.",
    "duplicate": (
        "Each has a number in a crew. In each round those of one number have one seat, at tables that are the same step"
        " apart."
    ),
    "arena": (
        "Whoever was free was shuffled, and who had played most waited if not all filled tables. The others were paired"
        " by points; two who had just met only if there was no other way."
    ),
    "multi_table": (
        "Stacks go from table to table: tables are broken when the others seat all, and balanced, so that none has more"
        " than one player more than another. Who would post the big blind next moves."
    ),
}
"""By which rule rounds of each format are paired, in short; the rulebook of tournaments says it in full."""

AFTER_THE_CUT = "After the cut the first of the Swiss meet by the bracket, their places being their seeds."


def round_seen(t: Tournament, one: RoundSeen) -> RoundAnswer:
    """Show a round: its tables with how they ended, and from what they were paired."""
    there = [who for table in one.tables for who in table.seats if who is not None]
    rulers = [table.by for table in one.tables if table.by is not None]
    known = Known([t.players[who] for who in (*there, *one.byes)] + rulers)
    cut = t.plan.format == "swiss" and one.stage == "elimination"
    return RoundAnswer(
        round=one.number,
        stage=one.stage,
        closed=one.closed,
        why=AFTER_THE_CUT if cut else WHY[t.plan.format],
        link=one.draws[0].link,
        seed=one.draws[0].seed,
        draws=[PairingDrawAnswer(*draw) for draw in one.draws],
        tables=[
            _table(t, table, seen, pairing, known)
            for table, (seen, pairing) in enumerate(zip(one.tables, pairings(t, one), strict=True))
        ],
        byes=[ByeAnswer(who, known.player(t.players[who])) for who in one.byes],
    )


def _table(t: Tournament, number: int, table: TableOfRound, pairing: Pairing, known: Known) -> RoundTableAnswer:
    *earlier, last = table.matches
    seats = [
        TableSeatAnswer(
            seat=seat,
            entrant=one,
            player=None if one is None else known.player(t.players[one]),
            points_before=pairing.points[seat],
            place=None if table.result is None else table.result.places[seat],
            wins=None if table.result is None else table.result.wins[seat],
            score=None if table.result is None or table.result.scores is None else table.result.scores[seat],
            absent=one is not None and one in table.absent,
        )
        for seat, one in enumerate(table.seats)
    ]
    return RoundTableAnswer(
        table=number,
        match=last,
        link=f"{public_address()}/v1/matches/{last}",
        earlier_matches=earlier,
        how=table.how,  # type: ignore[arg-type]
        seats=seats,
        met=[MetAnswer([a, b], times) for a, b, times in pairing.met],
        reason=table.reason,
        by=None if table.by is None else known.player(table.by),
    )
