"""Tests pairing: by the standings, with rematches only if unavoidable; byes and seats rotate."""

from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random
from statistics import mean

import pytest

from bench.pairing import evening, searched, sliced
from domain.core.fairness import shuffle_items
from domain.core.values import with_fields
from domain.tournament import table_pairing
from domain.tournament.elimination import advancing_from, bracket, entrants_left, losses_after
from domain.tournament.formats.format_catalogue import FORMATS, plan_faults
from domain.tournament.formats.swiss import swiss_rounds
from domain.tournament.pairs import pairs_of
from domain.tournament.rounds import (
    BOT,
    Ground,
    PlayedRound,
    TableResult,
    bot_tables_of,
    byes_of,
    met_of,
    points_by_entrant,
    seat_counts,
)
from domain.tournament.table_pairing import REPEAT, Field, TableSearch, seat_table, table_sizes, tables_of
from domain.tournament.tournament_plan import MOST_ROUNDS, TournamentPlan
from tests.draws import draws


def words(rng):
    return iter(lambda: rng.getrandbits(32), -1)


def ended(seats, rng, draw=0.1):
    """End a table at random; at a table of two, it may be a draw."""
    shown = [0 for _ in seats] if len(seats) == 2 and rng.random() < draw else rng.sample(range(99), len(seats))
    places = tuple(1 + sum(other > one for other in shown) for one in shown)
    alone = places.count(1) == 1
    return TableResult(tuple(seats), places, tuple(int(alone and place == 1) for place in places), 1, int(not alone))


def begun(plan, entrants):
    assert plan_faults(plan) == ()
    rounds = swiss_rounds(plan, entrants) if plan.format == "swiss" else None
    return Ground(with_fields(plan, rounds=rounds), tuple(range(entrants)), (), {}, {})


def played(plan, entrants, rng, draw=0.1, leaves=lambda ground: {}):
    """A whole tournament, and its state after each round."""
    ground, stages = begun(plan, entrants), []
    while (found := FORMATS[plan.format].pair(ground, words(rng))) is not None:
        there = [one for table in found.tables for one in table if one is not BOT] + [*found.byes]
        assert len(there) == len(set(there))
        assert set(there) <= set(ground.active)
        tables = tuple(ended(table, rng, 0 if found.stage == "elimination" else draw) for table in found.tables)
        ground = with_fields(ground, rounds=(*ground.rounds, PlayedRound(tables, found.byes)))
        ground = with_fields(ground, left={**ground.left, **leaves(ground)})
        stages.append(ground)
    return stages


# --- Swiss of two -------------------------------------------------------------------------------------------


def as_written(order, met):
    """Pair as the rule describes, with plain backtracking."""

    def paired(rest, again):
        if not rest:
            return []
        first, *below = rest
        for known in (False, True):
            for other in below:
                if ((min(first, other), max(first, other)) in met) is known and (again or not known):
                    left = paired([one for one in below if one != other], again - known)
                    if left is not None:
                        return [(first, other), *left]
        return None

    return next(found for again in range(len(order)) if (found := paired(order, again)) is not None)


def test_tables_of_two_follow_the_rule_with_rematches_only_if_needed():
    rng = Random(20261123)
    for _ in range(draws(600)):
        order = rng.sample(range(20), rng.choice((2, 4, 6, 8, 10)))
        often = rng.random()
        met = {(a, b) for a, b in combinations(sorted(order), 2) if rng.random() < often}
        assert pairs_of(order, met) == as_written(order, met)


def test_first_entrant_meets_the_highest_new_opponent():
    assert pairs_of([3, 1, 2, 0], set()) == [(3, 1), (2, 0)]
    assert pairs_of([3, 1, 2, 0], {(1, 3)}) == [(3, 2), (1, 0)]


def test_pairing_never_forces_unnecessary_rematches():
    # 2 and 3 have met, so 0 and 1, who come first, may not be paired.
    assert pairs_of([0, 1, 2, 3], {(2, 3)}) == [(0, 2), (1, 3)]


