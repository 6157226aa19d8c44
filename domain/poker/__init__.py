"""Poker (RULES chapter 7)."""
