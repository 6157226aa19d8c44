"""Tests that in a duplicate all tables of a round get the same deals, and scores are compared seat by seat."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from domain.core.game import Refused
from domain.core.values import with_fields
from domain.tournament.entrants import CloseEntries, Enter, Withdraw
from domain.tournament.formats.duplicate import crews_of, duplicate_places, scores_of, seat_round
from domain.tournament.formats.format_catalogue import ground_of, plan_faults
from domain.tournament.round_tables import FinishTable, RuleTable, TableFinished
from domain.tournament.rounds import BOT, Ground, PlayedRound, TableResult
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import TournamentPlan
from tests.tournament.evenings import OF, ORGANISER, Evening

ALONE = TournamentPlan("duplicate", 2, 2, fill="bots", better_score="high")
TEAMS = with_fields(ALONE, teams="tables")
PAIRS = with_fields(ALONE, seats=4, fewest=4, teams="pairs")


def types(events):
    return [type(event).__name__ for event in events]


class Duplicate(Evening):
    """A duplicate whose tables end with scores."""

    def scored(self, table, *scores):
        t = self.state
        better = max if t.plan.better_score == "high" else min
        best = better(scores)
        places = tuple(1 if score == best else 1 + scores.count(best) for score in scores)
        head = f"{t.round:032x}{table:032x}"
        match = f"match {t.round}.{table}.{t.attempts[table]}"
        won = tuple(int(place == 1 and places.count(1) == 1) for place in places)
        done = FinishTable(t.round, table, t.attempts[table], match, head, places, won, 1, 1 - sum(won), scores=scores)
        return self.told(done)

    def play(self, rng=None, draws=0.2):
        rng = rng or Random(1)
        while self.state.status == "playing":
            self.scored(rng.choice(self.waiting()), *rng.choices(range(9), k=self.state.plan.seats))
        return self

    def teams(self, *names):
        for n, name in enumerate(names):
            self.told(Enter(f"player {n}", name))
        self.told(CloseEntries(ORGANISER))
        return self

    def nobody_at(self, *absent):
        """Restart the round because these entrants did not show up."""
        for table, seats in enumerate(self.state.tables):
            self.forfeit(table, *(one for one in absent if one in seats))


def story():
    """Play a duplicate with a withdrawal, a no-show, a ruled table and an unplayed one."""
    one = Duplicate(with_fields(ALONE, rounds=4)).begun(5)
    one.nobody_at(3)
    one.scored(0, 5, 1)
    one.told(Withdraw("player 1"))
    one.told(RuleTable("hal", 1, (2, 1), "They had talked."))
    one.scored(2, 2, 2)
    one.late(0, one.state.tables[0][0] if one.state.tables[0][0] is not None else one.state.tables[0][1])
    return one.play(Random(4))


DUPLICATE_STORY = story().events


# --- Seats --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("crews", "seats"), [(2, 2), (5, 2), (4, 3), (5, 4), (8, 4), (2, 4)])
def test_entrants_have_every_seat_and_equal_member_numbers_share_a_seat(crews, seats):
    made = [tuple(range(k * seats, (k + 1) * seats)) for k in range(crews)]
    had = [set() for _ in range(crews * seats)]
    for number in range(seats):
        tables = seat_round(made, seats, number)
        assert sorted(one for table in tables for one in table) == list(range(crews * seats))
        for table in tables:
            for seat, one in enumerate(table):
                assert seat == (one + number) % seats
                had[one].add(seat)
    assert all(len(each) == seats for each in had)


@pytest.mark.parametrize(("crews", "seats"), [(2, 2), (5, 4), (7, 3), (4, 4), (9, 4)])
def test_members_of_a_crew_never_share_a_table(crews, seats):
    made = [tuple((k, s) for s in range(seats)) for k in range(crews)]
    for number in range(12):
        for table in seat_round(made, seats, number):
            assert all(one[0] != other[0] for one, other in combinations(table, 2))


def test_entrants_meet_many_opponents_if_there_are_enough():
    made = [tuple(range(k * 2, k * 2 + 2)) for k in range(7)]
    met = {frozenset(table) for number in range(6) for table in seat_round(made, 2, number)}
    assert len(met) == 42


# --- Scores -------------------------------------------------------------------------------------------------


def example():
    """Return the worked example of the rulebook: three tables, with high scores better."""
    tables = [((0, 3), (30, 10)), ((2, 5), (24, 16)), ((4, 1), (12, 28))]
    results = tuple(TableResult(seats, (1, 2), (1, 0), 1, 0, scores=scores) for seats, scores in tables)
    return Ground(with_fields(ALONE, rounds=1), tuple(range(6)), (PlayedRound(results, ()),), {}, {})


def test_worked_example_of_the_rulebook_is_correct():
    scores = scores_of(example())
    assert [str(scores[one]) for one in range(6)] == ["12", "15", "3", "-12", "-15", "-3"]
    assert duplicate_places(example()) == {1: 1, 0: 2, 2: 3, 5: 4, 3: 5, 4: 6}


def test_low_scores_can_win_a_duplicate():
    low = example()
    low = with_fields(low, plan=with_fields(low.plan, better_score="low"))
    assert scores_of(low) == {one: -score for one, score in scores_of(example()).items()}


def test_no_show_gets_the_lowest_score_of_the_seat():
    ground = example()
    (only,) = ground.rounds
    away = with_fields(ground, rounds=(with_fields(only, stood_in=(1, 2)),))
    scores = scores_of(away)
    assert (scores[1], scores[2]) == (-12, -15)
    assert scores[0] == 12  # a bot's play there is compared anyway


def test_table_without_scores_is_not_compared_and_its_loser_is_last():
    ground = example()
    first, *others = ground.rounds[0].tables
    ruled = (with_fields(first, scores=None, places=(1, 2)), *others)
    scores = scores_of(with_fields(ground, rounds=(PlayedRound(ruled, ()),)))
    assert scores == {0: 0, 3: -12, 2: 12, 4: -12, 5: -12, 1: 12}


def test_team_seats_count_together_and_full_ties_share_a_place():
    one = Duplicate(with_fields(TEAMS, rounds=1)).teams("reds", "blues", "reds", "blues")
    for table in (0, 1):
        one.scored(table, 5, 5)
    assert set(one.state.places) == {1}
    assert sorted(one.state.ranked) == [0, 1, 2, 3]
    other = Duplicate(with_fields(TEAMS, rounds=1)).teams("reds", "blues", "reds", "blues")
    reds = {0, 2}
    for table in (0, 1):
        other.scored(table, *(9 if who in reds else 1 for who in other.state.tables[table]))
    assert dict(zip(other.state.ranked, other.state.places, strict=True)) == {0: 1, 2: 1, 1: 3, 3: 3}


def test_differences_in_a_seat_add_up_to_zero():
    one = Duplicate(with_fields(ALONE, rounds=5)).begun(12).play(Random(8))
    assert sum(scores_of(ground_of(one.state)).values()) == Fraction(0)


# --- Who does not come, and who leaves ----------------------------------------------------------------------


def test_no_show_changes_the_deals_of_all_tables_and_a_bot_plays():
    one = Duplicate(ALONE).begun(4)
    absent = one.state.tables[0][0]
    assert types(one.forfeit(0, absent)) == ["TableForfeited"]
    assert types(one.forfeit(1)) == ["TableForfeited"]
    assert one.state.attempts == (1, 1)
    one.scored(0, 9, 0)
    one.scored(1, 1, 8)
    scores = scores_of(ground_of(one.state))
    assert scores[absent] == -8  # though the bot had 9
    assert find_tournament_fault(OF, one.events) is None


def test_second_no_show_is_eliminated_and_replaced_by_a_bot():
    one = Duplicate(with_fields(ALONE, rounds=3)).begun(4)
    absent = one.state.tables[0][0]
    one.nobody_at(absent)
    one.scored(0, 1, 2)
    one.scored(1, 3, 4)
    table = next(at for at, seats in enumerate(one.state.tables) if absent in seats)
    assert "PlayerDropped" in types(one.forfeit(table, absent))
    one.forfeit(1 - table)
    one.play()
    assert one.state.places[one.state.ranked.index(absent)] == 4
    assert find_tournament_fault(OF, one.events) is None


def test_leaving_player_gets_the_lowest_score_from_then_on():
    one = Duplicate(with_fields(ALONE, rounds=2)).begun(4)
    dodger = one.state.tables[0][0]
    one.told(Withdraw(f"player {dodger}"))
    one.scored(0, 9, 0)
    one.scored(1, 1, 8)
    assert scores_of(ground_of(one.state))[dodger] == 8  # this round was begun
    table = next(at for at, seats in enumerate(one.state.tables) if dodger in seats)
    one.scored(table, *(9 if who == dodger else 0 for who in one.state.tables[table]))
    one.scored(1 - table, 5, 5)
    assert scores_of(ground_of(one.state))[dodger] == 4
    assert find_tournament_fault(OF, one.events) is None


@pytest.mark.parametrize(("rounds", "due"), [(None, 2), (1, 1), (4, 4)])
def test_duplicate_has_the_announced_rounds_or_one_per_seat(rounds, due):
    one = Duplicate(with_fields(ALONE, rounds=rounds)).begun(4).play()
    assert (one.state.round, len(one.state.played)) == (due, due)


def test_bots_fill_the_last_crew_and_are_not_ranked():
    one = Duplicate(ALONE).begun(3)
    assert sum(table.count(BOT) for table in one.state.tables) == 1
    one.play()
    assert sorted(one.state.ranked) == [0, 1, 2]


# --- Teams --------------------------------------------------------------------------------------------------


def test_teams_must_be_named_and_can_be_full():
    one = Duplicate(TEAMS)
    with pytest.raises(Refused, match="bad_arguments"):
        one.told(Enter("alone"))
    one.told(Enter("ann", "reds"))
    one.told(Enter("ben", "reds"))
    with pytest.raises(Refused, match="forbidden"):
        one.told(Enter("cem", "reds"))
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(CloseEntries(ORGANISER))
    one.told(Enter("cem", "blues"))
    one.told(CloseEntries(ORGANISER))
    assert sorted(map(len, crews_of(ground_of(one.state)))) == [2, 2]


def test_partners_sit_opposite_each_other_have_every_seat_and_meet_many():
    one = Duplicate(PAIRS).teams(*"abcdefghij", *"jihgfedcba")
    had, met = {who: set() for who in one.state.order}, set()
    while one.state.status == "playing":
        clubs = [tuple(one.state.clubs[who] for who in seats) for seats in one.state.tables]
        assert all((a, b) == (c, d) for a, b, c, d in clubs)
        met |= {frozenset(table) for table in clubs}
        for table, seats in enumerate(one.state.tables):
            for seat, who in enumerate(seats):
                had[who].add(seat)
            one.scored(table, 1, 2, 1, 2)
    assert all(seats == {0, 1, 2, 3} for seats in had.values())
    assert len(met) == 20
    assert find_tournament_fault(OF, one.events) is None


def test_pairs_are_ranked_together_even_with_one_partner():
    tables = [((0, 1, 2, 3), (1, 6, 1, 6)), ((4, BOT, BOT, BOT), (9, 1, 9, 1))]
    results = tuple(TableResult(seats, (1,) * 4, (0,) * 4, 1, 1, scores=scores) for seats, scores in tables)
    clubs = dict(enumerate(("reds", "blues", "reds", "blues", "whites")))
    ground = Ground(with_fields(PAIRS, rounds=1), tuple(range(5)), (PlayedRound(results, ()),), {}, clubs)
    assert duplicate_places(ground) == {4: 1, 1: 2, 3: 2, 0: 4, 2: 4}
    assert [crew.count(BOT) for crew in crews_of(ground)] == [0, 3]
    assert crews_of(ground)[0] == (0, 1, 2, 3)


def test_pair_has_two_players_and_pairs_need_at_least_three_entrants():
    one = Duplicate(PAIRS)
    one.told(Enter("ann", "reds"))
    one.told(Enter("ben", "reds"))
    with pytest.raises(Refused, match="forbidden"):
        one.told(Enter("cem", "reds"))
    one.told(Enter("cem", "blues"))
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(CloseEntries(ORGANISER))
    one.told(Enter("dora", "whites"))
    assert types(one.told(CloseEntries(ORGANISER)))[0] == "EntriesClosed"


def test_duplicate_has_at_least_two_tables():
    one = Duplicate(ALONE).entered(2)
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(CloseEntries(ORGANISER))


# --- What is told and judged --------------------------------------------------------------------------------


def test_only_duplicate_tables_have_scores_for_each_seat():
    one, other = Duplicate(ALONE).begun(4), Duplicate().begun(4)
    with pytest.raises(Refused, match="bad_arguments"):
        one.finish(0, (1, 2))
    for tournament, scores in ((one, (1, 2, 3)), (other, (1, 2))):
        with pytest.raises(Refused, match="bad_arguments"):
            tournament.told(FinishTable(1, 0, 0, "m", "00" * 32, (1, 2), (1, 0), 1, 0, scores=scores))


def test_verification_accepts_a_duplicate_and_finds_a_changed_score():
    assert find_tournament_fault(OF, DUPLICATE_STORY) is None
    events = list(DUPLICATE_STORY)
    at = next(i for i, event in enumerate(events) if isinstance(event, TableFinished))
    other = with_fields(events[at].result, scores=(-99, 99))
    events[at] = with_fields(events[at], result=other)
    found = find_tournament_fault(OF, events)
    assert found is not None
    assert found.why == "The rules give a different result."


@pytest.mark.parametrize(
    "plan",
    [
        with_fields(ALONE, better_score=None),
        with_fields(ALONE, fill="bye"),
        with_fields(ALONE, round_days=3),
        with_fields(ALONE, teams="pairs"),
        with_fields(PAIRS, seats=5, fewest=5),
        TournamentPlan("swiss", 2, 2, better_score="low"),
        TournamentPlan("swiss", 2, 2, teams="tables"),
    ],
)
def test_impossible_duplicate_plan_has_a_reason(plan):
    (why,) = plan_faults(plan)
    assert why.endswith(".")
