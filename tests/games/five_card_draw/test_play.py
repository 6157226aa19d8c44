"""Tests Five-Card Draw: antes, the exchange, two betting rounds (five_card_draw 3)."""

from random import Random

import pytest

from domain.core.cards import card_names, hand
from domain.core.choices import Shuffle
from domain.core.game import CHANCE, answer_chance
from domain.core.visibility import view_event
from domain.poker.betting_events import (
    AntePosted,
    BetReturned,
    CardsSwapped,
    HandMucked,
    HandShown,
    HandStarted,
    PotAwarded,
    StockRanOut,
    StockRebuilt,
)
from domain.poker.betting_moves import SwapCards
from tests.poker.tables import DRAW, Poker, cards

ACES, KINGS, NOTHING = "AS AH 9C 5D 2C", "KS KH 8C 6D 3C", "QC JD 7S 4H 2D"


def table(*stacks, button=0, **options):
    return Poker(DRAW, stacks, button, **options)


def test_antes_begin_left_of_the_button_and_are_not_bets():
    t = table(100, 100, 1, ante=2).deals({})
    assert [(e.seat, e.amount, e.all_in) for e in t.events(AntePosted)] == [
        (1, 2, False),
        (2, 1, True),
        (0, 2, False),
    ]
    assert DRAW.to_act(t.state) == (1,)
    assert t.does("1 check", "0 check").kinds()[0] == "PlayerChecked"
    assert t.state.phase == "draw"


def test_cards_are_dealt_one_at_a_time():
    t = table(100, 100).deals({})
    assert all(len(h) == 5 for h in t.state.hands)
    assert len(t.state.deck) == 42


def test_the_draw_goes_in_the_same_order_and_all_in_seats_draw_too():
    t = table(100, 100, 1).deals({}, "").does("1 bet 2", "0 call")
    assert DRAW.to_act(t.state) == (1,)
    assert t.refuses("2 swap") == "not_your_turn"
    t.does("1 swap")
    assert DRAW.to_act(t.state) == (2,)
    t.does("2 swap", "0 swap")
    assert t.state.phase == "bet2"
    assert DRAW.to_act(t.state) == (1,)


def test_no_action_follows_the_last_draw_before_the_next_round():
    t = table(100, 100).deals({}, "").does("1 check", "0 check", "1 swap")
    last = DRAW.decide(t.state, 0, SwapCards(()))
    evolved = t.state.copy()
    for event in last:
        DRAW.evolve(evolved, event)
    assert (evolved.phase, DRAW.to_act(evolved)) == ("draw", ())


def test_seat_exchanges_for_the_top_cards_hidden_from_others():
    t = table(100, 100).deals({1: "AS AD 7C 4H 2D"}, "KH 3S 9C").does("1 check", "0 check", "1 swap 7C 4H 2D")
    (event,) = t.events(CardsSwapped)
    assert (event.count, event.drawn) == (3, cards("KH 3S 9C"))
    assert t.state.hands[1] == hand("AS AD KH 3S 9C")
    others = view_event(event, 0)
    assert (others.count, others.discarded, others.drawn) == (3, None, None)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("1 swap AS AH 9C", "too_many_cards"),
        ("1 swap KS", "card_not_in_hand"),
        ("1 swap AS AS", "duplicate_card"),
        ("1 check", "wrong_phase"),
        ("0 swap", "not_your_turn"),
    ],
)
def test_invalid_exchanges_are_refused(action, code):
    t = table(100, 100, max_swap=2).deals({1: ACES}).does("1 check", "0 check")
    assert t.refuses(action) == code


def test_refusals_name_the_limits_of_exchanges_and_bets():
    t = table(100, 100, max_swap=2).deals({1: ACES})
    assert t.explains("1 bet 3") == "Bet to 2."
    t.does("1 check", "0 check")
    assert t.explains("1 swap AS AH 9C") == "Maximum number of cards: 2. You chose 3."
    assert t.explains("1 swap KS") == ""


