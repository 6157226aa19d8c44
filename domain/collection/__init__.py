"""Decides what a player's collection of cards goes through: packs, trades, prizes.

A collection is a stream of its own, which its player alone reads. The package knows no game: it is handed the cards.
"""
