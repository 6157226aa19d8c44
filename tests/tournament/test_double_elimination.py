"""Tests that an entrant who fails twice to advance is out, at tables of any size, and that the last one wins."""

from itertools import pairwise
from random import Random

import pytest

from domain.core.game import Refused
from domain.core.values import with_fields
from domain.tournament.elimination import advancing_from, losses_after
from domain.tournament.entrants import Withdraw
from domain.tournament.formats.format_catalogue import FORMATS, ground_of, plan_faults
from domain.tournament.round_tables import RuleTable
from domain.tournament.rounds import BOT, PlayedRound, TableResult, is_last_table, met_of
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import MOST_ROUNDS, TournamentPlan
from tests.draws import draws
from tests.tournament.evenings import OF, Evening
from tests.tournament.test_pairing import begun, played, words

PAIRS = TournamentPlan("double_elimination", 2, 2)
FOURS = TournamentPlan("double_elimination", 4, 2, advance=2, fill="short")
KINDS = [(seats, advance) for seats in range(3, 7) for advance in range(1, seats // 2 + 1)]


def places_of(ground):
    return FORMATS["double_elimination"].places(ground)


def lost_at(ground):
    """Return how often each entrant has lost so far."""
    return losses_after(ground)[-1]


def after_tables(ground, *tables, byes=()):
    """Play a round whose tables end in these orders, the winner of each first."""
    ended = tuple(
        TableResult(seats, tuple(order.index(one) + 1 for one in seats), (0,) * len(seats), 1, 0)
        for order in tables
        for seats in [tuple(sorted(order))]
    )
    return with_fields(ground, rounds=(*ground.rounds, PlayedRound(ended, byes)))


def seated_next(ground):
    """Return the next tables and the byes, or None if there is no next round."""
    found = FORMATS["double_elimination"].pair(ground, words(Random(0)))
    return found and ([set(table) for table in found.tables], found.byes)


# --- Worked example -----------------------------------------------------------------------------------------


def test_eight_entrants_at_tables_of_four_match_the_rulebook():
    """This is the example of 5.10, where A is 0."""
    ground = begun(FOURS, 8)
    assert seated_next(ground) == ([{0, 2, 4, 6}, {1, 3, 5, 7}], ())
    ground = after_tables(ground, (0, 2, 4, 6), (1, 3, 5, 7))
    assert seated_next(ground) == ([{0, 1, 2, 3}, {4, 5, 6, 7}], ())
    ground = after_tables(ground, (0, 1, 2, 3), (4, 5, 6, 7))
    assert seated_next(ground) == ([{2, 3, 4, 5}], (0, 1))
    ground = after_tables(ground, (2, 3, 4, 5), byes=(0, 1))
    assert seated_next(ground) == ([{0, 1, 2, 3}], ())
    ground = after_tables(ground, (2, 0, 1, 3))
    assert seated_next(ground) == ([{0, 1, 2}], ())
    ground = after_tables(ground, (1, 2, 0))
    assert seated_next(ground) is None
    assert places_of(ground) == {1: 1, 2: 2, 0: 3, 3: 4, 4: 5, 5: 5, 6: 7, 7: 7}


# --- Laws ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", ["bots", "short"])
@pytest.mark.parametrize(("seats", "advance"), KINDS)
def test_eliminated_entrants_lost_twice_and_the_winner_at_most_once(seats, advance, fill):
    plan = TournamentPlan("double_elimination", seats, 2, advance=advance, fill=fill)
    for entrants in range(2, 41, max(1, 5 // draws(1))):
        stages = played(plan, entrants, Random(f"{plan} {entrants}"))
        last = stages[-1]
        lost, places = lost_at(last), places_of(last)
        (first,) = [one for one, place in places.items() if place == 1]
        assert lost[first] <= 1
        assert all(lost[one] == 2 for one in range(entrants) if one != first)
        for before, after in pairwise(stages):
            tables, byes = after.rounds[-1].tables, after.rounds[-1].byes
            there = [one for table in tables for one in table.seats if one is not BOT]
            assert sorted([*there, *byes]) == [one for one in range(entrants) if lost_at(before)[one] < 2]
            assert all(
                len({lost_at(before)[one] for one in table.seats if one is not BOT}) == 1 for table in tables
            ) or is_last_table(tables, byes)
            sizes = [len(table.seats) for table in tables]
            assert set(sizes) == {seats} if fill == "bots" else max(sizes) <= seats


@pytest.mark.long
def test_largest_tournament_has_fewer_rounds_than_links():
    for seats, advance in ((2, 1), (3, 1), (5, 2), (10, 5)):
        plan = TournamentPlan("double_elimination", seats, 2, advance=advance, fill="bye" if seats == 2 else "short")
        assert len(played(plan, 260, Random(seats))) <= MOST_ROUNDS // 2


def test_second_bye_comes_only_after_all_others_had_one():
    ground = after_tables(begun(FOURS, 9), (2, 3, 4), (5, 6, 7, 8), byes=(0, 1))
    tables, byes = seated_next(with_fields(ground, left={6: 1}))
    assert (tables[0], byes) == ({0, 1, 5}, (2, 3))


@pytest.mark.parametrize("entrants", [12, 17, 23])
def test_rematches_are_minimal_in_a_double_elimination(entrants):
    plan = TournamentPlan("double_elimination", 4, 2, advance=2, fill="short")
    stages = played(plan, entrants, Random(entrants))
    second = stages[1].rounds[1]
    first = met_of(stages[0].rounds)
    assert not any(first[pair] for pair in met_of([second]))


@pytest.mark.parametrize(("seats", "advance"), [(2, 1), *KINDS])
def test_double_elimination_ends_despite_leavers_and_no_shows(seats, advance):
    for n in range(draws(3)):
        rng = Random(f"{seats} {advance} {n}")
        plan = TournamentPlan(
            "double_elimination", seats, 2, advance=advance, fill="bye" if seats == 2 else rng.choice(("bots", "short"))
        )
        one = Evening(plan).begun(rng.randrange(2, 41))
        while one.state.status == "playing":
            at = rng.choice(one.waiting())
            table = one.state.tables[at]
            there = [who for who in table if who is not BOT]
            how = rng.random()
            if how < 0.1:
                one.forfeit(at, *rng.sample(there, rng.randrange(1, len(there) + 1)))
            elif how < 0.2:
                one.told(RuleTable("hal", at, (len(table),) * len(table), "All have left."))
            elif how < 0.3:
                one.finish(at, (1,) * len(table))
            else:
                one.finish(at, tuple(rng.sample(range(1, len(table) + 1), len(table))))
            staying = [who for who in one.state.order if who not in one.state.left]
            if one.state.status == "playing" and staying and rng.random() < 0.1:
                one.told(Withdraw(f"player {rng.choice(staying)}"))
        t = one.state
        lost = lost_at(ground_of(t))
        assert sorted(t.ranked) == list(range(len(t.players)))
        assert all(lost[who] == 2 for who in t.ranked[1:] if who not in t.left)
        assert find_tournament_fault(OF, one.events) is None


def test_tie_is_decided_by_earlier_rounds_or_a_replay():
    """Nothing that decides who advances is drawn by lot."""
    one = Evening(FOURS).begun(8)
    assert [type(event).__name__ for event in one.finish(0, (1, 2, 2, 4))] == ["TableDrawn"]
    with pytest.raises(Refused):
        one.told(RuleTable("hal", 0, (1, 1, 1, 1), "They are even."))
    one.finish(0, (1, 2, 3, 4))
    one.finish(1, (1, 2, 3, 4))
    ground = ground_of(one.state)
    points = {
        who: 6 - 2 * seat for each in ground.rounds for table in each.tables for seat, who in enumerate(table.seats)
    }
    seats = one.state.tables[0]
    level = [n for n, who in enumerate(seats) if points[who] == 6]
    places = tuple(1 if n in level else 3 for n in range(4))
    assert set(advancing_from(ground, TableResult(seats, places, (0,) * 4, 1, 0), last=False)) == {
        seats[n] for n in level
    }
    last = TableResult(seats, tuple(1 if points[who] in (6, 4) else 3 for who in seats), (0,) * 4, 1, 0)
    assert advancing_from(ground, last, last=True) is None


# --- The last table -----------------------------------------------------------------------------------------


def test_unbeaten_entrant_at_the_last_table_loses_twice_or_wins():
    ground = begun(FOURS, 4)
    assert seated_next(ground) == ([{0, 1, 2, 3}], ())
    ground = after_tables(ground, (0, 1, 2, 3))
    assert seated_next(ground) == ([{0, 1, 2, 3}], ())
    assert seated_next(after_tables(ground, (0, 3, 2, 1))) is None
    ground = after_tables(ground, (1, 0, 2, 3))
    assert seated_next(ground) == ([{0, 1}], ())
    ground = after_tables(ground, (0, 1))
    assert seated_next(ground) is None
    assert places_of(ground) == {0: 1, 1: 2, 2: 3, 3: 4}


def test_bots_never_win_the_last_table():
    ground = begun(with_fields(FOURS, fill="bots"), 3)
    table = TableResult((0, 1, 2, BOT), (2, 3, 4, 1), (0, 0, 0, 1), 1, 0)
    ground = with_fields(ground, rounds=(PlayedRound((table,), ()), PlayedRound((table,), ())))
    assert seated_next(ground) is None
    assert places_of(ground) == {0: 1, 1: 2, 2: 3}


# --- Who leaves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [PAIRS, FOURS], ids=["two", "four"])
def test_entrant_who_left_ranks_behind_all_active_ones(plan):
    one = Evening(plan).begun(8)
    first = one.state.tables[0][0]
    one.finish(0, tuple(range(1, plan.seats + 1)))
    one.told(Withdraw(f"player {first}"))
    one.play(Random(5), draws=0)
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    behind = [who for who, place in places.items() if place > places[first]]
    ground = ground_of(one.state)
    out_at = {who: next(n for n, lost in enumerate(losses_after(ground)) if lost[who] == 2) for who in behind}
    assert set(out_at.values()) <= {1}
    assert places[first] == 8 - len(behind)


def test_place_of_a_table_eliminated_as_a_whole_stays_empty():
    one = Evening(FOURS).begun(8)
    while one.state.status == "playing":
        at = one.waiting()[0]
        seats = len(one.state.tables[at])
        one.told(RuleTable("hal", at, (seats,) * seats, "All have left."))
    assert list(one.state.places) == [5] * 8
    assert find_tournament_fault(OF, one.events) is None


def test_active_entrants_rank_above_empty_places():
    ground = after_tables(begun(FOURS, 8), (0, 1, 2, 3), (4, 5, 6, 7))
    unbeaten = TableResult((0, 1, 4, 5), (1, 2, 3, 4), (0,) * 4, 1, 0)
    lost = TableResult((2, 3, 6, 7), (4,) * 4, (0,) * 4, 0, 0)
    ground = with_fields(ground, rounds=(*ground.rounds, PlayedRound((unbeaten, lost), ())))
    ground = after_tables(ground, (0, 1, 4, 5))
    assert seated_next(ground) == ([{0, 1}], ())
    assert places_of(after_tables(ground, (0, 1))) == {0: 1, 1: 2, 4: 3, 5: 4, 2: 7, 3: 7, 6: 7, 7: 7}


# --- What cannot be played ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plan",
    [
        with_fields(FOURS, advance=3),
        with_fields(FOURS, advance=0),
        with_fields(FOURS, fewest=3),
        with_fields(FOURS, fill="bye"),
        with_fields(FOURS, round_days=3),
        with_fields(FOURS, overdue="drawn"),
        with_fields(PAIRS, advance=2),
    ],
)
def test_impossible_double_elimination_plan_has_a_reason(plan):
    (why,) = plan_faults(plan)
    assert why.endswith(".")
