"""Tests tournaments of many tables: stacks move between tables, tables are broken and balanced, chips are conserved."""

from fractions import Fraction
from random import Random

import pytest

from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.staking import LeavingStack
from domain.core.values import with_fields
from domain.tournament.entrants import CloseEntries, Disqualify, Withdraw
from domain.tournament.formats.format_catalogue import plan_faults
from domain.tournament.formats.many_tables import (
    PAYOUTS,
    PayoutMade,
    Ring,
    StackMoved,
    TableBroken,
    TableStaked,
    balance_tables,
    payouts_of,
    shares_of,
)
from domain.tournament.round_steps import TournamentEnded
from domain.tournament.round_tables import FinishTable, ForfeitTable, RoundPaired, RuleTable, TableFinished
from domain.tournament.tournament_judge import find_tournament_fault
from tests.draws import draws
from tests.tournament.evenings import OF, ORGANISER
from tests.tournament.nights import STACK, Night, hands_played, many


def kept(*rows):
    """Return the stacks that leave a table: each row a seat and its stack, with the hand and its earlier stack if it
    is out."""
    return tuple(LeavingStack(*row) if len(row) == 4 else LeavingStack(*row, 0, 0) for row in rows)


def rings(*tables):
    return [Ring(number, list(players)) for number, players in enumerate(tables)]


# --- Who moves, and where to ----------------------------------------------------------------------------------


def test_moved_next_big_blind_remains_the_next_big_blind():
    found = balance_tables(rings("abcde", "fgh"), 6)
    assert ["".join(ring.players) for ring in found.rings] == ["bcde", "afgh"]
    assert [(one, before, to.number) for one, before, to in found.moved] == [("a", 0, 1)]


def test_first_of_the_fullest_tables_sends_a_player_to_the_first_of_the_emptiest():
    found = balance_tables(rings("abc", "defgh", "ijk", "lmnop"), 5)
    assert ["".join(ring.players) for ring in found.rings] == ["dabc", "efgh", "lijk", "mnop"]


def test_table_is_broken_once_the_others_can_seat_everyone():
    found = balance_tables(rings("abcd", "efg", "hijkl"), 6)
    assert found.broken == (1,)
    assert ["".join(ring.players) for ring in found.rings] == ["efabcd", "ghijkl"]
    assert balance_tables(rings("abcde", "efg", "hijkl"), 6).broken == ()


def test_new_players_take_the_worst_places_of_a_table_in_turn():
    found = balance_tables(rings("abc", "de"), 5)
    assert found.broken == (1,)
    assert "".join(found.rings[0].players) == "deabc"


def test_moved_last_poster_leaves_a_dead_small_blind():
    short, long = Ring(0, ["a"]), Ring(1, ["b", "c", "d"], new=2)
    found = balance_tables([short, long], 3)
    assert [ring.players for ring in found.rings] == [["d", "a"], ["b", "c"]]
    assert found.rings[1].last_gone


