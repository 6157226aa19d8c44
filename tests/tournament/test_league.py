"""Tests that a league's standings count only entrants who played at least half of their tables (tournament 4.3)."""

from itertools import combinations

from domain.tournament.entrants import Withdraw
from domain.tournament.round_steps import TournamentEnded
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import TournamentPlan
from events.service.tournament_rounds import ranked_entrants
from tests.tournament.evenings import OF, Evening

BEST = 3


def table_of(one, entrant):
    return next((table for table, seats in enumerate(one.state.tables) if entrant in seats), None)


def first_wins(one):
    """Make the lower number win at each table of the current round."""
    number = one.state.round
    for table in one.waiting():
        seats = one.state.tables[table]
        one.finish(table, (1, 2) if seats[0] < seats[1] else (2, 1))
    assert one.state.round > number or one.state.ended


def rows_of(one):
    """Return the entrants with their points, in the order of the standings."""
    assert find_tournament_fault(OF, one.events) is None
    return [(row.entrant, row.points) for _, row in ranked_entrants(one.state)]


def test_entrant_who_left_before_half_of_the_league_is_excluded():
    one = Evening(TournamentPlan("league", 2, 2, most=8)).begun(4)
    one.told(Withdraw("player 0"))  # the first round is paired, and is played: the best beats somebody
    while not one.state.ended:
        first_wins(one)
    assert rows_of(one) == [(1, 2 * BEST), (2, BEST), (3, 0), (0, 0)]
    ended = one.events[-1]
    assert isinstance(ended, TournamentEnded)
    assert (ended.ranked, ended.places) == ((1, 2, 3, 0), (1, 2, 3, 4))


def test_round_robin_keeps_leavers_and_the_points_against_them():
    one = Evening(TournamentPlan("round_robin", 2, 2, most=8)).begun(4)
    one.told(Withdraw("player 0"))
    while not one.state.ended:
        first_wins(one)
    beaten = next(who for table in one.state.played[0].tables if 0 in table.seats for who in table.seats if who)
    points = dict(rows_of(one))
    assert points[0] == BEST
    byes = {who: 0 if who == beaten else BEST for who in (1, 2, 3)}
    assert points == {0: BEST, 1: 2 * BEST + byes[1], 2: BEST + byes[2], 3: byes[3]}


def test_entrant_with_exactly_half_of_the_tables_counts_and_later_opponents_have_byes():
    one = Evening(TournamentPlan("league", 2, 2, most=8, legs=2)).begun(3)
    first_wins(one)
    first_wins(one)
    assert one.state.round == 3
    one.told(Withdraw("player 2"))  # the last of the first leg is paired, and is played
    while not one.state.ended:
        first_wins(one)
    natural = 2 * BEST  # with three, everybody has a bye in each leg
    assert dict(rows_of(one)) == {
        0: 3 * BEST + BEST + natural,
        1: BEST + BEST + natural,
        2: BEST,
    }


def test_missed_tables_are_not_played_and_byes_for_an_odd_number_remain():
    one = Evening(TournamentPlan("league", 2, 2, most=8)).begun(5)
    while one.state.missed.count(4) < 2:
        table = table_of(one, 4)
        if table is not None:
            one.forfeit(table, 4)
        if not one.state.open or one.waiting():
            first_wins(one)
    assert 4 in one.state.left
    while not one.state.ended:
        first_wins(one)
    rows = rows_of(one)
    assert rows[-1] == (4, 0)
    assert rows == [(0, 4 * BEST), (1, 3 * BEST), (2, 2 * BEST), (3, BEST), (4, 0)]  # with a bye each


def test_standings_equal_those_without_the_excluded_entrant():
    six = Evening(TournamentPlan("league", 2, 2, most=8)).begun(6)
    first_wins(six)
    six.told(Withdraw("player 3"))
    while not six.state.ended:
        first_wins(six)
    others = [who for who in range(6) if who != 3]
    won = {who: BEST * sum(who == min(pair) for pair in combinations(others, 2) if who in pair) for who in others}
    assert rows_of(six) == [*sorted(won.items(), key=lambda row: -row[1]), (3, 0)]
