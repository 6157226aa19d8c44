"""Tests one betting round: legal actions, bet sizes and its end (poker 2)."""

import pytest

from domain.core.cards import NOBODY
from domain.core.choices import OneNumber
from domain.core.game import is_admitted
from domain.core.values import with_fields
from domain.poker.betting import (
    Limits,
    Round,
    able,
    amount_owed,
    ask_seat,
    begin_betting,
    bet_or_raise,
    check_or_call,
    choices,
    fault,
    fold_seat,
    is_full,
    next_to_act,
    open_round,
    pending,
    reopen_raising,
    sizes,
)
from domain.poker.betting_moves import AllIn, Bet, Call, Check, Fold, Raise

FREE, FIXED = Limits("no_limit", 10), Limits("fixed_limit", 10, 4)


def round_of(*stacks, limits=FREE, blinds=(), blind=0, after=-1):
    """Return a round with these stacks and posted blinds; the seat after `after` acts first."""
    fresh = open_round(limits, stacks, (True,) * len(stacks))
    committed = (*blinds, *[0] * (len(stacks) - len(blinds)))
    return turned(begin_betting(with_fields(fresh, committed=committed), limits.unit, blind, int(blind > 0)), after)


def turned(r: Round, opener=-1):
    """Return the round with the next seat to act, if there is one."""
    return ask_seat(r, next_to_act(r, opener))


def act(r: Round, seat, move):
    """Return the round after a legal action of the seat to act."""
    assert seat == r.turn
    assert is_admitted(choices(r, seat), move), fault(r, seat, move)
    return turned(acted(r, seat, move))


def acted(r: Round, seat, move):
    everything = r.committed[seat] + r.stacks[seat]
    match move:
        case Fold():
            return fold_seat(r, seat)
        case Check():
            return check_or_call(r, seat, 0)
        case Call():
            return check_or_call(r, seat, min(amount_owed(r, seat), r.stacks[seat]))
        case AllIn() if r.stacks[seat] <= amount_owed(r, seat):
            return check_or_call(r, seat, r.stacks[seat])
        case AllIn():
            return raised_to(r, seat, everything)
        case _:
            return raised_to(r, seat, move.to)


def raised_to(r: Round, seat, to):
    after = bet_or_raise(r, seat, to, to - r.committed[seat])
    return reopen_raising(after, to, to - r.current, r.bets + 1) if is_full(r, to) else after


def played(r: Round, *actions):
    for seat, move in actions:
        r = act(r, seat, move)
    return r


def refused(r: Round, move):
    """Return the refusal code of the seat to act."""
    assert not is_admitted(choices(r, r.turn), move)
    return fault(r, r.turn, move)


# --- The turn, and the end of a round -------------------------------------------------------------------


def test_round_ends_after_all_check():
    r = played(round_of(100, 100, 100), (0, Check()), (1, Check()), (2, Check()))
    assert r.turn == NOBODY


def test_all_others_must_answer_a_bet():
    r = played(round_of(100, 100, 100), (0, Check()), (1, Bet(10)), (2, Call()))
    assert r.turn == 0
    assert act(r, 0, Call()).turn == NOBODY


def test_big_blind_may_raise_after_calls():
    r = played(round_of(95, 90, 100, blinds=(5, 10), blind=10, after=1), (2, Call()), (0, Call()))
    assert r.turn == 1
    assert is_admitted(choices(r, 1), Raise(20))
    assert act(r, 1, Check()).turn == NOBODY


def test_round_ends_when_one_seat_is_left():
    assert played(round_of(100, 100), (0, Fold())).turn == NOBODY


def test_all_in_seat_is_skipped():
    r = played(round_of(50, 100, 100), (0, AllIn()), (1, Call()), (2, Raise(100)))
    assert r.turn == 1
    assert act(r, 1, Call()).turn == NOBODY


def test_short_big_blind_must_be_called_in_full():
    """The big blind of 10 has only 4 chips: the others still owe 10."""
    r = round_of(95, 0, 100, 100, blinds=(5, 4), blind=10, after=1)
    assert amount_owed(r, 2) == 10
    assert act(r, 2, Call()).stacks[2] == 90


def test_last_seat_with_chips_owes_at_most_the_largest_contribution():
    assert amount_owed(round_of(95, 0, blinds=(5, 7), blind=10, after=1), 0) == 2
    assert pending(round_of(95, 0, blinds=(5, 3), blind=10, after=1)) == []


def test_no_seat_acts_when_all_are_all_in():
    assert round_of(0, 0, 0).turn == NOBODY
    assert round_of(0, 40, 0).turn == NOBODY


