"""Plays the games that the laws are checked on."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.choices import Shuffle, argument
from domain.core.game import CHANCE, answer, play
from domain.core.visibility import seen
from tests.laws.entry import Entry


@dataclass
class Step:
    """A moment of a game: its options, the state, each seat's own, who moves, how, and what came of it."""

    options: Any
    state: Any
    own: list[Any]
    seat: Seat
    move: Any
    events: list[Any]
    after: Any


def steps(entry: Entry, options: Any, rng: Random, hands: int = 2, last: Any = None) -> Iterator[Step]:
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
        after, events = play(game, state, seat, move)
        yield Step(options, state, [o.copy() for o in own], seat, move, events, after)
        for i, o in enumerate(own):
            for event in events:
                game.evolve(o, seen(event, i))
        hands -= sum(isinstance(event, game.lifecycle.hand_ends) for event in events)
        state = after


def chance(entry: Entry, state: Any, rng: Random) -> Any:
    """Let chance answer, now and then with a pack that makes rare things happen."""
    ask = entry.game.ask(state)
    if isinstance(ask, Shuffle) and entry.owners(state, ask) and rng.random() < 0.5:
        return ask.make(entry.stack(ask.items, rng))
    return answer(ask, rng)


def swapped(move: Any, i: int, j: int) -> Any:
    """The same answer of chance with two items exchanged."""
    items = list(argument(move))
    items[i], items[j] = items[j], items[i]
    return type(move)(tuple(items))
