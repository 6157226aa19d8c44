"""Defines the cards. Each effect is a value that a game interprets; no card has its own code."""
