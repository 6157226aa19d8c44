"""Lists the codes with which the rules of games refuse, for the operations that make moves or take seats."""

from typing import Final

from domain.core.refusals import COMMON
from domain.games.catalogue import GAMES

OF_MOVES: Final = (*COMMON, *(code for game in GAMES.values() for code in game.words.refusals))
"""The codes with which the rules refuse a move."""

OF_ENTRIES: Final = (
    "nothing_gained",
    "no_such_object",
    "wrong_phase",
    *(code for game in GAMES.values() if game.entry for code in game.entry.refusals),
)
"""The codes that refuse what a player brings to a seat: that the game takes nothing, and those of games that do."""
