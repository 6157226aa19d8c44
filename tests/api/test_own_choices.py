"""Games whose choices are of classes of their own, guarded as installed games are: they are played over HTTP."""

import random
from dataclasses import replace

import pytest

from domain.core.choices import Choice
from domain.core.game_guard import guard_game
from domain.core.values import value
from domain.games.catalogue import GAMES
from tests.api.client import Table
from tests.laws.games import FIRST_SETUPS

MOVES = 6
"""As many moves are made of each match."""


@value
class Own:
    """A choice of a class that no common one is."""

    choice: Choice

    def __getattr__(self, name):
        return getattr(self.choice, name)


@pytest.mark.parametrize(("game", "n", "options"), FIRST_SETUPS)
def test_a_guarded_game_is_played_by_the_moves_that_are_offered(ada, monkeypatch, game, n, options):
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
