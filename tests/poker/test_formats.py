"""Tests the two formats: stacks, buy-ins and ledger; levels, places and prizes (poker 5, 6)."""

from fractions import Fraction

import pytest

from domain.core.clock import Time
from domain.core.game import fold
from domain.poker import sit_and_go
from domain.poker.betting import amount_owed
from domain.poker.betting_events import (
    GameEnded,
    LevelRaised,
    LevelsTimed,
    PlayerEliminated,
    PlayerWithdrawn,
    RebuyMade,
    StacksReset,
    TableLeft,
)
from domain.poker.betting_options import Stakes, level_stakes
from domain.poker.sit_and_go import eliminated_places, prizes
from tests.poker.tables import HOLDEM, Poker

ACES, KINGS, QUEENS = "AS AH", "KS KH", "QS QH"
DRY = "2C 3C 4D 9H 5C 8S 6C 7D"


def cash(*stacks, button=0, **options):
    return Poker(HOLDEM, stacks, button, **options)


def sng(*stacks, button=0, **options):
    return Poker(HOLDEM, stacks, button, format="sng", **options)


# --- Cash ----------------------------------------------------------------------------------------------


def test_busted_seat_rebuys():
    t = cash(100, 100, 100, rebuy="on_bust").deals({0: ACES, 1: KINGS}, DRY).does("0 all_in", "1 all_in", "2 fold")
    assert [(e.seat, e.stack, e.buy_ins) for e in t.events(RebuyMade)] == [(1, 100, 2)]
    assert t.state.stacks == (202, 100, 98)
    assert HOLDEM.view(t.state, None)["scores"] == [102, -100, -2]


def test_busted_seat_rebuys_after_the_last_hand_too():
    t = cash(100, 100, rebuy="on_bust", hands=1).deals({0: ACES, 1: KINGS}, DRY).does("0 all_in", "1 call")
    assert [(e.seat, e.buy_ins) for e in t.events(RebuyMade)] == [(1, 2)]
    (ended,) = t.events(GameEnded)
    assert (ended.totals, ended.buy_ins) == ((100, -100), (1, 2))


def test_stacks_are_reset_after_each_hand_and_the_ledger_keeps_the_difference():
    t = cash(100, 100, 100, rebuy="each_hand").deals({0: ACES, 1: KINGS}, DRY).does("0 all_in", "1 all_in", "2 fold")
    assert t.events(StacksReset)[0].ledger == (102, -100, -2)
    assert t.state.stacks == (100, 100, 100)
    t.deals({}).does("1 fold", "2 fold")
    assert t.events(StacksReset)[0].ledger == (103, -100, -3)
    assert HOLDEM.view(t.state, None)["scores"] == [103, -100, -3]


def test_without_rebuys_the_game_ends_when_one_seat_has_all_chips():
    t = cash(100, 100).deals({0: ACES, 1: KINGS}, DRY).does("0 all_in", "1 call")
    (ended,) = t.events(GameEnded)
    assert (ended.totals, ended.ranking, ended.winners, ended.reason) == (
        (100, -100),
        (1, 2),
        (0,),
        "one_left",
    )


def test_game_ends_after_its_hands_and_ranks_by_net_result():
    t = cash(100, 100, 100, hands=2).deals({}).does("0 fold", "1 fold").deals({}).does("1 raise 6", "2 fold", "0 fold")
    (ended,) = t.events(GameEnded)
    assert (ended.totals, ended.ranking, ended.reason) == ((-2, 2, 0), (3, 1, 2), "hands_played")
    assert sum(ended.totals) == 0


def test_folded_seat_may_leave_and_is_not_dealt_in_again():
    t = cash(100, 100, 100).deals({})
    assert t.refuses("1 leave") == "wrong_phase", "it has cards"
    t.does("0 fold", "0 leave", "1 call", "2 check")
    assert t.refuses("0 leave") == "already_done"
    assert t.state.hand_no == 1
    t.does(*["1 check", "2 check"] * 3)
    t.deals({})
    assert t.state.hands[0] == ()
    assert HOLDEM.leaving.out(t.state) == (0,)


