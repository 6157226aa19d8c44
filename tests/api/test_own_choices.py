"""Tests games with their own choice classes over HTTP, guarded like installed games."""

import random
from dataclasses import replace

import pytest

from domain.core.choices import Choice
from domain.core.game_guard import guard_game
from domain.core.values import value
from domain.games.catalogue import GAMES
from tests.api.client import Table
from tests.laws.games import SHORT_SETUPS

MOVES = 6
"""The number of moves made in each match."""


@value
class Own:
    """A choice with its own class."""

    choice: Choice

    def __getattr__(self, name):
        return getattr(self.choice, name)


@pytest.mark.parametrize(("game", "n", "options"), SHORT_SETUPS)
def test_guarded_game_can_be_played_with_the_offered_moves(ada, monkeypatch, game, n, options):
    legal = GAMES[game].legal
    own = guard_game(replace(GAMES[game], legal=lambda table, seat: tuple(map(Own, legal(table, seat)))))
    monkeypatch.setitem(GAMES, game, own)
    created = ada.post("/v1/matches", {"game": game, "options": options, "seats": [{"kind": "me"}] * n})
    table, rng = Table(created.json), random.Random(n)
    for _ in range(MOVES):
        offered = ada.offers(table)
        if not offered["moves"]:
            break
        places = sorted(move["place"] for move in [*offered["moves"], *offered["also"]])
        assert places == list(range(len(places)))
        answer = ada.plays(table, rng.choice(offered["moves"])["example"])
        assert answer.status_code == 200, answer.json
    assert ada.sees(table)["version"] > n
