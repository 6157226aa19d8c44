"""Plays the games that the laws are checked on."""

from collections.abc import Iterator
from random import Random
from typing import Any

from api.game_checks.subject import PlayedMove, answer_chance
from domain.core.game import CHANCE, play_move
from domain.core.visibility import view_event
from tests.laws.entry import Entry


def steps(entry: Entry, options: Any, rng: Random, hands: int = 2, last: Any = None) -> Iterator[PlayedMove]:
    """Play a game, or its first hands, each seat by a policy of its own that sees only what the seat sees.

    `last` is how the game before it in a series ended.
    """
    game = entry.game
    state = game.start(options, entry.seats, last)
    own = [state.copy() for _ in range(entry.seats)]
    policies = [rng.choice(list(entry.policies.values())) for _ in range(entry.seats)]
    while hands and (actors := game.to_act(state)):
        seat = rng.choice(actors)
        move = chance(entry, state, rng) if seat == CHANCE else policies[seat](own[seat], seat, rng)
        after, events = play_move(game, state, seat, move)
        yield PlayedMove(options, state, [o.copy() for o in own], seat, move, events, after)
        for i, o in enumerate(own):
            for event in events:
                game.evolve(o, view_event(event, i))
        hands -= sum(isinstance(event, game.lifecycle.hand_ends) for event in events)
        state = after


def chance(entry: Entry, state: Any, rng: Random) -> Any:
    """Let chance answer, now and then with a pack that makes rare things happen."""
    return answer_chance(entry, state, entry.game.ask(state), rng)
