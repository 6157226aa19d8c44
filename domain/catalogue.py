"""The games there are, and who plays them: the one place that a new game is added to."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from domain import hearts
from domain.bots import hearts as hearts_bot
from domain.cards import Seat
from domain.game import Game

GAMES: Mapping[str, Game[Any, Any, Any, Any]] = {game.name: game for game in (hearts.GAME,)}

Bot = Callable[[str, Any, Seat, Sequence[Any], Random], Any]
"""A player: level, the table as its seat knows it, the seat, what it was shown, chance -> a move."""

BOTS: Mapping[str, Bot] = {hearts.GAME.name: hearts_bot.choose}
