"""Tables of Trio for tests, with the cards that a test lays."""

from domain.core.game import fold
from domain.games.trio import GAME, Options
from domain.games.trio.table import FirstPlayerChosen, HandDealt, HandStarted, SwapWindowOpened

FILLER = (1, 2, 3)  # a hand that a test says nothing of


def laid(hands, middle=(), turn=0, **options):
    """A table on which these cards lie, before somebody's turn."""
    state = GAME.start(Options(**options), len(hands), None)
    dealt = HandDealt(tuple(tuple(sorted(hand)) for hand in hands), tuple(middle))
    state = fold(GAME, state, [FirstPlayerChosen(turn, "pick"), HandStarted(1), dealt])
    state.swaps_due = ""
    return state


def swapping(hands, **options):
    """The same in the middle of the first swap window, open to all teams."""
    state = laid(hands, teams=True, **options)
    return fold(GAME, state, [SwapWindowOpened("start", tuple(range(len(hands) // 2)))])
