"""Tests that the bot of a draft picks cards that fit its earlier picks."""

from collections import Counter
from random import Random

import pytest

from domain.card_sets.cards.card_kinds import Mana
from domain.card_sets.cards.library import CARDS
from domain.core.game import is_admitted
from domain.games.fivewells_draft import GAME
from domain.games.fivewells_draft.bot import choose, worth
from tests.games.fivewells_draft.table import Draft


def drafted(level, seats=4, seed=0):
    draft, rng = Draft(seats, seed), Random(seed)
    while to_act := GAME.to_act(draft.state):
        seat = to_act[0]
        move = choose(level, draft.seen(seat) if draft.state.pick_no == 1 else draft.state, seat, (), rng)
        assert is_admitted(GAME.legal(draft.state, seat), move)
        draft.move(seat, move)
    return draft


@pytest.mark.parametrize("level", ["random", "easy", "steady", "strong"])
def test_every_level_completes_a_draft(level):
    assert GAME.phase(drafted(level, seats=2).state) == "game_over"


def test_steady_bot_drafts_fewer_colours_than_a_random_one():
    def two_best(draft):
        pools = [Counter(c for card in pool for c in CARDS[card].colors) for pool in draft.state.pools]
        return sum(n for pool in pools for _, n in pool.most_common(2))

    assert two_best(drafted("steady")) > 1.3 * two_best(drafted("random"))


def test_bot_prefers_a_card_of_a_colour_it_has_picked():
    boar, crab = CARDS["fw1-033"], CARDS["fw1-020"]
    picked = Counter({Mana.R: 6})
    assert worth(boar, Counter()) < worth(boar, picked)
    assert worth(boar, picked) - worth(crab, picked) > worth(boar, Counter()) - worth(crab, Counter())


def test_easy_bot_ignores_the_colours_it_has_picked():
    def colours(level):
        return sum(len({c for card in pool for c in CARDS[card].colors}) for pool in drafted(level).state.pools)

    assert colours("easy") > colours("steady")
