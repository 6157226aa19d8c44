"""Tests Trio, rule by rule and ruling by ruling."""

from functools import partial
from random import Random

import pytest

from domain.core.cards import BACK
from domain.core.choices import Below, NoArguments, Shuffle
from domain.core.clock import Time
from domain.core.game import CHANCE, answer_chance, check_move, fold, play_move, seen_by
from domain.core.visibility import view_event
from domain.games.trio import GAME, Options
from domain.games.trio.options import PACK, are_connected, bad_options, compile_rules, most_hands
from domain.games.trio.play import OneOf
from domain.games.trio.table import (
    AvocadoStated,
    CardRevealed,
    Deal,
    DeclineSwap,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandStarted,
    OfferSwap,
    PickFirst,
    RevealHighest,
    RevealLowest,
    RevealMiddle,
    RevealsReturned,
    Source,
    SwapAnswered,
    SwapMade,
    SwapNotMade,
    SwapWindowClosed,
    SwapWindowOpened,
    TrioCompleted,
)
from tests.acceptance.reading import moved
from tests.games.trio.examples import as_seen
from tests.games.trio.tables import FILLER, laid, swapping

answer_to = partial(moved, GAME)
"""Return the refusal code of a seat's move, or the resulting state and events."""


def does(state, *moves):
    """Make the moves with the seat to act; return the resulting state, and the events of the last one."""
    events = []
    for move in moves:
        check_move(GAME, state, state.turn, move)
        state, events = play_move(GAME, state, state.turn, move)
    return state, events


def kinds(events):
    return [type(event) for event in events]


def low(seat):
    return Source("hand", seat, "lowest")


def high(seat):
    return Source("hand", seat, "highest")


# --- Options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats", "wrong"),
    [
        ({}, 3, set()),
        ({"teams": True}, 4, set()),
        ({"teams": True}, 6, set()),
        ({"teams": True}, 3, {"teams"}),
        ({"teams": True}, 5, {"teams"}),
        ({"first_player": "pick"}, 4, {"first_player_seat"}),
        ({"first_player": "pick", "first_player_seat": 3}, 4, set()),
        ({"first_player": "pick", "first_player_seat": 4}, 4, {"first_player_seat"}),
        ({"first_player_seat": 0}, 4, {"first_player_seat"}),
    ],
)
def test_incompatible_options_are_refused(options, seats, wrong):
    assert set(bad_options(Options(**options), seats)) == wrong


def test_game_is_one_hand():
    assert most_hands(Options(), 6) == 1


def test_partners_are_one_side():
    assert GAME.setup.sides(Options(teams=True), 6) == (0, 1, 2, 0, 1, 2)
    assert GAME.setup.sides(Options(), 4) == (0, 1, 2, 3)


def test_eight_pairs_are_connected():
    pairs = [(a, b) for a in range(1, 13) for b in range(a, 13) if are_connected(a, b)]
    assert pairs == [(1, 6), (1, 8), (2, 5), (2, 9), (3, 4), (3, 10), (4, 11), (5, 12)]


@pytest.mark.parametrize(
    ("mode", "trios", "by"),
    [
        ("simple", (1, 6), None),
        ("simple", (1, 6, 12), "three_trios"),
        ("simple", (1, 7), "sevens"),
        ("spicy", (1, 6), "connected"),
        ("spicy", (1, 2, 3), None),
        ("spicy", (12, 2, 3, 5), "connected"),
        ("spicy", (7,), "sevens"),
    ],
)
def test_winning_conditions_of_each_mode(mode, trios, by):
    assert compile_rules(Options(mode=mode), 4).won(trios) == by


# --- Setup ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "teams", "each", "middle"),
    [
        (3, False, 9, 9),
        (4, False, 7, 8),
        (5, False, 6, 6),
        (6, False, 5, 6),
        (4, True, 9, 0),
        (6, True, 6, 0),
    ],
)
def test_deal_has_the_cards_of_the_rulebook(seats, teams, each, middle):
    fresh = GAME.start(Options(teams=teams), seats, None)
    assert GAME.ask(fold(GAME, fresh, [FirstPlayerChosen(0, "random")])) == Shuffle(Deal, "deal", PACK)
    pack = tuple(Random(seats).sample(PACK, 36))
    state, events = play_move(GAME, fresh, CHANCE, Deal(pack))
    assert [len(hand) for hand in state.hands] == [each] * seats
    assert state.hands[1] == tuple(sorted(pack[1 + seats * i] for i in range(each)))
    assert state.middle == pack[seats * each :]
    assert len(state.middle) == middle
    (dealt,) = [e for e in events if isinstance(e, HandDealt)]
    assert dealt == HandDealt(state.hands, state.middle)
    assert view_event(dealt, 1) == HandDealt((None, state.hands[1], *[None] * (seats - 2)), None)


