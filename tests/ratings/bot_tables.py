"""Plays matches between bots of different skill, only by the rules, to measure strengths and luck."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from domain.core.game import CHANCE, AnyGame, play_move, rank_lowest_first
from domain.core.visibility import view_event
from domain.games.bots import BOTS
from domain.match.status import judge_series

Choice = Callable[[Any, int, Sequence[Any], Random], Any]
"""A way to choose a move, from the table as a seat knows it, the seat, what it was shown, and chance."""


def thinking(game: AnyGame, share: float) -> Choice:
    """Return a player who makes this share of its moves like the steady bot, and the others at random."""
    choose = BOTS[game.name]

    def chosen(state: Any, seat: int, shown: Sequence[Any], rng: Random) -> Any:
        return choose("steady" if rng.random() < share else "random", state, seat, shown, rng)

    return chosen


def of_level(game: AnyGame, level: str) -> Choice:
    """Return the bot of a game at a level."""
    choose = BOTS[game.name]
    return lambda state, seat, shown, rng: choose(level, state, seat, shown, rng)


def places(game: AnyGame, options: Any, players: Sequence[Choice], rng: Random) -> tuple[int, ...]:
    """Play a match of the default length; return the place of each seat, from 1."""
    last, shown = None, [[] for _ in players]  # type: tuple[Any, list[list[Any]]]
    winners: list[int | None] = []
    while True:
        last = _game(game, options, players, rng, last, shown)
        outcome = game.outcome(last)
        assert outcome is not None
        winners.append(outcome.winners[0] if len(outcome.winners) == 1 else None)
        if game.setup.best_of == 1:
            return outcome.places
        if judge_series(game.setup.best_of, winners) is not None:
            return rank_lowest_first(-winners.count(seat) for seat in range(len(players)))


def _game(
    game: AnyGame, options: Any, players: Sequence[Choice], rng: Random, last: Any, shown: list[list[Any]]
) -> Any:
    """Play a game; each player sees what its seat is shown."""
    state = game.start(options, len(players), last)
    own = [state.copy() for _ in players]

    def tell(events: Sequence[Any]) -> None:
        for seat, world in enumerate(own):
            for event in events:
                told = view_event(event, seat)
                game.evolve(world, told)
                if game.memory is not None:
                    shown[seat].append(told)

    if game.entry is not None:
        brought = game.entry.opening(state, (None,) * len(players))
        for event in brought:
            game.evolve(state, event)
        tell(brought)
    while actors := game.to_act(state):
        seat = actors[0]
        if seat == CHANCE:
            move = game.ask(state).sample(rng)
        else:
            move = players[seat](own[seat], seat, shown[seat], rng)
        state, events = play_move(game, state, seat, move)
        tell(events)
    return state