def test_rematches_are_minimal():
    everybody = set(combinations(range(4), 2))
    assert pairs_of([0, 1, 2, 3], everybody - {(0, 3)}) == [(0, 3), (1, 2)]


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13])
def test_no_rematches_or_second_byes_if_avoidable(entrants):
    rng = Random(entrants)
    last = played(TournamentPlan("swiss", 2, 2), entrants, rng)[-1]
    assert max(met_of(last.rounds).values()) == 1
    byes = byes_of(last.rounds)
    assert byes.total() == entrants % 2 * len(last.rounds)
    assert max(byes.values(), default=0) <= 1


def test_first_round_pairs_the_shuffled_order():
    ground = begun(TournamentPlan("swiss", 2, 2), 7)
    lies = shuffle_items(words(Random(7)), range(7))
    found = FORMATS["swiss"].pair(ground, words(Random(7)))
    assert [set(table) for table in found.tables] == [{*lies[0:2]}, {*lies[2:4]}, {*lies[4:6]}]
    assert found.byes == (lies[6],)


def test_lowest_entrant_without_a_bye_gets_the_next_one():
    stages = played(TournamentPlan("swiss", 2, 2, rounds=4), 9, Random(10))
    for before, after in pairwise(stages):
        points, had = points_by_entrant(before.rounds, 2), byes_of(before.rounds)
        (given,) = after.rounds[-1].byes
        assert had[given] == 0
        assert points[given] == min(points[one] for one in range(9) if not had[one])


def test_no_entrant_gets_a_second_bye_before_all_had_one():
    for after, ground in enumerate(played(TournamentPlan("swiss", 2, 2, rounds=9), 3, Random(1)), 1):
        counts = [byes_of(ground.rounds)[one] for one in range(3)]
        assert sum(counts) == after
        assert max(counts) - min(counts) <= 1


def test_hundreds_of_entrants_are_paired_without_rematches():
    stages = played(TournamentPlan("swiss", 2, 2, rounds=3), 300, Random(2))
    assert max(met_of(stages[-1].rounds).values()) == 1


def test_bot_plays_each_entrant_in_turn():
    last = played(TournamentPlan("swiss", 2, 2, rounds=5, fill="bots"), 5, Random(3))[-1]
    assert sorted(bot_tables_of(last.rounds).items()) == [(one, 1) for one in range(5)]
    assert byes_of(last.rounds).total() == 0


# --- Larger tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entrants", "rounds", "most"), [(16, 4, 0.35), (32, 5, 0.006), (64, 6, 0.001)])
def test_rematches_are_rare_at_larger_tables(entrants, rounds, most):
    """The benchmark has the same figures from many more tournaments."""
    count = 2
    assert sum(evening(entrants, rounds, Random(n), searched).repeats for n in range(count)) / count <= most
    assert evening(entrants, rounds, Random(0), sliced).repeats > most


def test_random_swaps_improve_on_best_swaps(monkeypatch):
    """In this tournament there are no rematches, and without random swaps there are three."""
    assert evening(20, 4, Random(25), searched).repeats == 0
    monkeypatch.setattr(table_pairing, "KICKS", 0)
    assert evening(20, 4, Random(25), searched).repeats == 0.15


def test_search_stops_after_the_maximum_number_of_tries():
    met = {pair: 1 for pair in combinations(range(60), 2) if sum(pair) % 3}
    search = TableSearch(range(60), [10] * 6, Field(dict.fromkeys(range(60), 0), met, {}, {}))
    search.improve(REPEAT, 600)
    of_one_table = 5 * 10 * 10
    assert 600 < search.tries <= 600 + of_one_table


def test_same_draws_give_the_same_tables():
    plan = TournamentPlan("swiss", 4, 4, rounds=3)
    assert played(plan, 16, Random(4)) == played(plan, 16, Random(4))