def test_table_counts_hidden_cards():
    state = GAME.start(Options(), 3, None)
    _, events = play_move(GAME, state, CHANCE, Deal(PACK))
    own = seen_by(GAME, state, events, 1)
    assert own.hands == ((BACK,) * 9, (1, 2, 3, 4, 5, 6, 7, 8, 9), (BACK,) * 9)
    assert own.middle == (BACK,) * 9


def opened(entered, seats=4, last=None, **options):
    """Return a game begun with the avocado times that seats entered in the lobby."""
    state = GAME.start(Options(**options), seats, last)
    events = GAME.entry.opening(state, entered)
    return fold(GAME, state, events), events


def test_seat_with_the_latest_avocado_begins():
    state, events = opened((50, None, 70, 60))
    assert events == (
        GameStarted(1, 7, 8),
        AvocadoStated(0, 50),
        AvocadoStated(2, 70),
        AvocadoStated(3, 60),
        FirstPlayerChosen(2, "avocado"),
    )
    assert GAME.ask(state).make is Deal
    state, events = play_move(GAME, state, CHANCE, Deal(PACK))
    assert kinds(events) == [HandStarted, HandDealt]
    assert GAME.to_act(state) == (2,)


def test_equal_avocado_times_are_decided_at_random():
    state, events = opened((70, None, 70, 60))
    assert kinds(events) == [GameStarted, AvocadoStated, AvocadoStated, AvocadoStated]
    assert GAME.ask(state) == Below(PickFirst, "first_player", 2)
    assert play_move(GAME, state, CHANCE, PickFirst(1))[1] == [FirstPlayerChosen(2, "random")]


@pytest.mark.parametrize("option", ["avocado", "random"])
def test_first_player_is_random_without_avocados(option):
    state, events = opened((None,) * 4, first_player=option)
    assert kinds(events) == [GameStarted]
    assert GAME.ask(state) == Below(PickFirst, "first_player", 4)
    assert play_move(GAME, state, CHANCE, PickFirst(3))[1] == [FirstPlayerChosen(3, "random")]


def test_random_first_player_ignores_avocados():
    state, events = opened((70, None, None, None), first_player="random")
    assert kinds(events) == [GameStarted]
    assert GAME.ask(state).bound == 4


def test_the_first_player_may_be_picked():
    _, events = opened((70, None, None, None), first_player="pick", first_player_seat=1)
    assert events[1:] == (FirstPlayerChosen(1, "pick"),)


@pytest.mark.parametrize(
    ("options", "entered", "first"),
    [
        ({}, (None,) * 4, FirstPlayerChosen(0, "left")),
        ({}, (None, 9, None, None), FirstPlayerChosen(1, "avocado")),
        ({"first_player": "pick", "first_player_seat": 3}, (None,) * 4, FirstPlayerChosen(0, "left")),
        ({"first_player": "random"}, (None,) * 4, None),
    ],
)
def test_first_player_of_the_next_game_follows_the_option(options, entered, first):
    last = laid([FILLER] * 4, turn=3, **options)
    last.game_no, last.hand_no, last.turn_no = 1, 1, 40
    state, events = opened(entered, last=last, **options)
    assert events[0] == GameStarted(2, 7, 8)
    assert [e for e in events if isinstance(e, FirstPlayerChosen)] == [first] * bool(first)
    chosen = fold(GAME, state, [FirstPlayerChosen(0, "random")])
    assert play_move(GAME, chosen, CHANCE, Deal(PACK))[1][0] == HandStarted(2)


def test_first_player_is_drawn_without_avocados():
    _, events = play_move(GAME, GAME.start(Options(), 3, None), CHANCE, PickFirst(2))
    assert events == [GameStarted(1, 9, 9), FirstPlayerChosen(2, "random")]


