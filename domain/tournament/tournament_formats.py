"""Lists the formats of tournaments: how each pairs its rounds, and how it ranks entrants."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.core.values import value
from domain.tournament.arena import pair_arena
from domain.tournament.double_elimination import double_places, pair_double
from domain.tournament.duplicate import duplicate_places, pair_duplicate
from domain.tournament.knockout import knockout_places, pair_knockout, through
from domain.tournament.league import counted, league_places
from domain.tournament.many_tables import pair_tables, places_by_stack
from domain.tournament.played_rounds import PlayedRound, TableResult
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.round_robin import pair_all
from domain.tournament.shoot_out import shoot_out_places
from domain.tournament.single_elimination import bracket_places, pair_bracket
from domain.tournament.swiss_cut import pair_swiss_and_cut, places_with_cut
from domain.tournament.tournament_plan import FormatName
from domain.tournament.tournament_standings import standings


def _all_rounds(ground: Ground) -> tuple[PlayedRound, ...]:
    return ground.rounds


@value
class TournamentFormat:
    """A format pairs the next round, None once all are played, and gives the place of each entrant so far.

    `counted` gives the rounds from which points follow.
    """

    pair: Callable[[Ground, Words], PairedRound | None]
    places: Callable[[Ground], dict[int, int]]
    counted: Callable[[Ground], tuple[PlayedRound, ...]] = _all_rounds


def _by_standing(ground: Ground) -> dict[int, int]:
    return {row.entrant: row.place for row in standings(ground.order, ground.rounds, ground.plan.seats)}


def _pair_elimination(ground: Ground, draws: Words) -> PairedRound | None:
    return (pair_bracket if ground.plan.seats == 2 else pair_knockout)(ground, draws)


def _by_elimination(ground: Ground) -> dict[int, int]:
    if ground.plan.seats > 2:
        return knockout_places(ground)
    return bracket_places(ground, ground.order, ground.rounds)


FORMATS: Final[Mapping[FormatName, TournamentFormat]] = {
    "swiss": TournamentFormat(pair_swiss_and_cut, places_with_cut),
    "round_robin": TournamentFormat(pair_all, _by_standing),
    "league": TournamentFormat(pair_all, league_places, counted),
    "single_elimination": TournamentFormat(_pair_elimination, _by_elimination),
    "double_elimination": TournamentFormat(pair_double, double_places),
    "shoot_out": TournamentFormat(pair_knockout, shoot_out_places),
    "arena": TournamentFormat(pair_arena, _by_standing),
    "multi_table": TournamentFormat(pair_tables, places_by_stack),
    "duplicate": TournamentFormat(pair_duplicate, duplicate_places),
}


def undecided(ground: Ground, table: TableResult, *, last: bool) -> bool:
    """Say whether a table of an elimination has to be played once more; `last` says that it is the last one."""
    if len(table.seats) == 2:
        return table.places.count(1) > 1
    return through(ground, table, last=last) is None
