"""Handles players' decks: the rules of each format, and decks as text."""