def test_seat_that_left_keeps_its_result():
    t = cash(100, 100, 100, hands=2).deals({}).does("0 raise 10", "1 fold", "2 fold", "0 leave").deals({})
    (seat,) = HOLDEM.to_act(t.state)
    (ended,) = t.does(f"{seat} fold").events(GameEnded)
    assert ended.totals[0] == 3
    assert ended.ranking[0] == 1
    assert sum(ended.totals) == 0


def test_the_game_ends_when_all_others_have_left():
    t = cash(100, 100).deals({}).does("0 fold")
    assert t.does("0 leave").kinds() == ["TableLeft", "GameEnded"]


def test_tournament_seat_cannot_leave():
    assert sng(100, 100).deals({}).does("0 fold").refuses("0 leave") == "wrong_phase"


# --- Levels --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "blinds"),
    [(1, (10, 20)), (5, (75, 150)), (12, (750, 1500)), (13, (1500, 3000)), (15, (6000, 12000))],
)
def test_levels_have_their_blinds(level, blinds):
    assert level_stakes(level, 7) == Stakes(*blinds, 7)


def test_next_level_begins_after_hands_per_level():
    t = sng(1500, 1500, hands_per_level=2).deals({}).does("0 fold")
    assert not t.events(LevelRaised)
    t.deals({}).does("1 fold")
    assert t.events(LevelRaised) == [LevelRaised(2, 15, 30, 0)]
    t.deals({})
    assert t.state.round.committed == (15, 30)


def test_levels_with_minutes_follow_the_clock():
    """The time is provided before a hand is dealt, and the resulting level is recorded."""
    t = sng(1500, 1500, minutes_per_level=5, hands_per_level=1)
    (begun,) = sit_and_go.keep_level_time(t.state, Time(1_000))
    assert begun == LevelsTimed(Time(1_000))
    state = fold(HOLDEM, t.state, [begun])
    assert sit_and_go.keep_level_time(state, Time(1_000 + 5 * 60_000 - 1)) == ()
    assert sit_and_go.keep_level_time(state, Time(1_000 + 5 * 60_000)) == (LevelRaised(2, 15, 30, 0),)
    assert sit_and_go.keep_level_time(state, Time(1_000 + 17 * 60_000)) == (LevelRaised(4, 50, 100, 0),)
    t.state = state
    assert not t.deals({}).does("0 fold").events(LevelRaised)


def test_a_cash_game_has_no_levels():
    assert sit_and_go.keep_level_time(cash(100, 100).state, Time(10**9)) == ()


# --- Places and prizes ---------------------------------------------------------------------------------


def test_larger_stack_before_the_hand_is_placed_higher():
    assert eliminated_places((3000, 400, 700, 400), [1, 2, 3], 4) == {2: 2, 1: 3, 3: 3}
    assert eliminated_places((5, 100, 100, 9), [0, 3], 4) == {0: 4, 3: 3}


def test_eliminated_seat_is_placed_and_the_last_one_wins():
    t = sng(1500, 700, 900).deals({0: ACES, 1: KINGS, 2: QUEENS}, DRY).does("0 all_in", "1 all_in", "2 all_in")
    assert [(e.seat, e.place) for e in t.events(PlayerEliminated)] == [(1, 3), (2, 2)]
    (ended,) = t.events(GameEnded)
    assert (ended.ranking, ended.winners, ended.totals) == ((1, 3, 2), (0,), (3100, 0, 0))
    assert ended.prizes == ("100", "0", "0")


