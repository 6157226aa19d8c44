"""The games there are, and who plays them: the one place that a new game is added to."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.game import Game
from domain.games import (
    crazy_eights,
    five_card_draw,
    gin_rummy,
    hearts,
    holdem,
    trio,
    two_handed_hearts,
)
from domain.games.crazy_eights import bot as crazy_eights_bot
from domain.games.gin_rummy import bot as gin_rummy_bot
from domain.games.hearts import bot as hearts_bot
from domain.games.trio import bot as trio_bot
from domain.games.two_handed_hearts import bot as two_handed_hearts_bot
from domain.poker import bot as poker_bot

Bot = Callable[[str, Any, Seat, Sequence[Any], Random], Any]
"""A player: level, the table as its seat knows it, the seat, what it was shown, chance -> a move."""

_PLAYED: Sequence[tuple[Game[Any, Any, Any, Any], Bot]] = (
    (hearts.GAME, hearts_bot.choose),
    (two_handed_hearts.GAME, two_handed_hearts_bot.choose),
    (crazy_eights.GAME, crazy_eights_bot.choose),
    (gin_rummy.GAME, gin_rummy_bot.choose),
    (trio.GAME, trio_bot.choose),
    (five_card_draw.GAME, poker_bot.choose),
    (holdem.GAME, poker_bot.choose),
)

GAMES: Mapping[str, Game[Any, Any, Any, Any]] = {game.name: game for game, _ in _PLAYED}

BOTS: Mapping[str, Bot] = {game.name: bot for game, bot in _PLAYED}

REMEMBERING = frozenset({trio.GAME.name})
"""The games whose bots play by what they were shown, and not by the table alone."""
