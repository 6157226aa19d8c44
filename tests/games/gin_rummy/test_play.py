"""Tests Gin Rummy, rule by rule and ruling by ruling."""

from functools import partial
from random import Random

import jsonschema
import pytest

from domain.core.cards import BACK, PACK, backs, card, card_names, drop_cards, hand
from domain.core.choices import Below, NoArguments, OneCard, Shuffle
from domain.core.game import CHANCE, answer_chance, fold, is_admitted, play_move, seen_by
from domain.core.scene import as_json
from domain.core.scene_pointers import add_titles, follow_pointer
from domain.games.gin_rummy import GAME, Options
from domain.games.gin_rummy.events import (
    BigGin,
    CardDiscarded,
    Deal,
    Discard,
    DiscardTaken,
    DrawFromDiscard,
    DrawFromStock,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandClosed,
    HandDealt,
    HandScored,
    HandShown,
    HandStarted,
    HandVoided,
    Knock,
    Knocked,
    Knocking,
    LaidOff,
    LayingDown,
    LayingOff,
    LayOff,
    PassUpcard,
    PickDealer,
    PointsNetted,
    StockDrawn,
    TakeUpcard,
    UpcardPassed,
    UpcardTurned,
)
from domain.games.gin_rummy.melds import LaidCard, in_order
from domain.games.gin_rummy.options import PRESETS, bad_options, most_hands, partnership, resolve, rotation
from domain.orders.json_schema import orders_schema
from tests.acceptance.reading import moved
from tests.games.gin_rummy.examples import dealt, holding, laid, topped

answer_to = partial(moved, GAME)
"""Return the refusal code of a seat's move, or the resulting state and events."""

GIN = hand("2C 3C 4C 5C 8D 8H 8S QC QD QH")
POOR = hand("2D 4D 6D 8C TD QS AH 3H 5H 7S")
CLUB = Options(**PRESETS["club"])


def melds(*rows):
    return tuple(in_order(hand(row)) for row in rows)


def pack(*firsts):
    """Return a pack that begins with these cards."""
    top = tuple(card(name) for row in firsts for name in row.split())
    return (*top, *drop_cards(PACK, top))


def game(options=None, seats=2, dealer=0, deck=PACK, **values):
    """Return a new game with this many seats, just dealt by this dealer."""
    state = GAME.start(options or Options(), seats, None)
    state.dealer = dealer
    for name, value in values.items():
        setattr(state, name, value)
    state, events = play_move(GAME, state, CHANCE, Deal(deck))
    while GAME.to_act(state) == (CHANCE,):
        state, more = play_move(GAME, state, CHANCE, Deal(deck))
        events += more
    return state, events


def after(state, *steps):
    """Return the state after these moves, each of a seat, and all events except the closing of the hand."""
    events = []
    for seat, move in steps:
        answer = answer_to(state, seat, move)
        assert not isinstance(answer, str), f"{move} is refused: {answer}"
        state, new = answer
        events += [event for event in new if not isinstance(event, HandClosed)]
    return state, events


def kinds(events):
    return [type(e).__name__ for e in events]


# --- Options (gin_rummy 1) -------------------------------------------------------------------------------


def test_default_options_equal_the_preset_seed():
    assert Options(**PRESETS["seed"]) == Options()
    assert (Options().knock_limit, Options().gin_bonus, Options().undercut_bonus) == (10, 25, 25)
    assert Options().rediscard_taken
    assert Options().big_gin_bonus is None


def test_default_target_is_100_or_125_for_partners():
    assert resolve({}, 2) == resolve({}, 3) == {"target_score": 100}
    assert resolve({"target_score": None}, 4) == {"target_score": 125}
    assert resolve({"target_score": 50}, 4) == {"target_score": 50}
    assert resolve({"players": 4}) == {"players": 4, "target_score": 125}
    assert resolve({"players": "many"}) == {"players": "many"}
    assert [GAME.start(Options(), n, None).rules.target for n in (2, 3, 4)] == [100, 100, 125]


def test_option_players_must_match_the_seats():
    assert not bad_options(Options(), 4)
    assert not bad_options(Options(players=3), 3)
    assert set(bad_options(Options(players=3), 2)) == {"players"}


def test_number_of_hands_is_unbounded():
    assert most_hands(Options(), 2) is None


# --- Deal and opening (gin_rummy 4) ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_dealer_is_drawn(seats):
    state = GAME.start(Options(), seats, None)
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.phase(state) == "hand_setup"
    assert GAME.view(state, 0)["phase"] == "hand_setup"
    assert GAME.ask(state) == Below(PickDealer, "first_dealer", seats)
    state, events = play_move(GAME, state, CHANCE, PickDealer(1))
    assert events == [GameStarted(1), FirstDealerChosen(1, "random")]
    assert GAME.ask(state) == Shuffle(Deal, "deal", PACK)


def test_cards_are_dealt_one_by_one_to_the_non_dealer_first():
    state, events = game(dealer=1)
    assert events[0] == HandStarted(1, 1, 1, ((0, 1),))
    assert events[2] == UpcardTurned(0, PACK[20])
    assert state.hands == (PACK[0:20:2], PACK[1:20:2])
    assert state.tables[0].stock == PACK[21:]
    assert len(PACK[21:]) == 31


def test_each_seat_sees_its_ten_cards_and_the_upcard():
    first = GAME.start(Options(), 2, None)
    first.dealer = 1
    _, events = play_move(GAME, first, CHANCE, Deal(PACK))
    own = seen_by(GAME, first, events, 0)
    assert own.hands == (PACK[0:20:2], backs(10))
    assert own.tables[0].stock == backs(31)
    assert own.tables[0].pile == (PACK[20],)
    table = GAME.view(own, 0)
    assert (table["hand"], table["hands"][1], table["hand_counts"]) == (card_names(PACK[0:20:2]), [], [10, 10])
    assert (table["stock_count"], table["discard_top"], table["phase"]) == (
        31,
        card_names(PACK)[20],
        "offer_nondealer",
    )
    assert GAME.view(seen_by(GAME, first, events, None), None)["hand"] == []