@pytest.mark.parametrize("fill", ["bye", "short", "bots"])
@pytest.mark.parametrize("entrants", [5, 6, 9, 11])
def test_every_entrant_has_a_table_or_a_bye(entrants, fill):
    plan = TournamentPlan("swiss", 4, 3, rounds=4, fill=fill)
    for ground in played(plan, entrants, Random(entrants)):
        tables, byes = ground.rounds[-1].tables, ground.rounds[-1].byes
        seated = [one for table in tables for one in table.seats if one is not BOT]
        assert sorted([*seated, *byes]) == list(range(entrants))
        assert all(len(table.seats) == 4 for table in tables) or fill == "short"
        assert all(len(table.seats) >= 3 for table in tables)
        counts = [byes_of(ground.rounds)[one] for one in range(entrants)]
        assert max(counts) - min(counts) <= 1


def test_incomplete_tables_are_as_large_as_possible():
    plan = TournamentPlan("swiss", 4, 3, fill="short")
    assert [table_sizes(n, plan) for n in (4, 6, 7, 9, 10, 11)] == [
        [4],
        [3, 3],
        [4, 3],
        [3, 3, 3],
        [4, 3, 3],
        [4, 4, 3],
    ]
    assert table_sizes(5, plan) == []


def test_no_entrant_plays_only_with_bots_if_others_can_join():
    plan = TournamentPlan("swiss", 4, 4, fill="bots")
    assert [table_sizes(n, plan) for n in (1, 5, 6, 7, 9, 12)] == [[1], [3, 2], [4, 2], [4, 3], [4, 3, 2], [4, 4, 4]]
    assert table_sizes(4, TournamentPlan("swiss", 3, 3, fill="bots")) == [2, 2]


def test_seats_rotate_between_rounds():
    last = played(TournamentPlan("swiss", 4, 4, rounds=5), 16, Random(5))[-1]
    had = seat_counts(last.rounds)
    assert max(had.values()) <= 3
    assert sum(max(had.get((one, seat), 0) for seat in range(4)) for one in range(16)) <= 2 * 16 + 4


def test_tables_let_entrants_take_less_used_seats():
    """After four rounds, almost all have had each seat once; the benchmark shows it for more tournaments."""
    assert mean(evening(64, 4, Random(n), searched).seats for n in range(2)) < 0.15


def test_entrants_with_equal_seat_histories_are_separated_at_equal_points():
    def found(points, had, clubs):
        field = Field(dict(enumerate(points)), {}, clubs, had)
        return [sorted(table) for table in tables_of(range(6), [3, 3], field, None)]

    missing = {0: [0, 1, 1], 1: [0, 1, 1], 2: [1, 0, 1], 3: [1, 0, 1], 4: [1, 1, 0], 5: [1, 1, 0]}
    clubs = dict.fromkeys((0, 2, 4), "one") | dict.fromkeys((1, 3, 5), "other")
    assert found([0] * 6, {}, {}) == [[0, 1, 2], [3, 4, 5]]
    assert all(len({tuple(missing[one]) for one in table}) == 3 for table in found([0] * 6, missing, clubs))
    assert found([1, 1, 1, 0, 0, 0], missing, {}) == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_seating_order_of_a_table_is_optimal(size):
    rng = Random(size)
    for _ in range(draws(40)):
        table = rng.sample(range(99), size)
        had = {(one, seat): rng.randrange(4) for one in table for seat in range(size)}
        orders = list(permutations(table))  # the first of them in the order of the table
        best = min(orders, key=lambda order: sum(had[one, seat] for seat, one in enumerate(order)))
        assert seat_table(table, had, size) == best


def test_bots_fill_the_last_seats_of_a_table():
    had = {(5, 0): 1, (6, 0): 1, (7, 0): 1, (5, 1): 3, (6, 1): 0, (7, 1): 2, (5, 2): 0, (6, 2): 2, (7, 2): 4}
    assert seat_table([5, 6, 7], had, 4) == (7, 6, 5, BOT)


