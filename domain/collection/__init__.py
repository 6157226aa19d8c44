"""Decides what a player's collection of cards goes through: packs, trades, prizes.

Each collection is its own stream, which only its player reads. The package knows no game: it is handed the cards.
"""
