"""Shows the rounds of a tournament: how they were paired, and how their tables ended."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from api.http.app_state import app_state, public_address
from api.http.openapi_operations import Answer, Count, Digest, NextCursor, Ordinal, one_of, says
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from api.resources.tournament_answer import EntrantNumber
from domain.tournament.tournament_state import Tournament
from events.service import players
from events.service.table_pairings import Pairing
from events.service.tournament_rounds import RoundSeen, TableOfRound, advancing_entrants, pairings_of_round
from events.store.player_records import Identity

How = Literal["open", "finished", "forfeited", "adjudicated", "ruled"]


class ListedRoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    stage: Annotated[str, one_of(("main", "elimination")), says("Whether a table of it is played until it is decided.")]
    closed: Annotated[bool, says("Whether all its tables are over.")]
    tables: Annotated[Count, says("How many tables it has.")]
    open_tables: Annotated[Count, says("How many of them are not over.")]
    byes: Annotated[Count, says("How many have a bye.")]


class RoundListAnswer(Answer):
    items: Annotated[list[ListedRoundAnswer], says("The rounds that were paired, from the first.")]
    next: NextCursor


class TableSeatAnswer(Answer):
    seat: Annotated[Count, says("The number of the seat, from 0.")]
    entrant: Annotated[int | None, says("The number of the entrant; null: a bot.")]
    player: Annotated[SeatedPlayerAnswer | None, says("The player; null for a bot.")]
    seated: Annotated[
        bool | None,
        says("Whether the player is seated; null if the match has not been created yet, or the table is over."),
    ]
    points_before: Annotated[int | None, says("The points before the round, from which it was paired.")]
    place: Annotated[int | None, says("The place at the table; null until it is over. If no seat is first, all lost.")]
    wins: Annotated[int | None, says("The games won; null until the table is over.")]
    score: Annotated[int | None, says("The score in a duplicate; null in other formats, or if there is none.")]
    advances: Annotated[
        bool | None, says("Whether the entrant goes on from a table of an elimination; null: it is open, or is none.")
    ]
    absent: Annotated[bool, says("Whether the entrant did not come, or was to move at the deadline.")]


class MetAnswer(Answer):
    entrants: Annotated[list[int], says("Two entrants.")]
    times: Annotated[Ordinal, says("How often they had met before this round.")]


class RoundTableAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0, the best first.")]
    match: Annotated[str, says("The id of its last match; it is made some moments after the pairing.")]
    link: Annotated[str, says("The address of that match.")]
    earlier_matches: Annotated[list[str], says("Earlier matches that did not decide who advances, and were replayed.")]
    how: Annotated[How, says("How it ended; `open`: it has not.")]
    seats: Annotated[list[TableSeatAnswer], says("The seats, in order.")]
    met: Annotated[list[MetAnswer], says("Pairs at this table that have met before, as few as possible.")]
    reason: Annotated[str | None, says("Why it was ruled so.")]
    by: Annotated[SeatedPlayerAnswer | None, says("The organiser who ruled the table.")]


class ByeAnswer(Answer):
    entrant: EntrantNumber
    player: Annotated[SeatedPlayerAnswer, says("The player.")]


class PairingDrawAnswer(Answer):
    first_table: Annotated[Count, says("The number of the first table that it has paired.")]
    link: Annotated[Ordinal, says("The place of its seed in the chain.")]
    seed: Annotated[Digest, says("Its seed: hashed as often as `link` says, it is the commitment.")]


class RoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    stage: Annotated[str, one_of(("main", "elimination")), says("Whether a table of it is played until it is decided.")]
    closed: Annotated[bool, says("Whether all its tables are over.")]
    why: Annotated[str, says("By which rule it was paired.")]
    link: Annotated[Ordinal, says("The place of its seed in the chain.")]
    seed: Annotated[Digest, says("Its seed: hashed as often as `link` says, it is the commitment.")]
    draws: Annotated[list[PairingDrawAnswer], says("All draws that have paired it: one, but in an arena.")]
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


WHY: Mapping[str, str] = {
    "swiss": (
        "Those who play were shuffled and sorted by points. At tables of two the first gets the highest whom it has not"
        " met, such that all others can be paired so; at larger ones as few as possible meet again, at the same points."
    ),
    "round_robin": "The order of the first shuffle lies in a circle, and those opposite meet; it turns each round.",
    "league": "The order of the first shuffle lies in a circle, and those opposite meet; it turns each round.",
    "single_elimination": "The winners of neighbouring places of the bracket meet; missing places are byes.",
    "double_elimination": (
        "Those who have lost nothing meet by the bracket, and those who have lost once meet each other as in a Swiss."
        " At larger tables as few as possible of either meet again, until one table seats all who are left."
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


def round_answer(t: Tournament, one: RoundSeen, seated: str) -> RoundAnswer:
    """Show a round: its tables with how they ended or who has sat down, and from what they were paired.

    `seated` has a line for each seat of the open matches: the match, and 1 if somebody sits there, else 0.
    """
    sits: dict[str, list[bool]] = {}
    for match, is_taken in map(str.split, seated.splitlines()):
        sits.setdefault(match, []).append(is_taken == "1")
    for table in one.tables:
        table.sits = sits.get(table.matches[-1], ())
    there = [who for table in one.tables for who in table.seats if who is not None]
    rulers = [table.by for table in one.tables if table.by is not None]
    known = players.player_identities(app_state().context, [t.players[who] for who in (*there, *one.byes)] + rulers)
    cut = t.plan.cut and one.stage == "elimination"
    return RoundAnswer(
        round=one.number,
        stage=one.stage,
        closed=one.closed,
        why=AFTER_THE_CUT if cut else WHY[t.plan.format],
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