# --- A turn -----------------------------------------------------------------------------------------

HANDS = [(1, 4, 4, 9), (2, 4, 9), (3, 9)]


def test_reveal_names_seat_position_and_number():
    _, events = does(laid(HANDS, (5, 6)), RevealMiddle(1))
    assert events == [CardRevealed(0, Source("middle", position=1), 6, 1, 1)]
    _, events = does(laid(HANDS, turn=1), RevealHighest(0))
    assert events == [CardRevealed(1, high(0), 9, 1, 1)]


def test_different_numbers_go_back_and_the_next_seat_begins():
    begun = laid(HANDS, (5, 6))
    state, events = does(begun, RevealMiddle(1), RevealLowest(0))
    assert events == [
        CardRevealed(0, low(0), 1, 2, 1),
        RevealsReturned((Source("middle", position=1), low(0))),
    ]
    assert (state.hands, state.middle, state.face_up) == (begun.hands, begun.middle, ())
    assert GAME.to_act(state) == (1,)
    assert state.turn_no == 1
    assert does(state, RevealMiddle(0))[1][0].turn_no == 2


def test_repeated_reveals_of_a_hand_continue_and_return_in_order():
    begun = laid([(4, 4, 5, 8), (2,), (3,)])
    state, events = does(begun, RevealLowest(0), RevealLowest(0))
    assert [e.number for e in events] == [4]
    assert state.hands[0] == (5, 8)
    state, events = does(state, RevealLowest(0))
    assert kinds(events) == [CardRevealed, RevealsReturned]
    assert state.hands == begun.hands


def test_lowest_and_then_highest_of_one_hand_can_be_revealed():
    begun = laid([(4, 5, 8), (2,), (3,)])
    state, events = does(begun, RevealHighest(0), RevealLowest(0))
    assert events[0].number == 4
    assert state.hands == begun.hands


def test_a_single_card_is_the_lowest_and_the_highest():
    for move in (RevealLowest(1), RevealHighest(1)):
        assert does(laid([(4, 5), (2,), (3,)]), move)[1][0].number == 2


def test_three_equal_numbers_are_a_trio_and_leave_play():
    state, events = does(laid([(1, 9), (2, 9), (9,)]), RevealHighest(0), RevealHighest(1), RevealLowest(2))
    assert events[1] == TrioCompleted(0, None, 9, (high(0), high(1), low(2)))
    assert kinds(events) == [CardRevealed, TrioCompleted]
    assert state.hands == ((1,), (2,), ())
    assert GAME.to_act(state) == (1,)
    assert GAME.view(state, None)["trios"] == [{"seat": 0, "team": None, "number": 9}]


def test_seat_with_an_empty_hand_plays_on():
    state = laid([(), (2, 9), (9,)], turn=0)
    assert [choice.make for choice in GAME.legal(state, 0)] == [RevealLowest, RevealHighest]
    assert GAME.legal(state, 0)[0].of == (1, 2)


@pytest.mark.parametrize(
    ("seat", "move", "code"),
    [
        (0, RevealLowest(3), "bad_arguments"),
        (1, RevealLowest(-1), "bad_arguments"),
        (1, OfferSwap(13), "bad_arguments"),
        (0, OfferSwap(4), "wrong_phase"),
        (1, DeclineSwap(), "wrong_phase"),
        (1, RevealLowest(2), "not_your_turn"),
        (1, RevealMiddle(9), "not_your_turn"),
        (0, RevealLowest(2), "hand_empty"),
        (0, RevealHighest(2), "hand_empty"),
        (0, RevealMiddle(2), "no_card_there"),
        (0, RevealMiddle(-1), "no_card_there"),
        (0, RevealMiddle(1), "no_card_there"),
    ],
)
def test_illegal_moves_are_refused_with_their_codes(seat, move, code):
    state = laid([(1, 2), (3,), ()], (5, 6))
    state, _ = play_move(GAME, state, 0, RevealMiddle(1))  # face up now
    assert answer_to(state, seat, move) == code


