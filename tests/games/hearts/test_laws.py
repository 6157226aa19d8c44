"""Tests laws that apply only to Hearts (rules 2)."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.hearts.events import GameEnded, HandScored, PlayStarted
from domain.games.hearts.options import CODES, SCORING, Options, most_hands, rules_of
from tests.draws import first_of
from tests.games.hearts.law import ENTRY
from tests.laws.play import steps
from tests.laws.test_laws import law

SUMS = {
    "score-ones": {13},
    "score-courts-5": {29},
    "score-queen-jack": {16},
    "score-two-free": set(range(13, 26, 2)),
}


def sums_of(options):
    """Return the possible sums of points in a hand without a moon: 10 more if the jack of diamonds does not score."""
    scoring = rules_of(options.variant)[3]
    more = 0 if options.jack_of_diamonds or scoring not in SCORING[2:] else 10
    return {total + more for total in SUMS[scoring.slug]}


def moon_sums(options):
    """Return the possible sums of points in a hand with a moon, for any options of the moon."""
    scores = options.jack_of_diamonds and rules_of(options.variant)[3] in SCORING[2:]
    jack = scores and options.moon_jack == "bonus"
    return {(78 if options.moon_style == "others_plus" else -26) - 10 * jack}


@law(hands=4, of="hearts")
def test_hand_has_thirteen_tricks_and_its_points_add_up(entry, game, rng):
    for step in game:
        for event in step.events:
            if isinstance(event, HandScored):
                assert len(step.after.tricks) == 13
                assert sum(taken.hearts for taken in event.taken) == 13
                assert [sum(getattr(t, card) for t in event.taken) for card in ("queen", "jack")] == [1, 1]
            if isinstance(event, PlayStarted):
                assert [len(hand) for hand in step.after.hands] == [13] * 4


@pytest.mark.parametrize("scoring", first_of("1234"))
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_points_of_a_hand_add_up_to_the_scoring_total(scoring, seed):
    rng = Random(seed)
    for jack, scores, style in product(
        ("required", "ignored", "bonus"), (True, False), ("others_plus", "shooter_minus")
    ):
        code = "-".join(rng.choice("1234") for _ in range(3)) + f"-{scoring}"
        options = Options(code, jack_of_diamonds=scores, moon_jack=jack, moon_style=style, target_score=1000)
        for step in steps(ENTRY, options, rng, hands=3):
            for event in step.events:
                if isinstance(event, HandScored):
                    assert sum(event.points) in (sums_of(options) if event.moon is None else moon_sums(options))


@pytest.mark.long
@given(seed=st.integers(0, 2**32), code=st.sampled_from(CODES))
@settings(max_examples=60)
def test_game_takes_at_most_the_declared_number_of_hands(seed, code):
    options = Options(code)
    bound = most_hands(options, 4)
    assert bound <= 31
    hands = [e for step in steps(ENTRY, options, Random(seed), 1000) for e in step.events]
    assert sum(isinstance(e, HandScored) for e in hands) <= bound
    assert isinstance(hands[-1], GameEnded)
