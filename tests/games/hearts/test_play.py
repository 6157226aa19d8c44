"""Tests Hearts, rule by rule and ruling by ruling."""

from random import Random

import pytest

from domain.core.cards import BACK, PACK, card, card_names, hand
from domain.core.choices import Below, OneCard, Shuffle, SomeCards
from domain.core.game import CHANCE, Refused, answer_chance, check_move, fold, play_move, seen_by
from domain.core.tricks import Trick
from domain.games.hearts import GAME
from domain.games.hearts.events import (
    CardCut,
    CardPlayed,
    CardsPassed,
    CardsReturned,
    Cut,
    Deal,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandScored,
    HandStarted,
    HeartsOpened,
    PassCards,
    PassChosen,
    PassReceived,
    PickFirst,
    PlayCard,
    PlayStarted,
    PoolRedealt,
    Redeal,
    ReturnCard,
    ReturnChosen,
    ReturnReceived,
    Taken,
    TrickTaken,
    TwoOfClubsShown,
)
from domain.games.hearts.options import Options, bad_options, most_hands, resolve, variants
from tests.acceptance.reading import pile
from tests.games.hearts.table import answer_to, in_play, options_of, ready, start

HEARTS = PACK[26:39]


def dealt(variant="2-2-2-3", deal_no=1, dealer=3, pack=PACK):
    """Return a hand dealt from this pack; PACK itself deals every fourth card to the same seat."""
    state = start({"variant": variant}, dealer=dealer if deal_no == 1 else (dealer - 1) % 4, deal_no=deal_no - 1)
    return play_move(GAME, state, CHANCE, Deal(pack))


def all_answer(state, make):
    """Let all seats answer; return all events."""
    events = []
    for seat in (2, 0, 3, 1):
        state, new = play_move(GAME, state, seat, make(state, seat))
        events += new
    return state, events


def refusal(state, seat, move):
    with pytest.raises(Refused) as refused:
        check_move(GAME, state, seat, move)
    return refused.value.code


# --- Options ------------------------------------------------------------------------------------


def test_default_options_equal_the_preset_seed():
    assert Options(**GAME.setup.presets["seed"]) == Options()
    assert Options().variant == "2-2-2-3"


@pytest.mark.parametrize(
    "written", [{}, {"variant": 87}, {"variant": "87"}, {"variant_index": 87}, {"variant": "2-2-2-3"}]
)
def test_a_variant_may_be_named_by_code_or_index(written):
    assert resolve(written | {"target_score": 50}) == {
        "variant": "2-2-2-3",
        "variant_index": 87,
        "target_score": 50,
    }


@pytest.mark.parametrize("variant", ["5-1-1-1", "0", "257", 0, 257, True, 87.0, "", " 87", [1]])
def test_invalid_variant_is_left_to_the_schema(variant):
    assert resolve({"variant": variant}) == {"variant": variant}


def test_code_and_index_must_agree():
    assert not bad_options(Options(**resolve({"variant": "1-1-1-1", "variant_index": 1})), 4)
    assert set(bad_options(Options(**resolve({"variant": "1-1-1-1", "variant_index": 2})), 4)) == {"variant_index"}


def test_picked_first_dealer_requires_a_seat():
    assert set(bad_options(Options(first_dealer="pick"), 4)) == {"first_dealer_seat"}
    assert set(bad_options(Options(first_dealer_seat=0), 4)) == {"first_dealer_seat"}
    assert not bad_options(Options(first_dealer="pick", first_dealer_seat=0), 4)


def test_there_are_256_different_variants():
    rows = variants()
    assert len({row.text for row in rows}) == len({row.slugs for row in rows}) == len(rows) == 256
    assert rows[86].slugs == ("pass-rotate-3", "lead-two-clubs", "hearts-after-played", "score-queen-jack")


