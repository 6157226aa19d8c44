"""Tests Crazy Eights, rule by rule and ruling by ruling."""

from itertools import pairwise
from random import Random

import jsonschema
import pytest

from domain.core.cards import BACK, NAMES, PACK, SUITS, backs, card, card_names, hand
from domain.core.choices import Below, NoArguments, Shuffle
from domain.core.game import CHANCE, Refused, answer_chance, check_move, fold, is_admitted, play_move, seen_by
from domain.games import catalogue
from domain.games.crazy_eights import GAME
from domain.games.crazy_eights import rules as eights
from domain.games.crazy_eights.events import (
    CardDrawn,
    CardPlayed,
    Deal,
    DrawCard,
    EightBuried,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandBlocked,
    HandDealt,
    HandScored,
    HandStarted,
    HandWon,
    Ledger,
    PassTurn,
    PickFirst,
    PlayCard,
    Plays,
    Restock,
    Restocked,
    StarterTurned,
    StockRanOut,
    TurnPassed,
)
from domain.games.crazy_eights.options import (
    Options,
    Payment,
    bad_options,
    blocked_payments,
    canonical,
    most_hands,
    worth,
)
from domain.match.creation import Common
from tests.acceptance.reading import pile
from tests.games.crazy_eights.examples import in_turn, scored, start
from tests.match.table import Table, last_state

EIGHTS = pile(["8C", "8D", "8H", "8S"])


def refusal(state, seat, move):
    with pytest.raises(Refused) as refused:
        check_move(GAME, state, seat, move)
    return refused.value.code


def turn(cards, top="QC", options=None, **given):
    """Return a table at which seat 0 of two is to act with this hand."""
    return in_turn({"top": top, "hand": cards.split(), "options": options or {}} | given)


def offered(state):
    """Return the options of a seat to act: the names of its playable cards, and its other moves."""
    found = set()
    for choice in GAME.legal(state, state.turn):
        cards = choice.plain + choice.eights if isinstance(choice, Plays) else ()
        found |= set(card_names(cards)) or {choice.make.__name__}
    return found


# --- Options (crazy_eights 1) -------------------------------------------------------------------


def test_default_options_equal_the_preset_seed():
    assert Options(**GAME.setup.presets["seed"]) == Options()
    assert Options(**GAME.setup.presets["bga"]) == Options(two_player_seven=True, restock=True)
    assert GAME.setup.seats == range(2, 11)


@pytest.mark.parametrize(
    ("options", "seats", "bad"),
    [
        (Options(), 7, set()),
        (Options(), 8, {"packs"}),
        (Options(packs=2), 10, set()),
        (Options(packs=2, hand_size=8), 10, set()),
        (Options(hand_size=6), 7, set()),
        (Options(hand_size=7), 7, {"hand_size"}),
        (Options(hand_size=8), 5, set()),
        (Options(hand_size=8), 6, {"hand_size"}),
        (Options(first_dealer="pick"), 4, {"first_dealer_seat"}),
        (Options(first_dealer_seat=1), 4, {"first_dealer_seat"}),
        (Options(first_dealer="pick", first_dealer_seat=4), 4, {"first_dealer_seat"}),
        (Options(first_dealer="pick", first_dealer_seat=3), 4, set()),
    ],
)
def test_options_that_leave_too_small_a_stock_are_refused(options, seats, bad):
    assert set(bad_options(options, seats)) == bad


def test_game_is_one_hand_without_a_target_score():
    assert most_hands(Options(), 2) == 1
    assert most_hands(Options(target_score=100), 2) == 1_000


# --- First dealer and deal (crazy_eights 3) -----------------------------------------------------


def dealt(options=None, seats=2, pack=PACK, dealer=1):
    return play_move(GAME, start(options or {}, seats, started=True, next_dealer=dealer), CHANCE, Deal(pack))


def test_the_first_dealer_is_drawn_or_picked():
    state = GAME.start(Options(), 3, None)
    assert GAME.ask(state) == Below(PickFirst, "first_dealer", 3)
    state, events = play_move(GAME, state, CHANCE, PickFirst(2))
    assert events == [GameStarted(1), FirstDealerChosen(2, "random")]
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0] == HandStarted(1, 1, 2)

    state = GAME.start(Options(first_dealer="pick", first_dealer_seat=1), 3, None)
    assert GAME.ask(state) == Shuffle(Deal, "deal", PACK)
    _, events = play_move(GAME, state, CHANCE, Deal(PACK))
    assert events[:3] == [GameStarted(1), FirstDealerChosen(1, "pick"), HandStarted(1, 1, 1)]


