"""Lists the formats of tournaments, and calls the functions of a tournament's format."""

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
from domain.tournament.plan_faults import faults_of
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

TOO_FEW_PLACES: Final = "`most` is too low to fill a table (in a duplicate, two tables). Raise it."
"""The refusal of a plan whose maximum number of entrants is too small to begin."""


def format_of(t: Tournament) -> TournamentFormat:
    """Return the format of a tournament."""
    return FORMATS[t.plan.format]


def links_of(plan: TournamentPlan) -> int:
    """Return the number of links in a tournament's chain: one for the order, and one for each possible pairing."""
    return FORMATS[plan.format].most_pairings + 1


def plan_faults(plan: TournamentPlan) -> tuple[str, ...]:
    """Return a sentence for each fault of a plan; empty if it can be played."""
    return faults_of(plan, FORMATS[plan.format])


def can_begin(plan: TournamentPlan) -> bool:
    """Return whether the maximum number of entrants fills enough tables to begin."""
    return FORMATS[plan.format].can_begin(plan)


def ground_of(t: Tournament) -> Ground:
    """Return the data from which rounds are paired and places follow."""
    return ground_by(t, format_of(t))


def is_out(t: Tournament, one: int) -> bool:
    """Return whether an entrant was knocked out."""
    return t.round > 0 and one in format_of(t).out(t, ground_of(t))