def test_a_taken_position_stays_empty():
    state, _ = does(laid([(1,), (3,), (4,)], (5, 5, 5, 2)), *map(RevealMiddle, (0, 1, 2)))
    assert answer_to(state, 1, RevealMiddle(0)) == "no_card_there"
    assert GAME.legal(state, 1)[0] == OneOf(RevealMiddle, (3,))
    assert [p["state"] for p in GAME.view(state, 1)["middle"]] == ["taken"] * 3 + ["face_down"]


def test_table_shows_a_number_only_while_it_is_face_up():
    true = laid(HANDS, (5, 6))
    own = laid([(BACK,) * 4, HANDS[1], (BACK,) * 2], (BACK, BACK))
    for move in (RevealMiddle(0), RevealLowest(1)):
        true, events = play_move(GAME, true, 0, move)
        for event in events:
            own = fold(GAME, own, [view_event(event, 1)])
            if isinstance(event, CardRevealed) and event.nth == 1:
                assert GAME.view(own, 1)["middle"][0] == {"state": "face_up", "number": 5}
                source = {"kind": "middle", "position": 0}
                assert GAME.view(own, 1)["face_up"] == [{"source": source, "number": 5}]
    assert GAME.view(own, 1)["middle"][0] == {"state": "face_down", "number": None}
    assert (own.hands, own.middle, own.face_up) == (((BACK,) * 4, HANDS[1], (BACK,) * 2), (BACK, BACK), ())


def test_strict_memory_hides_numbers_after_the_turn():
    state = laid(HANDS, (5, 6))
    own = laid([(BACK,) * 4, HANDS[1], (BACK,) * 2], (BACK, BACK))
    for seat, move in (
        (0, RevealMiddle(0)),
        (0, RevealLowest(1)),
        (1, RevealHighest(1)),
        (1, RevealHighest(0)),
    ):
        state, events = play_move(GAME, state, seat, move)
        for event in events:
            if isinstance(event, CardRevealed):
                event = CardRevealed(event.by, event.source, None, event.nth, event.turn_no)  # noqa: PLW2901
            own = fold(GAME, own, [view_event(event, 1)])
            assert GAME.words.text(event).endswith(".")
    assert GAME.view(own, 1)["hand_counts"] == GAME.view(state, 1)["hand_counts"]
    assert own.hands[1] == state.hands[1]
    assert GAME.legal(own, 1) == GAME.legal(state, 1)


# --- Teams ------------------------------------------------------------------------------------------

TEAM_HANDS = [(2, 5, 9), (3, 4), (1, 9, 12), (6, 6)]


def test_a_team_game_begins_with_a_swap_window():
    state = GAME.start(Options(teams=True, first_player="pick", first_player_seat=1), 4, None)
    state, events = play_move(GAME, state, CHANCE, Deal(PACK))
    assert events[-1] == SwapWindowOpened("start", (0, 1))
    assert GAME.to_act(state) == (0, 1, 2, 3)
    assert answer_to(state, 1, RevealLowest(0)) == "wrong_phase"
    for seat in (3, 0, 1, 2):
        assert state.phase == "swap_window"
        state, events = play_move(GAME, state, seat, DeclineSwap())
    assert kinds(events) == [SwapAnswered, SwapNotMade, SwapWindowClosed]
    assert GAME.to_act(state) == (1,)


def test_swap_needs_both_partners_and_is_hidden_from_others():
    state = swapping(TEAM_HANDS)
    assert GAME.legal(state, 0) == (NoArguments(DeclineSwap), OneOf(OfferSwap, (2, 5, 9)))
    state, events = play_move(GAME, state, 0, OfferSwap(5))
    assert events == [SwapAnswered(0, 5, "offer")]
    assert view_event(events[0], 2) == SwapAnswered(0, None, None)
    state, events = play_move(GAME, state, 2, OfferSwap(12))
    assert events[1:] == [SwapMade(0, (5, None, 12, None), (12, None, 5, None))]
    assert state.hands == ((2, 9, 12), (3, 4), (1, 5, 9), (6, 6))
    assert [as_seen(events, seat)["gave"] for seat in range(4)] == [5, None, 12, None]
    assert GAME.words.text(view_event(events[1], 0)) == "Team 1 swapped a card; seat 0 gave 5 for 12."
    assert GAME.words.text(view_event(events[1], 1)) == "Team 1 swapped a card."
    assert GAME.view(state, 2)["swap"]["gave"] == 12


