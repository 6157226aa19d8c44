"""The entries of the games of poker: of those whose hands can be written as hand histories."""

from tests.laws.games import ENTRIES

POKER = [entry for entry in ENTRIES if entry.game.words.hand_history]
