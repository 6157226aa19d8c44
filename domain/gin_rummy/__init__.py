"""Gin Rummy (RULES chapter 5)."""

from domain.gin_rummy.options import Options
from domain.gin_rummy.rules import GAME

__all__ = ["GAME", "Options"]
