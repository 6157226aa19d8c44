"""Plays games for the tests of the laws."""

from collections.abc import Iterator
from random import Random
from typing import Any

from api.game_checks.subject import PlayedMove, answer_chance
from domain.core.game import CHANCE, play_move
from domain.core.visibility import view_event
from tests.laws.entry import Entry


def steps(entry: Entry, options: Any, rng: Random, hands: int = 2, last: Any = None) -> Iterator[PlayedMove]:
    """Play a game or its first hands, each seat by its own policy, which sees only the seat's view.

    `last` is the end of the previous game in a series, or None.
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
    """Answer for chance, now and then with a pack that makes rare situations likely."""
    return answer_chance(entry, state, entry.game.ask(state), rng)
