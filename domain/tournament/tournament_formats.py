"""Lists the formats of tournaments: how each pairs its rounds and ranks entrants, and in what else they differ."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.core.values import value
from domain.tournament.arena import MOST_PAIRINGS, pair_arena
from domain.tournament.arena_course import arena_ground
from domain.tournament.double_elimination import LIVES, pair_double
from domain.tournament.double_knockout import pair_double_knockout
from domain.tournament.double_places import double_places
from domain.tournament.duplicate import duplicate_places, pair_duplicate, team_size
from domain.tournament.duplicate_course import are_enough, stands_in
from domain.tournament.knocked_out import NOBODY, KnockedOut, after_losses, behind_the_cut, without_chips
from domain.tournament.knockout import knockout_places, pair_knockout, through
from domain.tournament.league import counted, league_places
from domain.tournament.many_tables import pair_tables, places_by_stack
from domain.tournament.played_rounds import PlayedRound, TableResult
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.round_robin import pair_all
from domain.tournament.shoot_out import shoot_out_places
from domain.tournament.single_elimination import bracket_places, pair_bracket
from domain.tournament.swiss import left_over, swiss_rounds
from domain.tournament.swiss_cut import pair_swiss_and_cut, places_with_cut
from domain.tournament.tournament_plan import MOST_ROUNDS, MOST_STAGES, FormatName, TournamentPlan
from domain.tournament.tournament_standings import standings
from domain.tournament.tournament_state import Tournament

DUEL: Final = 2
"""The seats of a table of two."""

TOO_FEW_PLACES: Final = "As many as may enter make no table, or not two in a duplicate; raise `most`."
"""The sentence by which a plan is refused with which no tournament can begin."""


def _fill_a_table(t: Tournament, there: tuple[int, ...]) -> bool:
    return left_over(len(there), t.plan) < len(there)


@value
class TournamentFormat:
    """A format pairs the next round, None once all are played, and gives the place of each entrant so far.

    What it says besides is as in most formats, unless it says otherwise.
    """

    pair: Callable[[Ground, Words], PairedRound | None]
    places: Callable[[Ground], dict[int, int]]
    counted: Callable[[Ground], tuple[PlayedRound, ...]] = lambda ground: ground.rounds
    """The rounds from which points follow."""
    out: KnockedOut = lambda t, ground: NOBODY
    """Who was knocked out, also from the tables of the open round that are over."""
    ground: Callable[[Tournament, Ground], Ground] = lambda t, ground: ground
    """What the next round is paired from, while one is open too."""
    most_pairings: int = MOST_ROUNDS
    """The maximum number of pairings."""
    rounds: Callable[[TournamentPlan, int], int | None] = lambda plan, entrants: None
    """The number of rounds, for the number of entrants as entries close; None: it follows from who is left."""
    are_enough: Callable[[Tournament, tuple[int, ...]], bool] = _fill_a_table
    """Whether these entrants are enough to begin."""
    allows_late_entry: Callable[[Tournament], bool] = lambda t: False
    """Whether players may enter although entries were closed."""
    bot_sits_in: Callable[[Tournament, int, int], bool] = lambda t, one, seats: seats > DUEL and one in t.left
    """Whether a bot has the seat of an entrant at a table of this number of seats."""
    is_for_two: bool = True
    """Whether it is played at tables of two."""
    do_all_meet: bool = False
    """Whether everybody meets everybody, so that the rounds grow with the entrants."""
    is_continuous: bool = False
    """Whether all tables are of one round, in which the free players are paired until its time is over."""
    has_same_deals: bool = False
    """Whether all tables of a round get the same deals: they begin together, and their scores are compared."""
    has_stacks: bool = False
    """Whether stacks go from table to table, and all that was put in is paid out by place."""


def _swiss_takes_more(t: Tournament) -> bool:
    return not t.pods and t.round <= t.plan.late and t.round < (t.rounds or 0)


def _by_standing(ground: Ground) -> dict[int, int]:
    ranked = standings(ground.order, ground.rounds, ground.plan.seats)
    return {row.entrant: row.place for row in ranked}


def _pair_elimination(ground: Ground, draws: Words) -> PairedRound | None:
    return (pair_bracket if ground.plan.seats == 2 else pair_knockout)(ground, draws)


def _pair_double_elimination(ground: Ground, draws: Words) -> PairedRound | None:
    return (pair_double if ground.plan.seats == 2 else pair_double_knockout)(ground, draws)


def _by_elimination(ground: Ground) -> dict[int, int]:
    if ground.plan.seats > 2:
        return knockout_places(ground)
    return bracket_places(ground, ground.order, ground.rounds)


FORMATS: Final[Mapping[FormatName, TournamentFormat]] = {
    "swiss": TournamentFormat(
        pair_swiss_and_cut,
        places_with_cut,
        out=behind_the_cut,
        rounds=swiss_rounds,
        allows_late_entry=_swiss_takes_more,
    ),
    "round_robin": TournamentFormat(pair_all, _by_standing, do_all_meet=True),
    "league": TournamentFormat(pair_all, league_places, counted, do_all_meet=True),
    "single_elimination": TournamentFormat(_pair_elimination, _by_elimination, out=after_losses(1)),
    "double_elimination": TournamentFormat(_pair_double_elimination, double_places, out=after_losses(LIVES)),
    "shoot_out": TournamentFormat(pair_knockout, shoot_out_places, out=after_losses(1), is_for_two=False),
    "arena": TournamentFormat(
        pair_arena,
        _by_standing,
        ground=arena_ground,
        most_pairings=MOST_PAIRINGS,
        allows_late_entry=lambda t: not t.pairing_over,
        is_continuous=True,
    ),
    "multi_table": TournamentFormat(
        pair_tables,
        places_by_stack,
        out=without_chips,
        most_pairings=MOST_STAGES,
        bot_sits_in=lambda t, one, seats: False,
        is_for_two=False,
        has_stacks=True,
    ),
    "duplicate": TournamentFormat(
        pair_duplicate,
        duplicate_places,
        rounds=lambda plan, entrants: plan.rounds or plan.seats,
        are_enough=are_enough,
        bot_sits_in=lambda t, one, seats: stands_in(t, one),
        has_same_deals=True,
    ),
}


def format_of(t: Tournament) -> TournamentFormat:
    """Give the format of a tournament."""
    return FORMATS[t.plan.format]


def can_begin(plan: TournamentPlan) -> bool:
    """Say whether as many as may enter make the tables that it takes."""
    if FORMATS[plan.format].has_same_deals:
        return plan.most * team_size(plan) > plan.seats
    return left_over(plan.most, plan) < plan.most


def undecided(ground: Ground, table: TableResult, *, last: bool) -> bool:
    """Say whether a table of an elimination has to be played once more; `last` says that it is the last one."""
    if len(table.seats) == 2:
        return table.places.count(1) > 1
    return through(ground, table, last=last) is None