def test_a_partner_knows_its_own_hand_after_a_swap():
    state = swapping(TEAM_HANDS)
    own = swapping([(2, 5, 9), *[(BACK,) * len(hand) for hand in TEAM_HANDS[1:]]])
    for seat, card in ((2, 12), (0, 5)):
        state, events = play_move(GAME, state, seat, OfferSwap(card))
        own = fold(GAME, own, [view_event(event, 0) for event in events])
    assert own.hands == ((2, 9, 12), (BACK,) * 2, (BACK,) * 3, (BACK,) * 2)
    assert GAME.view(own, 0)["swap"] == {
        "open": True, "reason": "start", "teams": [0, 1], "answered": [0, 2], "made": [0], "offered": 5, "gave": 5,
        "got": 12,
    }  # fmt: skip


@pytest.mark.parametrize("first", [OfferSwap(5), DeclineSwap()])
def test_declined_swap_changes_nothing(first):
    state, _ = play_move(GAME, swapping(TEAM_HANDS), 0, first)
    second = DeclineSwap() if isinstance(first, OfferSwap) else OfferSwap(12)
    state, events = play_move(GAME, state, 2, second)
    assert events[1:] == [SwapNotMade(0)]
    assert state.hands == tuple(TEAM_HANDS)


@pytest.mark.parametrize(
    ("seat", "move", "code"),
    [
        (0, DeclineSwap(), "already_done"),
        (0, OfferSwap(2), "already_done"),
        (1, OfferSwap(9), "card_not_in_hand"),
        (1, RevealLowest(0), "wrong_phase"),
        (1, OfferSwap(0), "bad_arguments"),
    ],
)
def test_invalid_moves_in_a_swap_window_are_refused(seat, move, code):
    state, _ = play_move(GAME, swapping(TEAM_HANDS), 0, OfferSwap(5))
    assert answer_to(state, seat, move) == code


def taken(hands, seat, **options):
    """Complete a trio of twelves with the seat in a team game; return the events."""
    state = laid([*hands], teams=True, turn=seat, **options)
    state.face_up = ()
    return does(state, RevealHighest(0), RevealHighest(0), RevealHighest(0))


def test_after_a_trio_the_other_teams_may_swap():
    hands = [(1, 12, 12, 12), *[FILLER] * 5]
    state, events = taken(hands, 4)
    assert kinds(events) == [CardRevealed, TrioCompleted, SwapWindowOpened]
    assert events[1].team == 1
    assert events[2] == SwapWindowOpened("trio", (0, 2))
    assert GAME.to_act(state) == (0, 2, 3, 5)
    assert answer_to(state, 1, DeclineSwap()) == "not_your_turn"
    for seat in (0, 2, 3, 5):
        state, events = play_move(GAME, state, seat, DeclineSwap())
    assert GAME.to_act(state) == (5,)


def test_a_team_with_an_empty_hand_may_not_swap():
    state, events = taken([(12, 12, 12), *[FILLER] * 5], 4)
    assert events[-1] == SwapWindowOpened("trio", (2,))
    state, events = taken([(12, 12, 12), FILLER, FILLER, FILLER], 1)
    assert kinds(events) == [CardRevealed, TrioCompleted]
    assert GAME.to_act(state) == (2,)


def test_no_window_opens_after_a_mismatch():
    _, events = does(laid(TEAM_HANDS, teams=True), RevealLowest(0), RevealLowest(1))
    assert kinds(events) == [CardRevealed, RevealsReturned]


def test_the_swap_window_has_its_own_clock():
    assert GAME.timing.seconds(swapping(TEAM_HANDS, swap_seconds=30)) == 30
    assert GAME.timing.seconds(laid(TEAM_HANDS, teams=True, swap_seconds=30)) == 0


def test_partners_win_together():
    state = laid([(7, 7, 7), FILLER, FILLER, FILLER], teams=True, turn=2)
    state, events = does(state, *[RevealLowest(0)] * 3)
    assert events[-1] == GameEnded(0, "sevens", ((7,), (), (7,), ()), (1, 3, 1, 3), (0, 2))
    assert GAME.outcome(state).scores == (1, 0, 1, 0)