def test_clubs_are_separated_if_all_else_is_equal():
    plan = TournamentPlan("swiss", 4, 4, rounds=1)
    ground = with_fields(begun(plan, 16), clubs={one: f"club {one % 4}" for one in range(16)})
    found = FORMATS["swiss"].pair(ground, words(Random(6)))
    assert [sorted(one % 4 for one in table) for table in found.tables] == [[0, 1, 2, 3]] * 4


# --- Other formats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entrants", [2, 3, 6, 7])
@pytest.mark.parametrize("legs", [1, 2])
def test_every_pair_meets_once_per_leg(entrants, legs):
    form = "league" if legs > 1 else "round_robin"
    last = played(TournamentPlan(form, 2, 2, legs=legs, most=8), entrants, Random(7))[-1]
    assert met_of(last.rounds) == Counter(dict.fromkeys(combinations(range(entrants), 2), legs))
    assert byes_of(last.rounds) == Counter(dict.fromkeys(range(entrants), legs) if entrants % 2 else {})
    had = seat_counts(last.rounds)
    assert all(abs(had[one, 0] - had[one, 1]) <= 1 for one in range(entrants))


def test_bracket_places_follow_the_rule():
    assert bracket([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert bracket([1, 2, 3, 4, 5]) == [1, None, 4, 5, 2, None, 3, None]


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 11])
def test_losing_eliminates_until_one_is_left(entrants):
    plan = TournamentPlan("single_elimination", 2, 2)
    stages = played(plan, entrants, Random(entrants))
    last = stages[-1]
    assert sum(len(each.tables) for each in last.rounds) == entrants - 1
    assert len(stages) == swiss_rounds(TournamentPlan("swiss", 2, 2), entrants)
    assert set(last.rounds[0].byes) == set(range(2 ** len(stages) - entrants))
    places = FORMATS[plan.format].places(last)
    assert sorted(places.values())[:2] == [1, 2]
    final = last.rounds[-1].tables[0]
    assert places[final.seats[final.places.index(1)]] == 1


def test_same_round_losers_share_the_place():
    last = played(TournamentPlan("single_elimination", 2, 2), 8, Random(8))[-1]
    assert sorted(FORMATS["single_elimination"].places(last).values()) == [1, 2, 3, 3, 5, 5, 5, 5]


def test_leaving_a_bracket_gives_a_bye_and_the_last_entrant_wins():
    def leaves(ground):
        first = ground.rounds[0].tables[0]
        return {first.seats[first.places.index(1)]: 1}

    (last,) = played(TournamentPlan("single_elimination", 2, 2), 4, Random(9), leaves=leaves)
    places = FORMATS["single_elimination"].places(last)
    other = last.rounds[0].tables[1]
    assert places[other.seats[other.places.index(1)]] == 1
    assert [places[one] for one in last.left] == [2]


@pytest.mark.parametrize("cut", [4, 8])
def test_top_entrants_of_a_swiss_play_on(cut):
    plan = TournamentPlan("swiss", 2, 2, rounds=4, cut=cut)
    stages = played(plan, 12, Random(cut))
    swiss, last = stages[3], stages[-1]
    seeds = [one for one, place in sorted(FORMATS["swiss"].places(swiss).items(), key=lambda at: at[1])][:cut]
    first = [{*table.seats} for table in last.rounds[4].tables]
    assert first[0] == {seeds[0], seeds[-1]}
    assert len(last.rounds) == 4 + {4: 2, 8: 3}[cut]
    places = FORMATS["swiss"].places(last)
    assert {one for one, place in places.items() if place <= cut} == set(seeds)
    assert sorted(place for place in places.values() if place > cut) == list(range(cut + 1, 13))


def test_leaving_before_the_cut_lets_the_next_entrant_in():
    plan = TournamentPlan("swiss", 2, 2, rounds=3, cut=4)

    def leaves(ground):
        standing = sorted(FORMATS["swiss"].places(ground).items(), key=lambda at: at[1])
        return {standing[0][0]: 3} if len(ground.rounds) == 3 else {}

    stages = played(plan, 8, Random(11), leaves=leaves)
    gone = next(iter(stages[-1].left))
    assert [gone in table.seats for each in stages[-1].rounds[3:] for table in each.tables].count(True) == 0
    assert len(stages[-1].rounds[3].tables) == 2
    assert sorted(FORMATS["swiss"].places(stages[-1]).values()) == [1, 2, 3, 3, 5, 6, 7, 8]


