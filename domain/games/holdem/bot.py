"""Plays Texas hold'em with the bot of all games of poker."""

from domain.poker.betting_bot import choose

__all__ = ["choose"]
