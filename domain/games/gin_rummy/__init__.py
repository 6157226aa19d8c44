"""Gin Rummy (RULES chapter 5)."""

from domain.games.gin_rummy.options import Options
from domain.games.gin_rummy.play import GAME

__all__ = ["GAME", "Options"]