def test_partners_count_their_trios_together():
    state = laid([(4, 4, 4), FILLER, FILLER, FILLER], teams=True, turn=2)
    state = fold(GAME, state, [TrioCompleted(0, 0, 1, ()), TrioCompleted(2, 0, 9, ())])
    state.turn, state.swaps_due = 2, ""
    assert does(state, *[RevealLowest(0)] * 3)[1][-1].by == "three_trios"


# --- End --------------------------------------------------------------------------------------------


def before_the_end(trios, turn=0, **options):
    """Return three elevens in a hand, and these earlier trios: seat -> numbers."""
    state = laid([(11, 11, 11), (1, 2), (3,)], turn=turn, **options)
    state = fold(GAME, state, [TrioCompleted(s, None, n, ()) for s, row in trios.items() for n in row])
    state.turn, state.swaps_due = turn, ""
    return state


def test_third_trio_wins():
    state, events = does(before_the_end({0: (1, 2), 2: (5,)}), *[RevealLowest(0)] * 3)
    assert kinds(events) == [CardRevealed, TrioCompleted, GameEnded]
    assert events[-1] == GameEnded(0, "three_trios", ((1, 2, 11), (), (5,)), (1, 3, 2), (0,))
    assert GAME.to_act(state) == ()
    assert GAME.legal(state, 0) == ()


def test_three_unconnected_trios_do_not_win_a_spicy_game():
    _, events = does(before_the_end({0: (1, 2)}, mode="spicy"), *[RevealLowest(0)] * 3)
    assert kinds(events) == [CardRevealed, TrioCompleted]
    _, events = does(before_the_end({0: (4,)}, mode="spicy"), *[RevealLowest(0)] * 3)
    assert events[-1].by == "connected"


def test_losers_with_equal_trios_share_a_place():
    _, events = does(before_the_end({0: (1, 2), 1: (3,), 2: (5,)}), *[RevealLowest(0)] * 3)
    assert events[-1].ranking == (1, 2, 2)


def test_trio_of_sevens_wins_against_more_trios():
    state = before_the_end({1: (1, 2), 2: (5,)})
    state.hands = ((7, 7, 7), *state.hands[1:])
    _, events = does(state, *[RevealLowest(0)] * 3)
    assert (events[-1].by, events[-1].ranking, events[-1].winners) == ("sevens", (1, 2, 3), (0,))


def test_last_turn_ends_the_game_without_a_winner():
    state = laid(HANDS, (5, 6), max_turns=2)
    state, events = does(state, RevealMiddle(0), RevealMiddle(1))
    assert GAME.outcome(state) is None
    state, events = does(state, RevealMiddle(0), RevealMiddle(1))
    assert events[-1] == GameEnded(None, "max_turns", ((), (), ()), (1, 1, 1), ())
    assert GAME.outcome(state).winners == ()


def test_a_trio_in_the_last_turn_still_wins():
    _, events = does(before_the_end({0: (1, 2)}, max_turns=1), *[RevealLowest(0)] * 3)
    assert events[-1].by == "three_trios"


def test_turns_of_an_earlier_game_do_not_count():
    last = laid(HANDS)
    last.turn_no, last.first = 7, 0
    state = GAME.start(Options(max_turns=2), 3, last)
    state = fold(GAME, state, [FirstPlayerChosen(1, "left"), HandDealt(tuple(HANDS), (5, 6))])
    state, events = does(state, RevealMiddle(0), RevealMiddle(1))
    assert kinds(events) == [CardRevealed, RevealsReturned]
    assert events[0].turn_no == 8
    assert does(state, RevealMiddle(0), RevealMiddle(1))[1][-1].by == "max_turns"


def test_resigned_player_is_last_and_others_rank_by_trios():
    state = before_the_end({0: (1, 2), 2: (5,)})
    (ended,) = GAME.leaving.stop(state, (0,), "resignation")
    assert (ended.ranking, ended.winners, ended.winner) == ((3, 2, 1), (2,), 2)
    (shared,) = GAME.leaving.stop(state, (2,), "resignation")
    assert shared.winners == (0,)
    (drawn,) = GAME.leaving.stop(state, (), "draw")
    assert (drawn.ranking, drawn.winners, drawn.winner) == ((1, 1, 1), (), None)


