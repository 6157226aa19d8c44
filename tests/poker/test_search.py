"""Tests the search of the strong poker bots: its worlds, its playouts and its choices."""

from random import Random
from statistics import fmean

import pytest

from domain.core.cards import hand
from domain.core.monte_carlo import SearchBudget
from domain.poker.betting_bot import choose
from domain.poker.betting_moves import Call, Check, Fold
from domain.poker.playouts import CALL, FOLD, BettingRound, Playout, PlayoutSpot, PokerWorld
from domain.poker.search import BoardKnowledge, DrawKnowledge, actions
from domain.poker.standings import starting
from tests.poker.tables import DRAW, HOLDEM, Poker

BOARD = "2C 9D 5C 4H 2D JS 2H QS"  # burns at 0, 4, 6
BUDGET = SearchBudget(0, playouts=1500)


def holdem(hands, *said, seats=2, stack=200):
    return Poker(HOLDEM, (stack,) * seats, 0, starting_stack=stack).deals(hands, BOARD).does(*said)


def chosen(table, game=HOLDEM, seed=0):
    """Return the strong bot's move at this table."""
    (seat,) = game.to_act(table.state)
    return choose("strong", table.state, seat, (), Random(seed), BUDGET)


# --- Worlds ---------------------------------------------------------------------------------------------


def mean_standing(known, rival, worlds=200):
    """Return the mean standing of a rival's hands at the current moment."""
    rng = Random(1)
    return fmean(known.world(rng).standings[0][rival] for _ in range(worlds))


def test_rival_who_bets_has_better_hands_than_one_who_checks():
    before = ("0 raise 6", "1 call")
    bet, checked = (holdem({0: "JD TC"}, *before, said).state for said in ("1 bet 8", "1 check"))
    assert mean_standing(BoardKnowledge(bet, 0), 1) + 0.2 < mean_standing(BoardKnowledge(checked, 0), 1)


def test_rival_who_raises_before_the_flop_has_better_hands():
    calm, raised = holdem({0: "JD TC"}), holdem({1: "JD TC"}, "0 raise 12")
    assert mean_standing(BoardKnowledge(raised.state, 1), 0) + 0.1 < mean_standing(BoardKnowledge(calm.state, 0), 1)


def test_worlds_deal_no_card_twice():
    state = holdem({3: "AS AD"}, seats=6).state
    known, rng = BoardKnowledge(state, 3), Random(2)
    hands = []
    known.rated = lambda held, coming, others: (
        hands.append([*coming, *(c for two in held.values() for c in two)])
        or (
            [[0.0] * 6],
            [0] * 6,
        )
    )
    for _ in range(30):
        known.world(rng)
    assert all(len(row) == len(set(row)) == 5 + 2 * 6 for row in hands)


def test_rival_who_exchanges_one_card_is_dealt_such_hands():
    table = Poker(DRAW, (200,) * 2, starting_stack=200).deals({1: "AS AD 4C 7H 9D"})
    table.does("1 bet 2", "0 call", "1 swap 4C", "0 swap")
    known = DrawKnowledge(table.state, 1)
    ((hands, _),) = known.rows
    assert {one.count for one in hands} == {0}
    assert all(known.gone.isdisjoint(one.after) for one in hands)


# --- Playouts -------------------------------------------------------------------------------------------


def spot(**changes):
    """Return the moment of a seat facing a bet of 10 on the river, in a pot of 30."""
    river = BettingRound(first=False, luck=0.0, unit=2, cap=0)
    given = {
        "seat": 0, "rounds": [river], "opener": 0, "stacks": [100, 90], "committed": [0, 10], "paid": [10, 20],
        "live": [True, True], "acted": [False, True], "current": 10, "last_raise": 10, "bets": 1, "raised": True,
        "dead": 0, "blinds": (1, 2), "forced": [0, 0], "dealt": 2, "shove": False,
    }  # fmt: skip
    return PlayoutSpot(**given | changes)


def gain(action, strengths=(2, 1), standings=(0.5, 0.5), **changes):
    return Playout(spot(**changes), PokerWorld([standings], strengths)).gain(action)


def test_playout_counts_chips_from_the_moment_on():
    assert gain(FOLD) == 0
    assert gain(CALL) == 30
    assert gain(CALL, strengths=(1, 2)) == -10
    assert gain(CALL, strengths=(1, 1)) == 10


def test_rival_folds_a_poor_hand_to_a_raise_in_a_playout_and_calls_with_a_good_one():
    assert gain(40, strengths=(1, 2), standings=(0.9, 0.9)) == 30
    assert gain(40, strengths=(1, 2), standings=(0.9, 0.1)) < -10


def test_short_seat_wins_only_its_part_of_the_pots_in_a_playout():
    """It calls all-in for 5: three times 15 are in its pot, and the rest is in a side pot."""
    three = {
        "stacks": [5, 0, 0], "committed": [0, 10, 10], "paid": [10, 20, 20], "live": [True] * 3,
        "acted": [False, True, True], "dealt": 3,
    }  # fmt: skip
    assert gain(CALL, (3, 2, 1), (0.1, 0.5, 0.5), **three) == 3 * 15 - 5
    assert gain(CALL, (1, 2, 3), (0.1, 0.5, 0.5), **three) == -5


# --- Choices --------------------------------------------------------------------------------------------


def test_actions_are_the_legal_ones_with_the_rule_based_one_first():
    state = holdem({0: "JD TC"}, "0 raise 6", "1 call", "1 bet 8").state
    tried = actions(state, 0, Call())
    assert tried[0] == (Call(), CALL)
    assert (Fold(), FOLD) in tried
    assert sum(action > 0 for _, action in tried) == 3


def test_bot_folds_a_worthless_hand_and_raises_or_calls_with_the_best():
    before = ("0 raise 6", "1 call", "1 bet 12")
    assert chosen(holdem({0: "KS 2S"}, *before)) == Fold()
    assert chosen(holdem({0: "9S 9H"}, *before)) != Fold()
    assert chosen(holdem({0: "AS AD"})) not in (Fold(), Call())


def test_bot_bluffs_when_its_rival_shows_weakness():
    """The steady bot checks; the strong one bets a hand without a pair into a rival who checked twice."""
    table = holdem({0: "8D 7H"}, "0 raise 6", "1 call", "1 check", "0 check", "1 check")
    assert choose("steady", table.state, 0, (), Random(0)) == Check()
    assert chosen(table) != Check()


def test_search_of_a_draw_game_raises_a_full_house():
    table = Poker(DRAW, (200,) * 4, starting_stack=200).deals({2: "9S 9D 9C 4H 4D"}).does("1 bet 2")
    assert chosen(table, DRAW) not in (Call(), Fold())


@pytest.mark.parametrize("two", ["AS AD", "KS 7D", "7S 2D"])
def test_standing_of_a_starting_hand_is_the_first_of_its_world(two):
    table = holdem({0: two})
    world = BoardKnowledge(table.state, 0).world(Random(0))
    assert world.standings[0][0] == starting(hand(two))
    assert len(world.standings) == 4
