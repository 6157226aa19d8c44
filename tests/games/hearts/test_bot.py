"""Tests how well the bots of Hearts play."""

from random import Random

import pytest

from domain.core.cards import card, hand
from domain.core.game import CHANCE, answer_chance, check_move, fold, is_admitted, play_move
from domain.core.visibility import view_event
from domain.games.hearts import GAME
from domain.games.hearts import options as hearts_options
from domain.games.hearts.bot import choose
from domain.games.hearts.events import GameEnded, HandScored
from domain.games.hearts.options import Options
from tests.draws import draws, first_of
from tests.games.hearts.table import in_play, ready


def points_per_hand(levels, hands, variant="2-2-2-3", seed=1, **more):
    """Return the mean points of each bot. They change seats from hand to hand, and see only their own seat's view."""
    rng = Random(seed)
    points, played = [0] * 4, 0
    state = GAME.start(Options(variant, target_score=1000, **more), 4, None)
    own = [state.copy() for _ in levels]
    while played < hands:
        if not (actors := GAME.to_act(state)):
            state = GAME.start(Options(variant, target_score=1000, **more), 4, state)
            own = [state.copy() for _ in levels]
            continue
        seat = actors[0]
        if seat == CHANCE:
            move = answer_chance(GAME.ask(state), rng)
        else:
            move = choose(levels[(seat + played) % 4], own[seat], seat, (), rng)
            check_move(GAME, state, seat, move)
        state, events = play_move(GAME, state, seat, move)
        own = [fold(GAME, o, (view_event(e, i) for e in events)) for i, o in enumerate(own)]
        if isinstance(events[-1], HandScored | GameEnded):
            scored = next(e for e in events if isinstance(e, HandScored))
            points = [n + scored.points[(i - played) % 4] for i, n in enumerate(points)]
            played += 1
    return [n / hands for n in points]


@pytest.mark.parametrize("variant", first_of(["2-2-2-3", "1-1-1-1", "3-4-4-4", "4-3-3-2"]))
@pytest.mark.parametrize(("other", "share"), [pytest.param("random", 0.6, marks=pytest.mark.long), ("easy", 0.95)])
def test_steady_plays_clearly_better(other, share, variant):
    steady, *others = points_per_hand(["steady", other, other, other], 150, variant)
    assert steady < share * sum(others) / 3


def test_steady_plays_clearly_better_than_easy_without_the_scoring_jack():
    steady, *others = points_per_hand(["steady", "easy", "easy", "easy"], 150, jack_of_diamonds=False)
    assert steady < 0.8 * sum(others) / 3


@pytest.mark.long
def test_strong_is_no_worse_than_steady():
    strong, *others = points_per_hand(["strong", "random", "random", "random"], 150)
    assert strong + 2.5 < sum(others) / 3


@pytest.mark.parametrize("level", ["random", "easy", "steady", "strong"])
def test_every_level_plays_every_variant(level):
    variants = hearts_options.variants()
    for variant in Random(level).sample(variants, min(draws(8), len(variants))):
        points_per_hand([level] * 4, 1, variant.code)


def played(case, seat=0, level="steady"):
    state = in_play({"options": {}} | case, seat)
    move = choose(level, state, seat, (), Random(0))
    assert is_admitted(GAME.legal(state, seat), move)
    return move.card


PAST = [["2C", "3C", "4C", "AC"]]


def test_bot_discards_the_queen_on_another_seats_trick():
    assert played({"hand": ["QS", "3H", "9D"], "past": PAST, "trick": ["5C", "KC"]}) == card("QS")


def test_bot_plays_the_queen_under_the_king():
    assert played({"hand": ["QS", "2S", "9D"], "past": PAST, "trick": ["5S", "KS"]}) == card("QS")


def test_bot_ducks_a_costly_trick_with_its_highest_losing_card():
    assert played({"hand": ["2D", "9D", "AD"], "past": PAST, "trick": ["TD", "5H", "QS"]}) == card("9D")


def test_bot_takes_a_scoring_jack():
    assert played({"hand": ["2D", "AD"], "past": PAST, "trick": ["TD", "JD", "3D"]}) == card("AD")


def test_bot_passes_an_unguarded_queen():
    state = ready({}, {0: hand("2C 3C 4C 2D 3D 4D 5D 2H 3H 4H QS 2S 3S")})
    assert card("QS") in choose("steady", state, 0, (), Random(0)).cards


def test_easy_bot_forgets_the_queen():
    """It keeps her when it passes and when it cannot follow suit, and plays her early on a lower card."""
    state = ready({}, {0: hand("2C 3C 4C 2D 3D 4D AD KH AH 4H QS 2S 3S")})
    assert card("QS") not in choose("easy", state, 0, (), Random(0)).cards
    assert played({"hand": ["QS", "3H", "9D"], "past": PAST, "trick": ["5C", "KC"]}, level="easy") == card("3H")
    assert played({"hand": ["QS", "2S", "9D"], "past": PAST, "trick": ["5S"]}, level="easy") == card("QS")


def test_easy_bot_plays_high_only_in_early_tricks():
    case = {"hand": ["2D", "9D", "AD"], "trick": ["TD", "5D"]}
    assert played(case | {"past": PAST}, level="easy") == card("AD")
    assert played(case | {"past": PAST * 5}, level="easy") == card("2D")
    assert played(case | {"past": PAST, "trick": ["TD", "5H"]}, level="easy") == card("2D")
