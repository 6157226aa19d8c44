"""Tests that a deciding match, played because of a tie, orders the tied entrants (tournament 5.5)."""

from random import Random

import pytest

from domain.tournament.deciding_match import levels_before, places_after
from domain.tournament.round_tables import RuleTable, TableDrawn, TableFinished
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import TournamentPlan
from domain.tournament.tournament_state import Tournament
from tests.draws import draws
from tests.tournament.evenings import OF, Evening

FOURS = TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots")
THREES = TournamentPlan("shoot_out", 3, 2, fill="short")


def names(events):
    return [type(event).__name__ for event in events]


def placed(one, table=0):
    return one.state.results[table].places


def test_deciding_match_orders_only_tied_entrants():
    one = Evening(FOURS).begun(8)
    assert names(one.finish(0, (1, 2, 2, 4))) == ["TableDrawn"]
    one.finish(0, (4, 3, 2, 1))
    assert placed(one) == (1, 3, 2, 4)
    assert find_tournament_fault(OF, one.events) is None


def test_remaining_tie_is_played_off_again_and_decided_places_stay():
    """Three entrants are tied for the last place; one of them loses the first deciding match, and wins the second."""
    one = Evening(FOURS).begun(8)
    assert names(one.finish(0, (2, 2, 1, 2))) == ["TableDrawn"]
    assert names(one.finish(0, (1, 1, 3, 4))) == ["TableDrawn"]
    assert one.state.tied == {(1, 0): (2, 2, 1, 4)}
    assert names(one.finish(0, (3, 2, 4, 1))) == ["TableFinished"]
    assert placed(one) == (3, 2, 1, 4)
    assert find_tournament_fault(OF, one.events) is None


def test_earlier_points_break_a_tie_before_the_new_match():
    """Of three tied entrants, two have equal points and play for their order; the third one's win changes nothing."""
    one = Evening(FOURS).begun(16)
    for table in range(4):
        one.finish(table, (1, 2, 3, 4))
    had = one.state.played[0].tables
    points = {who: 6 - 2 * seat for table in had for seat, who in enumerate(table.seats)}
    seats = one.state.tables[0]
    first, second = (next(seat for seat, who in enumerate(seats) if points[who] == had) for had in (6, 4))
    (other,) = {seat for seat, who in enumerate(seats) if points[who] == 6} - {first}
    (last,) = set(range(4)) - {first, second, other}
    # `last` is first, so that one more goes on; `second` has fewer points than those who are level for that.
    tied = tuple(1 if seat == last else 2 for seat in range(4))
    assert names(one.finish(0, tied)) == ["TableDrawn"]
    won = {second: 1, other: 2, first: 3, last: 4}
    one.finish(0, tuple(won[seat] for seat in range(4)))
    assert [placed(one)[seat] for seat in (last, other, first, second)] == [1, 2, 3, 4]
    assert find_tournament_fault(OF, one.events) is None


def test_no_show_at_the_deciding_match_is_last_of_the_tied_entrants():
    one = Evening(FOURS).begun(8)
    one.finish(0, (1, 2, 2, 4))
    seats = one.state.tables[0]
    assert names(one.forfeit(0, seats[0], seats[1])) == ["TableForfeited"]
    assert placed(one) == (1, 3, 2, 4)
    assert find_tournament_fault(OF, one.events) is None


def test_no_shows_outside_the_tie_do_not_decide_it():
    one = Evening(FOURS).begun(8)
    one.finish(0, (1, 2, 2, 4))
    seats = one.state.tables[0]
    (found,) = one.forfeit(0, seats[0])
    assert (found.result, found.attempt) == (None, 2)
    assert names(one.finish(0, (4, 2, 1, 3))) == ["TableFinished"]
    assert placed(one) == (1, 3, 2, 4)
    assert find_tournament_fault(OF, one.events) is None


def test_all_lose_a_deciding_match_without_players():
    one = Evening(FOURS).begun(8)
    one.finish(0, (1, 2, 2, 4))
    assert names(one.forfeit(0, *one.state.tables[0])) == ["TableForfeited"]
    assert placed(one) == (4, 4, 4, 4)


def test_undecided_forfeit_is_not_a_tie():
    one = Evening(FOURS).begun(8)
    seats = one.state.tables[0]
    assert one.forfeit(0, seats[0])[0].result is None
    one.finish(0, (4, 3, 2, 1))
    assert placed(one) == (4, 3, 2, 1)


def test_tie_counts_only_in_its_round_and_at_its_table():
    one = Evening(FOURS).begun(8)
    one.finish(0, (1, 2, 2, 4))
    one.finish(1, (4, 3, 2, 1))
    assert placed(one, 1) == (4, 3, 2, 1)
    one.finish(0, (1, 2, 3, 4))
    assert one.state.round == 2
    assert levels_before(one.state, 2, 0, one.state.tables[0]) is None


def test_another_match_decides_a_tied_table_of_two():
    one = Evening(TournamentPlan("single_elimination", 2, 2)).begun(4)
    one.finish(0, (1, 1))
    one.finish(0, (2, 1))
    assert placed(one) == (2, 1)


def test_organiser_rules_all_places_of_a_tied_table():
    one = Evening(FOURS).begun(8)
    one.finish(0, (1, 2, 2, 4))
    one.told(RuleTable("hal", 0, (4, 3, 2, 1), "They agree."))
    assert placed(one) == (4, 3, 2, 1)


def level_often(rng, seats):
    """Return the places of a match with many ties."""
    scores = [rng.randint(1, 2) for _ in range(seats)]
    return tuple(1 + sum(other < mine for other in scores) for mine in scores)


def played(plan, rng):
    """Play a tournament with many ties to its end."""
    one = Evening(plan).begun(rng.randint(5, 20))
    while one.state.status == "playing":
        table = rng.choice(one.waiting())
        one.finish(table, level_often(rng, len(one.state.tables[table])))
    return one


@pytest.mark.parametrize("plan", [FOURS, THREES])
@pytest.mark.parametrize("seed", range(draws(10)))
def test_result_keeps_the_earlier_order_and_the_judge_agrees(plan, seed):
    """The order stays the same if the result is applied again."""
    one, t = played(plan, Random(seed)), Tournament()
    for event in one.events:
        before, t = t, evolve(t, event)
        stood = (
            levels_before(before, before.round, event.table, before.tables[event.table])
            if isinstance(event, TableDrawn | TableFinished)
            else None
        )
        if stood:
            seats, places = range(len(stood)), event.result.places
            assert all(places[a] < places[b] for a in seats for b in seats if stood[a] < stood[b])
            assert places_after(stood, places) == places
    assert find_tournament_fault(OF, one.events) is None
