"""Tests that the options for deciding a tie make a game as short as possible: one hand, if that can decide it."""

from random import Random

import pytest

from domain.core.options import misfits
from domain.core.values import with_fields
from tests.draws import draws
from tests.laws.play import steps
from tests.laws.test_laws import BLOCKS

MOST_HANDS = 400
"""In some games, a hand of random moves is usually void."""


@pytest.mark.parametrize("block", BLOCKS)
def test_deciding_options_make_a_game_of_one_hand_if_possible(block):
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