def test_the_upcard_is_offered_to_the_non_dealer_first():
    state, _ = game(dealer=1)
    assert (GAME.phase(state), GAME.to_act(state)) == ("offer_nondealer", (0,))
    assert [one.make for one in GAME.legal(state, 0)] == [TakeUpcard, PassUpcard]
    assert answer_to(state, 1, TakeUpcard()) == "not_your_turn"
    assert answer_to(state, 0, DrawFromStock()) == "wrong_phase"
    state, events = after(state, (0, TakeUpcard()))
    assert events == [DiscardTaken(0, PACK[20], upcard=True)]
    assert (GAME.phase(state), len(state.hands[0]), state.tables[0].pile) == ("discard", 11, ())


def test_move_has_the_same_name_in_offers_and_orders():
    ordered = orders_schema(GAME)["properties"]["orders"]["items"]["properties"]["do"]["items"]["anyOf"]
    called = {one["properties"]["move"]["const"]: one["title"] for one in ordered}
    offered = add_titles("take_upcard", TakeUpcard, NoArguments(TakeUpcard).schema())
    assert called["take_upcard"] == offered["title"] == "Take the upcard"
    assert called["draw_from_stock"] == "Draw from stock"


def test_after_the_dealer_takes_the_upcard_the_non_dealer_has_a_normal_turn():
    state, _ = game(dealer=1)
    state, events = after(state, (0, PassUpcard()), (1, TakeUpcard()), (1, Discard(PACK[1])))
    assert events[0] == UpcardPassed(0)
    assert (GAME.phase(state), GAME.to_act(state)) == ("draw", (0,))


def test_if_both_pass_the_non_dealer_must_draw_from_the_stock():
    """See (gin_rummy 10.2)."""
    state, _ = game(dealer=1)
    state, _ = after(state, (0, PassUpcard()), (1, PassUpcard()))
    assert (GAME.phase(state), GAME.to_act(state)) == ("must_draw_stock", (0,))
    assert GAME.legal(state, 0) == (NoArguments(DrawFromStock),)
    assert answer_to(state, 0, DrawFromDiscard()) == "must_draw_from_stock"
    assert answer_to(state, 1, DrawFromDiscard()) == "not_your_turn"
    state, events = after(state, (0, DrawFromStock()))
    assert events == [StockDrawn(0, 30, PACK[21])]
    assert state.tables[0].pile == (PACK[20],)


# --- Turns (gin_rummy 5) -----------------------------------------------------------------------------------


def turn(options=None, deck=PACK):
    """Return a hand in which both seats have passed and then drawn and discarded, and seat 0 is to draw."""
    state, _ = game(options, dealer=1, deck=deck)
    steps = [(0, PassUpcard()), (1, PassUpcard()), (0, DrawFromStock()), (0, Discard(deck[0]))]
    return after(state, *steps, (1, DrawFromStock()), (1, Discard(deck[1])))[0]


def test_a_turn_is_a_draw_and_a_discard():
    state = turn()
    assert GAME.legal(state, 0) == (NoArguments(DrawFromStock), NoArguments(DrawFromDiscard))
    assert answer_to(state, 0, Discard(PACK[2])) == "wrong_phase"
    state, events = after(state, (0, DrawFromDiscard()))
    assert events == [DiscardTaken(0, PACK[1], upcard=False)]
    assert state.tables[0].pile == (PACK[20], PACK[0])
    assert answer_to(state, 0, DrawFromStock()) == "wrong_phase"
    assert answer_to(state, 1, Discard(PACK[3])) == "not_your_turn"
    assert answer_to(state, 0, Discard(PACK[3])) == "card_not_in_hand"
    state, events = after(state, (0, Discard(PACK[2])))
    assert events == [CardDiscarded(0, PACK[2])]
    assert (GAME.phase(state), GAME.to_act(state)) == ("draw", (1,))
    assert GAME.view(state, None)["tables"][0]["discards"] == card_names((PACK[20], PACK[0], PACK[2]))


def test_only_the_drawing_seat_sees_a_card_from_the_stock():
    before = turn()
    after_all, events = after(before, (0, DrawFromStock()))
    other = seen_by(GAME, before, events, 1)
    assert other.hands[0].count(BACK) == 1
    assert len(other.tables[0].stock) == len(after_all.tables[0].stock)
    drawn = card_names([events[0].card])[0]
    assert GAME.words.text(events[0]).endswith(f"drew {drawn} from the stock; {events[0].stock_count} left.")


def test_a_card_taken_from_the_pile_stays_known():
    first = GAME.start(Options(), 2, None)
    first.dealer = 1
    state, events = play_move(GAME, first, CHANCE, Deal(PACK))
    state, more = after(state, (0, TakeUpcard()), (0, Discard(PACK[0])))
    own = seen_by(GAME, first, [*events, *more], 1)
    assert GAME.view(own, 1)["hands"][0] == [card_names(PACK)[20]]


@pytest.mark.parametrize(
    ("options", "taken", "refused"),
    [(Options(), True, None), (CLUB, True, "may_not_return_taken_card"), (CLUB, False, None)],
)
@pytest.mark.parametrize("make", [Discard, Knock])
def test_card_just_taken_can_be_discarded_if_allowed(options, taken, refused, make):
    """See (gin_rummy 10.3)."""
    c = card("KS")
    state = holding(options, {0: (*GIN, c)}, taken=c if taken else None)
    answer = answer_to(state, 0, make(c))
    assert (answer if isinstance(answer, str) else None) == refused
    assert (c in GAME.legal(state, 0)[0].of) == (refused is None)
    assert (c in GAME.legal(state, 0)[1].of) == (refused is None)


