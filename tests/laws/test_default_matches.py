"""Tests that a match with default options ends in reasonable time (rules 2.7)."""

from random import Random
from typing import Final

import pytest

from domain import match as life
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from domain.games.catalogue import BUILT_IN
from domain.match.evolve import evolve
from tests.match.table import Table

MOST_HANDS: Final = 100
"""The maximum number of hands of a default match between steady bots, for any deal."""

GAMES = {game.name: game for game in BUILT_IN}


def steady_match(name, seed):
    """Play a default match between steady bots, and stop at the maximum number of hands."""
    game, rng = GAMES[name], Random(seed)
    table = Table(name, ("bot",) * game.setup.usual, best_of=game.setup.best_of, seed=seed)
    own = [life.initial_match(game, "m-1", table.events[0]) for _ in table.match.seats]
    shown = [[] for _ in own]
    told = 1
    while not table.match.over and table.match.hand_no <= MOST_HANDS:
        for event in table.events[told:]:
            for seat, world in enumerate(own):
                shown[seat].append(view_event(event, seat))
                evolve(world, shown[seat][-1])
        told = len(table.said)
        seat = life.to_act(table.match)[0]
        table.does(seat, BOTS[name]("steady", own[seat].table, seat, shown[seat], rng), "bot")
    return table.match


@pytest.mark.parametrize("name", GAMES)
def test_default_match_ends_within_its_declared_hands(name):
    match = steady_match(name, seed=1)
    assert match.status == "finished"
    assert match.hand_no <= MOST_HANDS
