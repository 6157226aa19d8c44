"""The bot that plays five-card draw: that of all games of poker."""

from domain.poker.bot import choose

__all__ = ["choose"]
