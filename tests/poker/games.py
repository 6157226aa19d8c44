"""Lists the poker games whose hands can be exported as hand histories."""

from tests.laws.games import ENTRIES

POKER = [entry for entry in ENTRIES if entry.game.words.hand_history]
