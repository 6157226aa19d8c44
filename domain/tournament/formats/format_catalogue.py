"""Lists the formats of tournaments, and asks that of a tournament; nothing else names one."""

from collections.abc import Mapping
from typing import Final

from domain.tournament.format import TournamentFormat, ground_by
from domain.tournament.formats import (
    arena,
    double_elimination,
    duplicate,
    league,
    many_tables,
    round_robin,
    shoot_out,
    single_elimination,
    swiss,
)
from domain.tournament.rounds import Ground
from domain.tournament.tournament_plan import FormatName, TournamentPlan
from domain.tournament.tournament_state import Tournament

FORMATS: Final[Mapping[FormatName, TournamentFormat]] = {
    "swiss": swiss.FORMAT,
    "round_robin": round_robin.FORMAT,
    "league": league.FORMAT,
    "single_elimination": single_elimination.FORMAT,
    "double_elimination": double_elimination.FORMAT,
    "shoot_out": shoot_out.FORMAT,
    "arena": arena.FORMAT,
    "multi_table": many_tables.FORMAT,
    "duplicate": duplicate.FORMAT,
}

TOO_FEW_PLACES: Final = "With this `most`, a table cannot be filled (in a duplicate, two tables). Raise `most`."
"""The sentence by which a plan is refused with which no tournament can begin."""


def format_of(t: Tournament) -> TournamentFormat:
    """Return the format of a tournament."""
    return FORMATS[t.plan.format]


def links_of(plan: TournamentPlan) -> int:
    """Return the links of the chain of a tournament: one for the order, one for each time that it may be paired."""
    return FORMATS[plan.format].most_pairings + 1


def can_begin(plan: TournamentPlan) -> bool:
    """Return whether the maximum number of entrants make the tables that it takes."""
    return FORMATS[plan.format].can_begin(plan)


def ground_of(t: Tournament) -> Ground:
    """Return what a round is paired from, and places are given by."""
    return ground_by(t, format_of(t))


def is_out(t: Tournament, one: int) -> bool:
    """Return whether an entrant was knocked out."""
    return t.round > 0 and one in format_of(t).out(t, ground_of(t))