@pytest.mark.parametrize("first", ["random", "pick"])
def test_deal_passes_left_across_games(first):
    seat = 0 if first == "pick" else None
    last = start({}, 3, dealer=2, next_dealer=0, game_no=4, hand_no=9)
    again = GAME.start(Options(first_dealer=first, first_dealer_seat=seat), 3, last)
    _, events = play_move(GAME, again, CHANCE, Deal(PACK))
    assert events[:2] == [GameStarted(5), HandStarted(10, 1, 0)]


def test_cards_are_dealt_one_by_one_from_the_dealers_left():
    state, events = dealt(seats=3, dealer=1)
    assert state.hands[2] == PACK[0:15:3]
    assert state.hands[1] == PACK[2:15:3]
    assert events[1] == HandDealt((5, 5, 5), state.hands, PACK[15:])
    assert GAME.to_act(state) == (2,)


@pytest.mark.parametrize(
    ("options", "seats", "size"),
    [
        ({}, 2, 5),
        ({"two_player_seven": True}, 2, 7),
        ({"two_player_seven": True}, 3, 5),
        ({"hand_size": 8}, 3, 8),
    ],
)
def test_deal_has_the_hand_size_of_the_options(options, seats, size):
    state, _ = dealt(options, seats)
    assert [len(h) for h in state.hands] == [size] * seats


def test_two_packs_are_shuffled_together():
    state = start({"packs": 2}, 10, next_dealer=0)
    assert GAME.ask(state) == Shuffle(Deal, "deal", PACK + PACK)
    state, _ = play_move(GAME, state, CHANCE, answer_chance(GAME.ask(state), Random(1)))
    cards = [*(c for h in state.hands for c in h), *state.stock, *state.pile]
    assert sorted(cards) == sorted(PACK + PACK)


def test_the_starter_is_turned():
    state, events = dealt()
    assert events[2:] == [StarterTurned(PACK[10], 41)]
    assert state.pile == (PACK[10],)
    assert state.stock == PACK[11:]
    assert GAME.view(state, 0)["suit"] == "C"


def test_turned_up_eight_is_buried_at_a_public_depth():
    rest = [c for c in PACK if c not in EIGHTS]
    pack = (*rest[:10], *EIGHTS[:2], *rest[10:], *EIGHTS[2:])
    first = start({}, started=True)
    state, events = play_move(GAME, first, CHANCE, Deal(pack))
    assert events[2:4] == [EightBuried(EIGHTS[0], 20), EightBuried(EIGHTS[1], 20)]
    assert events[4] == StarterTurned(rest[10], 41)
    assert state.stock[18:20] == EIGHTS[:2]
    own = seen_by(GAME, first, events, 0)
    known = [(i, c) for i, c in enumerate(own.stock) if c != BACK]
    assert known == [(i, c) for i, c in enumerate(state.stock) if c in EIGHTS[:2]]


def test_buried_eight_is_visible_only_to_readers_who_see_it_drawn():
    own = start({}, phase="turn", turn=0, hands=(backs(5), backs(5)), stock=(EIGHTS[0], BACK))
    own = fold(GAME, own, [CardDrawn(0, 1, None)])
    assert EIGHTS[0] in own.hands[0]


def test_seat_sees_only_its_own_cards_and_not_the_stock():
    first = start({}, started=True)
    _, events = play_move(GAME, first, CHANCE, Deal(PACK))
    own = seen_by(GAME, first, events, 1)
    assert own.hands == (backs(5), PACK[1:10:2])
    assert own.stock == backs(41)
    assert GAME.view(own, 1)["hands"] == [None, card_names(PACK[1:10:2])]
    assert GAME.view(seen_by(GAME, first, events, None), None)["hand"] == []


