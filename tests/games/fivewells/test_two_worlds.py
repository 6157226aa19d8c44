"""Tests that a seat is shown the same in two duels that differ only in cards it has not seen (fivewells 1.4)."""

from random import Random

import pytest

from domain.core.game import CHANCE
from domain.core.visibility import view_event
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.moves import Mulligan
from domain.games.fivewells.options import NAMES, Options
from domain.games.fivewells.play import consequences, decide
from domain.games.fivewells.shown import view
from domain.games.fivewells.state import start
from domain.games.fivewells.waiting import MULLIGANS, ask, default, legal, to_act
from tests.draws import draws
from tests.games.fivewells.test_random_duels import any_move

SHOWS_CARDS = {"CardsDiscarded", "CardsMilled", "LibrarySearched"}


class World:
    """A duel whose second deck the first seat has not seen, with the table as that seat knows it."""

    def __init__(self, seed, deck):
        self.state = start(Options(first_deck="TG", second_deck=deck), 2, None)
        self.own = self.state.copy()
        self.rng = Random(seed)

    def step(self):
        """Make the next move: for chance and the first seat at random, for the second as the clock would."""
        seat = to_act(self.state)[-1]
        if seat == CHANCE:
            move = ask(self.state).sample(self.rng)
        else:
            move = self.hidden() if seat else any_move(self.own, 0, self.rng)
        told, happening = [], decide(self.state, seat, move)
        while happening:
            for event in happening:
                evolve(self.state, event)
                told.append(view_event(event, 0))
                evolve(self.own, told[-1])
            happening = consequences(self.state)
        return told

    def hidden(self):
        """Keep one card for the second seat, so that it holds at most seven cards for many turns."""
        if not self.state.kept[1] and self.state.mulligans[1] < MULLIGANS:
            return Mulligan()
        return default(self.state, 1)

    def shown(self):
        """Return everything that the first seat can request."""
        return view(self.own, 0), legal(self.state, 0), to_act(self.state)


@pytest.mark.parametrize("other", sorted(set(NAMES) - {"RF"})[:3])
@pytest.mark.parametrize("seed", range(draws(4)))
def test_seat_cannot_distinguish_two_worlds_until_it_sees_a_different_card(seed, other):
    worlds = [World(seed, "RF"), World(seed, other)]
    steps = 0
    while to_act(worlds[0].state):
        one, two = (world.step() for world in worlds)
        if one != two:
            differing = next((a, b) for a, b in zip(one, two, strict=False) if a != b)
            assert {type(event).__name__ for event in differing} <= SHOWS_CARDS
            break
        assert worlds[0].shown() == worlds[1].shown()
        steps += 1
    assert steps > 40
