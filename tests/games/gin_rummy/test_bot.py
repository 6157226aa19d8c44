"""Tests how well the bots of Gin Rummy play."""

from collections import Counter
from random import Random

import pytest

from domain.core.cards import card, hand
from domain.core.game import CHANCE, answer_chance, check_move, fold, play_move
from domain.core.visibility import view_event
from domain.games.gin_rummy import GAME, Options
from domain.games.gin_rummy.bot import choose
from domain.games.gin_rummy.events import (
    BigGin,
    Discard,
    DrawFromDiscard,
    DrawFromStock,
    GameEnded,
    HandScored,
    HandVoided,
    Knock,
    PointsNetted,
)
from domain.games.gin_rummy.options import PRESETS
from tests.draws import first_of
from tests.games.gin_rummy.examples import holding


def hands_won(levels, hands, options=None, seed=1, *, in_points=False):
    """Count the hands won by each of two bots, or their points.

    They swap seats after each hand, and see only their own seat's view.
    """
    rng, won, played = Random(seed), Counter(), 0
    options = options or Options(target_score=1000)
    state = GAME.start(options, 2, None)
    own = [state.copy(), state.copy()]
    while played < hands:
        if not (actors := GAME.to_act(state)):
            state = GAME.start(options, 2, state)
            own = [state.copy(), state.copy()]
            continue
        seat = actors[0]
        if seat == CHANCE:
            move = answer_chance(GAME.ask(state), rng)
        else:
            move = choose(levels[(seat + played) % 2], own[seat], seat, (), rng)
            check_move(GAME, state, seat, move)
        state, events = play_move(GAME, state, seat, move)
        own = [fold(GAME, o, (view_event(e, i) for e in events)) for i, o in enumerate(own)]
        for event in events:
            if isinstance(event, HandScored):
                won[(event.points.index(max(event.points)) + played) % 2] += max(event.points) if in_points else 1
            played += isinstance(event, HandScored | HandVoided)
    return won


@pytest.mark.long
@pytest.mark.parametrize("preset", first_of(PRESETS))
def test_steady_bot_wins_most_hands_against_random(preset):
    """It wins about 975 of 1,000 hands."""
    options = Options(**{**PRESETS[preset], "target_score": 1000})
    assert hands_won(["steady", "random"], 100, options)[0] >= 90


@pytest.mark.long
def test_steady_bot_wins_more_points_than_easy():
    """Beginners knock as soon as they can, and so win almost as many hands."""
    options = Options(**{**PRESETS["club"], "target_score": 1000})
    points = hands_won(["steady", "easy"], 300, options, in_points=True)
    assert points[0] > 1.1 * points[1]


@pytest.mark.long
def test_strong_is_no_worse_than_steady():
    assert hands_won(["strong", "random"], 60)[0] >= 54


@pytest.mark.parametrize("level", ["random", "easy", "steady", "strong"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_level_plays_with_two_three_and_four_seats(level, seats):
    rng = Random(3)
    options = Options(target_score=60, big_gin_bonus=31, rediscard_taken=False, max_pile_takes=2)
    state = GAME.start(options, seats, None)
    own, ends = [state.copy() for _ in range(seats)], 0
    while ends < 6 and (actors := GAME.to_act(state)):
        seat = rng.choice(actors)
        if seat == CHANCE:
            move = answer_chance(GAME.ask(state), rng)
        else:
            move = choose(level, own[seat], seat, (), rng)
            check_move(GAME, state, seat, move)
        state, events = play_move(GAME, state, seat, move)
        own = [fold(GAME, o, (view_event(e, i) for e in events)) for i, o in enumerate(own)]
        ends += sum(isinstance(e, HandScored | HandVoided | PointsNetted | GameEnded) for e in events)


def ended(held, pile="9H", level="steady", **values):
    """Return how a bot ends a turn with these eleven cards."""
    state = holding(values.pop("options", Options()), {0: hand(held)}, **values)
    return choose(level, state, 0, (), Random(0))


def test_bot_lays_off_all_it_can():
    club = Options(**PRESETS["club"])
    assert ended("2C 3C 4C 5C 6C 8D 8H 8S QC QD QH", options=club) == BigGin()
    assert ended("2C 3C 4C 5C 8D 8H 8S QC QD QH KS") == Knock(card("KS"))
    assert ended("2C 3C 4C 8D 8H 8S QC QD QH 5S KS") == Knock(card("KS"))


def test_bot_knocks_less_readily_when_the_stock_runs_low():
    held = "2C 3C 4C 8D 8H 8S 4H AS 2S 3H KS"
    assert ended(held) == Knock(card("KS"))
    assert ended(held, stock=hand("5C 6C 7C 8C")) == Discard(card("KS"))


def test_bot_keeps_cards_that_may_still_meld():
    assert ended("2C 3C 4C 8D 8H 8S JC QC KD 9S 7H") == Discard(card("KD"))


def drawn(held, top, level="steady"):
    state = holding(Options(), {0: hand(held)})
    (table,) = state.tables
    state.tables = (type(table)(table.pair, "draw", 0, table.stock, (card(top),)),)
    return choose(level, state, 0, (), Random(0))


def test_bot_takes_pile_cards_that_it_can_meld():
    held = "2C 3C 4C 8D 8H KS QD 9S 7H TC"
    assert drawn(held, "8S") == DrawFromDiscard()
    assert drawn(held, "5C") == DrawFromDiscard()
    assert drawn(held, "JD") == DrawFromStock()
    assert drawn(held, "AH") == DrawFromStock()


def test_easy_bot_knocks_early_and_throws_high_cards():
    """It knocks late in a hand too, and breaks up two kings; it takes only cards that meld."""
    held = "2C 3C 4C 8D 8H 8S 4H AS 2S 3H KS"
    assert ended(held, stock=hand("5C 6C 7C 8C"), level="easy") == Knock(card("KS"))
    assert ended("2C 3C 4C 8D 8H 8S KC KD QS 9S 7H", level="easy") == Discard(card("KD"))
    assert drawn("2C 3C 4C 8D 8H KS QD 9S 7H TC", "8S", level="easy") == DrawFromDiscard()
    assert drawn("2C 3C 4C AS AH 2D 4H 4S 9S 7H", "AC", level="easy") == DrawFromDiscard()
    assert drawn("2C 3C 4C 8D 8H KS QD 9S 7H TC", "AH", level="easy") == DrawFromStock()