# --- A turn (crazy_eights 4) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("top", "suit", "cards", "playable"),
    [
        ("QC", "C", "2C QH 8D 7D AS", "2C QH 8D"),
        ("8H", "S", "8C 2S 3H 9C", "8C 2S"),  # rank matches only another eight
        ("8H", "H", "2H 3S", "2H"),
        ("AS", "S", "AC 2D", "AC"),
    ],
)
def test_playable_cards_match_suit_rank_or_are_eights(top, suit, cards, playable):
    for drawn in (0, 2):
        assert offered(turn(cards, top, suit=suit, drawn=drawn)) == {*playable.split(), "DrawCard"}


def test_a_card_is_played_and_the_turn_goes_left():
    state, events = play_move(GAME, turn("2C 7D", drawn=2), 0, PlayCard(card("2C")))
    assert events == [CardPlayed(0, card("2C"), None, 1)]
    assert (state.turn, state.suit, state.drawn) == (1, 0, 0)
    assert state.pile == pile(["QC", "2C"])


@pytest.mark.parametrize("suit", SUITS)
def test_an_eight_names_any_suit(suit):
    state, events = play_move(GAME, turn("8D 7D"), 0, PlayCard(card("8D"), suit))
    assert events == [CardPlayed(0, card("8D"), suit, 1)]
    assert GAME.view(state, 0)["suit"] == suit


def test_refusals_of_a_play_come_in_order():
    state = turn("8D 7D")
    assert refusal(state, 1, PlayCard(card("8D"))) == "not_your_turn"
    assert refusal(state, 0, PlayCard(card("8H"))) == "card_not_in_hand"
    assert refusal(state, 0, PlayCard(card("8D"))) == "suit_required"
    assert refusal(state, 0, PlayCard(card("7D"), "D")) == "suit_not_allowed"
    assert refusal(state, 0, PlayCard(card("7D"))) == "not_playable"
    state.phase = "scored"
    assert refusal(state, 0, PlayCard(card("8D"))) == "wrong_phase"


def test_the_last_eight_may_omit_its_suit():
    for suit in (None, "C"):
        _, events = play_move(GAME, turn("8H"), 0, PlayCard(card("8H"), suit))
        assert events[:2] == [CardPlayed(0, card("8H"), suit, 0), HandWon(0)]


@pytest.mark.parametrize("cards", ["8D 7C", "8D", "2C", "8D 8C", "8D 8C 2C 5H", "8D 8D 2C"])
def test_schema_admits_exactly_the_legal_plays(cards):
    state = turn(cards)
    (choice, *_) = GAME.legal(state, 0)
    schema = jsonschema.Draft202012Validator(choice.schema())
    for c in PACK:
        for suit in (None, *SUITS):
            body = {"card": NAMES[c]} | ({"declared_suit": suit} if suit else {})
            assert schema.is_valid(body) == choice.admits(PlayCard(c, suit))
        null = {"card": NAMES[c], "declared_suit": None}
        assert schema.is_valid(null) == choice.admits(PlayCard(c, None))
    assert not schema.is_valid({"card": "2C", "more": 1})


def test_drawing_with_a_playable_card_is_allowed_and_creates_no_obligation():
    state = turn("2C 7D", stock=["3C", "4H"])
    assert offered(state) == {"2C", "DrawCard"}
    state, events = play_move(GAME, state, 0, DrawCard())
    assert events == [CardDrawn(0, 1, card("3C"))]
    state, _ = play_move(GAME, state, 0, DrawCard())
    assert offered(state) == {"2C", "3C"}
    assert refusal(state, 0, DrawCard()) == "stock_empty"
    assert refusal(state, 0, PassTurn()) == "may_not_pass"


@pytest.mark.parametrize(
    ("cards", "stock", "moves"),
    [
        ("2C 7D", 1, {"2C", "DrawCard"}),
        ("7D", 1, {"DrawCard"}),  # must draw
        ("2C 7D", 0, {"2C"}),  # must play
        ("7D", 0, {"PassTurn"}),  # must pass
    ],
)
def test_seat_may_only_play_draw_or_pass_as_the_rules_say(cards, stock, moves):
    assert offered(turn(cards, stock=stock)) == moves
    assert offered(turn(cards, stock=stock, drawn=4)) == moves


