"""Tests how well the bots of Trio play, and what they remember."""

from random import Random

import pytest

from domain.core.cards import BACK
from domain.core.game import CHANCE, answer_chance, check_move, fold, play_move
from domain.core.visibility import view_event
from domain.games.trio import GAME, Options
from domain.games.trio.bot import Outlook, choose, lowest_is, recall_numbers
from domain.games.trio.table import (
    CardRevealed,
    Deal,
    FirstPlayerChosen,
    HandDealt,
    HandStarted,
    OfferSwap,
    RevealHighest,
    RevealLowest,
    RevealMiddle,
    RevealsReturned,
    Source,
    SwapMade,
    SwapWindowOpened,
    TrioCompleted,
)
from tests.draws import first_of
from tests.games.trio.tables import laid, swapping

LEVELS = ["random", "easy", "steady", "strong"]


def played(options, levels, seed):
    """Play a game to its end. Each seat sees only its own view, and remembers it."""
    rng = Random(seed)
    state = GAME.start(options, len(levels), None)
    own, shown = [state.copy() for _ in levels], [[] for _ in levels]
    while actors := GAME.to_act(state):
        seat = rng.choice(actors)
        if seat == CHANCE:
            move = answer_chance(GAME.ask(state), rng)
        else:
            move = choose(levels[seat], own[seat], seat, shown[seat], rng)
            check_move(GAME, state, seat, move)
        state, events = play_move(GAME, state, seat, move)
        for i in range(len(levels)):
            mine = [view_event(event, i) for event in events]
            own[i], shown[i] = fold(GAME, own[i], mine), shown[i] + mine
    return GAME.outcome(state)


def wins(level, other, seats, games, **options):
    """Count the games that a bot wins from rotating seats; in a team game its partner is as strong."""
    won = 0
    for n in range(games):
        mine = n % seats
        partner = (mine + seats // 2) % seats if options.get("teams") else mine
        levels = [level if seat in (mine, partner) else other for seat in range(seats)]
        won += mine in played(Options(**options), levels, n).winners
    return won


@pytest.mark.parametrize("mode", ["simple", "spicy"])
@pytest.mark.parametrize("seats", first_of([3, 4, 5, 6]))
def test_steady_beats_random(seats, mode):
    assert wins("steady", "random", seats, 30, mode=mode) >= 28


@pytest.mark.long
@pytest.mark.parametrize("seats", [4, 6])
def test_steady_partners_beat_random_ones(seats):
    assert wins("steady", "random", seats, 30, teams=True) >= 28


@pytest.mark.long
def test_steady_beats_easy():
    assert wins("steady", "easy", 4, 60) > 30


@pytest.mark.long
def test_easy_beats_random():
    assert wins("easy", "random", 4, 20) >= 18


def test_strong_is_no_worse_than_steady():
    assert wins("strong", "random", 4, 20) >= 19


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("seats", "teams"), [(3, False), (4, True), (6, True)])
def test_every_level_finishes_a_game(level, seats, teams):
    assert played(Options(teams=teams, max_turns=60), [level] * seats, 1) is not None


# --- Memory -----------------------------------------------------------------------------------------

PACK = (
    1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6,
    7, 8, 9, 7, 8, 9, 7, 8, 9, 10, 11, 12, 10, 11, 12, 10, 11, 12,
)  # fmt: skip


def watched(moves, reader=0, options=None):
    """Return a game of three dealt from this pack, seat 0 first: the reader's table, and the events shown to it."""
    state = GAME.start(options or Options(first_player="pick", first_player_seat=0), 3, None)
    state, events = play_move(GAME, state, CHANCE, Deal(PACK))
    for move in moves:
        check_move(GAME, state, state.turn, move)
        state, new = play_move(GAME, state, state.turn, move)
        events += new
    shown = [view_event(event, reader) for event in events]
    return fold(GAME, GAME.start(Options(), 3, None), shown), shown


def test_revealed_numbers_are_remembered_by_position():
    own, shown = watched([RevealMiddle(0), RevealHighest(1), RevealLowest(1), RevealMiddle(1)])
    assert own.middle == (BACK,) * 9
    mind = recall_numbers(own, shown, lambda ago: True)
    assert mind.middle == (10, 11, *[BACK] * 7)
    assert mind.hands == ((1, 1, 1, 4, 4, 4, 7, 7, 7), (2, *[BACK] * 7, 8), (BACK,) * 9)
    assert (mind.turn, mind.turn_no) == (own.turn, own.turn_no)


def test_forgetful_bot_knows_only_the_last_cards():
    own, shown = watched([RevealMiddle(0), RevealHighest(1), RevealLowest(1), RevealMiddle(1)])
    mind = recall_numbers(own, shown, lambda ago: ago < 2)
    assert (mind.middle[0], mind.middle[1], mind.hands[1][0], mind.hands[1][-1]) == (BACK, 11, 2, BACK)


