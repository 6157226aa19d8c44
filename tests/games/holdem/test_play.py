"""Tests Texas Hold'em: blinds, the board, side pots, the showdown (poker 2, 3; holdem 3)."""

import pytest

from domain.core.cards import PACK, card_names
from domain.core.game import CHANCE
from domain.poker.betting_events import (
    BetReturned,
    BigBlindAntePosted,
    BlindPosted,
    BoardDealt,
    HandDealt,
    HandMucked,
    HandSettled,
    HandShown,
    HandStarted,
    PotAwarded,
    PotsFormed,
)
from domain.poker.betting_moves import Deal
from tests.poker.tables import HOLDEM, Poker

DRY = "2C 3C 4D 9H 5C 8S 6C 7D"  # one that helps nobody
BOARD = "2C 3C 4D 9H 5C JS 6C QD"  # burns at 0, 4, 6: the board is 3C 4D 9H, JS, QD
ACES, KINGS, QUEENS = "AS AH", "KS KH", "QS QH"


def table(*stacks, button=0, **options):
    return Poker(HOLDEM, stacks, button, **options)


def posted(t):
    return [(e.seat, e.kind, e.amount, e.all_in) for e in t.events(BlindPosted)]


def won(t):
    """Return the winners' amounts, pot by pot in the order of the awards."""
    return [(e.pot, {s.seat: s.amount for s in e.winners}) for e in t.events(PotAwarded)]


# --- Blinds and the deal ---------------------------------------------------------------------------------


def test_two_seats_post_blinds_and_the_next_seat_acts_first():
    t = table(100, 100, 100, 100).deals({})
    assert posted(t) == [(1, "small", 1, False), (2, "big", 2, False)]
    assert t.state.stacks == (100, 99, 98, 100)
    assert HOLDEM.to_act(t.state) == (3,)


def test_heads_up_button_posts_the_small_blind_and_acts_first_only_preflop():
    t = table(100, 100, button=1).deals({}, BOARD)
    assert posted(t) == [(1, "small", 1, False), (0, "big", 2, False)]
    t.does("1 call", "0 check")
    assert HOLDEM.to_act(t.state) == (0,)


def test_cards_are_dealt_one_at_a_time_from_the_left_of_the_button():
    t = table(100, 100, 100, button=1)
    t._do(CHANCE, Deal(PACK))
    (dealt,) = t.events(HandDealt)
    assert dealt.cards == ((1, 4), (2, 5), (0, 3))
    assert dealt.deck == PACK[6:]


def test_card_is_burnt_before_each_street():
    t = table(100, 100).deals({}, BOARD).does("0 call", "1 check")
    assert card_names(t.state.board) == ["3C", "4D", "9H"]
    t.does("1 check", "0 check", "1 check", "0 check")
    assert card_names(t.state.board) == ["3C", "4D", "9H", "JS", "QD"]
    assert card_names(t.state.burnt) == ["2C", "5C", "6C"]


def test_antes_are_posted_before_the_blinds_and_are_not_bets():
    t = table(100, 100, 100, ante=3).deals({})
    assert posted(t) == [
        (1, "ante", 3, False),
        (2, "ante", 3, False),
        (0, "ante", 3, False),
        (1, "small", 1, False),
        (2, "big", 2, False),
    ]
    assert t.state.round.committed == (0, 1, 2)
    assert HOLDEM.view(t.state, None)["pot"] == 12


def test_big_blind_ante_is_posted_after_the_big_blind():
    t = table(100, 100, 5, ante=4, ante_mode="big_blind").deals({})
    assert posted(t) == [(1, "small", 1, False), (2, "big", 2, False)]
    assert t.events(BigBlindAntePosted) == [BigBlindAntePosted(2, 3, all_in=True)]
    assert t.kinds()[2:5] == ["BlindPosted", "BigBlindAntePosted", "HandDealt"]


def test_short_stack_posts_its_last_chips():
    t = table(100, 100, 3, ante=3).deals({})
    assert posted(t)[1] == (2, "ante", 3, True)
    assert [seat for seat, kind, *_ in posted(t) if kind == "big"] == []
    assert t.state.round.current == 2, "who calls, calls the whole blind"


def test_others_call_the_full_blind_of_a_short_stack():
    t = table(100, 100, 1, 100).deals({})
    assert posted(t)[-1] == (2, "big", 1, True)
    assert t.refuses("3 check") == "illegal_action"
    t.does("3 call")
    assert t.state.stacks[3] == 98


def test_the_next_hand_begins_with_the_button_moved():
    t = table(100, 100, 100).deals({}).does("0 fold", "1 fold").deals({})
    (begun,) = t.events(HandStarted)
    assert (begun.hand_no, begun.button, begun.small_blind, begun.big_blind) == (2, 1, 2, 0)
    assert begun.stacks == (100, 99, 101)


