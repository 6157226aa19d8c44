"""By the options that decide a tie a game is as short as it can be: one hand, if that decides anything."""

from random import Random

import pytest

from domain.core.options import misfits
from domain.core.values import with_fields
from tests.draws import draws
from tests.laws.play import steps
from tests.laws.test_laws import BLOCKS

MOST_HANDS = 400
"""Seats that play at random rarely end a hand of some games otherwise than void."""


@pytest.mark.parametrize("block", BLOCKS)
def test_by_the_options_that_decide_a_tie_a_game_is_one_hand_if_that_decides_anything(block):
    entry, rows = BLOCKS[block]
    game, rng = entry.game, Random(block)
    for options in rng.sample(rows, min(draws(1), len(rows))):
        changes = game.setup.deciding(options, entry.seats)
        if changes is None:
            continue
        assert not misfits(game.setup.options, changes)
        short = with_fields(options, **changes)
        assert not game.setup.bad_options(short, entry.seats)
        assert game.setup.deciding(short, entry.seats) == changes
        assert game.setup.most_hands(short, entry.seats) in (1, None)
        hands, after = 0, None
        for step in steps(entry, short, rng, MOST_HANDS):
            hands, after = hands + sum(isinstance(e, game.lifecycle.hand_ends) for e in step.events), step.after
        assert game.outcome(after) is not None
        assert hands == 1 or game.setup.most_hands(short, entry.seats) is None