def test_pile_is_locked_after_too_many_takes_in_a_row():
    """See (gin_rummy 10.4); the upcard counts as well, and a draw from the stock unlocks the pile."""
    state, _ = game(Options(max_pile_takes=3), dealer=1)
    back_and_forth = [(0, TakeUpcard()), (0, Discard(PACK[20]))]
    for seat in (1, 0):
        back_and_forth += [(seat, DrawFromDiscard()), (seat, Discard(PACK[20]))]
    state, _ = after(state, *back_and_forth)
    assert GAME.legal(state, 1) == (NoArguments(DrawFromStock),)
    assert answer_to(state, 1, DrawFromDiscard()) == "pile_locked"
    state, _ = after(state, (1, DrawFromStock()), (1, Discard(PACK[1])), (0, DrawFromDiscard()))
    assert state.tables[0].pile_takes == 1


# --- Void hands (gin_rummy 5, 10.8) ------------------------------------------------------------------------


@pytest.mark.parametrize(("floor", "stock", "void"), [(2, 3, False), (2, 2, True), (0, 1, False), (0, 0, True)])
def test_hand_is_void_when_a_discard_leaves_too_few_cards_in_the_stock(floor, stock, void):
    state = holding(Options(stock_floor=floor), {0: (*POOR, card("KS"))}, stock=PACK[:stock])
    state, events = after(state, (0, Discard(card("KS"))))
    assert kinds(events) == ["CardDiscarded"] + ["HandVoided"] * void
    if void:
        assert events[1] == HandVoided(0, stock)
        assert state.scores == (0, 0)


def test_seat_that_draws_the_last_available_card_may_still_knock():
    state = holding(Options(), {0: (*GIN, card("KS")), 1: POOR}, stock=PACK[:2])
    _, events = after(state, (0, Knock(card("KS"))))
    assert kinds(events) == ["Knocked", "HandShown", "HandScored"]


def test_same_dealer_deals_again_after_a_void_hand():
    state = holding(Options(), {0: (*POOR, card("KS"))}, stock=PACK[:2])
    state, _ = after(state, (0, Discard(card("KS"))))
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.ask(state) == Shuffle(Deal, "deal", PACK)
    _, events = play_move(GAME, state, CHANCE, Deal(PACK))
    assert events[0] == HandStarted(2, 2, 1, ((0, 1),))


# --- Knock and gin (gin_rummy 6) ---------------------------------------------------------------------------

TEN = hand("AC AD AH 5S 6S 7S KC KD 2H 3H")
SPARE = card("JD")


def knocking(ten=TEN, spare=SPARE, options=None, **more):
    return holding(options or Options(), {0: tuple(sorted((*ten, spare))), 1: POOR}, **more)


@pytest.mark.parametrize(
    ("move", "refused"),
    [
        (Knock(SPARE), "too_much_deadwood"),
        (Knock(card("2D")), "card_not_in_hand"),
        (Knock(card("KC"), melds("AC AD AH", "9C 9D 9H")), "card_not_in_hand"),
        (Knock(card("KC"), (hand("AC AD AH")[:1] * 3,)), "duplicate_card"),
        (Knock(card("KC"), melds("AC AD KD")), "bad_meld"),
        (Knock(card("AC"), melds("AC AD AH")), "bad_meld"),
        (Knock(card("KC"), melds("AC AD AH", "AH 2H 3H")), "melds_overlap"),
        (Knock(card("KC"), melds("AC AD KD", "AH 2H 3H")), "bad_meld"),
        (Knock(card("KC"), melds("AC AD AH")), "too_much_deadwood"),
        (Knock(card("KC"), ()), "too_much_deadwood"),
        (BigGin(), "wrong_phase"),
        (LayOff(), "wrong_phase"),
    ],
)
def test_invalid_knocks_are_refused(move, refused):
    assert answer_to(knocking(), 0, move) == refused
    assert answer_to(knocking(), 1, Knock(SPARE)) == "not_your_turn"


def test_melds_are_arranged_by_the_server_or_by_the_player():
    """See (gin_rummy 10.5)."""
    state = knocking(hand("AC AD AH 5S 6S 7S 8S 2H 3H 4D"))
    _, events = after(state, (0, Knock(SPARE)))
    assert events[0] == Knocked(0, SPARE, melds("AH 2H 3H", "5S 6S 7S 8S"), hand("AC AD 4D"), 6, gin=False)
    declared = (hand("5S 6S 7S 8S")[::-1], hand("AC AD AH"))  # worth more deadwood, and in the player's own order
    _, events = after(state, (0, Knock(SPARE, declared)))
    own = melds("5S 6S 7S 8S", "AC AD AH")
    assert events[0] == Knocked(0, SPARE, own, hand("2H 3H 4D"), 9, gin=False)


def test_deadwood_counts_as_declared():
    ten = hand("AC AD AH 5S 6S 7S KC KD KH 2H")
    short = Knock(SPARE, melds("AC AD AH", "KC KD KH"))
    assert answer_to(knocking(ten, options=Options(knock_limit=10)), 0, short) == "too_much_deadwood"
    _, events = after(knocking(ten), (0, Knock(SPARE, melds("5S 6S 7S", "KC KD KH"))))
    assert (events[0].value, events[0].deadwood) == (5, hand("AC AD AH 2H"))


def test_a_knock_shows_the_hand_and_the_discard():
    state, events = after(knocking(GIN, card("KS")), (0, Knock(card("KS"))))
    assert events[0].gin
    assert state.tables[0].pile[-1] == card("KS")
    before = knocking(hand("AC AD AH 5S 6S 7S 8S 2H 3H 4D"))
    state, events = after(before, (0, Knock(SPARE)))
    assert GAME.to_act(state) == (1,)
    hidden = before.copy()
    hidden.hands = (backs(11), before.hands[1])
    assert fold(GAME, hidden, events).hands[0] == state.hands[0]