@pytest.mark.parametrize(
    ("cards", "stock", "drawn", "moves"),
    [
        ("2C 7D", 9, 2, {"2C", "DrawCard"}),
        ("2C 7D", 9, 3, {"2C", "PassTurn"}),
        ("7D", 9, 3, {"PassTurn"}),
        ("7D", 9, 2, {"DrawCard"}),
        ("2C 7D", 0, 0, {"2C"}),
        ("2C 7D", 0, 1, {"2C", "PassTurn"}),  # the stock ran out on the way
        ("7D", 0, 0, {"PassTurn"}),
    ],
)
def test_draw_limit_of_three_is_enforced(cards, stock, drawn, moves):
    assert offered(turn(cards, options={"draw_limit": 3}, stock=stock, drawn=drawn)) == moves


def test_empty_stock_is_reported_before_the_draw_limit():
    limit = {"draw_limit": 1}
    assert refusal(turn("2C", options=limit, drawn=1), 0, DrawCard()) == "draw_limit_reached"
    assert refusal(turn("2C", options=limit, drawn=1, stock=0), 0, DrawCard()) == "stock_empty"


# --- Restock (crazy_eights 4) -------------------------------------------------------------------

RESTOCK = {"restock": True}


def test_empty_stock_is_reshuffled_during_the_turn():
    state = turn("7D", options=RESTOCK, stock=0, pile=4)
    assert offered(state) == {"DrawCard"}
    state, events = play_move(GAME, state, 0, DrawCard())
    assert events == [StockRanOut(0)]
    assert GAME.answers.move_of(events[0]) == (0, DrawCard())
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.legal(state, 0) == ()
    assert GAME.ask(state) == Shuffle(Restock, "restock", PACK[:3], 0)
    state, events = play_move(GAME, state, CHANCE, Restock((PACK[1], PACK[0], PACK[2])))
    assert events == [Restocked(3, (PACK[1], PACK[0], PACK[2])), CardDrawn(0, 2, PACK[1])]
    assert state.pile == pile(["QC"])
    assert state.hands[0] == hand("3C 7D")
    assert (GAME.to_act(state), state.drawn, state.restocks) == ((0,), 1, 1)


def test_second_restock_of_a_hand_is_drawn_separately():
    state = turn("7D", options=RESTOCK, stock=0, pile=4)
    state.restocks = 1
    assert GAME.ask(play_move(GAME, state, 0, DrawCard())[0]).n == 1


def test_new_hand_resets_all_counts():
    state = start(RESTOCK, phase="scored", started=True, restocks=2, turns=9, passes=1, drawn=3, out=0)
    state, _ = play_move(GAME, state, CHANCE, Deal(PACK))
    assert (state.restocks, state.turns, state.passes, state.drawn, state.out) == (0, 0, 0, 0, None)


def test_the_new_stock_is_hidden():
    state = turn("7D", options=RESTOCK, stock=0, pile=4)
    after, events = play_move(GAME, state, 0, DrawCard())
    _, more = play_move(GAME, after, CHANCE, Restock(PACK[:3]))
    own = seen_by(GAME, state, events + more, 1)
    assert own.stock == backs(2)
    assert own.hands[0] == (BACK, card("7D"))


@pytest.mark.parametrize(("cards", "moves"), [("2C 7D", {"2C"}), ("7D", {"PassTurn"})])
def test_stock_is_not_renewed_from_a_pile_of_one(cards, moves):
    state = turn(cards, options=RESTOCK, stock=0, pile=1)
    assert offered(state) == moves
    assert refusal(state, 0, DrawCard()) == "stock_empty"


def test_second_copies_are_sorted_behind_the_first_pack():
    assert canonical(pile(["AS", "2C", "2C", "5H", "5H", "3D"])) == pile(["2C", "3D", "5H", "AS", "2C", "5H"])


def test_after_500_turns_the_hand_is_blocked():
    state = turn("2C 7D", options=RESTOCK)
    state.turns = 498
    state, events = play_move(GAME, state, 0, PlayCard(card("2C")))
    assert len(events) == 1
    state.hands = (state.hands[0], hand("3C 4D"))
    _, events = play_move(GAME, state, 1, PlayCard(card("3C")))
    assert isinstance(events[1], HandBlocked)
    state.rules = start({}).rules
    _, events = play_move(GAME, state, 1, PlayCard(card("3C")))
    assert len(events) == 1


