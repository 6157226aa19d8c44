"""The games there are: the one list that a new game is added to."""

from collections.abc import Mapping
from typing import Any

from domain import hearts
from domain.game import Game

GAMES: Mapping[str, Game[Any, Any, Any, Any]] = {game.name: game for game in (hearts.GAME,)}