def test_tables_are_balanced_to_within_one_player():
    for seed in range(draws(200)):
        rng, numbers = Random(seed), iter(range(999))
        seats = rng.randrange(3, 11)
        tables = [[next(numbers) for _ in range(rng.randrange(1, seats + 1))] for _ in range(rng.randrange(1, 9))]
        found = balance_tables(rings(*tables), seats)
        sizes = [len(ring.players) for ring in found.rings]
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == max(1, -(-sum(map(len, tables)) // seats))
        assert sorted(one for ring in found.rings for one in ring.players) == list(range(sum(map(len, tables))))
        # Players who stay at a table keep the order in which the big blind is posted.
        for ring in found.rings:
            assert ring.players[ring.new :] == [one for one in tables[ring.number] if one in ring.players]


# --- From round to round --------------------------------------------------------------------------------------


def test_entrants_are_drawn_to_the_fewest_possible_tables():
    one = Night(many()).begun(13)
    (paired,) = [event for event in one.events if isinstance(event, RoundPaired)]
    assert sorted(map(len, paired.tables)) == [4, 4, 5]
    assert sorted(who for table in paired.tables for who in table) == list(range(13))
    assert [event.stakes.stacks for event in one.events if isinstance(event, TableStaked)] == [
        (STACK,) * len(table) for table in paired.tables
    ]


def test_moved_player_keeps_the_stack_and_posts_the_next_big_blind():
    one = Night(many(seats=4)).begun(8)
    first, second = one.state.tables
    one.ends(0, kept((2, 2500), (3, 1500), (0, 0, 1, 1000), (1, 0, 1, 1000)))
    events = one.ends(1, kept((2, 700), (3, 800), (0, 1100), (1, 1400)))
    (moved,) = [event for event in events if isinstance(event, StackMoved)]
    assert (moved.entrant, moved.stack, moved.before, moved.table) == (second[2], 700, 1, 0)
    assert one.state.tables == ((second[2], first[2], first[3]), (second[3], second[0], second[1]))
    assert [stakes.stacks for stakes in one.state.stakes] == [(700, 2500, 1500), (800, 1100, 1400)]
    # Seat 1 of the first table posted the big blind last, and is out; at the second it is there.
    assert [stakes.last_gone for stakes in one.state.stakes] == [True, False]
    assert {stakes.hands_before for stakes in one.state.stakes} == {1}


def test_last_table_is_played_to_the_end():
    one = Night(many(seats=4)).begun(5)
    one.ends(0, kept((0, 0, 1, 1000), (1, 2500), (2, 500)))
    events = one.ends(1, kept((0, 900), (1, 1100)))
    assert [event.table for event in events if isinstance(event, TableBroken)] == [1]
    (stakes,) = one.state.stakes
    assert stakes.hands == 0
    assert sum(stakes.stacks) == 5 * STACK


def test_clock_levels_start_at_the_announced_close_of_entries():
    closes = Time(1_800_000_000_000)
    one = Night(many(seats=4, levels="clock"), closes=closes).begun(9)
    one.plays()
    staked = [event.stakes for event in one.events if isinstance(event, TableStaked)]
    assert len({stakes.hands_before for stakes in staked}) > 2
    assert {stakes.timed_from for stakes in staked} == {closes}
    assert find_tournament_fault(OF, one.events) is None
    with pytest.raises(Refused, match="bad_options"):
        Night(many(levels="clock"))


def test_tables_play_hand_for_hand_until_the_last_table():
    one = Night(many(seats=6)).begun(30)
    seen = set()
    while one.state.status == "playing":
        t = one.state
        seen |= {(len(t.tables) > 1, stakes.hands) for stakes in t.stakes}
        assert {stakes.hands_before for stakes in t.stakes} == {t.round - 1}
        one.ends(one.waiting()[0], hands_played(t.stakes[one.waiting()[0]], Random(t.round)))
    assert seen == {(True, 1), (False, 0)}


def test_ties_just_before_the_money_share_a_place():
    one = Night(many(seats=6)).begun(12)  # four places have prizes
    one.ends(0, kept((0, 6000), *((seat, 0, 1, 1000) for seat in range(1, 6))))
    assert one.state.open  # the other table has not ended that hand
    one.ends(1, kept((0, 3000), (1, 3000), *((seat, 0, 1, 1000) for seat in range(2, 6))))
    assert one.state.places == (1, 2, 2, *(4,) * 9)
    assert one.state.round == 2


# --- Places ---------------------------------------------------------------------------------------------------


def test_eliminated_entrants_rank_by_hand_and_stack_across_tables():
    one = Night(many(seats=4)).begun(8)
    first, second = one.state.tables
    one.ends(0, kept((0, 0, 2, 900), (1, 0, 4, 600), (2, 0, 4, 700), (3, 4000)))
    one.ends(1, kept((0, 0, 2, 900), (1, 0, 3, 50), (2, 2000), (3, 2000)))
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    assert [places[who] for who in first] == [7, 5, 4, 1]
    assert [places[who] for who in second] == [7, 6, 2, 2]


def test_entrant_who_left_ranks_between_active_and_eliminated_ones():
    one = Night(many(seats=4)).begun(8)
    gone, *_ = one.state.tables[0]
    one.told(Withdraw(one.state.players[gone]))
    one.ends(0, kept((0, 2000), (1, 0, 1, 1000), (2, 1000), (3, 1000)))
    one.ends(1, kept((0, 1000), (1, 1000), (2, 1000), (3, 1000)))
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    assert places[gone] == 7
    assert gone not in {who for table in one.state.tables for who in table}
    assert sum(sum(stakes.stacks) for stakes in one.state.stakes) == 8 * STACK - 2000


def last_of_five(*chips, before=()):
    """Play a tournament of five in which an entrant left the last table, with these final stacks; return the places."""
    one = Night(many(seats=4)).begun(5)
    one.ends(0, kept((0, 0, 1, 1000), (1, 2000), (2, 1000)))
    one.ends(1, kept((0, 1000), (1, 1000)))
    (table,) = one.state.tables
    for command in before:
        one.told(command(one.state, table[0]))
    one.ends(0, kept(*chips))
    assert find_tournament_fault(OF, one.events) is None
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    paid = {payout.entrant: payout.percent for payout in one.state.payouts}
    return [places[who] for who in table], [paid.get(who) for who in table]


def withdraws(t, one):
    return Withdraw(t.players[one])


def disqualifies(t, one):
    return Disqualify(ORGANISER, one, "Two accounts.")


WON_BY_THE_FIRST = (0, 5000), (1, 0, 4, 2000), (2, 0, 4, 1000), (3, 0, 3, 900)


def test_final_winner_is_first_and_disqualified_entrants_are_last():
    assert last_of_five(*WON_BY_THE_FIRST) == ([1, 2, 3, 4], ["65", "35", None, None])
    assert last_of_five(*WON_BY_THE_FIRST, before=[disqualifies]) == ([5, 1, 2, 3], [None, "65", "35", None])


def test_entrant_who_left_the_last_table_does_not_win_by_the_clock():
    assert last_of_five(*WON_BY_THE_FIRST, before=[withdraws]) == ([3, 1, 2, 4], [None, "65", "35", None])


def test_early_leaver_does_not_affect_others():
    one = Night(many()).entered(9)
    one.told(Withdraw("player 3"))
    one.told(CloseEntries(ORGANISER))
    one.plays()
    assert 3 not in one.state.ranked
    assert find_tournament_fault(OF, one.events) is None


# --- Prizes ---------------------------------------------------------------------------------------------------


def test_whole_prize_pool_is_paid_out():
    assert [sum(parts) for _, parts in PAYOUTS] == [100] * len(PAYOUTS)
    assert all(list(parts) == sorted(parts, reverse=True) for _, parts in PAYOUTS)
    assert [len(payouts_of(n)) for n in (2, 6, 7, 60, 1024)] == [1, 2, 3, 9, 15]


def test_players_who_share_a_place_share_its_payouts():
    shares = shares_of({0: 1, 1: 2, 2: 2, 3: 4, 4: 5, 5: 6, 6: 7})
    assert [shares[one] for one in range(4)] == [50, 25, 25, 0]
    assert shares_of(dict.fromkeys(range(4), 1)) == dict.fromkeys(range(4), Fraction(25))


# --- Always ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entrants", [2, 5, 9, 23, 60])
def test_tournament_ends_with_all_chips_at_one_seat_and_can_be_verified(entrants):
    rng = Random(entrants)
    one = Night(many()).begun(entrants)
    while one.state.status == "playing":
        t = one.state
        # Chips are only at tables in play and in stacks that have left a table.
        lie = [
            sum(stakes.stacks) if result is None else sum(row.stack for row in result.chips)
            for stakes, result in zip(t.stakes, t.results, strict=True)
        ]
        assert sum(lie) == entrants * STACK
        table = rng.choice(one.waiting())
        one.ends(table, hands_played(t.stakes[table], rng))
    (ended,) = [event for event in one.events if isinstance(event, TournamentEnded)]
    assert ended.places[0] == 1
    last = [event for event in one.events if isinstance(event, TableFinished)][-1]
    assert max(row.stack for row in last.result.chips) == entrants * STACK
    paid = [Fraction(event.percent) for event in one.events if isinstance(event, PayoutMade)]
    assert sum(paid) == 100
    assert len(paid) >= len(payouts_of(entrants))
    assert find_tournament_fault(OF, one.events) is None


def test_no_hand_starts_before_tables_are_balanced_and_broken():
    for seed in range(draws(5)):
        rng = Random(seed)
        one = Night(many()).begun(60)
        while one.state.status == "playing":
            t = one.state
            sizes = [len(table) for table in t.tables]
            assert max(sizes) - min(sizes) <= 1
            assert len(sizes) == -(-sum(sizes) // 6)
            # Each match at several tables is one hand, so that no other hand begins before the next round.
            assert {stakes.hands for stakes in t.stakes} == ({1} if len(sizes) > 1 else {0})
            for table in rng.sample(range(len(sizes)), len(sizes)):
                one.ends(table, hands_played(t.stakes[table], rng))


def test_only_leaving_entrants_take_chips_out_of_play():
    for seed in range(draws(10)):
        rng = Random(seed)
        one = Night(many(seats=4)).begun(17)
        while one.state.status == "playing":
            t = one.state
            total = sum(sum(stakes.stacks) for stakes in t.stakes)
            while one.state.round == t.round and one.state.status == "playing":
                table = rng.choice(one.waiting())
                one.ends(table, hands_played(one.state.stakes[table], rng))
                there = [who for who in one.state.ranked if who not in one.state.left]
                if one.state.status == "playing" and len(there) > 2 and rng.random() < 0.1:
                    one.told(Withdraw(one.state.players[rng.choice(there)]))
            assert sum(sum(stakes.stacks) for stakes in one.state.stakes) <= total
        assert find_tournament_fault(OF, one.events) is None


@pytest.mark.parametrize("more", [1, -1])
def test_created_and_lost_chips_are_refused(more):
    one = Night(many(seats=4)).begun(8)
    rows = kept((0, 1000 + more), (1, 1000), (2, 1000), (3, 1000))
    with pytest.raises(Refused):
        one.ends(0, rows)
    # a player who gives up takes chips out of play
    assert one.ends(0, kept((0, 0, 3, 0), (1, 1000), (2, 1500), (3, 500)))


@pytest.mark.parametrize(
    "rows",
    [
        kept((0, 1000), (1, 1000), (2, 2000)),
        kept((0, 1000), (0, 1000), (1, 1000), (2, 1000)),
        kept((0, -1000), (1, 1000), (2, 2000), (3, 2000)),
        kept((0, 0), (1, 1000), (2, 2000), (3, 1000)),
        None,
    ],
)
def test_end_of_a_table_records_the_stacks_of_all_seats(rows):
    one = Night(many(seats=4)).begun(8)
    with pytest.raises(Refused):
        one.told(FinishTable(1, 0, 0, "match", "00" * 32, (1, 2, 3, 4), (1, 0, 0, 0), 1, 0, rows))


def test_table_with_stacks_cannot_be_ruled_but_entrants_can_be_disqualified():
    one = Night(many(seats=4)).begun(8)
    for command in (
        RuleTable(ORGANISER, 0, (1, 2, 3, 4), "I say so."),
        ForfeitTable(1, 0, 0, "match", "00" * 32, (one.state.tables[0][0],)),
    ):
        with pytest.raises(Refused):
            one.told(command)
    assert one.told(Disqualify(ORGANISER, one.state.tables[0][0], "Two accounts."))


def test_forged_moves_and_stacks_are_found():
    one = Night(many(seats=4)).begun(13).plays(Random(3))
    changes = {
        StackMoved: lambda event: with_fields(event, stack=event.stack + 1),
        TableBroken: lambda event: with_fields(event, table=event.table + 1),
        TableStaked: lambda event: with_fields(event, stakes=with_fields(event.stakes, hands=event.stakes.hands + 1)),
        TableFinished: lambda event: with_fields(
            event, result=with_fields(event.result, chips=(*event.result.chips[1:], event.result.chips[0]))
        ),
        PayoutMade: lambda event: with_fields(event, percent="99"),
    }
    for kind, change in changes.items():
        at = next(i for i, event in enumerate(one.events) if type(event) is kind)
        found = find_tournament_fault(OF, [*one.events[:at], change(one.events[at]), *one.events[at + 1 :]])
        assert found is not None, kind
        assert found.place >= at


# --- What cannot be played ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plan",
    [
        many(seats=2),
        many(stack=None),
        many(stack=0),
        many(late=2),
        many(cut=4),
        many(overdue="drawn"),
        with_fields(many(), fill="bots"),
        with_fields(many(), fewest=3),
        with_fields(many(), format="swiss"),
    ],
)
def test_unplayable_plan_is_refused(plan):
    assert [fault for fault in plan_faults(plan) if fault.endswith(".")]