def test_points_never_fall_from_round_to_round():
    stages = played(TournamentPlan("swiss", 2, 2, rounds=5), 7, Random(12))
    for before, after in pairwise(stages):
        was, now = (points_by_entrant(ground.rounds, 2) for ground in (before, after))
        assert all(was[one] <= now[one] for one in range(7))


@pytest.mark.parametrize("entrants", [2, 3, 4, 7, 16, 21])
def test_only_the_second_loss_eliminates(entrants):
    stages = played(TournamentPlan("double_elimination", 2, 2), entrants, Random(entrants))
    last = stages[-1]
    lost = losses_after(last)[-1]
    places = FORMATS["double_elimination"].places(last)
    (first,) = [one for one, place in places.items() if place == 1]
    assert lost[first] <= 1
    assert all(lost[one] == 2 for one in range(entrants) if one != first)
    for before in stages[:-1]:
        seated = [one for table in stages[len(before.rounds)].rounds[-1].tables for one in table.seats]
        assert all(losses_after(before)[-1][one] < 2 for one in seated)
    final = last.rounds[-1].tables[0]
    assert {places[one] for one in final.seats} == {1, 2}


def test_bracket_of_unbeaten_entrants_equals_single_elimination():
    single = played(TournamentPlan("single_elimination", 2, 2), 8, Random(1))[0]
    double = played(TournamentPlan("double_elimination", 2, 2), 8, Random(1))[0]
    assert [table.seats for table in single.rounds[0].tables] == [table.seats for table in double.rounds[0].tables]


@pytest.mark.parametrize("fill", ["bots", "short"])
@pytest.mark.parametrize("advance", [1, 2])
@pytest.mark.parametrize("entrants", [2, 4, 5, 9, 13, 33])
def test_first_places_of_larger_tables_advance_until_one_wins(entrants, advance, fill):
    plan = TournamentPlan("single_elimination", 4, 2, advance=advance, fill=fill)
    stages = played(plan, entrants, Random(f"{entrants} {advance}"))
    for before, after in pairwise(stages):
        assert set(entrants_left(after)) < set(entrants_left(before))
    last = stages[-1]
    assert len(last.rounds[-1].tables) == 1
    (winner,) = entrants_left(last)
    places = FORMATS["single_elimination"].places(last)
    assert [one for one, place in places.items() if place == 1] == [winner]
    there = [one for one in last.rounds[-1].tables[0].seats if one is not BOT]
    assert sorted(places[one] for one in there) == list(range(1, len(there) + 1))
    assert all((len(table.seats) == 4) or fill == "short" for each in last.rounds for table in each.tables)


def test_tie_at_a_larger_table_is_decided_by_earlier_rounds_if_possible():
    plan = TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots")
    ground = begun(plan, 8)
    level = TableResult((0, 3, 4, 7), (1, 2, 2, 4), (1, 0, 0, 0), 1, 0)
    assert advancing_from(ground, level, last=False) is None
    assert advancing_from(ground, level, last=True) == (0,)
    before = TableResult((0, 3, 4, 7), (1, 3, 2, 4), (1, 0, 0, 0), 1, 0)
    after = with_fields(ground, rounds=(PlayedRound((before,), ()),))
    assert advancing_from(after, level, last=False) == (0, 4)
    assert advancing_from(ground, TableResult((0, 3, 4, None), (2, 3, 4, 1), (0, 0, 0, 1), 1, 0), last=False) == (0, 3)
    assert advancing_from(ground, TableResult((0, 3, 4, 7), (4, 4, 4, 4), (0,) * 4, 0, 0), last=False) == ()