# --- The clock (rules 1.8) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "given", "move"),
    [
        ("2C TC KC 8D", {}, PlayCard(card("TC"))),
        ("QD 8D 8H 7D", {"top": "AS"}, PlayCard(card("8D"), "D")),
        ("8D 2H 3S 4H 5S", {"top": "AC"}, PlayCard(card("8D"), "H")),
        ("8S", {}, PlayCard(card("8S"), "C")),
        ("7D", {}, DrawCard()),
        ("7D", {"stock": 0}, PassTurn()),
        ("7D", {"options": {"draw_limit": 1}, "drawn": 1}, PassTurn()),
    ],
)
def test_clock_makes_the_default_moves(cards, given, move):
    state = turn(cards, **given)
    assert GAME.timing.default(state, 0) == move
    assert is_admitted(GAME.legal(state, 0), move)


# --- The end of a hand (crazy_eights 5) ---------------------------------------------------------


def test_cards_have_their_values():
    assert [worth((card(r + "C"),)) for r in "23456789TJQKA"] == [2, 3, 4, 5, 6, 7, 50, 9, 10, 10, 10, 10, 1]


def test_going_out_scores_all_other_hands():
    result = scored({"options": {}}, (hand("8C KD"), (), hand("AS 5H")), 1)
    assert result.payments == (Payment(0, 1, 60), Payment(2, 1, 6))
    assert result.points == result.totals == (0, 66, 0)
    assert result.ledger == Ledger((-60, 66, -6))


def test_the_hand_is_won_with_the_last_card():
    state = turn("2C", seats=3)
    state.hands = (hand("2C"), hand("KD"), hand("AS 5H"))
    state, events = play_move(GAME, state, 0, PlayCard(card("2C")))
    assert [type(e) for e in events] == [CardPlayed, HandWon, HandScored, GameEnded]
    assert events[2].hands == ((), hand("KD"), hand("AS 5H"))
    assert events[3] == GameEnded((16, 0, 0), (1, 2, 2), (0,), Ledger((16, -10, -6)), "hand_over")
    assert GAME.outcome(state).winners == (0,)


@pytest.mark.parametrize(
    ("values", "scoring", "points"),
    [
        ((12, 5, 30), "difference", (0, 32, 0)),
        ((5, 5, 20), "difference", (7, 7, 0)),
        ((9, 9), "difference", (0, 0)),
        ((4, 4, 4, 9), "difference", (1, 1, 1, 0)),
        ((12, 5, 30), "none", (0, 0, 0)),
        ((12, 5, 30), "everyone_counts", (-12, -5, -30)),
    ],
)
def test_blocked_hand_is_scored_by_the_option(values, scoring, points):
    assert blocked_payments(values, scoring)[1] == points


def test_tied_lowest_seats_share_each_difference():
    payments, _ = blocked_payments((5, 5, 20), "difference")
    assert payments == (Payment(2, 0, 7), Payment(2, 1, 7))


def blocked(options, *hands):
    state = start(options, len(hands), phase="turn", hands=hands, turn=0, pile=pile(["QC"]), suit=0)
    state.passes = len(hands) - 1
    return play_move(GAME, state, 0, PassTurn())


def test_hand_is_blocked_after_every_seat_passes():
    state, events = blocked({}, hand("2H"), hand("9S"), hand("3D"))
    assert events[:2] == [TurnPassed(0, 3), HandBlocked()]
    assert events[2].points == (8, 0, 0)
    assert GAME.outcome(state).winners == (0,)


def test_pass_after_drawing_restarts_the_count_of_passes():
    state = turn("7D", stock=0, drawn=1)
    state.passes = 1
    _, events = play_move(GAME, state, 0, PassTurn())
    assert events == [TurnPassed(0, 0)]


@pytest.mark.parametrize(
    ("scoring", "winners", "places"),
    [
        ("difference", (0, 1), (1, 1, 3)),
        ("none", (), (1, 1, 1)),
        ("everyone_counts", (0, 1), (1, 1, 3)),
    ],
)
def test_blocked_game_has_the_expected_winner(scoring, winners, places):
    state, _ = blocked({"blocked_scoring": scoring}, hand("2H"), hand("2D"), hand("3D"))
    assert GAME.outcome(state).winners == winners
    assert GAME.outcome(state).places == places


