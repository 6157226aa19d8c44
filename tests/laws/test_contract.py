"""Tests that every game obeys its definition: its declarations are true, and it makes only declared events."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.game_checks.checks import check_options
from api.game_checks.play_checks import checked_steps
from domain.core.backing import OfMatch
from domain.core.contract import declaration_faults
from domain.core.strengths import Figures, Strengths
from domain.games.catalogue import GAMES, reserved_names
from domain.games.trio import GAME as TRIO
from tests.draws import draws
from tests.laws.games import ENTRIES
from tests.laws.test_laws import BLOCKS

MOVES = 100
"""The maximum number of moves of a game played here."""


@pytest.mark.parametrize("game", list(GAMES.values()), ids=lambda game: game.name)
def test_every_game_definition_obeys_the_contract(game):
    others = reserved_names(other for other in GAMES.values() if other is not game)
    assert [*declaration_faults(game, others), *check_options(game)] == []


def test_strength_figures_out_of_range_are_faults():
    figures = Figures(beta=1.0, bots={"genius": 1500}, lower_places_weight=1.5)
    game = replace(TRIO, setup=replace(TRIO.setup, strengths=Strengths(figures)))
    beta, below, bots = map(": ".join, declaration_faults(game, reserved_names(())))
    assert beta.startswith("setup.strengths.usual.beta: 1.0 is not from")
    assert below == "setup.strengths.usual.lower_places_weight: 1.5 is not from 0 to 1."
    assert bots.startswith("setup.strengths.usual.bots['genius']: ")


@pytest.mark.parametrize("block", BLOCKS)
@settings(max_examples=draws(1))
@given(seed=st.integers(0, 2**32))
def test_game_declarations_match_play(block, seed):
    entry, rows = BLOCKS[block]
    rng = Random(seed)
    for _ in checked_steps(entry, rng.choice(rows), rng, MOVES):
        pass


GAINED = {entry.game.name: entry.game for entry in ENTRIES if entry.game.entry and entry.game.entry.gained}


@pytest.mark.parametrize("game", GAINED.values(), ids=GAINED)
def test_match_with_gains_reads_them_from_the_named_match(game):
    gained = game.entry.gained
    said = {**gained.options, gained.named_by: "0" * 20}
    options = game.setup.options(**game.setup.resolve(said, game.setup.usual))
    assert game.entry.backing(options) == OfMatch("0" * 20)
