"""Plays whole games between bots, each with only its own seat's view."""

from domain.core.game import CHANCE, answer_chance, check_move, fold, play_move
from domain.core.visibility import view_event


def outcome(game, choose, options, levels, rng, moves=100_000):
    """Play a game with seat i at levels[i]; return its outcome."""
    state = game.start(options, len(levels), None)
    own = [state.copy() for _ in levels]
    for _ in range(moves):
        if not (actors := game.to_act(state)):
            break
        seat = actors[0]
        if seat == CHANCE:
            move = answer_chance(game.ask(state), rng)
        else:
            move = choose(levels[seat], own[seat], seat, (), rng)
            check_move(game, state, seat, move)
        state, events = play_move(game, state, seat, move)
        own = [fold(game, o, (view_event(e, i) for e in events)) for i, o in enumerate(own)]
    return game.outcome(state)


def wins(game, choose, options, levels, games, rng):
    """Count the games won by the first bot, with rotating seats, and the games without a winner."""
    won = drawn = 0
    for n in range(games):
        at = n % len(levels)
        seated = levels[-at:] + levels[:-at] if at else levels
        winners = outcome(game, choose, options, seated, rng).winners
        won += winners == (at,)
        drawn += not winners
    return won, drawn