def test_knock_without_deadwood_is_gin():
    _, events = after(knocking(GIN, card("KS")), (0, Knock(card("KS"))))
    assert kinds(events) == ["Knocked", "HandShown", "HandScored"]
    assert events[1] == HandShown(1, (), POOR, 56)
    assert (events[2].kind, events[2].points) == ("gin", (25 + 56, 0))


def test_gin_needs_no_limit():
    _, events = after(knocking(GIN, card("KS"), Options(knock_limit=0)), (0, Knock(card("KS"))))
    assert events[-1].kind == "gin"


def test_knocking_and_gin_are_optional():
    """See (gin_rummy 10.11)."""
    assert OneCard(Discard, tuple(sorted((*GIN, card("KS"))))) in GAME.legal(knocking(GIN, card("KS")), 0)


def test_knocking_is_offered_if_and_only_if_a_discard_allows_it():
    assert [c.make for c in GAME.legal(knocking(), 0)] == [Discard]
    state = knocking(hand("AC AD AH 5S 6S 7S 8S 2H 3H 4D"))
    choice = GAME.legal(state, 0)[1]
    assert choice == Knocking(state.hands[0], (SPARE,), 10)
    assert not choice.exact
    assert choice.sample(Random(1)) == Knock(SPARE)
    assert answer_to(state, 0, Knock(card("4D"))) == "too_much_deadwood"


def test_big_gin_lays_down_all_eleven():
    state = knocking(GIN, card("6C"), CLUB)
    assert GAME.legal(state, 0)[2] == LayingDown(state.hands[0])
    _, events = after(state, (0, BigGin()))
    assert events[0] == Knocked(0, None, melds("2C 3C 4C 5C 6C", "QC QD QH", "8D 8H 8S"), (), 0, gin=True)
    assert (events[-1].kind, events[-1].points) == ("big_gin", (31 + 56, 0))


def test_big_gin_is_offered_only_with_a_bonus():
    choices = GAME.legal(knocking(GIN, card("6C")), 0)
    assert [choice.make for choice in choices] == [Discard, Knock]
    assert [choice.make for choice in GAME.legal(knocking(GIN, card("KS"), CLUB), 0)] == [Discard, Knock]


@pytest.mark.parametrize(
    ("spare", "move", "refused"),
    [
        ("KS", BigGin(), "not_all_melded"),
        ("6C", BigGin(melds("8D 8H 8S", "QC QD QH")), "not_all_melded"),
        ("6C", BigGin(melds("8D 8H 8S", "QC QD QH", "2C 3C 4C 6C")), "bad_meld"),
        ("6C", BigGin(melds("2C 3C 4C", "4C 5C 6C")), "melds_overlap"),
        ("6C", BigGin(melds("7C 8C 9C")), "card_not_in_hand"),
    ],
)
def test_invalid_big_gins_are_refused(spare, move, refused):
    assert answer_to(knocking(GIN, card(spare), CLUB), 0, move) == refused


# --- Lay-off (gin_rummy 7) ---------------------------------------------------------------------------------


def answering(onto=("2D 3D 4D", "9C 9D 9S", "JC JD JH"), held="5D 6D 9H QS TC TH TS 3C 7C 2S", **said):
    knock = laid(melds(*onto), discard=card("KS"), **said)
    return fold(GAME, holding(Options(), {1: hand(held)}), [knock])


def test_lay_off_points_to_the_hand_and_the_knockers_melds():
    state = answering()
    scene, where = as_json(GAME.scene(state, 1)), GAME.answers.where(state, 1)[LayOff]
    assert follow_pointer(scene, where["layoffs.card"])["seat"] == 1
    laid_down = [
        [spot["card"] for spot in follow_pointer(scene, pointer)["spots"]] for pointer in where["layoffs.meld"]
    ]
    assert laid_down == [["2D", "3D", "4D"], ["9C", "9D", "9S"], ["JC", "JD", "JH"]]


def off(*rows):
    return tuple(LaidCard(card(name), i) for name, i in rows)


@pytest.mark.parametrize(
    ("move", "refused"),
    [
        (LayOff(None, off(("6D", 0))), "bad_layoff"),
        (LayOff(None, off(("QS", 2))), "bad_layoff"),
        (LayOff(None, off(("5D", 3))), "bad_layoff"),
        (LayOff(None, off(("5D", 0), ("5D", 0))), "duplicate_card"),
        (LayOff(None, off(("AD", 0))), "card_not_in_hand"),
        (LayOff(melds("TC TH TS"), off(("TC", 1))), "bad_layoff"),
        (LayOff(melds("TC TH 9H"), off(("QS", 1))), "bad_meld"),
        (LayOff(melds("TC TH TS", "TC TH TS")), "melds_overlap"),
        (LayOff(melds("AC 2C 3C")), "card_not_in_hand"),
        (Discard(card("5D")), "wrong_phase"),
    ],
)
def test_invalid_lay_offs_are_refused(move, refused):
    assert answer_to(answering(), 1, move) == refused
    assert answer_to(answering(), 0, LayOff()) == "not_your_turn"


def test_several_cards_can_be_laid_off_in_order():
    state, events = after(answering(), (1, LayOff((), off(("5D", 0), ("9H", 1), ("6D", 0)))))
    assert events[0] == LaidOff(1, (), off(("5D", 0), ("9H", 1), ("6D", 0)), hand("3C 7C TC TH 2S TS QS"), 52)
    assert state.hands[1] == hand("5D 6D 9H QS TC TH TS 3C 7C 2S")