def test_the_second_round_has_the_big_bet():
    t = table(100, 100).deals({1: ACES, 0: KINGS}).does("1 bet 2", "0 raise 4", "1 call", "1 swap", "0 swap")
    assert t.refuses("1 bet 2") == "wrong_bet_size"
    t.does("1 bet 4", "0 raise 8", "1 call")
    assert [e.seat for e in t.events(HandShown)] == [0, 1]
    assert t.events(PotAwarded)[0].amount == 26


def test_caller_mucks_a_beaten_hand():
    t = table(100, 100).deals({1: ACES, 0: KINGS}).does("1 check", "0 check", "1 swap", "0 swap", "1 bet 4", "0 call")
    assert [e.category for e in t.events(HandShown)] == ["one_pair"]
    assert [e.seat for e in t.events(HandMucked)] == [0]


def test_all_in_hands_are_shown_after_the_draw_without_a_second_round():
    t = table(9, 9, structure="no_limit").deals({1: ACES, 0: KINGS}).does("1 all_in", "0 call")
    assert t.kinds() == ["PlayerCalled", "BetsCollected", "PotsFormed", "DrawStarted"]
    t.does("1 swap")
    assert t.does("0 swap").kinds()[:4] == ["CardsSwapped", "DrawCompleted", "HandShown", "HandShown"]


def test_uncalled_bet_is_returned_before_the_draw():
    t = table(50, 9, structure="no_limit").deals({}).does("1 check", "0 bet 20", "1 call")
    assert t.events(BetReturned)[0].amount == 12


def test_hand_ends_before_the_draw_if_all_others_fold():
    t = table(100, 100).deals({}).does("1 bet 2", "0 fold")
    assert t.state.phase == "settled"
    assert t.events(PotAwarded)[0].category is None


def test_the_button_moves_to_the_next_seat_with_chips():
    t = table(100, 1, 100, 100, button=3).deals({0: ACES, 1: KINGS}).does("0 bet 2", "2 fold", "3 fold")
    t.does("0 swap", "1 swap")
    assert t.state.stacks[1] == 0
    assert t.deals({}).events(HandStarted)[0].button == 0
    t.does("2 fold", "3 fold")
    assert t.deals({}).events(HandStarted)[0].button == 2


def ran_out():
    """Of six seats, one folds and the others exchange five cards each: the stock has 22, so the fifth needs three
    more."""
    t = table(*[100] * 6).deals({1: NOTHING}).does("1 fold", *[f"{seat} check" for seat in (2, 3, 4, 5, 0)])
    for seat in (2, 3, 4, 5):
        t.does(f"{seat} swap {' '.join(card_names(t.state.hands[seat]))}")
    return t


def test_empty_stock_is_rebuilt_from_folded_and_discarded_cards():
    t = ran_out()
    gone = sorted((*hand(NOTHING), *(c for row in t.state.discards for c in row)))
    left, own = t.state.deck, t.state.hands[0]
    assert (len(gone), len(left)) == (25, 2)
    before = DRAW.view(t.state, 0)
    t.does(f"0 swap {' '.join(card_names(own))}")
    assert t.kinds() == ["StockRanOut"]
    assert view_event(t.events(StockRanOut)[0], 1).discarded is None
    ask = DRAW.ask(t.state)
    assert isinstance(ask, Shuffle)
    assert (ask.purpose, ask.items, ask.n) == ("redeal", tuple(gone), 0)
    shuffled = ask.items[::-1]
    t._do(CHANCE, ask.make(shuffled))
    assert t.events(StockRebuilt)[0].count == 25
    assert t.events(CardsSwapped)[0].drawn == (*left, *shuffled[:3])
    assert not set(own) & set(t.state.hands[0])
    assert t.state.phase == "bet2"
    after = DRAW.view(t.state, 0)
    assert after["folded"] == before["folded"] != []
    assert after["swapped"] == {**before["swapped"], "0": 5}


@pytest.mark.parametrize("seed", range(5))
def test_exchanged_cards_are_never_dealt_back_in_the_same_draw(seed):
    t = ran_out()
    own = t.state.hands[0]
    t.does(f"0 swap {' '.join(card_names(own))}")
    t._do(CHANCE, answer_chance(DRAW.ask(t.state), Random(seed)))
    assert not set(own) & set(t.state.hands[0])
