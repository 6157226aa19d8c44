"""Provides tables of Trio with given cards."""

from domain.core.game import fold
from domain.games.trio import GAME, Options
from domain.games.trio.table import FirstPlayerChosen, HandDealt, HandStarted, SwapWindowOpened

FILLER = (1, 2, 3)  # a hand that the test does not mention


def laid(hands, middle=(), turn=0, **options):
    """Return a table with these cards, before a turn."""
    state = GAME.start(Options(**options), len(hands), None)
    dealt = HandDealt(tuple(tuple(sorted(hand)) for hand in hands), tuple(middle))
    state = fold(GAME, state, [FirstPlayerChosen(turn, "pick"), HandStarted(1), dealt])
    state.swaps_due = ""
    return state


def swapping(hands, **options):
    """Return the same during the first swap window, which is open to all teams."""
    state = laid(hands, teams=True, **options)
    return fold(GAME, state, [SwapWindowOpened("start", tuple(range(len(hands) // 2)))])