def test_a_seat_without_chips_is_not_dealt_in_and_leaves_a_dead_small_blind():
    t = table(100, 100, 20, 100).deals({0: ACES, 2: KINGS}, BOARD).does("3 fold", "0 raise 20", "1 fold", "2 all_in")
    assert t.state.stacks[2] == 0
    t.deals({})
    (begun,) = t.events(HandStarted)
    assert (begun.button, begun.small_blind, begun.big_blind) == (1, None, 3)
    assert begun.stacks[2] == 0
    assert t.state.hands[2] == ()
    assert posted(t) == [(3, "big", 2, False)]
    assert HOLDEM.to_act(t.state) == (0,)
    t.does("0 call", "1 call", "3 check")
    assert HOLDEM.to_act(t.state) == (3,), "the first left of the button"
    t.does(*["3 check", "0 check", "1 check"] * 3).deals({})
    (begun,) = t.events(HandStarted)
    assert (begun.button, begun.small_blind, begun.big_blind) == (2, 3, 0), "the button is where nobody sits"


def test_uncalled_big_blind_without_a_small_blind_wins_nothing():
    """The uncalled bet is returned, and no chips are left to win."""
    t = table(100, 100, 20, 100).deals({0: ACES, 2: KINGS}, BOARD).does("3 fold", "0 raise 20", "1 fold", "2 all_in")
    t.deals({}).does("0 fold", "1 fold")
    assert t.kinds() == ["PlayerFolded", "BetsCollected", "BetReturned", "HandSettled"]
    assert t.state.stacks == (121, 99, 0, 100)


# --- The end of a hand ----------------------------------------------------------------------------------


def test_last_player_in_the_hand_shows_no_cards():
    t = table(100, 100, 100).deals({}, BOARD).does("0 raise 10", "1 fold", "2 fold")
    assert t.kinds() == [
        "PlayerFolded",
        "BetsCollected",
        "BetReturned",
        "PotsFormed",
        "PotAwarded",
        "HandSettled",
    ]
    assert t.events(BetReturned)[0].amount == 8
    (award,) = t.events(PotAwarded)
    assert (award.amount, award.category) == (5, None)


def test_first_seat_left_of_the_button_shows_first_without_a_river_bet():
    """An earlier bet does not matter."""
    t = table(100, 100).deals({0: ACES, 1: KINGS}, BOARD)
    t.does("0 raise 6", "1 call", "1 check", "0 bet 10", "1 call", "1 check", "0 check", "1 check", "0 check")
    assert [e.seat for e in t.events(HandShown)] == [1, 0]


def test_river_bettor_shows_first_and_the_beaten_hand_is_mucked():
    t = table(100, 100).deals({0: ACES, 1: KINGS}, BOARD)
    t.does("0 call", "1 check", "1 check", "0 check", "1 check", "0 check", "1 check", "0 bet 10", "1 call")
    (shown,) = t.events(HandShown)
    assert (shown.seat, shown.category) == (0, "one_pair")
    assert card_names(shown.best_five) == ["AH", "AS", "QD", "JS", "9H"]
    assert [e.seat for e in t.events(HandMucked)] == [1]
    assert t.events(HandSettled)[0].stacks == (112, 88)


def test_with_show_all_every_hand_is_shown():
    t = table(100, 100, show_all=True).deals({0: ACES, 1: KINGS}, BOARD)
    t.does("0 call", "1 check", "1 check", "0 check", "1 check", "0 check", "1 check", "0 bet 10", "1 call")
    assert [e.seat for e in t.events(HandShown)] == [0, 1]


def test_all_in_hands_are_shown_before_the_board():
    t = table(100, 60).deals({0: ACES, 1: KINGS}, BOARD).does("0 raise 70", "1 all_in")
    assert t.kinds() == [
        "PlayerCalled", "BetsCollected", "BetReturned", "PotsFormed", "HandShown", "HandShown",
        "BoardDealt", "BoardDealt", "BoardDealt", "PotAwarded", "HandSettled", "GameEnded",
    ]  # fmt: skip
    assert t.events(BetReturned)[0].amount == 10
    assert all(e.category is None and e.best_five is None for e in t.events(HandShown))
    assert [e.street for e in t.events(BoardDealt)] == ["flop", "turn", "river"]
    assert t.events(PotAwarded)[0].category == "one_pair"


