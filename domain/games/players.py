"""The bots that play the games, known to the workers alone."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.games.crazy_eights import bot as crazy_eights
from domain.games.gin_rummy import bot as gin_rummy
from domain.games.hearts import bot as hearts
from domain.games.trio import bot as trio
from domain.games.two_handed_hearts import bot as two_handed_hearts
from domain.poker import bot as poker

Bot = Callable[[str, Any, Seat, Sequence[Any], Random], Any]
"""A player: level, the table as its seat knows it, the seat, what it was shown, chance -> a move."""

BOTS: Mapping[str, Bot] = {
    "hearts": hearts.choose,
    "two_handed_hearts": two_handed_hearts.choose,
    "crazy_eights": crazy_eights.choose,
    "gin_rummy": gin_rummy.choose,
    "trio": trio.choose,
    "five_card_draw": poker.choose,
    "holdem": poker.choose,
}

REMEMBERING = frozenset({"trio"})
"""The games whose bots play by what they were shown, and not by the table alone."""