def test_seat_that_folded_out_of_turn_is_skipped():
    r = turned(fold_seat(round_of(100, 100, 100), 1))
    assert r.turn == 0
    assert act(r, 0, Check()).turn == 2


def test_folding_out_of_turn_may_end_the_betting():
    r = turned(fold_seat(fold_seat(round_of(100, 100, 100), 1), 2))
    assert r.turn == NOBODY


# --- Actions that are none here ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ([(0, Bet(10))], Check()),
        ([(0, Bet(10))], Bet(20)),
        ([], Call()),
        ([], Raise(20)),
    ],
)
def test_unsuitable_actions_are_refused(before, move):
    assert refused(played(round_of(100, 100, 100), *before), move) == "illegal_action"


def test_folding_is_always_allowed():
    assert is_admitted(choices(round_of(100, 100), 0), Fold())


# --- Without limit -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "code"),
    [(9, "below_minimum"), (0, "below_minimum"), (-5, "below_minimum"), (101, "not_enough_chips")],
)
def test_bet_has_a_minimum_and_a_maximum(to, code):
    assert refused(round_of(100, 100), Bet(to)) == code


def test_bet_is_between_the_minimum_and_the_stack():
    assert sizes(round_of(100, 100), 0) == (10, 100)
    assert sizes(round_of(7, 100), 0) == (7, 7)


def test_raise_is_at_least_the_last_raise():
    r = played(round_of(200, 200, 200), (0, Bet(10)), (1, Raise(40)))
    assert sizes(r, 2) == (70, 200)
    assert refused(r, Raise(69)) == "below_minimum"
    assert sizes(act(r, 2, Raise(100)), 0) == (160, 200)


def test_all_in_raise_may_be_short_but_must_exceed_the_bet():
    r = played(round_of(200, 55, 40, 200), (0, Bet(40)))
    assert sizes(r, 1) == (55, 55)
    r = act(r, 1, Raise(55))
    assert sizes(r, 2) is None
    assert refused(r, Raise(40)) == "below_minimum"
    r = act(r, 2, Call())
    assert sizes(r, 3) == (95, 200), "a short raise leaves the size of a raise"


def test_short_raise_does_not_reopen_the_betting():
    r = played(round_of(500, 150, 500), (0, Bet(100)), (1, AllIn()), (2, Call()))
    assert refused(r, Raise(400)) == "raise_not_open"
    assert refused(r, AllIn()) == "raise_not_open"
    assert act(r, 0, Call()).turn == NOBODY


def test_seat_that_has_not_acted_may_raise_a_short_raise():
    r = played(round_of(500, 150, 500), (0, Bet(100)), (1, AllIn()))
    assert sizes(r, 2) == (250, 500)
    assert is_admitted(choices(act(r, 2, Raise(250)), 0), Raise(350)), "150 more since, and 100 is a raise"


def test_several_short_raises_add_up_to_a_full_raise():
    r = played(
        round_of(500, 150, 190, 200, 500),
        (0, Bet(100)),
        (1, AllIn()),
        (2, AllIn()),
        (3, AllIn()),
        (4, Call()),
    )
    assert is_admitted(choices(r, 0), Raise(300)), "100, 150, 190, 200: a full raise since the bet"
    r = played(
        round_of(500, 150, 190, 199, 500),
        (0, Bet(100)),
        (1, AllIn()),
        (2, AllIn()),
        (3, AllIn()),
        (4, Call()),
    )
    assert refused(r, Raise(300)) == "raise_not_open"


def test_short_bet_gives_no_right_to_raise_after_a_check():
    r = played(round_of(500, 6, 500), (0, Check()), (1, AllIn()), (2, Call()))
    assert refused(r, Raise(16)) == "raise_not_open"


def test_no_seat_raises_when_all_others_are_all_in():
    r = played(round_of(500, 100), (0, Bet(50)), (1, AllIn()))
    assert refused(r, Raise(200)) == "raise_not_open"
    assert refused(r, AllIn()) == "raise_not_open"
    assert [c.make for c in choices(r, 0)] == [Fold, Call]


def test_refusals_check_rights_then_chips_then_size():
    r = played(round_of(500, 150, 500), (0, Bet(100)), (1, AllIn()), (2, Call()))
    assert refused(r, Raise(10**6)) == "raise_not_open"
    assert refused(played(round_of(30, 500), (0, Bet(10))), Raise(501)) == "not_enough_chips"


def test_all_in_with_at_most_the_owed_amount_is_a_call():
    r = played(round_of(100, 60, 100), (0, Bet(80)), (1, AllIn()))
    assert (r.current, r.stacks[1], able(r)) == (80, 0, [0, 2])