def test_automatic_answer_leaves_the_least_deadwood():
    _, events = after(answering(), (1, LayOff()))
    assert events[0].melds == melds("TC TH TS")
    assert events[0].layoffs == off(("5D", 0), ("6D", 0), ("9H", 1))
    assert events[0].deadwood == hand("3C 7C 2S QS")


def test_no_card_can_be_laid_off_after_gin():
    """See (gin_rummy 10.9)."""
    state = holding(Options(), {0: (*GIN, card("KS")), 1: hand("6C 7C 8C TC QS AC AD 3H 4H 5H")})
    state, events = after(state, (0, Knock(card("KS"))))
    assert events[1] == HandShown(1, melds("6C 7C 8C", "3H 4H 5H"), hand("AC TC AD QS"), 22)
    assert GAME.to_act(state) == (CHANCE,)


# --- Scoring (gin_rummy 8) ---------------------------------------------------------------------------------


def scored(k, d, **options):
    """Return the score of a knock with k against d; the defender cannot improve the hand."""
    held = {3: "AC 2D", 8: "3C 5D", 30: "KC KD TS", 5: "AC 4D"}[d]
    state = holding(Options(**options), {1: hand(held)})
    state = fold(GAME, state, [laid((), discard=card("KS"), value=k)])
    return after(state, (1, LayOff()))[1][-1]


@pytest.mark.parametrize(
    ("k", "d", "points"),
    [
        (5, 30, {"signed": (25, 0), "difference": (25, 0), "bonus": (25, 0)}),
        (8, 8, {"signed": (0, 0), "difference": (0, 0), "bonus": (0, 25)}),
        (8, 3, {"signed": (-5, 0), "difference": (0, 5), "bonus": (0, 30)}),
    ],
)
def test_undercut_is_scored_by_the_option(k, d, points):
    """See (gin_rummy 10.7)."""
    for undercut, row in points.items():
        event = scored(k, d, undercut=undercut)
        assert isinstance(event, HandScored)
        assert event.points == event.totals == row
        assert event.kind == ("knock" if d > k else "undercut")
        assert event.values == (k, d)
        assert event.boxes == tuple(int(n > 0) for n in row)


def test_the_undercut_bonus_may_be_changed():
    assert scored(8, 3, undercut_bonus=10).points == (0, 15)


def test_a_total_that_reaches_the_target_ends_the_game():
    """See (gin_rummy 10.12)."""
    state = knocking(GIN, card("KS"))
    state.scores, state.boxes = (100 - 81, 90), (1, 4)
    state, events = after(state, (0, Knock(card("KS"))))
    assert events[-1] == GameEnded((100, 90), (1, 2), (0,), (2, 4), (0, 10), "target_score")
    assert GAME.outcome(state).winners == (0,)
    assert (GAME.to_act(state), GAME.phase(state), GAME.view(state, 0)["phase"]) == (
        (),
        "game_over",
        "game_over",
    )
    state = knocking(GIN, card("KS"))
    state.scores = (99 - 81, 99)
    assert not isinstance(after(state, (0, Knock(card("KS"))))[1][-1], GameEnded)


@pytest.mark.parametrize(("boxes", "margin"), [((1, 0), 10 + 100 + 50), ((1, 4), 10 + 100)])
def test_bonuses_increase_only_the_margin(boxes, margin):
    state = knocking(GIN, card("KS"), CLUB)
    state.scores, state.boxes = (100 - 81, 90), boxes
    ended = after(state, (0, Knock(card("KS"))))[1][-1]
    assert (ended.totals, ended.margins, ended.winners) == ((100, 90), (0, margin), (0,))


@pytest.mark.parametrize(
    ("rule", "knocker_wins", "next_dealer"),
    [
        ("alternate", True, 0),
        ("alternate", False, 0),
        ("winner", True, 0),
        ("winner", False, 1),
        ("loser", True, 1),
        ("loser", False, 0),
    ],
)
def test_next_dealer_follows_the_option(rule, knocker_wins, next_dealer):
    """Seat 1 dealt, and seat 0 knocks."""
    state = holding(Options(next_dealer=rule), {1: hand("AC 2D") if not knocker_wins else hand("KC KD TS")})
    state = fold(GAME, state, [laid((), discard=card("KS"), value=5)])
    state, _ = after(state, (1, LayOff()))
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0].dealer == next_dealer


def test_loser_deals_first_in_the_next_game():
    state = knocking(GIN, card("KS"))
    state.scores, state.game_no, state.hand_no = (99, 0), 3, 7
    last, _ = after(state, (0, Knock(card("KS"))))
    again = GAME.start(Options(), 2, last)
    assert GAME.ask(again) == Shuffle(Deal, "deal", PACK)
    again, events = play_move(GAME, again, CHANCE, Deal(PACK))
    assert events[:3] == [GameStarted(4), FirstDealerChosen(1, "loser"), HandStarted(8, 1, 1, ((0, 1),))]
    assert again.scores == (0, 0)


def test_after_a_drawn_game_the_dealer_is_drawn_again():
    state, _ = game()
    (drawn,) = GAME.leaving.stop(state, (), "draw")
    again = GAME.start(Options(), 2, fold(GAME, state, [drawn]))
    assert GAME.ask(again) == Below(PickDealer, "first_dealer", 2)
    assert GAME.outcome(fold(GAME, state, [drawn])).winners == ()


# --- Three, by rotation (gin_rummy 9) ----------------------------------------------------------------------


def test_seat_that_sits_out_counts_as_dealer():
    assert [rotation(seat, 1) for seat in range(3)] == [((1, 2),), ((2, 0),), ((0, 1),)]
    state, events = game(seats=3, dealer=1)
    assert events[0] == HandStarted(1, 1, 1, ((2, 0),))
    assert [len(h) for h in state.hands] == [10, 0, 10]
    assert (GAME.to_act(state), GAME.legal(state, 1)) == ((2,), ())
    assert answer_to(state, 1, PassUpcard()) == "not_your_turn"
    assert GAME.view(state, 1)["sits_out"] == [1]
    assert GAME.view(state, 1)["phase"] == "offer_nondealer"