# --- The clock, and what is told --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "middle", "turn", "move"),
    [
        ([(1,), (2,), (3,)], (5, 6), 0, RevealMiddle(0)),
        ([(1,), (2,), (3,)], (), 0, RevealLowest(1)),
        ([(1,), (), (3,)], (), 0, RevealLowest(2)),
        ([(1,), (), ()], (), 0, RevealLowest(0)),
    ],
)
def test_clock_makes_the_default_reveals(hands, middle, turn, move):
    state = laid(hands, middle, turn)
    assert GAME.timing.default(state, turn) == move
    assert any(choice.admits(move) for choice in GAME.legal(state, turn)[:1])


def test_the_clock_declines_a_swap():
    assert GAME.timing.default(swapping(TEAM_HANDS), 1) == DeclineSwap()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (AvocadoStated(1, Time(1_700_000_000_000)), "Seat 1 last ate an avocado at 2023-11-14 22:13:20 UTC."),
        (CardRevealed(0, low(2), 1, 1, 1), "Seat 0 turned up the lowest card of seat 2: 1."),
        (
            CardRevealed(0, Source("middle", position=3), None, 1, 1),
            "Seat 0 turned up middle card 4: a number not remembered.",
        ),
        (
            HandDealt(((1, 2), None, None), None),
            "The cards were dealt: seat 0 got 1 2.",
        ),
        (SwapAnswered(1, None, None), "Seat 1 answered."),
        (SwapAnswered(1, 4, "offer"), "Seat 1 offered 4."),
        (SwapAnswered(1, None, "decline"), "Seat 1 declined to swap."),
        (
            RevealsReturned((high(1), Source("middle", position=0))),
            "They differed and were turned face down again.",
        ),
        (
            GameEnded(None, "max_turns", ((1, 6), ()), (1, 1), ()),
            "The game ended: no one won, after the last turn. Trios: seat 0: 1 6, seat 1: none.",
        ),
    ],
)
def test_events_are_described_in_words(event, line):
    assert GAME.words.text(event) == line


def test_moves_are_recovered_from_events():
    for move in (RevealLowest(1), RevealHighest(0), RevealMiddle(1)):
        assert GAME.answers.move_of(does(laid(HANDS, (5, 6)), move)[1][0]) == (0, move)
    for move in (OfferSwap(5), DeclineSwap()):
        (event,) = GAME.decide(swapping(TEAM_HANDS), 0, move)
        assert GAME.answers.move_of(event) == (0, move)
        assert GAME.answers.move_of(view_event(event, 1)) is None


def test_reveal_is_offered_with_seat_and_position_numbers():
    state = laid([(1,), (), (3,)], (5, 6))
    middle, lowest, _ = GAME.legal(state, 0)
    assert middle.schema()["properties"] == {"position": {"type": "integer", "enum": [0, 1]}}
    assert lowest.schema()["properties"] == {"seat": {"type": "integer", "enum": [0, 2]}}
    assert lowest.sample(Random(1)).seat in (0, 2)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_smallest_trio_left_can_always_be_completed(seats):
    rng = Random(seats)
    state = GAME.start(Options(max_turns=300), seats, None)
    while actors := GAME.to_act(state):
        if actors != (CHANCE,) and not state.face_up:
            assert completes_smallest(state)
        choices = GAME.legal(state, actors[0])
        move = rng.choice(choices).sample(rng) if choices else answer_chance(GAME.ask(state), rng)
        state, events = play_move(GAME, state, actors[0], move)
        assert len(state.face_up) < 3
    assert isinstance(events[-1], GameEnded)
    assert (not state.ended.winners) == (state.ended.by == "max_turns")


def completes_smallest(state):
    smallest = min(set(range(1, 13)) - {t.number for t in state.trios})
    reveals = [RevealMiddle(i) for i, card in enumerate(state.middle) if card == smallest]
    reveals += [RevealLowest(seat) for seat, hand in enumerate(state.hands) for card in hand if card == smallest]
    for move in reveals:
        check_move(GAME, state, state.turn, move)
        seat = state.turn
        state, events = play_move(GAME, state, seat, move)
    return any(isinstance(event, TrioCompleted) for event in events)