# --- Fixed limit ---------------------------------------------------------------------------------------


def fixed(*stacks, cap=4):
    return round_of(*stacks, limits=Limits("fixed_limit", 10, cap))


@pytest.mark.parametrize(
    ("to", "code"),
    [(9, "wrong_bet_size"), (11, "wrong_bet_size"), (20, "wrong_bet_size"), (101, "not_enough_chips")],
)
def test_fixed_limit_bet_has_one_size(to, code):
    assert refused(fixed(100, 100), Bet(to)) == code


def test_all_in_does_not_bypass_the_fixed_size():
    assert refused(fixed(100, 100), AllIn()) == "wrong_bet_size"


def test_each_raise_is_one_bet_more_up_to_the_cap():
    r = played(fixed(100, 100, 100), (0, Bet(10)), (1, Raise(20)), (2, Raise(30)), (0, Raise(40)))
    assert refused(r, Raise(50)) == "raise_not_open"
    assert played(r, (1, Call()), (2, Call())).turn == NOBODY


def test_raise_cap_applies_heads_up():
    r = played(fixed(100, 100), (0, Bet(10)), (1, Raise(20)), (0, Raise(30)), (1, Raise(40)))
    assert refused(r, Raise(50)) == "raise_not_open"


def test_all_in_of_half_a_bet_counts_as_a_full_bet():
    """15 over 10: the next raise is to 25, and the seat that bet may make it."""
    r = played(fixed(100, 15, 100), (0, Bet(10)), (1, AllIn()))
    assert (r.full, r.bets) == (15, 2)
    r = act(r, 2, Call())
    assert sizes(r, 0) == (25, 25)
    assert is_admitted(choices(r, 0), Raise(25))


def test_less_than_half_a_bet_can_be_completed():
    """14 over 10: seats that have not acted may raise to 20, the others may not."""
    r = played(fixed(100, 14, 100), (0, Bet(10)), (1, AllIn()))
    assert (r.current, r.full, r.bets) == (14, 10, 1)
    assert sizes(r, 2) == (20, 20)
    assert refused(act(r, 2, Call()), Raise(20)) == "raise_not_open"
    assert is_admitted(choices(act(r, 2, Raise(20)), 0), Raise(30)), "a completed bet opens the betting again"


def test_opening_all_in_below_half_a_bet_does_not_count_as_a_bet():
    r = played(fixed(4, 100, 100), (0, AllIn()))
    assert (r.current, r.full, r.bets) == (4, 0, 0)
    assert sizes(r, 1) == (10, 10)
    assert refused(r, Bet(10)) == "illegal_action"
    assert act(r, 1, Raise(10)).bets == 1


def test_short_raises_that_add_up_to_half_a_bet_count_as_a_bet():
    r = played(fixed(100, 13, 15, 100), (0, Bet(10)), (1, AllIn()), (2, AllIn()))
    assert (r.full, r.bets) == (15, 2)


def test_a_short_raise_does_not_move_the_cap():
    r = played(fixed(100, 12, 100, cap=2), (0, Bet(10)), (1, AllIn()), (2, Raise(20)))
    assert refused(r, Raise(30)) == "raise_not_open"


def test_all_in_raise_is_refused_at_the_cap():
    r = played(fixed(100, 14, 100, cap=1), (0, Bet(10)))
    assert refused(r, AllIn()) == "raise_not_open"
    assert is_admitted(choices(r, 1), Call())


def test_all_in_and_an_unnecessary_fold_need_confirmation():
    r = round_of(100, 100, 100, blinds=(5, 10), blind=10, after=1)
    asked = [c.make for c in choices(r, r.turn) if c.schema().get("x-confirm")]
    checked = played(r, (2, Call()), (0, Call()))
    assert asked == [AllIn]
    assert [c.make for c in choices(checked, 1) if c.schema().get("x-confirm")] == [Fold, AllIn]


def test_pot_sized_raise_includes_the_call():
    """With blinds of 5 and 10, half of the pot after a call is 25, which raises to at most the minimum."""
    r = round_of(100, 100, 100, blinds=(5, 10), blind=10, after=1)
    (sized,) = [c for c in choices(r, r.turn, pot=15) if isinstance(c, OneNumber)]
    assert sized.useful == (
        ("Min", 20),
        ("½ pot", 22),
        ("Pot", 35),
        ("2× pot", 60),
    )
    assert sized.schema()["properties"]["to"]["x-step"] == 10
    fixed = round_of(100, 100, 100, limits=FIXED)
    assert (
        "x-useful"
        not in next(c for c in choices(fixed, 0, pot=9) if isinstance(c, OneNumber)).schema()["properties"]["to"]
    )