@pytest.mark.parametrize(("held", "loser"), [("KC KD TS", 0), ("AC 2D", 2)])
@pytest.mark.parametrize("rule", ["alternate", "winner", "loser"])
def test_the_loser_of_a_hand_sits_out_next(held, loser, rule):
    """After an undercut, the knocker is the loser."""
    state, _ = game(Options(next_dealer=rule), seats=3, dealer=1)
    state.hands = (hand(held), (), state.hands[2])
    state = fold(GAME, state, [Knocked(2, card("KS"), (), (), 5, gin=False)])
    state, events = after(state, (0, LayOff()))
    assert events[-1].values == (30 if loser == 0 else 3, None, 5)
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0].dealer == loser


def test_a_void_hand_is_replayed_by_the_same_two():
    state, _ = game(seats=3, dealer=1)
    state = fold(GAME, state, [HandVoided(0, 2)])
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0].pairs == ((2, 0),)


def test_each_of_three_has_its_own_total():
    state, _ = game(seats=3, dealer=1, scores=(10, 95, 90))
    state = fold(GAME, state, [Knocked(2, card("KS"), (), (), 0, gin=True)])
    state = fold(GAME, state, GAME.consequences(state))
    state = fold(GAME, state, GAME.consequences(state))
    state = fold(GAME, state, GAME.consequences(state))
    (ended,) = GAME.consequences(state)
    assert (ended.winners, ended.ranking) == ((2,), (3, 2, 1))
    assert ended.margins == (ended.totals[2] - 10, ended.totals[2] - 95, 0)


# --- Four, in partnership (gin_rummy 9) --------------------------------------------------------------------


def test_partners_meet_one_opponent_and_the_other_in_turn():
    assert partnership(0, 1) == ((1, 0), (3, 2))
    assert partnership(1, 2) == ((0, 3), (2, 1))
    assert partnership(2, 3) == ((1, 0), (3, 2))
    assert partnership(3, 1) == ((0, 1), (2, 3))


def test_partners_play_two_hands_concurrently_with_two_packs():
    state = GAME.start(Options(), 4, None)
    state.dealer = 0
    state, events = play_move(GAME, state, CHANCE, Deal(PACK))
    assert kinds(events) == ["HandStarted", "HandDealt", "UpcardTurned"]
    assert (GAME.to_act(state), GAME.ask(state)) == ((CHANCE,), Shuffle(Deal, "deal", PACK, 1))
    state, events = play_move(GAME, state, CHANCE, Deal(PACK[::-1]))
    assert events == [
        HandDealt(
            1,
            (0, 0, 10, 10),
            ((), (), tuple(sorted(PACK[::-1][1:20:2])), tuple(sorted(PACK[::-1][0:20:2]))),
            PACK[::-1][21:],
        ),
        UpcardTurned(1, PACK[::-1][20]),
    ]
    assert GAME.to_act(state) == (1, 3)
    assert [t.pair for t in state.tables] == [(1, 0), (3, 2)]
    state, _ = after(state, (3, PassUpcard()), (1, TakeUpcard()), (2, TakeUpcard()))
    assert GAME.to_act(state) == (1, 2)
    assert [GAME.view(state, seat)["phase"] for seat in range(4)] == ["discard"] * 4
    state, _ = after(state, (1, Discard(state.hands[1][0])))
    assert GAME.phase(state) == "playing"
    assert [GAME.view(state, seat)["phase"] for seat in (0, 3)] == ["draw", "discard"]
    assert GAME.view(state, None)["phase"] == "playing"
    assert answer_to(state, 1, TakeUpcard()) == "wrong_phase"


def both(state, first, second):
    """End both tables of a hand in this way; return all resulting events."""
    events = []
    for ending in (first, second):
        state = fold(GAME, state, [ending])
        events.append(ending)
        while happening := GAME.consequences(state):
            state = fold(GAME, state, happening)
            events += happening
    return state, events


def ends(table, points, state):
    return HandScored(table, "knock", 0, 1, (None,) * 4, points, state.scores, state.boxes)


def test_the_points_of_both_tables_are_netted():
    state, _ = game(seats=4, scores=(10, 0, 10, 0))
    state, events = both(state, ends(0, (0, 30, 0, 0), state), ends(1, (0, 0, 45, 0), state))
    assert events[-1] == PointsNetted((15, 0, 15, 0), (25, 0, 25, 0), (1, 0, 1, 0))
    state, events = game(seats=4)
    state, events = both(state, ends(0, (0, 30, 0, 0), state), HandVoided(1, 2))
    assert events[-1] == PointsNetted((0, 30, 0, 30), (0, 30, 0, 30), (0, 1, 0, 1))


def test_hand_of_four_is_over_once_both_tables_are():
    state, _ = game(seats=4)
    state = fold(GAME, state, [HandVoided(0, 2)])
    assert GAME.consequences(state) == ()
    assert GAME.to_act(state) == (3,)
    assert answer_to(state, 1, PassUpcard()) == "wrong_phase"
    assert GAME.consequences(fold(GAME, state, [HandVoided(1, 2)])) == (HandClosed(1),)


def test_one_finished_table_of_four_scores_nothing_yet():
    state, _ = game(seats=4)
    state = fold(GAME, state, [Knocked(1, card("KS"), (), (), 3, gin=False)])
    state, events = after(state, (0, LayOff()))
    assert sum(events[-1].points) > 0
    assert events[-1].totals == events[-1].boxes == state.scores == (0,) * 4


