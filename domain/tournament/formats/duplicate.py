"""Seats and ranks a duplicate, in which all tables of a round get the same deals (tournament 13).

Entrants are in crews of as many as a table has seats: teams, or successive pairs or players in the order of the
shuffle. In each round, all first members have one seat, all second members another, and so on, at different tables.
Partners sit opposite each other. So entrants with the same number have had the same cards.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from domain.core.game import Refused
from domain.core.values import value
from domain.tournament.format import TournamentFormat
from domain.tournament.plan_faults import NOT_TAKEN
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground, PairedRound, PlayedRound, TableResult, Words, points_by_entrant
from domain.tournament.tournament_plan import TournamentPlan
from domain.tournament.tournament_state import Tournament

PAIR: Final = 2
"""The players of a pair."""


Crew = tuple[int | None, ...]
"""The members of a crew, in order; `BOT` stands for a bot."""


Side = tuple[int, ...]
"""The entrants who are ranked together."""


@value
class Scored:
    """The score of an entrant in a round: its difference from the average of the same seat at other tables."""

    entrant: int
    difference: Fraction


def pair_duplicate(ground: Ground, draws: Words) -> PairedRound | None:
    """Seat the next round; None once all are played, or one is left. Bots play the seats of entrants who have left."""
    number = len(ground.rounds)
    if number >= (ground.plan.rounds or 0) or len(ground.active) < 2:
        return None
    return PairedRound(seat_round(crews_of(ground), sides_at_table(ground.plan), number), ())


def team_size(plan: TournamentPlan) -> int:
    """Return the maximum number of players who are ranked together."""
    return 1 if plan.teams is None else PAIR if plan.teams == "pairs" else plan.seats


def sides_at_table(plan: TournamentPlan) -> int:
    """Return the number of pairs, or players, of a crew at different tables."""
    return plan.seats // PAIR if plan.teams == "pairs" else plan.seats


def sides_of(ground: Ground) -> list[Side]:
    """Return the teams, pairs or single players that are ranked together, in the order of their first members."""
    if ground.plan.teams is None:
        return [(one,) for one in ground.order]
    names = dict.fromkeys(ground.clubs[one] for one in ground.order)
    return [tuple(one for one in ground.order if ground.clubs[one] == name) for name in names]


def crews_of(ground: Ground) -> list[Crew]:
    """Return the crews in the order of their first members; bots fill the places that are left.

    A crew of pairs has first the first members of its pairs, and then the others in the same order.
    """
    seats, sides, size = ground.plan.seats, sides_of(ground), team_size(ground.plan)
    wide = seats // size
    crews = [sides[at : at + wide] for at in range(0, len(sides), wide)]
    return [tuple(_member(crew, place % wide, place // wide) for place in range(seats)) for crew in crews]


def _member(crew: Sequence[Side], side: int, number: int) -> int | None:
    return crew[side][number] if side < len(crew) and number < len(crew[side]) else BOT


def seat_round(crews: Sequence[Crew], apart: int, number: int) -> tuple[Crew, ...]:
    """Seat a round, counted from 0: member s of crew k has seat s + number, at table k + (s mod apart) × step."""
    count, seats = len(crews), len(crews[0])
    steps = [step for step in range(1, count) if all(step * n % count for n in range(1, apart))]
    steps = steps or [*range(1, count), 0]
    step = steps[number % len(steps)]
    tables: list[list[int | None]] = [[BOT] * seats for _ in crews]
    for k, crew in enumerate(crews):
        for s, one in enumerate(crew):
            tables[(k + s % apart * step) % count][(s + number) % seats] = one
    return tuple(map(tuple, tables))


# --- Scores -----------------------------------------------------------------------------------------------
def scores_of(ground: Ground) -> dict[int, Fraction]:
    """Return the total score of each entrant over all rounds."""
    total = dict.fromkeys(ground.order, Fraction(0))
    for number, each in enumerate(ground.rounds, 1):
        gone = {one for one, after in ground.left.items() if after < number} | {*each.stood_in}
        for scored in round_scores(each, gone, low=ground.plan.better_score == "low"):
            total[scored.entrant] += scored.difference
    return total


def round_scores(each: PlayedRound, gone: Collection[int], *, low: bool) -> Iterable[Scored]:
    """Yield the scores of a round; `gone` are the entrants replaced by bots.

    They get the minimum of their seat. Entrants who are not first at a table without scores get it too. An entrant
    who is first there gets zero.
    """
    for seat in range(len(each.tables[0].seats) if each.tables else 0):
        own = [_difference_to_others(each.tables, table, seat, low=low) for table in each.tables]
        least = min((found for found in own if found is not None), default=Fraction(0))
        for table, found in zip(each.tables, own, strict=True):
            one = table.seats[seat]
            if one is BOT:
                continue
            if one in gone or (found is None and table.places[seat] != 1):
                yield Scored(one, min(least, Fraction(0)))
            else:
                yield Scored(one, found or Fraction(0))


def _difference_to_others(
    tables: Sequence[TableResult], table: TableResult, seat: int, *, low: bool
) -> Fraction | None:
    """Return a seat's margin over the average of the same seat at other tables; None without scores.

    If it is the only table with scores, there is nothing to compare.
    """
    if table.scores is None:
        return None
    others = [other.scores[seat] for other in tables if other is not table and other.scores is not None]
    if not others:
        return Fraction(0)
    ahead = table.scores[seat] - Fraction(sum(others), len(others))
    return -ahead if low else ahead


def duplicate_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant by the scores, then the points, of their side; ties share a place.

    Those of a pair are averaged, since a bot may be the partner.
    """
    scores, points = scores_of(ground), points_by_entrant(ground.rounds, ground.plan.seats)
    whole: dict[int, tuple[Fraction, Fraction]] = {}
    for side in sides_of(ground):
        share = Fraction(1, len(side) if ground.plan.teams == "pairs" else 1)
        found = sum((scores[one] for one in side), Fraction(0)) * share, sum(points[one] for one in side) * share
        whole |= dict.fromkeys(side, found)
    return {one: 1 + sum(other > mine for other in whole.values()) for one, mine in whole.items()}


