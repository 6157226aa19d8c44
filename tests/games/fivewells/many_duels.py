"""Plays very many duels between players with various strategies, and stops at the first that breaks a law.

    python -m tests.games.fivewells.many_duels 20000

Every duel ends. A seat to act has a legal move. After each move every card is in one zone, and no creature survives
wrongly. A line after each five hundred duels shows the progress.
"""

import sys
from collections import Counter
from itertools import product
from random import Random

from domain.core.choices import Choice
from domain.core.collectible import Deck
from domain.core.game import CHANCE, play_move
from domain.games.fivewells import GAME
from domain.games.fivewells.bot import answering
from domain.games.fivewells.options import Options, Rules
from domain.games.fivewells.state import State
from tests.games.fivewells.law import POLICIES
from tests.games.fivewells.test_random_duels import (
    any_move,
    drawn_deck,
    every_card_is_in_one_place,
    no_creature_lives_that_should_not,
)

SEED = 20261123
MOST_MOVES = 20_000
"""A duel with more moves does not end: the limit of turns keeps all others far below."""

PLAYERS = {**POLICIES, "anything": any_move}
"""The players of `law`, and one that also taps for mana and pays by hand."""

PAIRS = list(product(PLAYERS, repeat=2))


def begun(rng: Random) -> State:
    """Begin a duel between two random two-colour decks."""
    state: State = GAME.start(Options(max_turns=rng.choice((20, 120))), 2, None)
    state.rules = Rules((Deck(drawn_deck(rng)), Deck(drawn_deck(rng))), max_turns=state.rules.max_turns)
    return state


def duel(number: int) -> tuple[State, int]:
    """Play the duel with this number; return its final state, and its number of events."""
    rng, players = Random(f"{SEED}/{number}"), PAIRS[number % len(PAIRS)]
    state, events = begun(rng), 0
    for _ in range(MOST_MOVES):
        actors = GAME.to_act(state)
        if not actors:
            break
        seat = rng.choice(actors)
        if seat == CHANCE:
            move = GAME.ask(state).sample(rng)
        else:
            choices: list[Choice] = answering(state, seat)
            assert choices, f"duel {number}: seat {seat} has no move"
            move = PLAYERS[players[seat]](state, seat, rng)
        state, told = play_move(GAME, state, seat, move)
        events += len(told)
        every_card_is_in_one_place(state)
        no_creature_lives_that_should_not(state)
    assert state.ended, f"duel {number}: it does not end"
    return state, events


def main() -> None:
    """Play the given number of duels, and print a summary."""
    count, events, turns, endings = int(sys.argv[1]), 0, 0, Counter[str]()
    for number in range(count):
        state, told = duel(number)
        events, turns = events + told, turns + state.turn
        endings[state.ended.reason if state.ended else ""] += 1
        if (number + 1) % 500 == 0 or number + 1 == count:
            n = number + 1
            sys.stdout.write(f"{n} duels: {events / n:.0f} events and {turns / n:.1f} turns each; {dict(endings)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