def test_without_show_all_in_hands_are_shown_after_the_board():
    t = table(100, 60, show_all_in=False).deals({0: ACES, 1: KINGS}, BOARD).does("0 raise 70", "1 all_in")
    assert t.kinds()[4:9] == ["BoardDealt", "BoardDealt", "BoardDealt", "HandShown", "HandMucked"]


def test_no_hand_is_mucked_after_an_all_in():
    t = table(10, 100, 100).deals({0: ACES, 1: KINGS, 2: QUEENS}, DRY)
    t.does("0 all_in", "1 call", "2 call", "1 check", "2 check", "1 check", "2 check", "1 bet 20", "2 call")
    assert [e.seat for e in t.events(HandShown)] == [1, 2, 0]
    assert won(t) == [(1, {1: 40}), (0, {0: 30})]


def test_betting_continues_while_one_seat_is_all_in():
    t = table(10, 100, 100).deals({}, BOARD).does("0 all_in", "1 call", "2 call")
    assert t.events(PotsFormed)[0].pots[0].amount == 30
    assert t.kinds()[-3:] == ["BoardDealt", "BettingOpened", "ActionOn"]
    assert HOLDEM.to_act(t.state) == (1,)


def test_side_pots_are_awarded_from_the_last_to_the_main_pot():
    t = table(20, 50, 100, 100, button=3).deals({0: ACES, 1: KINGS, 2: QUEENS, 3: "2D JC"}, DRY)
    t.does("2 raise 80", "3 call", "0 all_in", "1 all_in")
    assert [(p.amount, p.eligible) for p in t.events(PotsFormed)[-1].pots] == [
        (80, (0, 1, 2, 3)), (90, (1, 2, 3)), (60, (2, 3)),
    ]  # fmt: skip
    t.does(*["2 check", "3 check"] * 3)
    assert won(t) == [(2, {2: 60}), (1, {1: 90}), (0, {0: 80})]
    assert t.state.stacks == (80, 90, 80, 20)


def test_a_split_pot_gives_the_odd_chip_to_the_left_of_the_button():
    t = table(100, 100, 100, small_blind=1, big_blind=3).deals({0: "AS KH", 2: "AH KS"}, BOARD)
    t.does("0 call", "1 fold", "2 check", *["2 check", "0 check"] * 3)
    assert won(t) == [(0, {2: 4, 0: 3})]


def test_big_blind_ante_is_dead_money_in_the_main_pot():
    """A seat that is all-in for only the blind can still win the whole ante."""
    t = table(2, 100, 100, ante=5, ante_mode="big_blind").deals({0: ACES, 2: KINGS}, BOARD)
    t.does("0 all_in", "1 fold")
    assert won(t) == [(0, {0: 10})]
    assert t.state.stacks == (10, 99, 93)


def test_big_blind_ante_is_not_returned():
    t = table(100, 100, 100, ante=5, ante_mode="big_blind").deals({}).does("0 fold", "1 fold")
    assert t.events(BetReturned)[0].amount == 1
    assert won(t) == [(0, {2: 7})]


def test_antes_of_all_seats_count_towards_pot_levels():
    """A seat that is all-in with its ante can win only the antes."""
    t = table(3, 100, 100, ante=3).deals({0: ACES, 1: KINGS, 2: QUEENS}, DRY)
    t.does("1 call", "2 check", *["1 check", "2 check"] * 3)
    assert won(t) == [(1, {1: 4}), (0, {0: 9})]


# --- Cards shown of one's own accord, and refusals ------------------------------------------------------


def test_dealt_in_seat_may_show_between_two_hands():
    t = table(100, 100, 100).deals({0: ACES, 1: KINGS}).does("0 fold", "1 fold")
    assert t.refuses("0 show KS") == "card_not_in_hand"
    assert t.does("0 show AS").kinds() == ["CardsShown"]
    assert t.refuses("0 show AS AH") == "already_done"
    t.does("0 show AH", "1 show KS KH")
    assert HOLDEM.legal(t.state, 2)
    assert card_names(t.state.shown[0]) == ["AH", "AS"]


def test_cards_cannot_be_shown_during_a_hand():
    t = table(100, 100, 100).deals({0: ACES}).does("0 fold")
    assert t.refuses("0 show AS") == "wrong_phase"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("1 call", "not_your_turn"),
        ("0 swap", "wrong_phase"),
        ("0 check", "illegal_action"),
        ("0 raise 3", "below_minimum"),
    ],
)
def test_illegal_moves_are_refused_with_their_codes(action, code):
    assert table(100, 100, 100).deals({}).refuses(action) == code


def test_refused_raise_names_the_limits():
    t = table(100, 100, 100).deals({})
    assert t.explains("0 raise 3") == t.explains("0 raise 101") == "Raise to at least 4 and at most 100."
    assert t.explains("0 check") == ""
