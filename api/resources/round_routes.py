"""Serves the rounds of tournaments."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Literal

from flask import Response

from api.http.app_state import app_state, public_address
from api.http.openapi_operations import (
    ETAG,
    NOT_MODIFIED,
    Answer,
    Count,
    Digest,
    NextCursor,
    Operation,
    Ordinal,
    Reply,
    one_of,
    says,
)
from api.http.problems import Problem
from api.http.responses import IF_NONE_MATCH, json_answer
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from api.resources.tournament_answer import EntrantNumber
from api.resources.tournament_routes import ROUND, TOURNAMENT_ID, answer_unless_known
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.tournament_state import Tournament
from events.service import players
from events.service import tournaments as service
from events.service.tournament_rounds import (
    Pairing,
    RoundSeen,
    TableOfRound,
    advancing_entrants,
    pairings_of_round,
    rounds_of,
)
from events.service.tournaments import HeldTournament
from events.store.player_records import Identity

How = Literal["open", "finished", "forfeited", "adjudicated", "ruled"]


class ListedRoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    stage: Annotated[str, one_of(("main", "elimination")), says("The stage of the tournament.")]
    closed: Annotated[bool, says("Whether all its tables are over.")]
    tables: Annotated[Count, says("Number of tables.")]
    open_tables: Annotated[Count, says("Number of tables that are not over.")]
    byes: Annotated[Count, says("Number of byes.")]


class RoundListAnswer(Answer):
    items: Annotated[list[ListedRoundAnswer], says("The paired rounds, from the first.")]
    next: NextCursor


class TableSeatAnswer(Answer):
    seat: Annotated[Count, says("The number of the seat, from 0.")]
    entrant: Annotated[int | None, says("The number of the entrant; null for a bot.")]
    player: Annotated[SeatedPlayerAnswer | None, says("The player; null for a bot.")]
    seated: Annotated[
        bool | None,
        says("Whether the player is seated; null if the match has not been created yet, or the table is over."),
    ]
    points_before: Annotated[int | None, says("The points before the round, which the pairing uses.")]
    place: Annotated[int | None, says("The place at the table; null until it is over. If no seat is first, all lost.")]
    wins: Annotated[int | None, says("The games won; null until the table is over.")]
    score: Annotated[int | None, says("The score in a duplicate; null in other formats, or if there is none.")]
    advances: Annotated[
        bool | None,
        says("Whether the entrant advances in an elimination; null if the table is open, or in other formats."),
    ]
    absent: Annotated[bool, says("Whether the entrant did not show up, or was to move at the deadline.")]


class MetAnswer(Answer):
    entrants: Annotated[list[int], says("Two entrants.")]
    times: Annotated[Ordinal, says("How often they met before this round.")]


class RoundTableAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0, the best first.")]
    match: Annotated[str, says("The id of its last match, which is created moments after the pairing.")]
    link: Annotated[str, says("The address of that match.")]
    earlier_matches: Annotated[list[str], says("Earlier matches that did not decide who advances.")]
    how: Annotated[How, says("How it ended, or `open`.")]
    seats: Annotated[list[TableSeatAnswer], says("The seats, in order.")]
    met: Annotated[list[MetAnswer], says("Pairs at this table that met before.")]
    reason: Annotated[str | None, says("The reason for the ruling.")]
    by: Annotated[SeatedPlayerAnswer | None, says("The organiser who ruled the table.")]


class ByeAnswer(Answer):
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("The player.")]


class PairingDrawAnswer(Answer):
    first_table: Annotated[Count, says("The first table that it paired.")]
    link: Annotated[Ordinal, says("The position of its seed in the chain.")]
    seed: Annotated[Digest, says("The seed; hashed `link` times, it gives the commitment.")]


class RoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    stage: Annotated[str, one_of(("main", "elimination")), says("The stage of the tournament.")]
    closed: Annotated[bool, says("Whether all its tables are over.")]
    why: Annotated[str, says("The rule by which it was paired.")]
    link: Annotated[Ordinal, says("The position of its seed in the chain.")]
    seed: Annotated[Digest, says("The seed; hashed `link` times, it gives the commitment.")]
    draws: Annotated[list[PairingDrawAnswer], says("The draws that paired it; only an arena has several.")]
    tables: Annotated[list[RoundTableAnswer], says("The tables, the best first.")]
    byes: Annotated[list[ByeAnswer], says("Byes of the round.")]


def round_list_answer(rounds: Sequence[RoundSeen]) -> RoundListAnswer:
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


def round_answer(t: Tournament, one: RoundSeen, seated: str) -> RoundAnswer:
    """Return a round: its tables with results or seated players, and the data of their pairing.

    `seated` has a line for each seat of the open matches: the match, and 1 if the seat is taken, else 0.
    """
    sits: dict[str, list[bool]] = {}
    for match, is_taken in map(str.split, seated.splitlines()):
        sits.setdefault(match, []).append(is_taken == "1")
    for table in one.tables:
        table.sits = sits.get(table.matches[-1], ())
    there = [who for table in one.tables for who in table.seats if who is not None]
    rulers = [table.by for table in one.tables if table.by is not None]
    known = players.player_identities(app_state().context, [t.players[who] for who in (*there, *one.byes)] + rulers)
    return RoundAnswer(
        round=one.number,
        stage=one.stage,
        closed=one.closed,
        why=format_of(t).pairing_rule(one.stage),
        link=one.draws[0].link,
        seed=one.draws[0].seed,
        draws=[PairingDrawAnswer(*draw) for draw in one.draws],
        tables=[
            _table(t, table, seen, pairing, on, known)
            for table, (seen, pairing, on) in enumerate(
                zip(one.tables, pairings_of_round(t, one), advancing_entrants(t, one), strict=True)
            )
        ],
        byes=[ByeAnswer(who, person_answer(t.players[who], known)) for who in one.byes],
    )


def _table(
    t: Tournament,
    number: int,
    table: TableOfRound,
    pairing: Pairing,
    on: tuple[int, ...] | None,
    known: Mapping[str, Identity],
) -> RoundTableAnswer:
    *earlier, last = table.matches
    seats = [
        TableSeatAnswer(
            seat=seat,
            entrant=one,
            player=None if one is None else person_answer(t.players[one], known),
            seated=table.sits[seat] if seat < len(table.sits) and table.result is None else None,
            points_before=pairing.points[seat],
            place=None if table.result is None else table.result.places[seat],
            wins=None if table.result is None else table.result.wins[seat],
            score=None if table.result is None or table.result.scores is None else table.result.scores[seat],
            advances=None if on is None or one is None else one in on,
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
        by=None if table.by is None else person_answer(table.by, known),
    )


@Operation(
    tag="tournaments",
    searches=("bracket", "rounds"),
    access="optional",
    parameters=(TOURNAMENT_ID, IF_NONE_MATCH),
    replies={200: Reply("The paired rounds.", RoundListAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def list_rounds(tournament_id: str) -> Response:
    """List rounds.

    Returns the paired rounds, from the first. The last one is open until all its tables are over.
    """
    return answer_unless_known(tournament_id, lambda found: json_answer(round_list_answer(rounds_of(found))))


@Operation(
    tag="tournaments",
    searches=("pairings", "round results"),
    access="optional",
    parameters=(TOURNAMENT_ID, ROUND, IF_NONE_MATCH),
    replies={200: Reply("The round.", RoundAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def get_round(tournament_id: str, round: int) -> Response:  # noqa: A002 -- the name stands in the address
    """Get a round.

    Returns the tables with matches and results, the byes and the reasons for the pairing. Each seat has its points
    before the round, and each table lists its earlier encounters. Anyone can recompute the pairing from its seed. When
    players sit down at open tables, the answer changes without a new version.
    """

    @cache
    def seated() -> str:
        return service.seats_taken(app_state().context, tournament_id)

    def shown(found: HeldTournament) -> Response:
        rounds = rounds_of(found)
        if not 1 <= round <= len(rounds):
            raise Problem("not_found", "This round has not been paired.")
        return json_answer(round_answer(found.state, rounds[round - 1], seated()))

    return answer_unless_known(tournament_id, shown, seated)