@pytest.mark.parametrize(
    ("rule", "points", "dealer"),
    [
        ("alternate", (5, 0, 0, 0), 1),
        ("winner", (5, 0, 0, 0), 0),
        ("winner", (0, 5, 0, 0), 1),
        ("loser", (5, 0, 0, 0), 1),
        ("loser", (0, 5, 0, 0), 0),
        ("winner", (0, 0, 0, 0), 1),
        ("loser", (0, 0, 0, 0), 1),
    ],
)
def test_partners_meet_the_other_opponents_in_the_next_round(rule, points, dealer):
    state, _ = game(Options(next_dealer=rule), seats=4, dealer=0)
    state, _ = both(state, ends(0, points, state), HandVoided(1, 2))
    started = play_move(GAME, state, CHANCE, Deal(PACK))[1][0]
    assert started.dealer == dealer
    assert [set(pair) for pair in started.pairs] == [{0, 3}, {1, 2}]
    assert {pair[1] % 2 for pair in started.pairs} == {dealer % 2}


def test_game_of_three_has_no_deciding_options():
    assert GAME.setup.deciding(Options(), 3) is None
    assert GAME.setup.deciding(Options(), 4) == {"target_score": 10}


def test_a_side_wins_together_at_125():
    assert GAME.setup.sides(Options(), 4) == (0, 1, 0, 1)
    assert GAME.setup.sides(Options(), 3) == (0, 1, 2)
    state, _ = game(seats=4, scores=(100, 0, 100, 0))
    state, events = both(state, ends(0, (25, 0, 0, 0), state), HandVoided(1, 2))
    assert events[-1].winners == (0, 2)
    assert events[-1].ranking == (1, 3, 1, 3)
    assert GAME.start(Options(), 4, state).loser == 1
    state, _ = game(seats=4, scores=(100, 0, 100, 0))
    assert not isinstance(both(state, ends(0, (24, 0, 0, 0), state), HandVoided(1, 2))[1][-1], GameEnded)


# --- Stopping ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "scores", "quitter", "winners", "ranking"),
    [
        (2, (50, 10), 0, (1,), (2, 1)),
        (3, (50, 10, 20), 0, (2,), (3, 2, 1)),
        (3, (50, -90, 50), 1, (0, 2), (1, 3, 1)),
        (4, (50, 10, 50, 10), 2, (1, 3), (3, 1, 3, 1)),
    ],
)
def test_side_of_a_resigned_player_comes_last(seats, scores, quitter, winners, ranking):
    state, _ = game(CLUB, seats=seats, scores=scores)
    (ended,) = GAME.leaving.stop(state, (quitter,), "resignation")
    assert (ended.winners, ended.ranking, ended.margins) == (winners, ranking, (0,) * seats)


# --- The clock (rules 1.8) ---------------------------------------------------------------------------------


def test_clock_passes_draws_and_answers_for_a_late_player():
    state, _ = game(dealer=1)
    assert GAME.timing.default(state, 0) == PassUpcard()
    state, _ = after(state, (0, PassUpcard()))
    assert GAME.timing.default(state, 1) == PassUpcard()
    state, _ = after(state, (1, PassUpcard()))
    assert GAME.timing.default(state, 0) == GAME.timing.default(turn(), 0) == DrawFromStock()
    assert GAME.timing.default(answering(), 1) == LayOff()


@pytest.mark.parametrize(
    ("held", "taken", "options", "move"),
    [
        (hand("2C 3C 4C 5C 8D 8H 8S QC QD QH KS"), None, Options(), Knock(card("KS"))),
        (hand("2C 3C 4C 5C 6C 8D 8H 8S QC QD QH"), None, Options(), Knock(card("6C"))),
        (hand("2C 3C 4C 5C 6C 8D 8H 8S QC QD QH"), "6C", CLUB, Knock(card("2C"))),
        (hand("2C 3C 4C 8D 8H 8S KD QS JS AH 9C"), None, Options(), Discard(card("QS"))),
        (hand("2C 3C 4C 8D 8H 8S KD QS JS AH 9C"), "QS", CLUB, Discard(card("JS"))),
        (hand("2C 3C 4C 8D 8H 8S KD KH KS 2S AH"), None, Options(), Discard(card("2S"))),
        (hand("2C 3C 4C 8D 8H 8S JD QD KD AD KS"), "KS", CLUB, Discard(card("AD"))),
        (hand("2C 3C 4C 8D 8H 8S JD QD KD TD KS"), "KS", CLUB, Discard(card("8S"))),
    ],
)
def test_clock_goes_gin_or_discards_the_most_valuable_deadwood(held, taken, options, move):
    state = holding(options, {0: held}, taken=taken and card(taken))
    assert GAME.timing.default(state, 0) == move
    assert is_admitted(GAME.legal(state, 0), move)


# --- Schemas -----------------------------------------------------------------------------------------------


def judge(choice, args):
    schema = choice.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid(args)


def test_schema_of_a_knock_lists_its_discards():
    state = knocking(hand("AC AD AH 5S 6S 7S 8S 2H 3H 4D"))
    choice = GAME.legal(state, 0)[1]
    assert judge(choice, {"discard": "JD"})
    assert judge(choice, {"discard": "JD", "melds": None})
    assert judge(choice, {"discard": "JD", "melds": [["AC", "AD", "AH"], ["5S", "6S", "7S"]]})
    for args in (
        {},
        {"discard": "4D"},
        {"discard": "JD", "melds": []},
        {"discard": "JD", "melds": [["AC", "AD"]]},
        {"discard": "JD", "melds": [["AC", "AD", "AS"]]},
        {"discard": "JD", "melds": [["AC", "AC", "AD"]]},
        {"discard": "JD", "more": 1},
    ):
        assert not judge(choice, args)


