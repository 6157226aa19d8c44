"""Provides the building blocks of all games and matches."""
