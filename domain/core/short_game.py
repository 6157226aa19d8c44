"""Plays a short game with guarded functions, to find an unplayable game before its first match."""

from random import Random
from typing import Final

from domain.core.game import CHANCE, AnyGame, play_move
from domain.core.game_guard import GameFailed

MOVES: Final = 60
"""Maximum moves of a short game, including the answers of chance."""


def play_short_game(game: AnyGame) -> None:
    """Play a guarded game with its default options, each seat at random. Raise `GameFailed`."""
    setup, rng = game.setup, Random(0)
    state = game.start(setup.options(**setup.resolve({}, setup.usual)), setup.usual, None)
    if game.entry is not None:
        for event in game.entry.opening(state, (None,) * setup.usual):
            game.evolve(state, event)
    for _ in range(MOVES):
        for reader in (None, *range(setup.usual)):
            game.view(state, reader)
            game.scene(state, reader)
        if game.outcome(state) is not None:
            return
        actors = game.to_act(state)
        if not actors:
            raise GameFailed(f"{game.name}: to_act names no seat, and the game is not over")
        seat = rng.choice(actors)
        choices = (game.ask(state),) if seat == CHANCE else game.legal(state, seat)
        if not choices:
            raise GameFailed(f"{game.name}: legal returns no move for seat {seat}, which must act")
        state, events = play_move(game, state, seat, rng.choice(choices).sample(rng))
        for event in events:
            game.words.text(event)