def test_numbers_from_earlier_games_do_not_count():
    own, shown = watched([RevealMiddle(0), RevealMiddle(1)])
    _, before = watched([*[RevealLowest(0)] * 3, RevealMiddle(7), RevealMiddle(0)])
    assert recall_numbers(own, [*before, *shown], lambda ago: True) == recall_numbers(own, shown, lambda ago: True)


def test_bot_without_events_uses_the_table():
    own, _ = watched([])
    assert recall_numbers(own, (), lambda ago: True) == own
    assert isinstance(choose("steady", own, 0, (), Random(1)), RevealLowest | RevealHighest | RevealMiddle)


def test_hidden_swap_clears_the_bots_knowledge_of_those_hands():
    state = laid([(1, 2), (BACK,) * 2, (BACK,) * 2, (BACK,) * 2], teams=True)
    reveal = CardRevealed(0, Source("hand", 1, "lowest"), 3, 1, 1)
    own = CardRevealed(0, Source("hand", 0, "lowest"), 1, 2, 1)
    hidden = (None,) * 4
    begun = GAME.entry.opening(GAME.start(Options(teams=True), 4, None), (None,) * 4)
    dealt = [
        FirstPlayerChosen(0, "random"),
        HandStarted(1),
        HandDealt((state.hands[0], None, None, None), ()),
    ]
    shown = [*begun, *dealt, reveal, own, RevealsReturned((reveal.source, own.source))]
    assert recall_numbers(state, shown, lambda ago: True).hands[1] == (3, *[BACK] * 8)
    swapped = [SwapWindowOpened("trio", (1,)), SwapMade(1, hidden, hidden)]
    assert recall_numbers(state, [*shown, *swapped], lambda ago: True).hands[1] == (BACK,) * 9
    mine = [SwapWindowOpened("trio", (0,)), SwapMade(0, (1, None, None, None), (9, None, None, None))]
    assert recall_numbers(state, [*shown, *mine], lambda ago: True).hands[0] == (2, 9)


# --- Judgement --------------------------------------------------------------------------------------


def chosen(hands, middle=(), face_up=(), **options):
    """Return the steady bot's move for seat 0, with cards that it knows or does not know."""
    state = laid(hands, middle, **options)
    for move in face_up:
        state, _ = play_move(GAME, state, 0, move)
    return choose("steady", state, 0, (), Random(0))


def test_bot_takes_a_known_trio():
    state = laid([(2, 5), (2, 9), (2, 12)], (BACK,) * 3)
    for _ in range(3):
        move = choose("steady", state, 0, (), Random(0))
        state, events = play_move(GAME, state, 0, move)
        assert events[0].number == 2
    assert isinstance(events[-1], TrioCompleted)


def test_bot_prefers_the_trio_of_sevens():
    assert chosen([(7, 7, 9), (1, 1, 1), (9, 9)], (7, BACK)) in (RevealLowest(0), RevealMiddle(0))


def test_bot_completes_a_pair_at_the_likeliest_position():
    hands = [(3, 3, 8), (BACK,) * 4, (1, 9)]
    assert chosen(hands, (5, 6), [RevealLowest(0), RevealLowest(0)]) == RevealLowest(1)


def test_hand_with_a_single_number_is_counted_once():
    outlook = Outlook(laid([(4, 4), (1,), (2,)]))
    assert sum(chance for chance, _ in outlook.spots(4)) == 2


def test_lowest_of_unknown_cards_has_the_expected_chances():
    assert lowest_is(1, 1, {1: 1, 2: 1}) == 0.5
    assert lowest_is(1, 2, {1: 1, 2: 2}) == pytest.approx(2 / 3)
    assert lowest_is(2, 2, {1: 1, 2: 2}) == pytest.approx(1 / 3)
    assert lowest_is(3, 2, {1: 1, 2: 2}) == 0
    assert lowest_is(3, 2, {3: 1}) == 0


def test_card_below_a_known_card_is_not_higher():
    outlook = Outlook(laid([(1,), (BACK, 3), (12, 12)]))
    moves = [move for number in range(4, 12) for _, move in outlook.spots(number)]
    assert RevealLowest(1) not in moves
    assert RevealLowest(1) in [move for _, move in outlook.spots(2)]


def test_highest_card_is_estimated_symmetrically_to_the_lowest():
    outlook = Outlook(laid([(1,), (BACK, BACK), (3, 11, 12)]))
    spots = {move: chance for chance, move in outlook.spots(12)}
    assert spots[RevealHighest(2)] == 1
    assert 0 < spots[RevealLowest(1)] < spots[RevealHighest(1)] < 1


def test_a_partner_offers_a_single_card_from_within_its_hand():
    state = swapping([(1, 1, 5, 6, 9, 12), (2,), (3,), (4,)])
    assert choose("steady", state, 0, (), Random(0)) in (OfferSwap(5), OfferSwap(6))