# --- The end of a game (crazy_eights 5) ---------------------------------------------------------


def test_hands_continue_until_the_target_score():
    target = {"target_score": 100}
    state = start(target, 3, phase="scored", scores=(99, 0, 30), started=True)
    assert GAME.consequences(state) == ()
    assert GAME.ask(state) == Shuffle(Deal, "deal", PACK)
    state.scores = (100, 0, 120)
    (ended,) = GAME.consequences(state)
    assert (ended.winners, ended.ranking) == ((2,), (2, 3, 1))
    state.scores = (100, 0, 100)
    (ended,) = GAME.consequences(state)
    assert (ended.winners, ended.ranking) == ((0, 2), (1, 3, 1))


def test_points_add_up_through_a_game():
    state = start({"target_score": 100}, 2, hands=((), hand("KD")), scores=(20, 5), ledger=Ledger((15, -15)))
    state.out = 0
    result = eights.score_hand(state)
    assert (result.points, result.totals, result.ledger) == ((10, 0), (30, 5), Ledger((25, -25)))


def test_resigned_player_comes_last():
    state = start({}, 3, scores=(50, 20, 0))
    (ended,) = GAME.leaving.stop(state, (0,), "resignation")
    assert (ended.winners, ended.ranking) == ((1,), (3, 1, 2))
    (drawn,) = GAME.leaving.stop(state, (), "draw")
    assert (drawn.winners, drawn.ranking) == ((), (1, 1, 1))


# --- The match ----------------------------------------------------------------------------------


@pytest.fixture
def matches(monkeypatch):
    games = {**catalogue.GAMES, GAME.name: GAME}
    monkeypatch.setattr("tests.match.table.GAMES", games)
    monkeypatch.setattr("tests.match.table.options", options_of)


def options_of(game, **chosen):
    """Return all options of a match of this game."""
    common = {f: getattr(Common(fairness_reveal="hand_end"), f) for f in Common.__slots__}
    return common | {f: getattr(Options(), f) for f in Options.__slots__} | chosen


@pytest.mark.parametrize("seats", [2, 3, 7, 10])
@pytest.mark.parametrize(
    "chosen", [{}, RESTOCK, {"draw_limit": 1}, {"target_score": 150} | RESTOCK, {"blocked_scoring": "none"}]
)
def test_a_match_is_played_to_its_end(matches, seats, chosen):
    table = Table(GAME.name, ("bot",) * seats, {"packs": 2} | chosen, seed=seats)
    table.plays_on()
    assert table.kinds()[-1] == "MatchEnded"
    assert last_state(table) == table.match
    dealers = [e.dealer for e in table.events if isinstance(e, HandStarted)]
    assert all((a + 1) % seats == b for a, b in pairwise(dealers))


def test_a_restock_comes_in_the_same_commit_as_the_draw(matches):
    """Chance answers during a turn, from the link of the hand."""
    table = Table(GAME.name, ("bot", "bot"), {"restock": True, "hand_size": 8}, seed=1)
    while not table.match.over:
        state = table.match.table
        draw = GAME.legal(state, state.turn)[-1]
        move = draw.sample(Random(0)) if draw == NoArguments(DrawCard) else GAME.timing.default(state, state.turn)
        happened = table.does(state.turn, move, "bot")
        if happened[0] == "StockRanOut":
            assert happened[:3] == ["StockRanOut", "Restocked", "CardDrawn"]
            assert table.match.shuffles.begun == 1
            return
    pytest.fail("the stock never ran out")


@pytest.mark.parametrize(("deal_no", "over"), [(999, False), (1_000, True)])
def test_game_to_a_target_score_ends_after_a_thousand_hands(deal_no, over):
    chosen = {"target_score": 100, "blocked_scoring": "everyone_counts"}
    state = start(chosen, 3, phase="scored", deal_no=deal_no, scores=(-40, -7, -7))
    events = GAME.consequences(state)
    assert bool(events) == over
    if over:
        assert (events[0].winners, events[0].reason) == ((1, 2), "max_hands")