@pytest.mark.parametrize(
    ("places", "parts"),
    [
        ([1, 2], [100, 0]),
        ([2, 1, 3, 4], [35, 65, 0, 0]),
        ([1, 2, 2, 4], [65, Fraction(35, 2), Fraction(35, 2), 0]),
        ([1, 2, 2, 2, 5, 6, 7], [50, Fraction(50, 3), Fraction(50, 3), Fraction(50, 3), 0, 0, 0]),
        ([1, 2, 3, 3, 5, 6, 7, 8, 9, 10], [50, 30, 10, 10, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_prizes_of_shared_places_are_split(places, parts):
    assert list(prizes(places)) == parts
    assert sum(parts) == 100


# --- Giving up -----------------------------------------------------------------------------------------


def given_up(t, seat):
    """Return the table after a seat has resigned, as the match applies it."""
    t.said = list(HOLDEM.leaving.resign(t.state, seat))
    t.state = fold(HOLDEM, t.state, t.said)
    while more := HOLDEM.consequences(t.state):
        t.said += more
        t.state = fold(HOLDEM, t.state, more)
    return t


def test_resigning_folds_out_of_turn_and_the_others_play_on():
    t = given_up(sng(1500, 1500, 1500, 1500).deals({}), 1)
    assert t.kinds() == ["PlayerFolded", "PlayerWithdrawn", "ActionOn"]
    assert HOLDEM.to_act(t.state) == (3,)
    t.does("3 fold", "0 fold")
    (out,) = t.events(PlayerEliminated)
    assert (out.seat, out.place, out.chips) == (1, 4, 1490)
    assert sum(t.state.stacks) == 6000 - 1490


def test_bet_of_a_resigned_seat_must_still_be_called():
    t = sng(1500, 1500, 1500, 1500).deals({}).does("3 raise 100")
    given_up(t, 3)
    assert [amount_owed(t.state.round, seat) for seat in range(3)] == [100, 90, 80]
    t.does("0 call", "1 fold")
    assert t.refuses("2 check") == "illegal_action"


def test_first_to_resign_a_cash_game_is_last_regardless_of_winnings():
    t = Poker(HOLDEM, (100, 100, 100, 100)).deals({})
    for seat in (1, 2):
        given_up(t, seat)
    (ended,) = HOLDEM.leaving.stop(t.state, (3,), "resignation")
    assert ended.ranking == (1, 4, 3, 2)
    assert ended.winners == (0,)


def test_resigned_seat_is_placed_below_seats_eliminated_in_the_same_hand():
    t = sng(1500, 1500, 900, 1500).deals({3: ACES, 2: KINGS}, DRY)
    t = given_up(t, 0).does("3 all_in", "1 fold", "2 all_in")
    assert [(e.seat, e.place) for e in t.events(PlayerEliminated)] == [(0, 4), (2, 3)]


def test_seat_that_resigned_later_is_placed_above_an_eliminated_one():
    t = sng(1500, 900, 1500, button=2).deals({0: KINGS, 1: QUEENS, 2: ACES}, DRY)
    t.does("2 all_in", "0 fold", "1 all_in")
    given_up(t, 2)
    assert t.state.places == (0, 3, 2)
    assert t.state.ended.reason == "resignation"
    assert t.state.ended.winners == (0,)


def test_resigned_cash_player_keeps_winnings_but_is_last():
    t = cash(100, 100, 100, hands=2).deals({}).does("0 raise 10", "1 fold", "2 fold")
    t = given_up(t, 0)
    assert t.kinds() == ["PlayerWithdrawn"]
    t.deals({})
    (seat,) = HOLDEM.to_act(t.state)
    t.does(f"{seat} fold")
    (ended,) = t.events(GameEnded)
    assert ended.totals[0] == 3
    assert ended.ranking[0] == 3
    assert sum(ended.totals) == 0


def test_uncalled_bet_is_returned_even_to_a_resigned_seat():
    """The bet is its own, whether it wins or loses; in a tournament it leaves play with the rest."""
    t = given_up(cash(100, 100).deals({}).does("0 raise 60"), 0)
    assert t.state.stacks == (98, 102)


def test_next_game_of_the_series_omits_resigned_seats():
    t = given_up(sng(1500, 1500, 1500).deals({}), 0)
    again = HOLDEM.start(HOLDEM.setup.options(format="sng"), 3, t.state)
    assert again.stacks == (0, 1500, 1500)
    assert again.places == (3, 0, 0)
    duel = given_up(sng(1500, 1500).deals({}), 0)
    assert HOLDEM.start(HOLDEM.setup.options(format="sng"), 2, duel.state).stacks == (1500, 1500)


def test_repeated_resignation_changes_nothing_and_one_after_leaving_affects_later_games():
    t = given_up(sng(1500, 1500, 1500).deals({}), 0)
    assert HOLDEM.leaving.resign(t.state, 0) == ()
    t = cash(100, 100, 100).deals({}).does("0 fold", "0 leave")
    assert TableLeft is type(t.said[0])
    assert HOLDEM.leaving.resign(t.state, 0) == (PlayerWithdrawn(0),)