@pytest.mark.parametrize(
    ("options", "most"),
    [
        (Options(), 396 // 16 + 1),
        (Options("2-2-2-1"), 31),
        (Options("2-2-2-2"), 396 // 29 + 1),
        (Options("2-2-2-4"), 31),
        (Options("1-1-1-1", target_score=1), 1),
        (Options(moon_jack="bonus"), 25),
        (Options(jack_of_diamonds=False), 396 // 26 + 1),
        (Options("2-2-2-4", jack_of_diamonds=False), 396 // 23 + 1),
        (Options("2-2-2-1", jack_of_diamonds=False), 31),
        (Options(moon_style="shooter_minus"), None),
        (Options(tie_break="extra_hand"), None),
    ],
)
def test_number_of_hands_is_bounded_by_the_options(options, most):
    assert most_hands(options, 4) == most


# --- First dealer and deal (hearts 3) -----------------------------------------------------------


def test_the_highest_card_deals_and_ties_cut_again():
    state = start({})
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.ask(state) == Shuffle(Cut, "cut", PACK)
    drawn = pile(["TH", "TS", "5S", "7H", "3S", "AH"])
    state, events = play_move(GAME, state, CHANCE, Cut((*drawn, *(c for c in PACK if c not in drawn))))
    cuts = [CardCut(seat, c) for seat, c in zip((0, 1, 2, 3, 0, 1), drawn, strict=True)]
    assert events == [GameStarted(1), *cuts, FirstDealerChosen(1, "cut")]
    assert state.dealer == 1


def test_the_first_dealer_may_be_drawn_or_picked():
    state = start({"first_dealer": "random"})
    assert GAME.ask(state) == Below(PickFirst, "first_dealer", 4)
    state, events = play_move(GAME, state, CHANCE, PickFirst(2))
    assert events == [GameStarted(1), FirstDealerChosen(2, "random")]
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0] == HandStarted(1, 1, 2, "left")

    state = start({"first_dealer": "pick", "first_dealer_seat": 3})
    state, events = play_move(GAME, state, CHANCE, answer_chance(GAME.ask(state), Random(0)))
    assert events[:3] == [GameStarted(1), FirstDealerChosen(3, "pick"), HandStarted(1, 1, 3, "left")]


def test_cards_are_dealt_one_by_one_from_the_dealers_left():
    state, events = dealt(dealer=1)
    assert events[0] == HandStarted(1, 1, 1, "left")
    assert events[1].counts == (13,) * 4
    assert state.hands[2] == PACK[0::4]
    assert state.hands[1] == PACK[3::4]


def test_each_seat_sees_its_own_thirteen_cards():
    first = start({}, dealer=0)
    _, events = play_move(GAME, first, CHANCE, Deal(PACK))
    own = seen_by(GAME, first, events, 2)
    assert own.hands == ((BACK,) * 13, (BACK,) * 13, PACK[1::4], (BACK,) * 13)
    table = GAME.view(own, 2)
    assert table["hand"] == card_names(PACK[1::4])
    assert table["hands"] == [None, None, card_names(PACK[1::4]), None]
    assert table["hand_counts"] == [13] * 4
    assert GAME.view(seen_by(GAME, first, events, None), None)["hand"] == []


def test_last_trick_of_a_hand_stays_until_the_next_card():
    won = Trick(3, pile(["KD", "AD", "2S", "JD"]), 0)
    state = start({"variant": "1-2-2-3"}, dealer=3, deal_no=4, hand_no=9, phase="scored", tricks=(won,))
    state, _ = play_move(GAME, state, CHANCE, Deal(PACK))
    (there,) = (zone for zone in GAME.scene(state, 0).zones if zone.kind == "last_trick")
    assert [(spot.card, spot.seat) for spot in there.spots] == [("KD", 3), ("AD", 0), ("2S", 1), ("JD", 2)]
    state, _ = play_move(GAME, state, state.turn, PlayCard(state.hands[state.turn][0]))
    assert all(zone.kind != "last_trick" for zone in GAME.scene(state, 0).zones)


def test_last_trick_of_a_game_stays_when_the_next_game_is_dealt():
    won = Trick(3, pile(["KD", "AD", "2S", "JD"]), 0)
    over = start({}, phase="game_over", tricks=(won,))
    state, _ = play_move(GAME, GAME.start(options_of({}), 4, over), CHANCE, Deal(PACK))
    assert [zone.kind for zone in GAME.scene(state, 0).zones if zone.spots][-1] == "last_trick"


def test_deal_passes_left_and_hand_numbers_continue():
    state = start({"variant": "1-2-2-3"}, dealer=3, deal_no=4, hand_no=9, phase="scored")
    assert play_move(GAME, state, CHANCE, Deal(PACK))[1][0] == HandStarted(10, 5, 0, "none")


def test_next_game_of_a_series_continues_the_counts():
    last = start({}, game_no=2, hand_no=17, scores=(5, 6, 7, 100))
    again = GAME.start(Options(), 4, last)
    assert again.scores == (0,) * 4
    again, events = play_move(GAME, again, CHANCE, answer_chance(GAME.ask(again), Random(1)))
    assert events[0] == GameStarted(3)
    assert play_move(GAME, again, CHANCE, Deal(PACK))[1][0].hand_no == 18


# --- Passing (hearts 4) -------------------------------------------------------------------------


def test_three_cards_go_left_once_all_have_chosen():
    state, _ = dealt()
    chosen = {seat: state.hands[seat][:3] for seat in range(4)}
    assert GAME.legal(state, 1) == (SomeCards(PassCards, state.hands[1], 3),)
    after, events = all_answer(state, lambda _, seat: PassCards(chosen[seat]))
    assert events[:4] == [PassChosen(seat, chosen[seat]) for seat in (2, 0, 3, 1)]
    assert events[4] == CardsPassed("left")
    assert events[5:9] == [PassReceived(seat, (seat - 1) % 4, chosen[(seat - 1) % 4]) for seat in range(4)]
    assert set(chosen[3]) <= set(after.hands[0])
    assert isinstance(events[9], PlayStarted)


@pytest.mark.parametrize(("deal_no", "step"), [(1, 1), (2, 3), (3, 2), (5, 1)])
def test_passing_direction_changes_with_every_deal(deal_no, step):
    _, events = all_answer(dealt(deal_no=deal_no)[0], GAME.timing.default)
    received = [e for e in events if isinstance(e, PassReceived)]
    assert [e.from_ for e in received] == [(seat - step) % 4 for seat in range(4)]


@pytest.mark.parametrize("variant", ["1-2-2-3", "2-2-2-3", "3-2-2-3"])
def test_no_cards_are_passed_without_passing_and_on_every_fourth_deal(variant):
    state, events = dealt(variant, deal_no=4)
    assert events[0].pass_ == "none"
    assert isinstance(events[2], PlayStarted)
    assert refusal(state, 0, PassCards(state.hands[0][:3])) == "wrong_phase"


def test_passed_cards_are_recorded_in_sorted_order():
    state, _ = dealt()
    _, events = play_move(GAME, state, 0, PassCards(tuple(reversed(state.hands[0][:3]))))
    assert events == [PassChosen(0, state.hands[0][:3])]


def test_one_of_four_passed_cards_is_returned():
    state, _ = dealt("3-2-2-3")
    before = state.hands
    state, events = all_answer(state, lambda s, seat: PassCards(s.hands[seat][:4]))
    assert events[4] == CardsPassed("left")
    assert GAME.phase(state) == "returning"
    assert GAME.scene(state, 0).notes == ("Each seat returns one card to the seat that passed it.",)
    assert GAME.legal(state, 0) == (OneCard(ReturnCard, before[3][:4]),)
    state, events = all_answer(state, lambda s, seat: ReturnCard(s.exchange.received[seat][-1]))
    assert events[0] == ReturnChosen(2, before[1][3])
    assert events[4] == CardsReturned()
    assert events[5] == ReturnReceived(0, 1, before[0][3])
    assert before[0][3] in state.hands[0]
    assert [len(h) for h in state.hands] == [13] * 4
    assert GAME.phase(state) == "playing"


def test_pool_is_collected_from_the_dealers_left_and_dealt_again():
    state, _ = dealt("4-2-2-3", dealer=1, deal_no=4)
    state, events = all_answer(state, lambda s, seat: PassCards(s.hands[seat][:3]))
    assert [type(e) for e in events] == [PassChosen] * 4
    assert GAME.to_act(state) == (CHANCE,)
    chosen = state.exchange.passed
    assert GAME.ask(state) == Shuffle(Redeal, "dealer_redeal", (*chosen[2], *chosen[3], *chosen[0], *chosen[1]))
    assert refusal(state, 0, PassCards(state.hands[0][:3])) == "already_done"
    pool = GAME.ask(state).items
    state, events = play_move(GAME, state, CHANCE, Redeal(pool))
    assert events[0] == PoolRedealt()
    assert events[1] == PassReceived(0, "pool", tuple(sorted(pool[2::4])))
    assert events[3] == PassReceived(2, "pool", tuple(sorted(pool[0::4])))


def test_passed_cards_are_visible_only_to_giver_and_receiver():
    first = start({}, dealer=3)
    state, events = play_move(GAME, first, CHANCE, Deal(PACK))
    for seat in range(4):
        state, new = play_move(GAME, state, seat, PassCards(state.hands[seat][:3]))
        events += new
    own = seen_by(GAME, first, events, 1)
    assert own.exchange.passed == ((BACK,) * 3, PACK[1::4][:3], (BACK,) * 3, (BACK,) * 3)
    assert own.exchange.received == ((BACK,) * 3, PACK[0::4][:3], (BACK,) * 3, (BACK,) * 3)
    table = GAME.view(own, 1)
    assert (table["passed"], table["received"]) == (card_names(PACK[1::4][:3]), card_names(PACK[0::4][:3]))
    assert GAME.view(seen_by(GAME, first, events, None), None)["passed"] is None


# --- Refusals, in order (rules 1.3; hearts 2) ---------------------------------------------------


def test_invalid_pass_is_refused():
    state, _ = dealt()
    mine, other = state.hands[0], state.hands[1]
    assert refusal(state, 0, PassCards((mine[0], mine[0], other[0]))) == "duplicate_card"
    assert refusal(state, 0, PlayCard(other[0])) == "wrong_phase"
    assert refusal(state, 0, ReturnCard(mine[0])) == "wrong_phase"
    assert refusal(state, 0, PassCards((mine[0], other[0]))) == "card_not_in_hand"
    assert refusal(state, 0, PassCards(mine[:2])) == "wrong_count"
    assert refusal(state, 0, PassCards(mine[:4])) == "wrong_count"
    assert refusal(state, 0, PassCards(())) == "wrong_count"
    state, _ = play_move(GAME, state, 0, PassCards(mine[:3]))
    assert refusal(state, 0, PassCards((other[0],))) == "already_done"
    assert refusal(state, 0, PlayCard(mine[5])) == "wrong_phase"


def test_invalid_card_is_refused():
    state = in_play({"options": {}, "hand": ["2H", "3D"], "past": [["2C", "3C", "4C", "5C"]]}, 2)
    assert refusal(state, 1, PlayCard(card("AS"))) == "not_your_turn"
    assert refusal(state, 2, PlayCard(card("AS"))) == "card_not_in_hand"
    assert refusal(state, 2, PlayCard(card("2H"))) == "hearts_not_open"
    assert refusal(state, 2, PassCards(hand("2H 3D AS"))) == "wrong_phase"
    assert refusal(state, 2, Deal(PACK)) == "wrong_phase"


@pytest.mark.parametrize(
    ("lead", "code"),
    [
        (1, "must_lead_lowest"),
        (2, "must_lead_two_of_clubs"),
        (3, "must_lead_a_two"),
        (4, "must_lead_non_scoring"),
    ],
)
def test_every_first_lead_has_a_separate_code(lead, code):
    state = in_play({"options": {"lead": lead}, "hand": ["2C", "AH"]}, 0)
    assert answer_to(state, {"seat": 0, "command": "play_card", "args": {"card": "AH"}}) == code


def test_finished_game_refuses_every_move_as_wrong_phase():
    state = fold(GAME, start({}), GAME.leaving.stop(start({}), (0,), "resignation"))
    assert GAME.to_act(state) == ()
    assert refusal(state, 1, PlayCard(card("2C"))) == "wrong_phase"


# --- Play (hearts 5) ----------------------------------------------------------------------------


def test_two_of_clubs_is_shown_before_its_holder_leads():
    _, events = dealt("1-4-2-3", pack=(*PACK[1:], PACK[0]))
    assert events[2:] == [TwoOfClubsShown(3), PlayStarted(3)]


def test_seat_left_of_the_dealer_leads():
    assert dealt("1-1-2-3", dealer=2)[1][-1] == PlayStarted(3)


def test_the_leader_is_found_after_the_exchange():
    state, _ = dealt("2-2-2-3")
    assert card("2C") in state.hands[0]
    _, events = all_answer(state, lambda s, seat: PassCards(s.hands[seat][:3]))
    assert events[-1] == PlayStarted(1)


def test_highest_card_of_the_suit_led_takes_the_trick():
    state = in_play({"options": {}, "hand": ["AC"], "trick": ["2C", "KD", "9C"]}, 1)
    state, events = play_move(GAME, state, 1, PlayCard(card("AC")))
    assert events == [CardPlayed(1, card("AC"), 1), TrickTaken(1, 1, pile(["2C", "KD", "9C", "AC"]))]
    assert state.tricks == (Trick(2, pile(["2C", "KD", "9C", "AC"]), 1),)
    table = GAME.view(state, 1)
    assert table["trick"] == []
    assert table["last_trick"]["winner"] == table["turn"] == table["leader"] == 1
    assert table["last_trick"]["cards"][3] == {"seat": 1, "card": "AC"}


@pytest.mark.parametrize(
    ("h", "past", "after"),
    [
        (1, ["2C 3C 4C 5C"], 1),
        (2, ["2C 3C 4C 5C", "6C 7C 8C QS"], None),
        (2, ["2C 3C 4C 5C", "6C 7C 8C 2H"], 2),
        (3, ["2C 3C 4C 5C", "6C 7C 8C 2H"], None),
        (3, ["2C 3C 4C 5C", "6C 7C 8C 2H", "9C TC JC QC"], 3),
        (4, ["2C 3C 4C 5C", "2D 3D 4D 5D", "2H 3H 4H 5H"], None),
        (4, ["2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S"], 3),
        (4, ["2H 3H 4H 5H", "2D 3D 4D 5D", "6H 7H 8H 9H", "6D 7D 8D 9D"], 4),  # (hearts 8.17)
    ],
)
def test_hearts_are_broken_between_tricks(h, past, after):
    state = in_play({"options": {"h": h}, "hand": ["AS", "AH"], "past": [row.split() for row in past]}, 0)
    assert state.hearts_open == (after is not None)
    assert len(state.tricks) == (after or len(past))


def test_breaking_of_hearts_is_recorded_once():
    state = in_play({"options": {"h": 1}, "hand": ["AC", "AS"], "trick": ["2C", "3C", "4C"]}, 0)
    state, events = play_move(GAME, state, 0, PlayCard(card("AC")))
    assert events[-1] == HeartsOpened(1)
    state, _ = play_move(GAME, state, 0, PlayCard(card("AS")))
    for seat in (1, 2, 3):
        state, events = play_move(GAME, state, seat, PlayCard(BACK))
    assert [type(e) for e in events] == [CardPlayed, TrickTaken]


def test_history_option_limits_the_list_to_the_last_trick():
    case = {"hand": ["AS"], "past": [["2C", "3C", "4C", "5C"], ["6C", "7C", "8C", "9C"]]}
    full = GAME.view(in_play(case | {"options": {}}, 0), 0)
    short = GAME.view(in_play(case | {"options": {"history": "last_trick"}}, 0), 0)
    assert [trick["cards"][0]["card"] for trick in full["tricks"]] == ["2C", "6C"]
    assert short["tricks"] == full["tricks"][1:] == [full["last_trick"]] == [short["last_trick"]]


def test_view_of_a_seat_has_the_whole_table():
    past, trick = [["2C", "3C", "4C", "5C"], ["6C", "7H", "QS", "8C"]], ["9C", "2D"]
    state = in_play({"options": {}, "hand": ["AC", "AH"], "past": past, "trick": trick, "dealer": 1}, 0)
    assert GAME.view(state, 0) == {
        "phase": "playing",
        "game_no": 0,
        "hand_no": 4,
        "deal_no": 4,
        "dealer": 1,
        "pass": "none",
        "hand": ["AC", "AH"],
        "hands": [["AC", "AH"], None, None, None],
        "hand_counts": [2, 11, 10, 10],
        "scores": [0, 0, 0, 0],
        "points": [0, 0, 14, 0],
        "trick": [{"seat": 2, "card": "9C"}, {"seat": 3, "card": "2D"}],
        "trick_no": 3,
        "last_trick": listed(3, 2, past[1]),
        "tricks": [listed(0, 3, past[0]), listed(3, 2, past[1])],
        "leader": 2,
        "turn": 0,
        "hearts_open": True,
        "two_of_clubs_shown": None,
        "passed": None,
        "received": None,
        "returned": None,
        "regained": None,
    }


def listed(leader, winner, cards):
    laid = [{"seat": (leader + i) % 4, "card": name} for i, name in enumerate(cards)]
    return {"leader": leader, "winner": winner, "cards": laid}


# --- Scoring (hearts 6) -------------------------------------------------------------------------


def last_card(options, piles, totals=(0,) * 4):
    """Play the last trick of a hand in which the seats take these cards; return the events from the trick on."""
    tricks = [Trick(seat, tuple(pile), seat) for seat, pile in enumerate(piles)]
    tricks += [Trick(0, (), 0)] * (12 - len(tricks))
    state = ready(options, {0: hand("2D")}, deal_no=4)
    state = fold(GAME, state, [PlayStarted(1)])
    state.tricks, state.trick, state.turn = tuple(tricks), pile(["7D", "8D", "9D"]), 0
    state.scores, state.reached, state.hearts_open = totals, totals, True
    return play_move(GAME, state, 0, PlayCard(card("2D")))[1][2:]


def test_a_hand_is_scored_after_the_last_trick():
    piles = [hand("2H 3H 4H 5H"), hand("6H QS"), hand("7H 8H 9H TH JH QH KH AH"), hand("JD")]
    (scored,) = last_card({"scoring": 3}, piles, (10, 0, -5, 0))
    assert scored == HandScored(
        (Taken(4, False, False, 4), Taken(1, True, False, 14), Taken(8, False, False, 8), Taken(0, False, True, -10)),
        None, (4, 14, 8, -10), (14, 14, 3, -10),
    )  # fmt: skip


def test_jack_scores_nothing_without_jack_of_diamonds():
    piles = [hand("2H 3H 4H 5H"), hand("6H QS"), hand("7H 8H 9H TH JH QH KH AH"), hand("JD")]
    assert last_card({"scoring": 3, "jack_of_diamonds": False}, piles)[0].points == (4, 14, 8, 0)
    assert last_card({"scoring": 4, "jack_of_diamonds": False}, piles)[0].points == (4, 13, 12, 0)


@pytest.mark.parametrize(
    ("options", "jack_with", "moon", "points"),
    [
        ({"scoring": 1}, 2, 1, (26, 0, 26, 26)),
        ({"scoring": 2, "moon_jack": "bonus"}, 2, 1, (26, 0, 26, 26)),
        ({"scoring": 3}, 2, None, (0, 26, -10, 0)),
        ({"scoring": 3}, 1, 1, (26, 0, 26, 26)),
        ({"scoring": 3, "moon_jack": "ignored"}, 2, 1, (26, 0, 26, 26)),
        ({"scoring": 4, "moon_jack": "bonus"}, 2, 1, (26, 0, 16, 26)),
        ({"scoring": 4, "moon_jack": "bonus"}, 1, 1, (26, -10, 26, 26)),
        ({"scoring": 4}, 2, None, (0, 35, -10, 0)),
        ({"scoring": 3, "jack_of_diamonds": False}, 2, 1, (26, 0, 26, 26)),
        ({"scoring": 4, "jack_of_diamonds": False}, 2, 1, (26, 0, 26, 26)),
        ({"scoring": 3, "jack_of_diamonds": False, "moon_jack": "bonus"}, 2, 1, (26, 0, 26, 26)),
        ({"scoring": 3, "moon_style": "shooter_minus"}, 1, 1, (0, -26, 0, 0)),
        ({"scoring": 3, "moon_style": "shooter_minus", "moon_jack": "bonus"}, 1, 1, (0, -36, 0, 0)),
        ({"scoring": 3, "moon_style": "shooter_minus", "moon_jack": "bonus"}, 2, 1, (0, -26, -10, 0)),
    ],
)
def test_moon_is_scored_by_the_style(options, jack_with, moon, points):
    piles = [[], [*HEARTS, card("QS")], [], []]
    piles[jack_with].append(card("JD"))
    (scored,) = last_card(options, piles)
    assert (scored.moon, scored.points) == (moon, points)


def test_moon_needs_the_queen_if_she_scores():
    piles = [[card("QS")], [*HEARTS, card("JD")], [], []]
    assert last_card({"scoring": 3}, piles)[0].moon is None
    assert last_card({"scoring": 1}, piles)[0].moon == 1


def test_a_free_heart_still_spoils_the_moon():  # (hearts 8.21)
    piles = [HEARTS[:1], [*HEARTS[1:], card("QS"), card("JD")], [], []]
    assert last_card({"scoring": 4}, piles)[0].moon is None


# --- End (hearts 7) -----------------------------------------------------------------------------


def after_hands(options, *rows):
    """Return the events after these totals, hand after hand."""
    state, events = start(options), ()
    for totals in rows:
        assert events == ()
        state = fold(GAME, state, [HandScored((), None, (0,) * 4, totals)])
        events = GAME.consequences(state)
    return events


def test_scoring_and_end_of_the_game_are_separate_events():
    state = ready({"target_score": 1}, {}, deal_no=4)
    state.phase, state.tricks = "playing", (Trick(0, HEARTS, 0), *[Trick(0, (), 0)] * 12)
    (scored,) = GAME.consequences(state)
    assert isinstance(scored, HandScored)
    state = fold(GAME, state, [scored])
    assert [type(e) for e in GAME.consequences(state)] == [GameEnded]
    assert GAME.consequences(fold(GAME, state, GAME.consequences(state))) == ()


def test_equal_totals_share_a_place():
    (ended,) = after_hands({}, (100, 55, 55, 80))
    assert ended == GameEnded((100, 55, 55, 80), (4, 1, 1, 3), (1, 2), "target_score")


def test_game_continues_below_the_target():
    assert after_hands({}, (99, 99, 12, -14)) == ()
    assert after_hands({"target_score": 99}, (99, 99, 12, -14)) != ()


def test_tie_is_played_off_until_one_seat_is_lowest():
    (ended,) = after_hands({"tie_break": "extra_hand"}, (104, 55, 55, 80), (105, 60, 60, 86), (105, 60, 70, 92))
    assert ended.winners == (1,)


def test_extra_hands_end_even_if_the_jack_takes_a_total_below_the_target():
    (ended,) = after_hands({"tie_break": "extra_hand"}, (100, 55, 55, 80), (90, 56, 65, 85))
    assert ended.winners == (1,)


def test_resigned_player_is_last_regardless_of_totals():
    state = start({}, scores=(50, 5, 30, 30))
    (ended,) = GAME.leaving.stop(state, (1,), "resignation")
    assert ended == GameEnded((50, 5, 30, 30), (3, 4, 1, 1), (2, 3), "resignation")
    (ended,) = GAME.leaving.stop(state, (1, 2), "resignation")
    assert (ended.ranking, ended.winners) == ((2, 3, 3, 1), (3,))
    (ended,) = GAME.leaving.stop(state, (0, 1, 2, 3), "resignation")
    assert ended.winners == ()


def test_an_agreed_draw_has_no_winner():
    state = start({}, scores=(50, 5, 30, 30))
    state = fold(GAME, state, GAME.leaving.stop(state, (), "agreed"))
    assert GAME.outcome(state).winners == ()
    assert GAME.outcome(state).places == (1, 1, 1, 1)


# --- The clock (rules 1.8) ----------------------------------------------------------------------


def test_clock_passes_the_highest_cards_and_plays_the_lowest():
    state = ready({}, {0: hand("2C 3C 4C 5C 6C AC AD KH KS 2H 3H 4H 5H")}, deal_no=1)
    assert GAME.timing.default(state, 0) == PassCards(hand("AC AD KS"))
    state = in_play({"options": {}, "hand": ["3S", "2H", "2D", "9C"], "past": [["2C", "3C", "4C", "2S"]]}, 0)
    assert GAME.timing.default(state, 0) == PlayCard(card("2D"))
    state = in_play({"options": {"h": 1}, "hand": ["3S", "2H", "2S", "9C"], "past": [["2C", "3C", "4C", "5C"]]}, 0)
    assert GAME.timing.default(state, 0) == PlayCard(card("2H"))


def test_clock_returns_the_highest_of_the_four():
    state = ready({"pass": 3}, {0: hand("2C 3C 4C 5C 6C 7C 8C 9C AS KD KS 2H 3H")}, deal_no=1)
    state.phase = "returning"
    state.exchange.received = (hand("KD KS 2H 3H"), None, None, None)
    assert GAME.timing.default(state, 0) == ReturnCard(card("KS"))


# --- Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (CardPlayed(2, card("QS"), 9), "Seat 2 played QS."),
        (PassChosen(0, hand("QS 2C 3C")), "Seat 0 passed 2C 3C QS."),
        (PassChosen(0, None), "Seat 0 passed hidden cards."),
        (PassReceived(0, 3, None), "Seat 0 received hidden cards from seat 3."),
        (PassReceived(0, "pool", hand("2C")), "Seat 0 received 2C from the pool."),
        (HandDealt((1, 1), (None, None)), "The cards were dealt."),
        (HandDealt((1, 1), (hand("2C"), None)), "The cards were dealt: seat 0 got 2C."),
        (
            GameEnded((1, 2, 3, 4), (1, 2, 3, 4), (), "draw"),
            "The game ended: no one won, by agreement. Totals: seat 0: 1, seat 1: 2, seat 2: 3, seat 3: 4.",
        ),
        (
            GameEnded((1, 1, 3, 4), (1, 1, 3, 4), (0, 1), "target_score"),
            "The game ended: seats 0 and 1 won. Totals: seat 0: 1, seat 1: 1, seat 2: 3, seat 3: 4.",
        ),
    ],
)
def test_events_are_described_in_words(event, line):
    assert GAME.words.text(event) == line