# --- Entries, and ends of tables ---------------------------------------------------------------------------


def are_enough(t: Tournament, entrants: tuple[int, ...]) -> bool:
    """Return whether the entrants fill at least two tables, with bots in the remaining places."""
    sides = entrants if t.plan.teams is None else {t.clubs[one] for one in entrants}
    return len(sides) * team_size(t.plan) > t.plan.seats


def bot_plays_for(t: Tournament, entrant: int | None) -> bool:
    """Return whether a bot plays for an entrant in the open round: the entrant left before it, or was a no-show."""
    return entrant is not BOT and (entrant in t.stood_in or t.left.get(entrant, t.round) < t.round)


def check_team(t: Tournament, club: str | None) -> None:
    """Raise `Refused` if the tournament has teams or pairs, and `club` names none or a full one."""
    if t.plan.teams is None:
        return
    if club is None:
        raise Refused("bad_arguments", "Name your team or pair in `club`.")
    there = [club for one, club in enumerate(t.clubs) if one not in t.left]
    if [*there, *(each.club for each in t.waiting.values())].count(club) >= team_size(t.plan):
        raise Refused("forbidden", f"This {'pair' if t.plan.teams == 'pairs' else 'team'} is full.")


SMALLEST_OF_PAIRS: Final = 4
"""Minimum seats of a table at which pairs play."""


def duplicate_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence for each field of a plan that a duplicate does not support."""
    if plan.better_score is None:
        yield NOT_TAKEN["better_score"]
    if plan.fill != "bots" or plan.round_days is not None or plan.overdue != "lost":
        yield "In a duplicate, `fill` is `bots`, and rounds have no deadline."
    if plan.teams == "pairs" and (plan.seats < SMALLEST_OF_PAIRS or plan.seats % 2):
        yield "Pairs need tables of 4, 6, 8 or 10 seats."


PAIRING_RULE: Final = (
    "Each entrant has a number in a crew. In each round, entrants with the same number sit in the same seat, at"
    " tables that are the same step apart."
)

FORMAT: Final = TournamentFormat(
    pair_duplicate,
    duplicate_places,
    step_by_rounds,
    pairing_rule=lambda stage: PAIRING_RULE,
    takes=frozenset({"rounds", "fill", "better_score", "teams"}),
    faults=duplicate_faults,
    rounds=lambda plan, entrants: plan.rounds or plan.seats,
    can_begin=lambda plan: plan.most * team_size(plan) > plan.seats,
    are_enough=are_enough,
    check_entry=check_team,
    bot_sits_in=lambda t, one, seats: bot_plays_for(t, one),
    has_same_deals=True,
)