def test_schema_of_big_gin_has_its_arguments():
    (choice,) = (c for c in GAME.legal(knocking(GIN, card("6C"), CLUB), 0) if c.make is BigGin)
    assert judge(choice, {})
    assert choice.sample(Random(0)) == BigGin()
    assert not judge(choice, {"melds": []})
    run = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"
    assert judge(LayingDown(hand(run)), {"melds": [run.split()]})
    assert choice.admits(BigGin(melds("2C 3C 4C 5C 6C", "8D 8H 8S", "QC QD QH")))
    assert not choice.admits(BigGin(melds("8D 8H 8S")))


def test_the_schema_of_an_answer_names_every_card_that_can_be_laid_off():
    (choice,) = GAME.legal(answering(), 1)
    assert choice == LayingOff(hand("5D 6D 9H QS TC TH TS 3C 7C 2S"), melds("2D 3D 4D", "9C 9D 9S", "JC JD JH"))
    assert judge(choice, {})
    assert judge(choice, {"melds": None, "layoffs": None})
    assert judge(choice, {"melds": [], "layoffs": [{"card": "5D", "meld": 0}, {"card": "6D", "meld": 0}]})
    assert not judge(choice, {"layoffs": [{"card": "QS", "meld": 2}]})
    assert not judge(choice, {"layoffs": [{"card": "5D", "meld": 0}] * 2})
    assert not judge(choice, {"melds": [["QS", "TC", "TH"]]})


def test_schema_of_an_answer_without_choices_is_empty():
    (choice,) = GAME.legal(answering(("AC AD AS",), "2C 4C 6D 8D TH QH KS JS 9S 7H"), 1)
    assert judge(choice, {"melds": [], "layoffs": []})
    assert not judge(choice, {"layoffs": [{"card": "2C", "meld": 0}]})
    assert not judge(choice, {"melds": [["2C", "4C", "6D"]]})


# --- In words -----------------------------------------------------------------------------------------------


def test_every_event_has_a_text():
    state, events = game(seats=3, dealer=1)
    lines = [GAME.words.text(e) for e in events]
    assert lines[0] == "Hand 1: seat 1 dealt; seat 2 against seat 0."
    state, events = after(answering(), (1, LayOff()))
    assert GAME.words.text(events[0]) == (
        "Seat 1 laid down TC TH TS and laid off 5D on meld 1, 6D on meld 1, 9H on meld 2; deadwood 3C 7C 2S QS (22)."
    )
    table = GAME.view(state, None)["tables"][0]
    assert table["answer"]["layoffs"][2] == {"card": "9H", "meld": 1}
    assert table["knock"]["melds"][0] == ["2D", "3D", "4D"]
    assert table["result"]["points"] == list(events[-1].points)


def test_table_is_shown_to_every_reader():
    state, _ = game(seats=2, dealer=1)
    table = GAME.view(state, None)
    assert (table["dealer"], table["turn"], table["opponent"], table["stock_count"]) == (1, 0, None, 31)
    assert GAME.view(state, 1)["opponent"] == 0
    assert table["tables"][0]["knock"] is table["tables"][0]["result"] is table["tables"][0]["taken"] is None
    state, _ = after(state, (0, TakeUpcard()))
    assert GAME.view(state, None)["tables"][0]["taken"] == card_names(PACK)[20]
    state, _ = after(knocking(GIN, card("KS")), (0, Knock(card("KS"))))
    knock = GAME.view(state, None)["tables"][0]["knock"]
    assert (knock["discard"], knock["gin"], knock["value"]) == ("KS", True, 0)
    assert GAME.view(state, None)["turn"] is None
    state, _ = after(knocking(GIN, card("6C"), CLUB), (0, BigGin()))
    assert GAME.view(state, None)["tables"][0]["knock"]["discard"] is None
    state, _ = game(seats=4)
    spectator = GAME.view(state, None)
    assert (spectator["turn"], spectator["stock_count"], spectator["discard_top"]) == (None, None, None)
    assert [row["stock_count"] for row in spectator["tables"]] == [31, 31]
    assert (
        GAME.view(state, 3)["turn"],
        GAME.view(state, 3)["opponent"],
        GAME.view(state, 3)["stock_count"],
    ) == (3, 2, 31)


def test_move_is_recovered_from_its_event():
    state = knocking(GIN, card("6C"), CLUB)
    for move in (Knock(card("6C")), BigGin()):
        event = GAME.decide(state, 0, move)[0]
        seat, made = GAME.answers.move_of(event)
        assert (seat, type(made)) == (0, type(move))
        assert GAME.decide(state, 0, made) == (event,)
    assert GAME.answers.move_of(DiscardTaken(0, card("6C"), upcard=True)) == (0, TakeUpcard())
    assert GAME.answers.move_of(DiscardTaken(0, card("6C"), upcard=False)) == (0, DrawFromDiscard())
    assert GAME.answers.move_of(HandShown(0, (), (), 0)) is None


def test_seat_sees_the_melds_of_its_own_hand():
    table = GAME.view(knocking(GIN, card("KS")), 0)
    assert (table["deadwood"], table["deadwood_value"], len(table["melds"])) == (["KS"], 10, 3)
    assert GAME.view(dealt(Options(), 1, topped(card("7C"))), None)["melds"] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_can_be_played_to_the_end(seats):
    rng = Random(seats)
    state, steps = GAME.start(Options(target_score=10), seats, None), 0
    while acting := GAME.to_act(state):
        seat = rng.choice(acting)
        move = answer_chance(GAME.ask(state), rng) if seat == CHANCE else GAME.timing.default(state, seat)
        if GAME.phase(state) == "discard" and seat != CHANCE:
            move = GAME.legal(state, seat)[-1].sample(rng)
        state, _ = play_move(GAME, state, seat, move)
        steps += 1
    assert steps > 20
    assert max(state.scores) >= 10
