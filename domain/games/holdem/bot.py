"""The bot that plays Texas hold'em: that of all games of poker."""

from domain.poker.bot import choose

__all__ = ["choose"]