# --- Shoot-out ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entrants", [2, 6, 7, 13, 37])
def test_winners_of_balanced_tables_meet_until_one_is_left(entrants):
    stages = played(TournamentPlan("shoot_out", 6, 2, fill="short"), entrants, Random(entrants))
    for each in stages[-1].rounds:
        sizes = [len(table.seats) for table in each.tables]
        assert max(sizes) - min(sizes) <= 1
        assert each.byes == ()
    for before, after in pairwise(stages):
        winners = {table.seats[table.places.index(1)] for table in before.rounds[-1].tables}
        assert {one for table in after.rounds[-1].tables for one in table.seats} == winners
    assert len(stages[-1].rounds[-1].tables) == 1


def test_same_round_losers_rank_by_their_table_places():
    ground = begun(TournamentPlan("shoot_out", 4, 2, fill="short"), 7)
    first = TableResult((0, 3, 4), (2, 1, 3), (0, 1, 0), 1, 0), TableResult((1, 2, 5, 6), (1, 3, 3, 2), (1,) * 4, 1, 0)
    final = TableResult((3, 1), (2, 1), (0, 1), 1, 0)
    after = with_fields(ground, rounds=(PlayedRound(first, ()), PlayedRound((final,), ())))
    assert FORMATS["shoot_out"].places(after) == {1: 1, 3: 2, 0: 3, 6: 3, 4: 5, 2: 5, 5: 5}


def test_leaving_table_winner_ranks_below_the_next_table():
    ground = begun(TournamentPlan("shoot_out", 3, 2, fill="short"), 9)
    tables = tuple(TableResult(three, (1, 2, 3), (1, 0, 0), 1, 0) for three in ((0, 3, 6), (1, 4, 7), (2, 5, 8)))
    final = TableResult((1, 2), (2, 1), (0, 1), 1, 0)
    rounds = (PlayedRound(tables, ()), PlayedRound((final,), ()))
    assert FORMATS["shoot_out"].places(with_fields(ground, rounds=rounds, left={0: 1})) == {
        2: 1, 1: 2, 0: 3, 3: 4, 4: 4, 5: 4, 6: 7, 7: 7, 8: 7
    }  # fmt: skip


# --- What cannot be played ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plan",
    [
        TournamentPlan("round_robin", 4, 4, most=8),
        TournamentPlan("single_elimination", 3, 3),
        TournamentPlan("single_elimination", 4, 3, fill="short"),
        TournamentPlan("single_elimination", 4, 2, fill="short", advance=3),
        TournamentPlan("single_elimination", 2, 2, advance=2),
        TournamentPlan("shoot_out", 2, 2),
        TournamentPlan("shoot_out", 6, 2, fill="short", advance=2),
        TournamentPlan("shoot_out", 6, 3, fill="short"),
        TournamentPlan("shoot_out", 6, 2),
        TournamentPlan("swiss", 4, 2, advance=2),
        TournamentPlan("single_elimination", 2, 2, rounds=4),
        TournamentPlan("swiss", 2, 2, rounds=MOST_ROUNDS + 1),
        TournamentPlan("swiss", 2, 2, rounds=0),
        TournamentPlan("swiss", 2, 2, cut=3),
        TournamentPlan("swiss", 4, 4, cut=4),
        TournamentPlan("swiss", 2, 2, legs=2),
        TournamentPlan("league", 2, 2, legs=9, most=4),
        TournamentPlan("swiss", 4, 4, fill="short"),
        TournamentPlan("single_elimination", 2, 2, fill="bots"),
        TournamentPlan("swiss", 2, 2, cut=4, fill="bots"),
        TournamentPlan("swiss", 2, 2, most=1),
        TournamentPlan("round_robin", 2, 2),
        TournamentPlan("swiss", 1, 1),
        TournamentPlan("swiss", 0, 0),
        TournamentPlan("swiss", 4, 5),
        TournamentPlan("swiss", 11, 2),
        TournamentPlan("swiss", 2, 1),
    ],
)
def test_impossible_plan_has_a_reason(plan):
    (why,) = plan_faults(plan)
    assert why.endswith(".")
